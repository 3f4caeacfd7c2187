//! Data that one build wrote and a build of an edited contract reads: nothing stored is lost, and data that cannot be read is
//! rejected with a message.

use super::backups::moved;
use super::editions::{EDITED, Edition, UNEDITED};
use super::server::{Server, human};
use serde_json::{Value, json};
use tempfile::TempDir;
use test_support::people::{Caller, bounty};

/// A store shared by builds, and an agent in it.
struct Store {
    data: TempDir,
    secret: String,
}

impl Store {
    /// A store written by the unedited contract's server.
    #[track_caller]
    fn after(write: impl FnOnce(&Server, &Caller)) -> Self {
        let data = tempfile::tempdir().expect("a temporary directory");
        let server = Server::on(&UNEDITED, data.path());
        let agent = server.agent("free");
        write(&server, &agent);
        let secret = agent.secret.clone();
        drop(server);
        Store { data, secret }
    }

    /// Starts another build on it.
    #[track_caller]
    fn with<T>(&self, edition: &Edition, call: impl FnOnce(&Server, &Caller) -> T) -> T {
        let server = Server::on(edition, self.data.path());
        call(&server, &server.known_agent(&self.secret))
    }
}

#[track_caller]
fn read(agent: &Caller, path: &str) -> Value {
    agent.get(path).data()
}

#[track_caller]
fn set_status(agent: &Caller, status: &str) {
    let answer = agent.patch("/bounties/1", json!({ "status": status }));
    assert_eq!(answer.status_and_error(), (200, String::new()));
}

#[test]
fn a_new_resource_is_made_listed_kept_and_moved_by_a_backup_without_a_line_of_rust() {
    let data = tempfile::tempdir().expect("a temporary directory");
    let server = Server::on(&UNEDITED, data.path());
    let agent = server.agent("free");
    let id = agent.post("/bounties", bounty("Photograph a shop front")).id();
    let remarks = format!("/bounties/{id}/remarks");
    assert_eq!(agent.get(&remarks).status, 404);
    let secret = agent.secret.clone();
    drop(server);

    // A killed server: `drop` does not wait.
    let server = Server::on(&EDITED, data.path());
    let (agent, other) = (server.known_agent(&secret), server.agent("free"));
    let worker = server.operator().post("/humans", human("female")).id();
    for rating in [4.5, 3.0] {
        let remark = json!({ "human_id": worker, "rating": rating, "comment": "On time" });
        assert_eq!(agent.post(&remarks, remark.clone()).status, 201);
        assert_eq!(other.post(&remarks, remark).status, 403);
    }
    let wrong = agent.post(&remarks, json!({ "human_id": worker + 9, "rating": 1, "comment": "-" }));
    assert_eq!(wrong.status, 404);
    let shown = read(&agent, &remarks);
    assert_eq!([&shown[0]["rating"], &shown[1]["rating"]], [&json!(3), &json!(4.5)]);
    drop(server);

    let moved = moved((&EDITED, data.path()), &EDITED).expect("it fits");
    for data in [data.path(), &moved.path().join("data")] {
        let server = Server::on(&EDITED, data);
        assert_eq!(read(&server.known_agent(&secret), &remarks), shown);
    }
}

#[test]
fn what_was_stored_before_a_field_was_added_shows_it_as_null_or_as_its_default() {
    let mut before = json!(null);
    let store = Store::after(|_, agent| {
        agent.post("/bounties", bounty("Photograph a shop front")).id();
        before = read(agent, "/bounties/1");
    });
    store.with(&EDITED, |_, agent| {
        before.as_object_mut().expect("a bounty").remove("estimated_hours");
        before["dress_code"] = json!(null);
        before["priority"] = json!(1);
        assert_eq!(read(agent, "/bounties/1"), before);
        set_status(agent, "in_progress");
        before["status"] = json!("in_progress");
        assert_eq!(read(agent, "/bounties/1"), before);
    });
}

#[test]
fn objects_that_were_stored_before_they_got_members_have_them_null_or_as_their_defaults() {
    let skilled = |names: &[&str]| {
        let mut human = human("female");
        let skills = names.iter().map(|name| json!({ "name": name, "category": "Home" }));
        human["skills"] = skills.collect();
        human
    };
    let mut before = json!(null);
    let store = Store::after(|server, agent| {
        server.operator().post("/humans", skilled(&["Cooking", "Laundry"])).id();
        before = read(agent, "/humans/1");
    });
    store.with(&EDITED, |server, agent| {
        before["nickname"] = json!(null);
        for skill in before["skills"].as_array_mut().expect("a list") {
            skill["level"] = json!(1);
            skill["since"] = json!(null);
        }
        assert_eq!(read(agent, "/humans/1"), before);
        let operator = server.operator();
        operator.patch("/humans/1", json!({ "headline": "料理" })).json();
        before["headline"] = json!("料理");
        assert_eq!(read(agent, "/humans/1"), before);
        operator.post("/humans", skilled(&["laundry"])).id();
        let same = &read(agent, "/humans/2")["skills"][0]["id"];
        assert_eq!(*same, before["skills"][1]["id"], "skills are known from before");
    });
}

#[test]
fn a_new_enum_value_is_accepted_beside_stored_values() {
    let store = Store::after(|server, _| {
        server.operator().post("/humans", human("female")).id();
    });
    store.with(&EDITED, |server, agent| {
        server.operator().post("/humans", human("unstated")).id();
        let found =
            ["female", "unstated"].map(|gender| read(agent, &format!("/humans?gender={gender}"))[0]["id"].take());
        assert_eq!(found, [1, 2]);
    });
}

#[test]
fn a_view_without_a_field_leaves_it_stored() {
    let store = Store::after(|server, _| drop(server.worker()));
    store.with(&EDITED, |_, agent| {
        assert_eq!(read(agent, "/humans")[0].get("headline"), None);
        assert_eq!(read(agent, "/humans/1")["headline"], "写真");
    });
    store.with(&UNEDITED, |_, agent| {
        assert_eq!(read(agent, "/humans")[0]["headline"], "写真")
    });
}

#[test]
fn a_record_stays_in_a_state_that_can_no_longer_be_reached() {
    let store = Store::after(|_, agent| {
        agent.post("/bounties", bounty("Photo")).id();
        set_status(agent, "cancelled");
    });
    store.with(&EDITED, |_, agent| {
        assert_eq!(read(agent, "/bounties/1")["status"], "cancelled");
        let opened = agent
            .patch("/bounties/1", json!({ "status": "open" }))
            .status_and_error();
        assert_eq!(opened, (400, "bounty 1 is cancelled and cannot become open".to_owned()));
        set_status(agent, "cancelled");
    });
}

#[test]
fn a_record_outside_of_a_tightened_bound_is_returned_and_changed() {
    let title = "Photograph a shop front and its sign from the other side of the street";
    let store = Store::after(|_, agent| {
        agent.post("/bounties", bounty(title)).id();
    });
    store.with(&EDITED, |_, agent| {
        assert_eq!(agent.post("/bounties", bounty(title)).status, 400);
        set_status(agent, "in_progress");
        let read = read(agent, "/bounties/1");
        assert_eq!(
            (&read["title"], &read["status"]),
            (&json!(title), &json!("in_progress"))
        );
    });
}

#[test]
fn the_values_of_a_removed_field_stay_and_are_there_when_it_comes_back() {
    let store = Store::after(|_, agent| {
        let mut bounty = bounty("Photo");
        bounty["estimated_hours"] = json!(1.5);
        agent.post("/bounties", bounty).id();
    });
    store.with(&EDITED, |_, agent| {
        set_status(agent, "in_progress");
        assert_eq!(read(agent, "/bounties/1").get("estimated_hours"), None);
    });
    store.with(&UNEDITED, |_, agent| {
        let read = read(agent, "/bounties/1");
        assert_eq!(
            (&read["estimated_hours"], &read["status"]),
            (&json!(1.5), &json!("in_progress"))
        );
    });
}

#[test]
fn a_rollback_keeps_the_values_of_a_new_field() {
    let store = Store::after(|_, _| ());
    store.with(&EDITED, |_, agent| {
        let mut dressed = bounty("Guest");
        dressed["dress_code"] = json!("black tie");
        agent.post("/bounties", dressed).id();
    });
    store.with(&UNEDITED, |_, agent| set_status(agent, "in_progress"));
    store.with(&EDITED, |_, agent| {
        assert_eq!(read(agent, "/bounties/1")["dress_code"], "black tie");
    });
}

#[test]
fn a_removed_enum_value_that_records_have_rejects_the_start_and_says_what_to_do() {
    let store = Store::after(|server, _| {
        for gender in ["female", "other", "male"] {
            server.operator().post("/humans", human(gender)).id();
        }
    });
    let message = Server::failure_on(&EDITED, store.data.path());
    for part in [
        "was written under another contract: worker 2 does not fit the contract (`gender`: unknown variant `other`, \
         expected one of `male`, `female`, `unstated`). Nothing was changed;",
        "start the version that wrote it, or correct api.yaml: keep enum values that are stored",
    ] {
        assert!(message.contains(part), "{part} is missing: {message}");
    }
    assert!(
        !message.contains("worker 1") && !message.contains("worker 3"),
        "{message}"
    );
    store.with(&UNEDITED, |_, agent| {
        assert_eq!(read(agent, "/humans?gender=other")[0]["id"], 2)
    });
}
