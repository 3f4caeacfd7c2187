//! Webhooks, with real receivers.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use standardwebhooks::Webhook;
use test_support::http::call;
use test_support::people::{Caller, People};
use test_support::process::{DEADLINE, Launch, database, directory};

use super::receiver::{Answers, Receiver};

/// A server that may call the receivers of these tests, which ask for results again and again.
fn launch(data: &Path) -> Launch {
    Launch::on(data).arg("--webhook-reach=any").arg("--rate-limits=off")
}

/// Creates a webhook. Returns its id and its secret.
fn create(agent: &Caller, url: &str) -> (i64, String) {
    let created = agent.post("/webhooks", json!({ "url": url }));
    assert_eq!(created.status, 200, "{}", created.text());
    let secret = created.data()["secret"].as_str().expect("a secret").to_owned();
    (created.id(), secret)
}

/// Waits until a member of the webhook has this value.
#[track_caller]
fn wait(agent: &Caller, id: i64, member: &str, expected: &str) {
    let begun = Instant::now();
    loop {
        let listed = agent.get("/webhooks").data();
        let rows = listed.as_array().expect("a list");
        let row = rows.iter().find(|row| row["id"] == id).expect("the webhook");
        if row[member] == expected {
            return;
        }
        assert!(begun.elapsed() < DEADLINE, "{row} has no {member} {expected}");
        std::thread::yield_now();
    }
}

/// A receiver whose webhook is active.
fn active(agent: &Caller) -> (Receiver, i64, String) {
    let receiver = Receiver::new();
    let (id, secret) = create(agent, &receiver.url());
    wait(agent, id, "status", "active");
    (receiver, id, secret)
}

fn test(agent: &Caller, id: i64) {
    assert_eq!(agent.post(&format!("/webhooks/{id}/test"), json!({})).status, 200);
}

#[test]
fn a_test_is_signed_and_counted_and_its_secret_is_in_no_log() {
    let data = directory();
    let service = launch(data.path()).variable("HITODE_LOG", "trace").start();
    let agent = People::enter(&service, Caller::operator_of(&service)).agent;
    let (receiver, id, secret) = active(&agent);
    test(&agent, id);
    let delivered = receiver.wait_for(1).remove(0);
    let verifier = Webhook::new(&secret).expect("a secret");
    verifier
        .verify(&delivered.body, &delivered.headers)
        .expect("a valid signature");
    assert_eq!(delivered.headers["x-mcp-subscription-id"], format!("whk_{id}"));
    let message = delivered.json();
    assert_eq!(
        (&message["name"], &message["data"]),
        (&json!("webhook.test"), &json!({ "webhook_id": id }))
    );
    assert_eq!(
        delivered.headers["webhook-id"],
        message["eventId"].as_str().expect("an id")
    );
    wait(&agent, id, "last_result", "delivered");
    let metrics = call(service.address, "GET", "/metrics", &[], None).text();
    assert!(
        metrics.contains("hitode_webhook_requests_total{result=\"delivered\"} 2"),
        "{metrics}"
    );
    let log = service.stop().log;
    assert!(log.contains("delivery") && !log.contains(&secret[8..40]), "{log}");
}

#[test]
fn a_receiver_that_redirects_or_never_answers_has_a_result_of_its_own() {
    let data = directory();
    let service = launch(data.path()).start();
    let agent = People::enter(&service, Caller::operator_of(&service)).agent;
    let (receiver, id, _) = active(&agent);
    for (answers, result) in [
        (Answers::Redirect, "redirect"),
        (Answers::Status(500), "http_5xx"),
        (Answers::Status(404), "http_4xx"),
        (Answers::Never, "timeout"),
    ] {
        receiver.set(answers);
        test(&agent, id);
        wait(&agent, id, "last_result", result);
    }
    assert_eq!(receiver.wait_for(4).len(), 4);
    receiver.set(Answers::Status(410));
    test(&agent, id);
    wait(&agent, id, "status", "disabled");
    receiver.set(Answers::Status(200));
    test(&agent, id);
    wait(&agent, id, "status", "active");
}

#[test]
fn private_addresses_are_refused_in_every_form() {
    let data = directory();
    let service = Launch::on(data.path()).arg("--rate-limits=off").start();
    let agent = People::enter(&service, Caller::operator_of(&service)).agent;
    let receiver = Receiver::new();
    let port = receiver.address.port();
    for url in [
        format!("https://127.0.0.1:{port}/"),
        format!("https://[::ffff:127.0.0.1]:{port}/"),
        format!("https://localhost:{port}/"),
        format!("https://localhost.:{port}/"),
        "https://printer.local/".to_owned(),
        "https://169.254.169.254/latest".to_owned(),
        receiver.url(),
    ] {
        let rejected = agent.post("/webhooks", json!({ "url": url }));
        assert_eq!(
            (rejected.status, rejected.header("x-error-code")),
            (400, Some("unreachable_url")),
            "{url}"
        );
    }
    for host in ["2130706433", "0x7f.1", "127.1"] {
        let (id, _) = create(&agent, &format!("https://{host}:{port}/"));
        wait(&agent, id, "last_result", "invalid_url");
        wait(&agent, id, "status", "unverified");
        assert_eq!(agent.delete(&format!("/webhooks/{id}")).status, 200);
    }
    assert_eq!(agent.get("/webhooks").data(), Value::Array(Vec::new()));
}

#[test]
fn a_killed_server_asks_again_when_the_time_comes() {
    let data = directory();
    let service = launch(data.path()).start();
    let people = People::enter(&service, Caller::operator_of(&service));
    let receiver = Receiver::new();
    let (address, url) = (receiver.address, receiver.url());
    drop(receiver);
    let (id, _) = create(&people.agent, &url);
    wait(&people.agent, id, "last_result", "connection");
    service.signal("KILL");
    drop(service);
    let _receiver = Receiver::at(address, Answers::Status(204));
    let service = launch(data.path()).start();
    wait(&people.at(&service).agent, id, "status", "active");
}

/// A worker writes to the account.
fn write(people: &People, conversation: i64) {
    let path = format!("/conversations/{conversation}/messages");
    assert_eq!(people.worker.post(&path, json!({ "content": "Yes." })).status, 201);
}

fn conversation(people: &People) -> i64 {
    let body = json!({ "human_id": people.human, "message": "Are you free?" });
    people.agent.post("/conversations", body).id()
}

#[test]
fn an_event_is_sent_as_the_feed_shows_it() {
    let data = directory();
    let service = launch(data.path()).start();
    let people = People::enter(&service, Caller::operator_of(&service));
    let (receiver, _, secret) = active(&people.agent);
    write(&people, conversation(&people));
    let delivered = receiver.wait_for(1).remove(0);
    let verifier = Webhook::new(&secret).expect("a secret");
    let verified = verifier.verify(&delivered.body, &delivered.headers);
    verified.expect("a valid signature");
    let event = delivered.json();
    assert_eq!(people.agent.get("/events").data(), json!([event]));
    assert_eq!(
        delivered.headers["webhook-id"],
        event["eventId"].as_str().expect("an id")
    );
}

#[test]
fn a_leader_that_did_nothing_for_longer_than_its_lease_goes_on_sending() {
    const OPERATOR: &str = "operator-token-of-all-servers";
    let url = database("frozen");
    let (here, there) = (directory(), directory());
    let over = |data: &Path| {
        let launch = launch(data).variable("HITODE_DATABASE_URL", &url);
        launch.variable("HITODE_OPERATOR_TOKEN", OPERATOR).start()
    };
    let leader = over(here.path());
    let other = over(there.path());
    let people = People::enter(&leader, Caller::operator(&leader, OPERATOR));
    let (receiver, ..) = active(&people.agent);
    let conversation = conversation(&people);
    leader.signal("STOP");
    // Too short for the other one to lead.
    std::thread::sleep(Duration::from_millis(2_200));
    let writing = people.at(&other);
    // It takes some time to take them in, and has no lease meanwhile.
    (0..60).for_each(|_| write(&writing, conversation));
    leader.signal("CONT");
    receiver.wait_until(0, 60);
    assert_eq!(leader.stop().code, Some(0));
}

#[test]
fn of_a_server_that_is_killed_between_attempts_no_event_is_lost() {
    let data = directory();
    let mut service = launch(data.path()).start();
    let people = People::enter(&service, Caller::operator_of(&service));
    let (receiver, id, _) = active(&people.agent);
    let conversation = conversation(&people);
    let mut before = 0;
    for round in 1..=3 {
        receiver.set(Answers::Status(503));
        write(&people.at(&service), conversation);
        write(&people.at(&service), conversation);
        receiver.wait_for(before + 1);
        service.signal("KILL");
        drop(service);
        before = receiver.wait_for(0).len();
        receiver.set(Answers::Status(204));
        service = launch(data.path()).start();
        for number in [2 * round - 1, 2 * round] {
            receiver.wait_until(before, number);
        }
        wait(&people.at(&service).agent, id, "last_result", "delivered");
        before = receiver.wait_for(0).len();
    }
}
