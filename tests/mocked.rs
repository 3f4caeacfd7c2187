//! The generated suite against the mock of the contract, which shares no code with the server.

use crate::world::{failing, mocked};

#[test]
fn the_mock_passes_the_suite() {
    assert_eq!(failing(Box::new(mocked::market()), |_| true), [""; 0]);
}
