//! The reports of limits about themselves.

use crate::world::{Api, Market, Reply, Service, market, op};
use conformance::Caller;
use contract::Clock;
use serde_json::json;
use std::time::Duration;

#[test]
fn the_limits_report_how_many_callers_they_remember() {
    let (market, clock) = (market(), Clock::manual(1_750_000_027));
    let service = Service::limited(market.app(), clock.clone());
    let (agent, other) = (market.agent("free"), market.agent("free"));
    for caller in [&agent, &agent, &other] {
        service.get(caller, op!(agent::list_humans), &[], "").data();
    }
    let body = json!({ "title": "Title", "description": "Description", "budget": 1 });
    Api::send(&service, &agent, op!(agent::create_bounty), &[], body).data();
    let mut nobody = agent.clone();
    nobody.secret = "no-such-key".to_owned();
    service.get(&nobody, op!(agent::list_humans), &[], "").rejected(401);
    let sizes = [
        ("read", 2),
        ("read:owner", 2),
        ("write", 1),
        ("write:owner", 1),
        ("sign_in", 0),
        ("failed", 1),
        ("response_bytes", 2),
    ];
    assert_eq!(service.limits().sizes(), sizes);

    // After their window, idle entries are evicted.
    clock.advance(Duration::from_secs(60));
    service.get(&other, op!(agent::list_humans), &[], "").data();
    clock.advance(Duration::from_secs(60));
    service.limits().evict_idle();
    assert_eq!(service.limits().sizes(), sizes.map(|(limit, _)| (limit, 0)));
}

/// A used-up key creates the next one and is deleted by it; if that is rejected, the operator creates the keys.
#[test]
fn an_account_gets_its_rate_however_many_keys_it_makes_and_deletes() {
    let (market, clock) = (market(), Clock::manual(1_750_000_027));
    let service = Service::limited(market.app(), clock.clone());
    let mut key = market.agent("verified");
    for _ in 0..2 {
        let (mut reads, mut writes) = (0, 0);
        for _ in 0..40 {
            reads += let_through(|| service.get(&key, op!(agent::list_keys), &[], ""));
            let (next, writes_made) = next_key(market, &service, &key);
            writes += writes_made;
            key = next;
        }
        assert_eq!((reads, writes), (300, 60));
        clock.advance(Duration::from_secs(60));
    }
}

/// How often such a request is accepted before one is rejected.
fn let_through(request: impl Fn() -> Reply) -> usize {
    (0..1_000).take_while(|_| request().status() == 200).count()
}

/// Replaces this key by another one; returns the number of writes that it took.
fn next_key(market: &Market, service: &Service, key: &Caller) -> (Caller, usize) {
    let body = json!({ "name": "next" });
    let reply = Api::send(service, key, op!(agent::create_key), &[], body);
    if reply.status() == 429 {
        return (market.another_key(key), 0);
    }
    let next = Caller {
        secret: reply.data()["key"].as_str().expect("a key is text").to_owned(),
        ..key.clone()
    };
    market.keep_key(&reply.data()["key"], &reply.data()["id"]);
    let deleted = service.get(&next, op!(agent::delete_key), &[market.id_of_key(key)], "");
    match deleted.status() {
        200 => (next, 2),
        status => {
            assert_eq!(status, 429);
            market
                .get(&next, op!(agent::delete_key), &[market.id_of_key(key)], "")
                .data();
            (next, 1)
        }
    }
}

#[test]
fn a_corrected_clock_moves_the_reported_end_of_a_window_and_not_the_window() {
    let (market, clock) = (market(), Clock::manual(1_750_000_027));
    let service = Service::limited(market.app(), clock.clone());
    let agent = market.agent("free");
    let reported = || {
        let reply = service.get(&agent, op!(agent::list_humans), &[], "");
        ["X-RateLimit-Remaining", "X-RateLimit-Reset"].map(|name| {
            let header = reply.response.header(name).expect("a number");
            header.parse::<u64>().expect("a number")
        })
    };
    assert_eq!(reported(), [99, 1_750_000_080]);
    clock.correct(-7_200_000);
    assert_eq!(reported(), [98, 1_749_992_880]);
    clock.advance(Duration::from_secs(52));
    assert_eq!(reported(), [97, 1_749_992_880]);
    clock.advance(Duration::from_secs(1));
    assert_eq!(reported(), [99, 1_749_992_940]);
}

#[test]
fn a_workers_limit_is_the_workers_whatever_the_token() {
    let market = market();
    let former = market.worker();
    let limited = Service::limited(market.app(), contract::Clock::manual(1_750_000_027));
    let remaining = |caller: &Caller| {
        let reply = limited.get(caller, op!(worker::get_me), &[], "");
        reply
            .response
            .header("x-ratelimit-remaining")
            .and_then(|text| text.parse::<u32>().ok())
            .expect("a number")
    };
    let before = remaining(&former);
    let present = market.token_of(former.id);
    assert_eq!(remaining(&present), before - 1);
}

/// Each page has 100 bounties with 1,000 Japanese characters, 3 KB, each.
#[test]
fn a_hundred_pages_a_minute_are_within_the_bytes_that_an_account_is_sent() {
    let market = market();
    let agent = market.agent("free");
    let body = json!({ "title": "Title", "description": "説".repeat(1_000), "budget": 1 });
    for _ in 0..100 {
        Api::send(market, &agent, op!(agent::create_bounty), &[], body.clone()).data();
    }
    let service = Service::limited(market.app(), Clock::manual(1_750_000_027));
    for _ in 0..100 {
        let page = service.get(&agent, op!(agent::list_my_bounties), &[], "limit=100");
        assert_eq!(page.data().as_array().expect("a list").len(), 100);
    }
}
