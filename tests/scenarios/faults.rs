//! The text of an error: every validation error of a request at once, with the correction.

use super::*;
use serde_json::json;

#[track_caller]
fn check(said: &str, sentences: &[&str]) {
    let all = sentences.iter().all(|sentence| said.contains(sentence));
    assert!(all && said.matches("; ").count() + 1 == sentences.len(), "{said}");
}

#[test]
fn every_fault_of_a_request_is_told_at_once() {
    let market = market();
    let agent = market.agent("free");
    let body =
        json!({ "title": "", "descripton": "x", "budget": "1", "deadline": "2026-02-30", "required_skills": ["a", 2] });
    let said = market.send(&agent, op!(agent::create_bounty), &[], body).rejected(400);
    let sentences = [
        "`title`",
        "did you mean `description`?",
        "`description` is required",
        "`budget`",
        "`deadline`",
        "`required_skills[1]`",
    ];
    check(&said, &sentences);
    let query = "min_rate=1&maxRate=x&limit=0&gender=none&skill=";
    let said = market.get(&agent, op!(agent::list_humans), &[], query).rejected(400);
    check(
        &said,
        &["did you mean `minRate`?", "`maxRate`", "`limit`", "`gender`", "`skill`"],
    );
}

#[test]
fn path_query_and_body_are_told_together() {
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
    let said = Reply { request, response }.rejected(400);
    check(&said, &["`id` must be an integer", "`limt`", "`status` must be one of"]);
}

#[test]
fn an_unknown_name_is_answered_with_the_nearest_known_one() {
    let market = market();
    let agent = market.agent("free");
    for (given, meant) in [
        ("min_rate", "minRate"),
        ("MINRATE", "minRate"),
        ("max_rate", "maxRate"),
        ("offest", "offset"),
        ("genders", "gender"),
    ] {
        let said = market
            .get(&agent, op!(agent::list_humans), &[], &format!("{given}=1"))
            .rejected(400);
        check(
            &said,
            &[&format!("`{given}` is not known here, did you mean `{meant}`?")],
        );
    }
    let said = market
        .get(&agent, op!(agent::list_humans), &[], "zzzzzz=1")
        .rejected(400);
    assert!(!said.contains("did you mean"), "{said}");
}

#[test]
fn what_is_nobodys_path_is_answered_in_the_envelope() {
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
        assert_eq!(
            (reply.rejected(404).as_str(), &reply.json()["success"]),
            ("no such endpoint", &json!(false)),
            "{path}"
        );
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
