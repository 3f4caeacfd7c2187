//! The whole contract, served.

use super::app::{App, SIGHTINGS, keeper, request, ship};
use conformance::lighthouse::handlers::PASSES;
use conformance::lighthouse::keeper_pass;
use serde_json::json;

const STRANGER: &str = "401 stranger: who are you? X-Keeper says it";

#[test]
fn a_success_wears_the_envelope_of_its_own_contract() {
    let app = App::lighthouse();
    let entered = app.enter(&ship("Kaiko Maru"));
    entered.is(201, r#"{"ok":true,"result":{"id":1},"note":"Entered"}"#);
    assert_eq!(entered.header("x-trace").len(), 16);
    assert_eq!(entered.header("x-request-id"), "");
    app.send(request("GET", "/open/ping"), "").is(200, r#"{"ok":true}"#);
}

#[test]
fn a_list_shows_its_view_in_its_order_beside_its_own_siblings() {
    let app = App::lighthouse();
    for name in ["Ise", "Nagato"] {
        app.enter(&ship(name));
    }
    let nagato = json!({ "id": 2, "ship": "Nagato", "heading": "west", "speed": null, "day": null });
    let one = app.get("/log/v2/sightings?most=1").json();
    assert_eq!(one, json!({ "ok": true, "result": [nagato], "total": 2, "most": 1 }));
    let all = app.get(SIGHTINGS).json();
    assert_eq!((&all["result"][1]["id"], &all["most"]), (&json!(1), &json!(10)));
    assert_eq!(app.get("/log/v2/sightings?bearing=east").json()["total"], 0);
}

#[test]
fn every_refusal_wears_the_envelope_of_its_own_contract() {
    let app = App::lighthouse();
    let json = || keeper("POST", SIGHTINGS).header("content-type", "application/json");
    let long = " ".repeat(4097);
    for (request, body, refusal) in [
        (keeper("GET", "/nowhere"), "", "404 nowhere: nothing is here"),
        (keeper("GET", "/log/v2/ships"), "", "404 nowhere: nothing is here"),
        (keeper("PATCH", SIGHTINGS), "", "405 not_so: use POST, GET"),
        (request("GET", SIGHTINGS), "", STRANGER),
        (keeper("POST", SIGHTINGS), "{}", "415 no_json: JSON, please"),
        (json(), &long, "413 too_long: at most 4096 bytes"),
        (json(), "[]", "400 nonsense: the body must be an object, not a list"),
        (keeper("GET", "/log/v2/sightings/7"), "", "404 unseen: no sighting 7"),
    ] {
        assert_eq!(app.send(request, body).refusal(), refusal);
    }
}

#[test]
fn only_the_header_of_its_own_contract_lets_a_keeper_in() {
    let app = App::lighthouse();
    for (header, pass) in [("X-API-Key", PASSES[0]), ("X-Keeper", "keeper-three"), ("X-Keeper", "")] {
        let answer = app.send(request("GET", SIGHTINGS).header(header, pass), "");
        assert_eq!(answer.refusal(), STRANGER, "{header}: {pass}");
    }
    let twice = keeper("GET", SIGHTINGS).header("x-keeper", PASSES[0]);
    assert_eq!(app.send(twice, "").refusal(), STRANGER);
    assert_eq!(app.get(SIGHTINGS).status, 200);
}

#[test]
fn a_path_beside_the_base_is_nowhere() {
    let app = App::lighthouse();
    for path in [
        "/sightings",
        "/log/v20/sightings",
        "/log/v2/sightings/",
        "/api/v1/humans",
        "/log/v2",
    ] {
        assert_eq!(app.get(path).refusal(), "404 nowhere: nothing is here", "{path}");
    }
}

#[test]
fn another_method_is_answered_with_those_that_there_are() {
    let app = App::lighthouse();
    for (method, path, allow) in [
        ("DELETE", SIGHTINGS, "POST, GET"),
        ("HEAD", SIGHTINGS, "POST, GET"),
        ("POST", "/open/ping", "GET"),
        ("OPTIONS", "/log/v2/sightings/1", "GET"),
    ] {
        let answer = app.send(request(method, path), "");
        assert_eq!((answer.status, answer.header("allow")), (405, allow), "{method} {path}");
    }
}

#[test]
fn what_is_private_does_not_exist_for_another_keeper() {
    let app = App::lighthouse();
    app.enter(&ship("Kaiko Maru"));
    let other = |path| app.send(request("GET", path).header(keeper_pass::HEADER, PASSES[1]), "");
    assert_eq!(other("/log/v2/sightings/1").refusal(), "404 unseen: no sighting 1");
    assert_eq!(other(SIGHTINGS).json()["total"], 0);
    assert_eq!(app.get("/log/v2/sightings/1").json()["result"]["ship"], "Kaiko Maru");
}

#[test]
fn numbers_and_dates_are_kept_as_they_were_sent() {
    let app = App::lighthouse();
    for (speed, day) in [
        ("0", "2024-02-29"),
        ("12", "1853-07-08"),
        ("12.5", "2000-01-01"),
        ("60", "9999-12-31"),
    ] {
        let body = format!(r#"{{"ship":"Susquehanna","bearing":"east","speed":{speed},"day":"{day}"}}"#);
        let entered = app.enter(&serde_json::from_str(&body).expect("JSON")).json();
        let shown = app.get(&format!("{SIGHTINGS}/{}", entered["result"]["id"])).body;
        let shown = String::from_utf8_lossy(&shown);
        assert!(
            shown.contains(&format!(r#""speed":{speed},"day":"{day}"}}"#)),
            "{shown}"
        );
    }
}

#[test]
fn numbers_and_dates_outside_of_their_types_are_refused() {
    let app = App::lighthouse();
    for (member, value) in [
        ("speed", json!(-1)),
        ("speed", json!(60.1)),
        ("speed", json!(12.55)),
        ("speed", json!("12")),
        ("day", json!("2023-02-29")),
        ("day", json!("2024-02-29T00:00:00")),
        ("day", json!(20240229)),
    ] {
        let mut sighting = ship("Kaiko Maru");
        sighting[member] = value;
        let refusal = app.enter(&sighting).refusal();
        let expected = format!("400 nonsense: `{member}` must ");
        assert!(refusal.starts_with(&expected), "{refusal}");
    }
}

#[test]
fn one_refusal_names_every_fault() {
    let sighting = json!({ "ship": "X", "bearing": "up", "sped": 3, "day": [] });
    let refusal = App::lighthouse().enter(&sighting).refusal();
    for part in [
        "400 nonsense: ",
        "`ship`",
        "`bearing`",
        "`sped`",
        "did you mean `speed`?",
        "`day`",
    ] {
        assert!(refusal.contains(part), "{part} is missing: {refusal}");
    }
}

#[test]
fn a_parameter_outside_of_its_type_is_refused() {
    let app = App::lighthouse();
    for (query, part) in [
        ("most=51", "`most`"),
        ("most=0", "`most`"),
        ("bearing=up", "`bearing`"),
        ("limit=5", "`limit`"),
    ] {
        let refusal = app.get(&format!("{SIGHTINGS}?{query}")).refusal();
        assert!(
            refusal.starts_with("400 nonsense: ") && refusal.contains(part),
            "{refusal}"
        );
    }
}
