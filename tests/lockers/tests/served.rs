//! The whole contract, served: its own envelope, credentials, headers and error table.

use crate::world::{Depot, crew, nobody, op, request};
use conformance::{Caller, Op, Request};
use lockers::support::Clock;
use lockers::{LimitSettings, badge, courier, finder, pass, pulse, terminal_key};
use serde_json::json;

const TERMINALS: Op = op!(courier::list_terminals);

/// A request of this method to this path, without a credential.
pub(crate) fn bare(method: &str, target: &str) -> Request {
    Request {
        method: method.to_owned(),
        target: target.to_owned(),
        ..Request::default()
    }
}

#[test]
fn a_success_wears_the_envelope_of_its_own_contract() {
    let depot = Depot::new();
    let body = |reply: &crate::world::Reply| String::from_utf8_lossy(&reply.response.body).into_owned();
    let ping = depot.get(&nobody(), op!(pulse::ping), &[]);
    assert_eq!(body(&ping), r#"{"ok":true,"version":2,"result":null}"#);
    assert_eq!(
        (ping.header("lockers-request").len(), ping.header("x-request-id")),
        (16, "")
    );
    let stations = depot.get(&nobody(), op!(finder::list_stations), &[]);
    let empty = r#"{"ok":true,"version":2,"result":[],"total":0,"page":1,"page_size":10}"#;
    assert_eq!(body(&stations), empty);
    let changed = depot.send(
        &depot.recipient(),
        op!(recipient::update_me),
        &[],
        json!({ "name": "Ren" }),
    );
    let message = r#"{"ok":true,"version":2,"result":null,"message":"Profile changed"}"#;
    assert_eq!(body(&changed), message);
}

#[test]
fn every_refusal_wears_the_envelope_of_its_own_contract() {
    let world = Depot::new();
    let courier = world.courier("basic");
    let announce = |body| request(&courier, op!(courier::announce_parcel), &[], "", body);
    let mut plain = announce(Some(json!({})));
    plain.headers[1].1 = "text/plain".to_owned();
    let long = json!({ "note": "x".repeat(16_384) });
    for (request, refusal) in [
        (
            bare("GET", "/nowhere"),
            "404 no_such_path: nothing is found at this path",
        ),
        (
            bare("PATCH", pulse::ping::PATH),
            "405 wrong_method: only GET can be asked for here",
        ),
        (
            bare("GET", TERMINALS.path),
            "401 unknown_caller: send one valid credential in Lockers-Terminal",
        ),
        (plain, "415 not_json: send the body as application/json"),
        (
            announce(Some(long)),
            "413 too_large: the body may have 16384 bytes, not more",
        ),
        (
            announce(Some(json!(7))),
            "422 malformed: the body must be an object, not a number",
        ),
        (
            request(&courier, op!(courier::get_parcel), &[7], "", None),
            "404 unknown: there is no parcel 7",
        ),
    ] {
        assert_eq!(world.call(request).refusal(), refusal);
    }
}

#[test]
fn a_credential_opens_its_own_surface_in_its_own_header_only() {
    let world = Depot::new();
    let courier = world.courier("basic");
    let tried = |header: &str, secret: &str| {
        let mut request = bare("GET", TERMINALS.path);
        request.headers.push((header.to_owned(), secret.to_owned()));
        world.call(request)
    };
    assert_eq!(tried(terminal_key::HEADER, &courier.secret).response.status, 200);
    for header in [pass::HEADER, badge::HEADER, "X-API-Key", "Authorization"] {
        let refused = tried(header, &courier.secret);
        assert_eq!(refused.response.status, 401, "{header}");
        assert_eq!(refused.header("lockers-credential"), terminal_key::HEADER);
    }
}

#[test]
fn a_path_beside_the_bases_is_nowhere() {
    let world = Depot::new();
    for path in [
        "/find",
        "/find/stations/",
        "/find2/stations",
        "/stations",
        "/courier/v2/parcels",
        "/api/v1/humans",
    ] {
        let nowhere = world.call(bare("GET", path));
        assert_eq!(
            nowhere.refusal(),
            "404 no_such_path: nothing is found at this path",
            "{path}"
        );
    }
}

#[test]
fn another_method_is_answered_with_those_that_there_are() {
    let world = Depot::new();
    for (method, path, allow) in [
        ("DELETE", courier::list_parcels::PATH, "GET, POST"),
        ("HEAD", finder::list_stations::PATH, "GET"),
        ("POST", "/courier/v1/reservations/1", "DELETE"),
        ("OPTIONS", "/depot/stations/1/compartments/2", "PATCH, DELETE"),
    ] {
        let reply = world.call(bare(method, path));
        assert_eq!(
            (reply.response.status, reply.header("allow")),
            (405, allow),
            "{method} {path}"
        );
    }
}

#[test]
fn a_limit_reports_itself_under_the_names_of_its_own_contract() {
    let world = Depot::behind(&LimitSettings {
        clock: Clock::manual(1_750_000_027),
        ..LimitSettings::default()
    });
    let told = |caller: &Caller, op: Op| {
        let reply = world.get(caller, op, &[]);
        ["lockers-limit", "lockers-remaining", "lockers-reset"].map(|name| reply.header(name).to_owned())
    };
    let second = ["searches; 10 in 1 s", "9", "1, at 1750000028"];
    assert_eq!(told(&nobody(), op!(finder::list_stations)), second);
    assert_eq!(told(&crew(), op!(depot::list_defects))[0], "crew; 300 in 60 s");
    assert_eq!(told(&nobody(), op!(pulse::ping)), ["", "", ""]);
}

#[test]
fn one_refusal_names_every_fault() {
    let world = Depot::new();
    let body = json!({ "weight": 31, "contents": [{ "what": "", "peices": 2 }], "collect_by": "2023-02-29" });
    let refusal = world
        .send(&world.courier("basic"), op!(courier::announce_parcel), &[], body)
        .refusal();
    for part in [
        "422 malformed: ",
        "`weight`",
        "`contents[0].what`",
        "did you mean `pieces`?",
        "`collect_by`",
        "`station_id`",
        "`recipient_id`",
    ] {
        assert!(refusal.contains(part), "{part} is missing: {refusal}");
    }
}
