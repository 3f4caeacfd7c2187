//! Runs fixed tests and probes against a server.

use conformance::{
    DeclaredWorld, HistoryOptions, Level, ProbeOptions, ProbeOutcome, ProbeVerdict, RunOptions, Suite, Verdict,
};
use std::collections::BTreeMap;

/// Runs the fixed tests against an empty server without limits.
///
/// # Panics
/// If a test fails, or none passes.
pub fn expect_suite(suite: &'static Suite, world: DeclaredWorld) {
    let (mut passed, mut failed, mut skipped) = (0, Vec::new(), BTreeMap::<String, usize>::new());
    for outcome in suite.run(Box::leak(Box::new(world)), &RunOptions::default()) {
        match outcome.verdict {
            Verdict::Passed => passed += 1,
            Verdict::Failed(failure) => failed.push(format!("{}: {failure}", outcome.test)),
            Verdict::Skipped(reason) => *skipped.entry(reason).or_default() += 1,
        }
    }
    println!("{passed} passed; skipped: {skipped:#?}");
    assert_eq!(failed, [""; 0]);
    assert!(passed > 0, "none was tried");
}

/// All probes of a server without limits.
pub fn probes(level: Level) -> ProbeOptions<'static> {
    ProbeOptions {
        histories: HistoryOptions {
            level,
            is_limited: false,
            ..HistoryOptions::default()
        },
        is_tried: &|_| true,
        longest: None,
        ended: &|_| {},
    }
}

/// Expects that each probe passes, or is not tried.
///
/// # Panics
/// If one fails, or more than one in ten is not tried.
pub fn expect_probes(outcomes: &[ProbeOutcome]) {
    let (mut failed, mut reasons) = (Vec::new(), BTreeMap::<&str, Vec<&str>>::new());
    for outcome in outcomes {
        match &outcome.verdict {
            ProbeVerdict::Passed => {}
            ProbeVerdict::Failed(found) => failed.push(format!("{}: {found:#?}\n{}", outcome.name, found.script)),
            ProbeVerdict::NotTried(reason) => reasons.entry(reason).or_default().push(&outcome.name),
        }
    }
    let not_tried: usize = reasons.values().map(Vec::len).sum();
    println!("{} probes, {not_tried} not tried: {reasons:#?}", outcomes.len());
    assert!(failed.is_empty(), "{} differ\n{}", failed.len(), failed.join("\n"));
    assert!(not_tried * 10 < outcomes.len(), "{not_tried} of {}", outcomes.len());
}
