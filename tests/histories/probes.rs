//! Probes of the server, in this process: each single change of a call that works, judged by the interpreter.

use super::MODEL;
use crate::world::{Market, roots};
use conformance::{HistoryClock, Level, ProbeOptions, Probes, Request};
use contract::Clock;
use std::collections::HashSet;
use test_support::judged::{expect_probes, probes};

/// Tries one in so many probes.
fn check(one_in: usize) {
    let names: HashSet<String> = Probes::names(&MODEL, Level::Texts)
        .into_iter()
        .step_by(one_in)
        .collect();
    let clock = Clock::manual(1_750_000_027);
    let market = Market::open(clock.clone());
    let roots = roots(market.operator().secret);
    let sender = |request: &Request| Ok(market.service().call(request));
    let time = HistoryClock::Manual {
        now: &|| clock.date_millis(),
        advance: &|by| clock.advance(by),
    };
    let options = ProbeOptions {
        is_tried: &|name| names.contains(name),
        ..probes(Level::Texts)
    };
    expect_probes(&Probes::run(time, &MODEL, &sender, roots, &options));
}

#[test]
fn the_server_and_its_contract_do_not_differ_in_a_sample_of_probes() {
    check(100);
}

#[test]
fn the_server_and_its_contract_do_not_differ_in_any_probe() {
    check(1);
}
