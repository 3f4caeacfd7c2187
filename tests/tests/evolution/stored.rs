//! A field that is added, and what was stored before it was.

use super::editions::{RESHAPED, UNEDITED};
use super::server::{Server, bounty};
use serde_json::json;

#[test]
fn a_new_field_is_taken_stored_and_shown() {
    let mut dressed = bounty("Wait at a wedding");
    dressed["dress_code"] = json!("black tie");
    let before = Server::start(&UNEDITED);
    let (status, text) = before.agent("free").post("/bounties", dressed.clone()).said();
    assert_eq!((status, text.contains("`dress_code`")), (400, true), "{text}");

    let after = Server::start(&RESHAPED);
    let agent = after.agent("free");
    let id = agent.post("/bounties", dressed).id();
    assert_eq!(agent.get(&format!("/bounties/{id}")).data()["dress_code"], "black tie");
}

#[test]
fn what_was_stored_before_a_field_was_added_shows_it_as_null() {
    let data = tempfile::tempdir().expect("a temporary directory");
    let before = Server::on(&UNEDITED, data.path());
    let agent = before.agent("free");
    let id = agent.post("/bounties", bounty("Photograph a shop front")).id();
    let mut shown = agent.get(&format!("/bounties/{id}")).data();
    let secret = agent.secret().to_owned();
    drop(before);

    let after = Server::on(&RESHAPED, data.path());
    let agent = after.known_agent(&secret);
    shown["dress_code"] = json!(null);
    assert_eq!(agent.get(&format!("/bounties/{id}")).data(), shown);
    agent
        .patch(&format!("/bounties/{id}"), json!({ "status": "in_progress" }))
        .json();
    shown["status"] = json!("in_progress");
    assert_eq!(agent.get(&format!("/bounties/{id}")).data(), shown);
}
