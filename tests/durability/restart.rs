//! What was acknowledged is there after a restart, and after an end without warning.

use serde_json::{Value, json};

use test_support::people::{Caller, People, bounty};
use test_support::process::{Launch, Service, directory};

/// Something of everything, and two keys.
struct Past {
    people: People,
    bounty: i64,
    application: i64,
    conversation: i64,
    second_key: String,
}

fn live(service: &Service) -> Past {
    let people = People::enter(service, Caller::operator_of(service));
    let bounty = people.agent.post("/bounties", bounty("Photograph a shop front")).id();
    let apply = format!("/bounties/{bounty}/applications");
    let application = people.worker.post(&apply, json!({ "message": "明日行けます。" })).id();
    let begin = json!({ "human_id": people.human, "message": "Is ten o'clock fine?" });
    let conversation = people.agent.post("/conversations", begin).id();
    let answer = json!({ "content": "はい、大丈夫です。" });
    people
        .worker
        .post(&format!("/conversations/{conversation}/messages"), answer)
        .id();
    let made = people.agent.post("/keys", json!({ "name": "second" })).data();
    let second_key = made["key"].as_str().expect("a key").to_owned();
    Past {
        people,
        bounty,
        application,
        conversation,
        second_key,
    }
}

/// Everything that both sides can see, but for when a key was last used.
fn seen(past: &Past, people: &People) -> Value {
    let Past {
        bounty, conversation, ..
    } = past;
    let agent = |path: String| people.agent.get(&path).json();
    let worker = |path: String| people.worker.get(&path).json();
    let mut keys = agent("/keys".into());
    for key in keys["data"].as_array_mut().expect("keys") {
        key.as_object_mut().expect("a key").remove("last_used_at");
    }
    json!([
        keys,
        agent("/humans".into()),
        agent(format!("/humans/{}", people.human)),
        agent("/bounties".into()),
        agent(format!("/bounties/{bounty}")),
        agent(format!("/bounties/{bounty}/applications")),
        agent("/conversations".into()),
        agent(format!("/conversations/{conversation}")),
        worker("/me".into()),
        worker("/applications".into()),
        worker(format!("/conversations/{conversation}")),
        people.operator.get("/accounts").json(),
    ])
}

#[test]
fn a_restart_keeps_everything() {
    let data = directory();
    let service = Launch::on(data.path()).start();
    let past = live(&service);
    let before = seen(&past, &past.people);
    assert_eq!(service.stop().code, Some(0));

    let service = Launch::on(data.path()).start();
    let people = past.people.at(&service);
    assert_eq!(seen(&past, &people), before);
}

#[test]
fn an_end_without_warning_keeps_what_was_acknowledged() {
    let data = directory();
    let mut service = Launch::on(data.path()).start();
    let past = live(&service);
    let before = seen(&past, &past.people);
    service.signal("KILL");
    assert_eq!(service.end().code, None);

    let service = Launch::on(data.path()).start();
    let people = past.people.at(&service);
    assert_eq!(seen(&past, &people), before);
}

#[test]
fn rules_and_counters_go_on_where_they_were() {
    let data = directory();
    let service = Launch::on(data.path()).start();
    let past = live(&service);
    service.stop();

    let service = Launch::on(data.path()).start();
    let People { agent, worker, .. } = past.people.at(&service);
    // Two keys were made before: there is room for one more, and no more.
    assert_eq!(agent.post("/keys", json!({ "name": "third" })).status, 200);
    assert_eq!(agent.post("/keys", json!({ "name": "fourth" })).status, 403);
    assert_eq!(Caller::agent(&service, &past.second_key).get("/keys").status, 200);
    // One application a worker and bounty.
    let again = worker.post(
        &format!("/bounties/{}/applications", past.bounty),
        json!({ "message": "again" }),
    );
    assert_eq!(again.status, 400);
    // Ids count on.
    assert_eq!(agent.post("/bounties", bounty("Another")).id(), past.bounty + 1);
    let begin = json!({ "human_id": past.people.human, "message": "Hello again" });
    assert_eq!(agent.post("/conversations", begin).id(), past.conversation + 1);
    let decide = format!("/bounties/{}/applications/{}", past.bounty, past.application);
    assert_eq!(agent.patch(&decide, json!({ "status": "accepted" })).status, 200);
}

#[test]
fn what_was_revoked_stays_revoked() {
    let data = directory();
    let service = Launch::on(data.path()).start();
    let past = live(&service);
    let Past { people, .. } = &past;
    let keys = people.agent.get("/keys").data();
    people.agent.delete(&format!("/keys/{}", keys[1]["id"]));
    people
        .operator
        .post(&format!("/humans/{}/token", people.human), json!({}))
        .data();
    service.stop();

    let service = Launch::on(data.path()).start();
    assert_eq!(Caller::agent(&service, &past.second_key).get("/keys").status, 401);
    assert_eq!(people.worker.at(&service).get("/me").status, 401);
    assert_eq!(people.agent.at(&service).get("/keys").status, 200);
}
