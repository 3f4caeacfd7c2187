//! The effect of each edit over HTTP: the same requests to a server of the unedited contract and to one of the edited
//! copy.

use super::editions::{EDITED, UNEDITED};
use super::server::Server;
use serde_json::json;
use std::fmt::Debug;
use test_support::people::bounty;

#[track_caller]
fn shows<T: PartialEq + Debug>(probe: impl Fn(&Server) -> T, before: T, after: T) {
    assert_eq!(probe(&Server::start(&UNEDITED)), before, "before the edit");
    assert_eq!(probe(&Server::start(&EDITED)), after, "after the edit");
}

fn reply(status: u16, text: &str) -> (u16, String) {
    (status, text.to_owned())
}

/// The number of accepted reads in one window. `None` if a window ended meanwhile: then the caller counts again.
fn reads_in_a_window(server: &Server) -> Option<usize> {
    (0..5).find_map(|_| {
        let agent = server.agent("free");
        let first = agent.get("/keys");
        let window = first.header("x-ratelimit-reset").expect("a limit");
        let mut passed = 1;
        loop {
            let next = agent.get("/keys");
            match (next.header("x-ratelimit-reset") == Some(window), next.status) {
                (false, _) => return None,
                (true, 429) => return Some(passed),
                (true, _) => passed += 1,
            }
        }
    })
}

#[test]
fn a_lowered_read_limit_rejects_the_eighth_read() {
    shows(reads_in_a_window, Some(100), Some(7));
}

#[test]
fn a_lowered_quota_rejects_the_third_key() {
    let third_and_fourth = |server: &Server| {
        let agent = server.agent("verified");
        let answers =
            ["second", "third", "fourth"].map(|name| agent.post("/keys", json!({ "name": name })).status_and_error());
        let [_, third, fourth] = answers;
        [third, fourth]
    };
    let two = || reply(403, "at most 2 active API keys are allowed");
    let three = reply(403, "at most 3 active API keys are allowed");
    shows(third_and_fourth, [reply(200, ""), three], [two(), two()]);
}

#[test]
fn a_tighter_bound_rejects_the_next_character() {
    let statuses = |server: &Server| {
        let agent = server.agent("free");
        [50, 51, 200, 201].map(|length| agent.post("/bounties", bounty(&"x".repeat(length))).status)
    };
    shows(statuses, [201, 201, 201, 400], [201, 400, 400, 400]);
}

#[test]
fn an_error_response_has_the_text_and_the_status_of_its_entry() {
    let too_late = |server: &Server| {
        let agent = server.agent("free");
        let id = agent.post("/bounties", bounty("Photo")).id();
        agent.patch(&format!("/bounties/{id}"), json!({ "status": "in_progress" }));
        let apply = format!("/bounties/{id}/applications");
        server
            .worker()
            .post(&apply, json!({ "message": "明日行けます。" }))
            .status_and_error()
    };
    let before = reply(400, "bounty 1 is not open, only open bounties take applications");
    shows(too_late, before, reply(410, "too late for bounty 1"));
}

#[test]
fn of_two_errors_the_upper_one_answers() {
    // More reads than two windows accept. Of the two statuses, the rate limit has the higher one.
    let reads = |server: &Server| {
        let agent = server.agent("free");
        server
            .operator()
            .patch("/accounts/1", json!({ "suspended": true }))
            .json();
        (0..15).map(|_| agent.get("/keys").status).max()
    };
    shows(reads, Some(403), Some(429));
}

#[test]
fn a_member_of_the_error_envelope_shows_in_every_error() {
    let errors = |server: &Server| {
        let agent = server.agent("free");
        [agent.get("/bounties/9"), agent.below("").get("/nowhere")].map(|answer| answer.text())
    };
    let before = [
        r#"{"success":false,"error":"bounty 9 not found"}"#,
        r#"{"success":false,"error":"no such endpoint"}"#,
    ];
    let after = [
        r#"{"success":false,"code":"absent","error":"bounty 9 not found"}"#,
        r#"{"success":false,"code":"no_route","error":"no such endpoint"}"#,
    ];
    shows(errors, before.map(String::from), after.map(String::from));
}

#[test]
fn a_move_that_the_table_lacks_is_rejected() {
    let moves = |server: &Server| {
        let agent = server.agent("free");
        let id = agent.post("/bounties", bounty("Photo")).id();
        let path = format!("/bounties/{id}");
        ["completed", "in_progress", "completed"]
            .map(|status| agent.patch(&path, json!({ "status": status })).status_and_error())
    };
    let fine = || reply(200, "");
    let rejected = reply(400, "bounty 1 is open and cannot become completed");
    shows(moves, [fine(), fine(), fine()], [rejected, fine(), fine()]);
}

#[test]
fn without_its_guard_a_key_takes_no_plan() {
    let second_key = |server: &Server| {
        server
            .agent("free")
            .post("/keys", json!({ "name": "second" }))
            .status_and_error()
    };
    shows(second_key, reply(403, "the verified plan is required"), reply(200, ""));
}

#[test]
fn a_new_field_can_be_filtered_by_and_searched() {
    let found = |server: &Server| {
        let agent = server.agent("free");
        let mut dressed = bounty("Waiter");
        dressed["dress_code"] = json!("Black tie");
        agent.post("/bounties", dressed);
        agent.post("/bounties", bounty("Photo"));
        let answers = [
            agent.get("/bounties?dress_code=BLACK"),
            agent.get("/bounties?dress_code=white"),
            server.worker().get("/bounties?q=tie"),
        ];
        answers.map(|answer| {
            (
                answer.status,
                ["Waiter", "Photo"].map(|title| answer.text().contains(title)),
            )
        })
    };
    let unknown = (400, [false, false]);
    let none = (200, [false, false]);
    let one = (200, [true, false]);
    shows(found, [unknown, unknown, none], [one, none, one]);
}
