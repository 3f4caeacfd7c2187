//! The fixed tests, whose requests the interpreter follows: it answers each of them as the server does.

use crate::world::{Market, roots, suite};
use conformance::Level;
use contract::Clock;
use test_support::judged::expect_shadowed;

/// Tries one in so many tests.
fn check(one_in: usize) {
    let market = Market::open(Clock::system());
    let roots = roots(market.operator().secret);
    expect_shadowed(suite(), Box::new(market), roots, (Level::Texts, one_in));
}

#[test]
fn the_interpreter_answers_a_sample_of_fixed_tests_as_the_server_does() {
    check(30);
}

#[test]
fn the_interpreter_answers_each_fixed_test_as_the_server_does() {
    check(1);
}
