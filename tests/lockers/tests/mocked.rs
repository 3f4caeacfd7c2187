//! The fixed tests against the mock of the contract. What the contract does not declare is skipped.

use crate::world::{roots, suite};
use conformance::Level;
use test_support::in_process::MockSubject;
use test_support::judged::expect_suite;

#[test]
fn the_mock_passes_the_suite() {
    expect_suite(suite(), MockSubject::world(suite().contract, roots()).at(Level::Values));
}
