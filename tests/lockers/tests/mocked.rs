//! The generated suite against the mock of the contract. What the contract does not declare is skipped.

use crate::world::{roots, suite};
use conformance::{Level, RunOptions, Verdict};
use std::collections::BTreeMap;
use test_support::in_process::MockSubject;

#[test]
fn the_mock_passes_the_suite() {
    let world = MockSubject::world(suite().contract, roots()).at(Level::Values);
    let world = Box::leak(Box::new(world));
    let (mut failed, mut skipped) = (Vec::new(), BTreeMap::<String, usize>::new());
    for outcome in suite().run(world, &RunOptions::default()) {
        match outcome.verdict {
            Verdict::Passed => {}
            Verdict::Failed(failure) => failed.push(format!("{}: {failure}", outcome.test)),
            Verdict::Skipped(reason) => *skipped.entry(reason).or_default() += 1,
        }
    }
    println!("skipped: {skipped:#?}");
    assert_eq!(failed, [""; 0]);
}
