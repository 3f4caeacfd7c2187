//! Requests with idempotency keys that are sent again after a kill: each is done exactly once, wherever the kill came between
//! its commit and its answer.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use rand::RngExt as _;
use serde_json::json;

use super::{chance, variable};
use test_support::http::Connection;
use test_support::people::{Caller, bounty};
use test_support::process::{Launch, Service, directory};

const CLIENTS: usize = 16;

/// The most requests of a client in a round.
const REQUESTS: usize = 400;

/// The ids that were answered, by the titles of the bounties. The title is the key, too.
type Made = Mutex<BTreeMap<String, i64>>;

#[test]
fn each_request_with_a_key_is_done_once_however_often_it_is_retried_after_kills() {
    let wanted = variable("HITODE_RETRIES", 40);
    let data = directory();
    let start = || Launch::on(data.path()).arg("--rate-limits").arg("off").start();
    let mut service = start();
    let (mut requests, mut bounties, mut retries, mut replayed, mut round) = (0, 0, 0, 0, 0);
    while retries < wanted || replayed == 0 {
        // An account of its own, whose quota on open bounties no earlier round used up.
        let account = json!({ "name": format!("who retries {round}"), "plan": "free" });
        let account = Caller::operator_of(&service).post("/accounts", account);
        let key = account.data()["key"].as_str().expect("a key").to_owned();
        let made = Made::default();
        let pause = Duration::from_micros(chance(round).random_range(1_000..60_000));
        let unanswered = until_killed(&service, &key, round, pause, &made);
        assert_eq!(service.end().code, None);
        service = start();
        retries += unanswered.len() as u64;
        replayed += again(&service, &key, &unanswered, &made);
        let (made, there) = (made.into_inner().expect("no client panics"), all(&service, &key));
        assert_eq!(there, made, "each is there once, under the id of its answer");
        requests += made.len();
        bounties += there.len();
        round += 1;
    }
    println!(
        "{round} kills, {requests} requests with keys, {retries} retries, of which {replayed} had been done: {bounties} bounties"
    );
}

/// Clients create bounties until the server is killed, after this pause. Returns the titles of those without an answer, and of
/// the first: its client behaves as if it had lost the answer.
fn until_killed(service: &Service, key: &str, round: u64, pause: Duration, made: &Made) -> Vec<String> {
    let unanswered = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for client in 0..CLIENTS {
            let unanswered = &unanswered;
            scope.spawn(move || {
                let Ok(mut connection) = Connection::to(service.address) else {
                    return;
                };
                for request in 0..REQUESTS {
                    let title = format!("{round}-{client}-{request}");
                    match create(&mut connection, key, &title) {
                        Some((id, _)) => {
                            if (client, request) == (0, 0) {
                                unanswered.lock().expect("no client panics").push(title.clone());
                            }
                            made.lock().expect("no client panics").insert(title, id);
                        }
                        None => return unanswered.lock().expect("no client panics").push(title),
                    }
                }
            });
        }
        thread::sleep(pause);
        service.signal("KILL");
    });
    unanswered.into_inner().expect("no client panics")
}

/// Sends the requests again. Returns how many had been done.
fn again(service: &Service, key: &str, titles: &[String], made: &Made) -> u64 {
    let mut connection = Connection::to(service.address).expect("it listens");
    let mut replayed = 0;
    for title in titles {
        let (id, is_replayed) = create(&mut connection, key, title).expect("an answer");
        replayed += u64::from(is_replayed);
        let first = made.lock().expect("no client panics").insert(title.clone(), id);
        assert_eq!(first.unwrap_or(id), id, "the first answer to {title} had another id");
    }
    replayed
}

/// The id of the bounty, and whether the answer is that of an earlier request; `None` without an answer.
fn create(connection: &mut Connection, key: &str, title: &str) -> Option<(i64, bool)> {
    let headers = [("X-API-Key", key), ("Idempotency-Key", title)];
    let answer = connection
        .call("POST", "/api/v1/bounties", &headers, Some(&bounty(title)))
        .ok()?;
    assert_eq!(answer.status, 201, "{}", answer.text());
    Some((answer.id(), answer.header("idempotent-replayed") == Some("true")))
}

/// The bounties of the account, by their titles.
fn all(service: &Service, key: &str) -> BTreeMap<String, i64> {
    let caller = Caller::agent(service, key);
    let mut there = BTreeMap::new();
    loop {
        let page = caller
            .get(&format!("/account/bounties?limit=100&offset={}", there.len()))
            .json();
        let rows = page["data"].as_array().expect("a list");
        for row in rows {
            let title = row["title"].as_str().expect("a text").to_owned();
            let twice = there.insert(title, row["id"].as_i64().expect("an id"));
            assert_eq!(twice, None, "{row} is there twice");
        }
        if rows.is_empty() {
            return there;
        }
    }
}
