//! The generated suite against the mock of the contract, as far as the contract declares what operations do.

use crate::world::{Depot, suite};
use conformance::World;

#[test]
fn the_mock_passes_the_suite() {
    let world: &'static dyn World = Box::leak(Box::new(Depot::mocked()));
    let mut failed = Vec::new();
    for (name, test) in suite().tests() {
        if let Err(message) = test.outcome(world) {
            failed.push(format!("{name}: {message}"));
        }
    }
    assert_eq!(failed, [""; 0]);
}
