//! The generated suite against the mock of the contract, which shares no code with the server.

use crate::world::{failing, roots, suite};
use conformance::Level;
use test_support::in_process::MockSubject;

#[test]
fn the_mock_passes_the_suite() {
    let world = MockSubject::world(suite().contract, roots(contract::operator_token::mint())).at(Level::Texts);
    assert_eq!(failing(world, |_| true), [""; 0]);
}
