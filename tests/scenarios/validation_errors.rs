//! The text of an error: every validation error of a request at once, with the correction.

use super::*;
use serde_json::json;

#[track_caller]
fn check(text: &str, sentences: &[&str]) {
    let all = sentences.iter().all(|sentence| text.contains(sentence));
    assert!(all && text.matches("; ").count() + 1 == sentences.len(), "{text}");
}

#[test]
fn all_errors_of_a_request_are_reported_at_once() {
    let market = market();
    let agent = market.agent("free");
    let body =
        json!({ "title": "", "descripton": "x", "budget": "1", "deadline": "2026-02-30", "required_skills": ["a", 2] });
    let reply = market.send(&agent, op!(agent::create_bounty), &[], body);
    assert_eq!(
        reply.response.header("x-faults"),
        Some(
            ";unknown, title;length;1;200, description;required, budget;type;number, deadline;date, \
             required_skills[1];type;string"
        )
    );
    let text = reply.rejected(400);
    let sentences = [
        "`title`",
        "did you mean `description`?",
        "`description` is required",
        "`budget`",
        "`deadline`",
        "`required_skills[1]`",
    ];
    check(&text, &sentences);
    let query = "min_rate=1&maxRate=x&limit=0&gender=none&skill=";
    let reply = market.get(&agent, op!(agent::list_humans), &[], query);
    assert_eq!(
        reply.response.header("x-faults"),
        Some(";unknown, skill;empty, gender;choice;male;female;other, maxRate;type;number, limit;range;1;100")
    );
    let text = reply.rejected(400);
    check(
        &text,
        &["did you mean `minRate`?", "`maxRate`", "`limit`", "`gender`", "`skill`"],
    );
}

#[test]
fn errors_in_path_query_and_body_are_reported_together() {
    let market = market();
    let agent = market.agent("free");
    let mut request = request(
        &agent,
        op!(agent::update_bounty),
        &[1],
        "",
        Some(json!({ "status": "opened" })),
    );
    request.target = request.target.replace("/1", "/one?limt=1");
    let response = market.service().call(&request);
    let text = Reply { request, response }.rejected(400);
    check(&text, &["`id` must be an integer", "`limt`", "`status` must be one of"]);
}

#[test]
fn an_unknown_name_is_answered_with_the_nearest_known_one() {
    let market = market();
    let agent = market.agent("free");
    for (misspelt, meant) in [
        ("min_rate", "minRate"),
        ("MINRATE", "minRate"),
        ("max_rate", "maxRate"),
        ("offest", "offset"),
        ("genders", "gender"),
    ] {
        let text = market
            .get(&agent, op!(agent::list_humans), &[], &format!("{misspelt}=1"))
            .rejected(400);
        check(
            &text,
            &[&format!("`{misspelt}` is not known here, did you mean `{meant}`?")],
        );
    }
    let text = market
        .get(&agent, op!(agent::list_humans), &[], "zzzzzz=1")
        .rejected(400);
    assert!(!text.contains("did you mean"), "{text}");
    check(
        &text,
        &["`zzzzzz` is not known here, known are `skill`, `state`, `gender`, `minRate`"],
    );
}

#[test]
fn an_unknown_path_is_answered_in_the_envelope() {
    let market = market();
    for path in [
        "/api",
        "/api/v1",
        "/api/v1/",
        "/api/v2/humans",
        "/api/v10/humans",
        "//api/v1/humans",
        "/api/v1/humans/1/2",
        "/%61pi/v1/humans",
    ] {
        let request = conformance::Request {
            method: "GET".into(),
            target: path.into(),
            ..Default::default()
        };
        let response = market.service().call(&request);
        let reply = Reply { request, response };
        assert!(reply.rejected(404).starts_with("no such endpoint"), "{path}");
        assert_eq!(reply.json()["success"], json!(false), "{path}");
        assert_eq!(reply.response.header("x-error-code"), Some("no_route"), "{path}");
        assert!(reply.response.header("x-request-id").is_some_and(|id| !id.is_empty()));
    }
}

#[test]
fn every_answer_has_a_name_of_its_own() {
    let market = market();
    let agent = market.agent("free");
    let name = || {
        market
            .get(&agent, op!(agent::list_keys), &[], "")
            .response
            .header("x-request-id")
            .map(str::to_owned)
    };
    let names: std::collections::BTreeSet<_> = (0..100).map(|_| name()).collect();
    assert_eq!(names.len(), 100);
}
