//! Judges what probes of a server have found.

use conformance::{HistoryOptions, Level, ProbeOptions, ProbeOutcome, ProbeVerdict};
use std::collections::BTreeMap;

/// All probes of a server without limits.
pub fn probes(level: Level) -> ProbeOptions<'static> {
    ProbeOptions {
        histories: HistoryOptions {
            level,
            is_limited: false,
            ..HistoryOptions::default()
        },
        is_tried: &|_| true,
        held: None,
        receiver: None,
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
