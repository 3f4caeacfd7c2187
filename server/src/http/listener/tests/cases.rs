//! Which connections get a slot and which are evicted, timeouts of clients, and requests in progress on shutdown.

use super::script::play;
use super::*;

/// Limits with this many slots and without grace for idle connections. Connections in a request are not evicted.
fn slots(connections: usize) -> ConnectionLimits {
    ConnectionLimits {
        connections,
        idle_grace: Duration::ZERO,
        request_grace: LONG,
        head_timeout: LONG,
        ..ConnectionLimits::default()
    }
}

/// The same with grace for idle connections.
fn slots_with_grace(connections: usize) -> ConnectionLimits {
    ConnectionLimits {
        idle_grace: LONG,
        ..slots(connections)
    }
}

/// The same without any grace.
fn slots_without_grace(connections: usize) -> ConnectionLimits {
    ConnectionLimits {
        request_grace: Duration::ZERO,
        ..slots(connections)
    }
}

/// Two connections for an address.
fn shares() -> ConnectionLimits {
    ConnectionLimits {
        per_address: PerAddress::Exactly(2),
        ..slots(10)
    }
}

/// Short timeouts for heads, answers and the drain.
fn short(head: u64, write: u64, drain: Duration) -> ConnectionLimits {
    ConnectionLimits {
        head_timeout: Duration::from_millis(head),
        write_timeout: Duration::from_millis(write),
        drain_timeout: drain,
        ..ConnectionLimits::default()
    }
}

fn default() -> ConnectionLimits {
    ConnectionLimits::default()
}

scripts! {
    // The first one was idle first, but has sent another request since.
    #[test] fn the_connection_that_is_idle_longest_makes_room(slots(3)) {
        "a>now a<done b>now b<done c>wait arrived a>now a<done d>now d<done b<nothing evicted=1 a>now a<done go c<done"
    }
    #[test] fn while_all_are_in_a_request_a_new_one_waits_for_its_turn(slots_with_grace(1)) {
        "a>wait-close arrived b>wait-close c>wait-close go a<last go b<last go c<last rejected=0"
    }
    #[test] fn who_has_been_idle_for_a_moment_only_is_left_in_peace(slots_with_grace(1)) {
        "a>now a<done b>now a>now a<done evicted=0 a!leave b<done"
    }
    #[test] fn a_client_that_is_taking_an_answer_is_not_idle(slots(1)) {
        "a>large a<begins b>now a<whole b<done"
    }
    // Once a connection of the same address is idle, it is evicted.
    #[test] fn an_address_with_its_share_in_requests_is_rejected_and_others_are_served(shares()) {
        "a>wait b>wait arrived arrived c>now c<nothing d>now d<nothing rejected=2 e@127.0.0.2>now e<done"
        "go go a<done b<done f>now f<done evicted=1"
    }
    #[test] fn this_machine_may_have_all_places(slots(4)) {
        "a>wait arrived b>wait arrived c>wait arrived d>wait arrived rejected=0"
    }
    #[test] fn a_client_whose_body_does_not_come_makes_room(slots_without_grace(2)) {
        "a>wait arrived b>half-body b<continue c>now c<done b<nothing d>half-body d<continue e>now e<done d<nothing"
        "f>half-body f<continue g>now g<done f<nothing go a<done"
    }
    #[test] fn a_client_that_takes_no_answer_makes_room(slots_without_grace(1)) {
        "a>large a<begins b>now b<done a<part"
    }
    #[test] fn a_request_that_is_worked_on_is_never_cut_off_for_another(slots_without_grace(1)) {
        "a>wait-body arrived b>now later evicted=0 go a<done b<done"
    }

    // A client that is idle after an answer is disconnected, too.
    #[test] fn silent_and_halting_clients_are_let_go(short(50, 30_000, LONG)) {
        "a>nothing a<unanswered b>letter b<unanswered c>half-head c<unanswered d>now d<last stop drained"
    }
    // The second request stops the timer for heads.
    #[test] fn a_client_that_takes_no_answer_is_cut_off(short(30_000, 50, LONG)) {
        "a>large-twice cut-off a<part"
    }
    // Starts after twice the timeout for a head.
    #[test] fn a_client_that_takes_its_answer_at_leisure_gets_it_whole(short(50, 30_000, LONG)) {
        "a>large b>nothing b<nothing c>nothing c<nothing a<whole cut-off=0"
    }
    #[test] fn a_client_may_close_its_half_and_still_be_answered(default()) {
        "a>wait a!half go a<last"
    }
    #[test] fn a_request_sees_that_its_client_has_closed_its_half(default()) {
        "a>departure arrived a!half departed a<answered b>departure-now arrived b!half departed b<answered"
    }
    #[test] fn a_request_sees_that_its_connection_was_reset(default()) {
        "a>departure arrived a!reset departed b>departure-now arrived b!reset departed"
    }

    #[test] fn a_request_under_way_is_answered_after_the_stop(default()) {
        "a>wait arrived stop go a<last drained open=0"
    }
    #[test] fn a_request_that_outlasts_the_drain_is_cut_off(short(30_000, 30_000, Duration::from_millis(20))) {
        "a>wait arrived stop ended-1 open=0 a<nothing"
    }
    #[test] fn a_second_stop_does_not_wait(default()) {
        "a>wait arrived stop stop ended-1"
    }
    #[test] fn slow_heads_and_slow_readers_hold_the_end_up_no_longer_than_they_may_be_slow(short(50, 50, LONG)) {
        "a>large-twice a<begins b>half-head c>now-close c<last stop drained"
    }
}
