//! What the limits tell of themselves.

use crate::world::{Api, Service, market, op};
use contract::Clock;
use serde_json::json;
use std::time::Duration;

#[test]
fn the_gate_tells_how_many_callers_each_limit_remembers() {
    let (market, clock) = (market(), Clock::manual(1_750_000_027));
    let service = Service::limited(market.app(), clock.clone());
    let (agent, other) = (market.agent("free"), market.agent("free"));
    for caller in [&agent, &agent, &other] {
        service.get(caller, op!(agent::list_humans), &[], "").data();
    }
    let body = json!({ "title": "Title", "description": "Description", "budget": 1 });
    Api::send(&service, &agent, op!(agent::create_bounty), &[], body).data();
    let mut nobody = agent.clone();
    nobody.secret = "nobody's".to_owned();
    service.get(&nobody, op!(agent::list_humans), &[], "").refused(401);
    assert_eq!(service.gate().sizes(), [("read", 2), ("write", 1), ("failed", 1)]);

    // Once their window is over, and they have not come again, a sweep forgets them.
    clock.advance(Duration::from_secs(60));
    service.get(&other, op!(agent::list_humans), &[], "").data();
    clock.advance(Duration::from_secs(60));
    service.gate().sweep();
    assert_eq!(service.gate().sizes(), [("read", 0), ("write", 0), ("failed", 0)]);
}

#[test]
fn a_corrected_clock_moves_the_end_of_a_window_that_is_told_and_not_the_window() {
    let (market, clock) = (market(), Clock::manual(1_750_000_027));
    let service = Service::limited(market.app(), clock.clone());
    let agent = market.agent("free");
    let told = || {
        let reply = service.get(&agent, op!(agent::list_humans), &[], "");
        ["X-RateLimit-Remaining", "X-RateLimit-Reset"].map(|name| {
            let header = reply.response.header(name).expect("a number");
            header.parse::<u64>().expect("a number")
        })
    };
    assert_eq!(told(), [99, 1_750_000_080]);
    clock.correct(-7_200_000);
    assert_eq!(told(), [98, 1_749_992_880]);
    clock.advance(Duration::from_secs(52));
    assert_eq!(told(), [97, 1_749_992_880]);
    clock.advance(Duration::from_secs(1));
    assert_eq!(told(), [99, 1_749_992_940]);
}
