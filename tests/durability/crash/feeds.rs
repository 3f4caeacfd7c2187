//! A reader follows a feed while the server is killed and started again: it gets each event once.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, sleep};
use std::time::Duration;

use rand::RngExt as _;
use serde_json::json;

use super::{chance, variable};
use test_support::http::Connection;
use test_support::people::People;
use test_support::process::{Launch, Service, directory};

const WRITERS: usize = 4;

/// What a reader has seen: the number of the last event, and the messages in their order.
#[derive(Default)]
struct Seen {
    cursor: u64,
    messages: Vec<i64>,
}

#[test]
fn a_reader_gets_each_event_once_although_the_server_is_killed() {
    let kills = variable("HITODE_EVENT_KILLS", 6);
    let data = directory();
    let start = || Launch::on(data.path()).arg("--rate-limits").arg("off").start();
    let mut service = start();
    let people = People::enter(&service, test_support::people::Caller::operator_of(&service));
    let talk = people.agent.post(
        "/conversations",
        json!({ "human_id": people.human, "message": "Hello" }),
    );
    let talk = talk.data()["id"].as_i64().expect("a conversation");
    let (mut seen, mut acknowledged) = (Seen::default(), BTreeSet::new());
    for round in 0..kills {
        let enough = chance(round).random_range(1..60);
        acknowledged.extend(load(&service, &people.at(&service), talk, enough, &mut seen));
        assert_eq!(service.end().code, None);
        service = start();
    }
    let people = people.at(&service);
    while follow(
        &mut Connection::to(service.address).expect("a connection"),
        &people,
        &mut seen,
        0,
    ) {}
    let distinct: BTreeSet<i64> = seen.messages.iter().copied().collect();
    let lost: Vec<_> = acknowledged.difference(&distinct).collect();
    println!(
        "{kills} kills, {} acknowledged causes, {} events seen, {} lost, {} doubled",
        acknowledged.len(),
        seen.messages.len(),
        lost.len(),
        seen.messages.len() - distinct.len()
    );
    assert!(lost.is_empty(), "{lost:?}");
    assert_eq!(distinct.len(), seen.messages.len(), "an event was seen twice");
    let detail = people.worker.get(&format!("/conversations/{talk}")).data();
    let rows = detail["messages"].as_array().expect("messages").iter();
    let written = rows
        .filter(|row| row["sender_type"] == "human")
        .filter_map(|row| row["id"].as_i64());
    assert_eq!(written.collect::<BTreeSet<_>>(), distinct, "events and their causes");
}

/// Writes and reads until `enough` messages are acknowledged, then kills the server. Returns the acknowledged messages.
fn load(service: &Service, people: &People, talk: i64, enough: u64, seen: &mut Seen) -> Vec<i64> {
    let count = AtomicU64::new(0);
    thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS)
            .map(|_| scope.spawn(|| write(service, people, talk, &count)))
            .collect();
        let reader = scope.spawn(|| {
            let Ok(mut connection) = Connection::to(service.address) else {
                return;
            };
            while follow(&mut connection, people, seen, 5) {}
        });
        while count.load(Ordering::Relaxed) < enough {
            sleep(Duration::from_millis(1));
        }
        service.signal("KILL");
        reader.join().expect("the reader does not panic");
        writers
            .into_iter()
            .flat_map(|writer| writer.join().expect("no writer panics"))
            .collect()
    })
}

/// Writes messages until the server is gone.
fn write(service: &Service, people: &People, talk: i64, count: &AtomicU64) -> Vec<i64> {
    let mut written = Vec::new();
    let Ok(mut connection) = Connection::to(service.address) else {
        return written;
    };
    let path = format!("/conversations/{talk}/messages");
    while let Ok(answer) = people
        .worker
        .over(&mut connection, "POST", &path, Some(&json!({ "content": "x" })))
    {
        if answer.status == 201 {
            written.push(answer.id());
            count.fetch_add(1, Ordering::Relaxed);
        }
    }
    written
}

/// Reads on after the cursor. Returns whether there may be more.
fn follow(connection: &mut Connection, people: &People, seen: &mut Seen, wait: u64) -> bool {
    let path = format!("/events?after={}&limit=100&wait={wait}", seen.cursor);
    let Ok(answer) = people.agent.over(connection, "GET", &path, None) else {
        return false;
    };
    let body = answer.json();
    assert_eq!(answer.status, 200, "{body}");
    assert_eq!(body["truncated"], json!(false));
    for event in body["data"].as_array().expect("events") {
        seen.cursor += 1;
        assert_eq!(
            event["cursor"],
            json!(seen.cursor.to_string()),
            "events are numbered without gaps"
        );
        seen.messages.extend(event["data"]["message_id"].as_i64());
    }
    assert_eq!(body["cursor"], json!(seen.cursor.to_string()));
    wait > 0 || body["has_more"] == json!(true)
}
