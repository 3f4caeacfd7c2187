//! How many requests of a caller may be in progress, and an operation that waits for events (long polling).

use crate::world::{Depot, Reply, op, request};
use conformance::{Caller, Op, Request};
use lockers::LimitSettings;
use serde_json::json;
use test_support::in_process::{Endless, Pending};

const ANNOUNCE: Op = op!(courier::announce_parcel);
const AWAIT: Op = op!(recipient::await_parcel);

/// A service with a limit for each caller.
fn bounded() -> Depot {
    Depot::behind(&LimitSettings::default())
}

/// Requests of a courier whose bodies do not arrive.
fn halting(depot: &Depot, courier: &Caller, count: usize) -> Vec<Pending> {
    let request = request(courier, ANNOUNCE, &[], "", Some(json!({})));
    (0..count).map(|_| depot.service().begin(&request)).collect()
}

#[track_caller]
fn assert_crowded(reply: &Reply, max: usize) {
    let error_line = format!("429 crowded: at most {max} of your requests at a time");
    assert_eq!((reply.error_line(), reply.header("retry-after")), (error_line, "1"));
}

#[test]
fn a_caller_has_so_many_requests_under_way_and_no_more() {
    let depot = bounded();
    let (courier, other) = (depot.courier("basic"), depot.courier("basic"));
    let second = depot.terminal_of(courier.id);
    let second = Caller {
        secret: second["key"].as_str().expect("a key").to_owned(),
        ..courier.clone()
    };
    let terminals = |courier: &Caller| depot.get(courier, op!(courier::list_terminals), &[]);
    let mut held = halting(&depot, &courier, 4);
    held.extend(halting(&depot, &second, 3));
    assert_eq!(terminals(&courier).response.status, 200, "the eighth");
    held.extend(halting(&depot, &second, 1));
    for credential in [&courier, &second] {
        assert_crowded(&terminals(credential), 8);
    }
    // It is rejected before its body comes.
    let request = request(&courier, ANNOUNCE, &[], "", Some(json!({})));
    let (response, _) = depot.service().call_in_no_time(&request, Endless);
    assert_crowded(&Reply { request, response }, 8);
    assert_eq!(terminals(&other).response.status, 200, "another courier");
    // A client that disconnects frees its place.
    held.pop();
    assert_eq!(terminals(&courier).response.status, 200);
}

#[test]
fn without_limits_no_caller_is_limited() {
    let depot = Depot::new();
    let courier = depot.courier("basic");
    let _held = halting(&depot, &courier, 100);
    assert_eq!(
        depot.get(&courier, op!(courier::list_terminals), &[]).response.status,
        200
    );
}

/// A recipient with a parcel, and the request that waits for it to move.
fn awaited(depot: &Depot) -> (Caller, i64, Request) {
    let (courier, recipient) = (depot.courier("basic"), depot.recipient());
    let parcel = depot.parcel(&courier, recipient.id, depot.station());
    let request = request(&recipient, AWAIT, &[parcel], "from=announced", None);
    (recipient, parcel, request)
}

#[test]
fn what_waits_on_purpose_is_bounded_by_itself() {
    let depot = bounded();
    let (recipient, _, request) = awaited(&depot);
    let _waiting = [depot.service().begin(&request), depot.service().begin(&request)];
    assert_crowded(&depot.call(request.clone()), 2);
    // Waiting requests do not count as being processed, however many there are.
    let profile = crate::world::request(&recipient, op!(recipient::update_me), &[], "", Some(json!({})));
    let _held: Vec<Pending> = (0..7).map(|_| depot.service().begin(&profile)).collect();
    assert_eq!(depot.get(&recipient, op!(recipient::get_me), &[]).response.status, 200);
}

#[test]
fn a_parcel_that_moves_ends_the_wait_for_it() {
    let depot = Depot::new();
    let (_, parcel, waiting) = awaited(&depot);
    let answer = std::thread::scope(|scope| {
        let answer = scope.spawn(|| depot.call(waiting));
        depot.move_parcel(parcel, "in_transit");
        answer.join().expect("an answer")
    });
    assert_eq!(answer.result()["status"], "in_transit");
}
