//! Requests that wait for events: what wakes them, what ends them, and how many may wait.

use crate::world::{Api, Market, Reply, Service, op};
use conformance::Caller;
use contract::Clock;
use serde_json::{Value, json};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{Scope, ScopedJoinHandle, sleep};
use std::time::{Duration, Instant};

/// Far more than a request needs, and far less than it may wait.
const AT_ONCE: Duration = Duration::from_secs(10);

/// An account and a worker who talk.
struct Talk {
    market: Market,
    account: Caller,
    worker: Caller,
    id: i64,
}

impl Talk {
    fn open() -> Self {
        let market = Market::open(Clock::system());
        let (account, worker) = (market.agent("free"), market.worker());
        let body = json!({ "human_id": worker.id, "message": "Hello" });
        let started = market.send(&account, op!(agent::create_conversation), &[], body).data();
        let id = started["id"].as_i64().expect("an id");
        Self {
            market,
            account,
            worker,
            id,
        }
    }

    fn write(&self) {
        let body = json!({ "content": "Yes" });
        self.market
            .send(&self.worker, op!(worker::create_message), &[self.id], body)
            .data();
    }

    /// Starts to wait, and returns once the request waits.
    fn wait<'s>(&'s self, scope: &'s Scope<'s, '_>, query: &'static str) -> ScopedJoinHandle<'s, (Reply, Duration)> {
        let before = self.market.service().limits().waiting();
        let waiting = scope.spawn(move || {
            let begun = Instant::now();
            let reply = self.market.get(&self.account, op!(agent::list_events), &[], query);
            (reply, begun.elapsed())
        });
        let deadline = Instant::now() + AT_ONCE;
        while self.market.service().limits().waiting() == before && Instant::now() < deadline {
            sleep(Duration::from_millis(1));
        }
        // The request was counted before it looked; it looks at once.
        sleep(Duration::from_millis(20));
        waiting
    }
}

fn names(reply: &Reply) -> Vec<Value> {
    let rows = reply.data();
    rows.as_array()
        .into_iter()
        .flatten()
        .map(|row| row["name"].clone())
        .collect()
}

#[test]
fn a_request_that_waits_is_answered_when_its_event_comes() {
    let talk = Talk::open();
    std::thread::scope(|scope| {
        let waiting = talk.wait(scope, "wait=30");
        talk.write();
        let (reply, waited) = waiting.join().expect("it does not panic");
        assert_eq!(names(&reply), ["message.created"]);
        assert!(waited < AT_ONCE, "{waited:?}");
    });
    assert_eq!(talk.market.service().limits().waiting(), 0);
}

#[test]
fn an_event_of_another_kind_does_not_end_the_wait() {
    let talk = Talk::open();
    std::thread::scope(|scope| {
        let waiting = talk.wait(scope, "wait=1&types=application.created");
        talk.write();
        let (reply, waited) = waiting.join().expect("it does not panic");
        assert_eq!((names(&reply).len(), reply.json()["cursor"].clone()), (0, json!("1")));
        assert!(waited >= Duration::from_secs(1), "{waited:?}");
    });
}

#[test]
fn a_credential_that_ends_while_it_waits_gets_no_events() {
    let talk = Talk::open();
    let another = talk.market.key_of(talk.account.id);
    std::thread::scope(|scope| {
        let waiting = talk.wait(scope, "wait=30");
        let key = talk.market.id_of_key(&talk.account);
        let revoked = talk.market.call(&another, op!(agent::delete_key), &[key], "", None);
        assert_eq!(revoked.status(), 200);
        talk.write();
        let (reply, _) = waiting.join().expect("it does not panic");
        reply.rejected(401);
    });
}

#[test]
fn a_server_that_stops_answers_at_once() {
    let talk = Talk::open();
    std::thread::scope(|scope| {
        let waiting = talk.wait(scope, "wait=30");
        talk.market.app().end_waits();
        let (reply, waited) = waiting.join().expect("it does not panic");
        assert!(names(&reply).is_empty() && waited < AT_ONCE, "{waited:?}");
        let (reply, waited) = talk.wait(scope, "wait=30").join().expect("it does not panic");
        assert!(names(&reply).is_empty() && waited < AT_ONCE, "{waited:?}");
    });
}

#[test]
fn a_caller_has_so_many_requests_waiting_beside_its_others() {
    let talk = Talk::open();
    let limited = Service::limited(talk.market.app(), Clock::system());
    let feed = op!(agent::list_events);
    let (begin, begun): (_, Receiver<()>) = channel();
    std::thread::scope(|scope| {
        for _ in 0..5 {
            let (limited, account, begin) = (limited.clone(), talk.account.clone(), begin.clone());
            scope.spawn(move || {
                begin.send(()).expect("the test listens");
                limited.get(&account, feed, &[], "wait=30")
            });
        }
        (0..5).for_each(|_| begun.recv().expect("it begins"));
        let deadline = Instant::now() + AT_ONCE;
        while limited.limits().waiting() < 5 && Instant::now() < deadline {
            sleep(Duration::from_millis(1));
        }
        let reply = limited.get(&talk.account, feed, &[], "");
        assert_eq!(reply.rejected(429), "at most 5 of your requests are worked on at once");
        assert_eq!(
            limited.get(&talk.account, op!(agent::get_account), &[], "").status(),
            200
        );
        talk.market.app().end_waits();
    });
    assert_eq!(limited.limits().waiting(), 0);
}

#[test]
fn so_many_requests_wait_in_all() {
    let talk = Talk::open();
    let few = Service::waiting(talk.market.app(), 1);
    let feed = op!(agent::list_events);
    std::thread::scope(|scope| {
        let (one, account) = (few.clone(), talk.account.clone());
        scope.spawn(move || one.get(&account, feed, &[], "wait=30"));
        let deadline = Instant::now() + AT_ONCE;
        while few.limits().waiting() < 1 && Instant::now() < deadline {
            sleep(Duration::from_millis(1));
        }
        let reply = few.get(&talk.account, feed, &[], "wait=1");
        assert_eq!(reply.rejected(503), "the server is busy, try again in a moment");
        assert_eq!(few.get(&talk.account, feed, &[], "").status(), 200, "without waiting");
        talk.market.app().end_waits();
    });
}

/// All places are those of one account: the first request of another caller ends its oldest one, and is not ended itself.
#[test]
fn who_waits_most_gives_way_to_others() {
    let talk = Talk::open();
    let few = Service::waiting(talk.market.app(), 2);
    let until_waiting = |count| {
        let deadline = Instant::now() + AT_ONCE;
        while few.limits().waiting() < count && Instant::now() < deadline {
            sleep(Duration::from_millis(1));
        }
    };
    std::thread::scope(|scope| {
        let of_account: Vec<_> = (1..=2)
            .map(|count| {
                let waiting = scope.spawn(|| few.get(&talk.account, op!(agent::list_events), &[], "wait=30"));
                until_waiting(count);
                waiting
            })
            .collect();
        let of_worker = scope.spawn(|| few.get(&talk.worker, op!(worker::list_events), &[], "after=1&wait=30"));
        let [oldest, other] = <[_; 2]>::try_from(of_account).unwrap_or_else(|_| panic!("there are two"));
        assert!(names(&oldest.join().expect("it does not panic")).is_empty());
        assert!(!other.is_finished() && !of_worker.is_finished());
        talk.market.app().end_waits();
    });
    assert_eq!(few.limits().waiting(), 0);
}
