//! Compares a server's answers to the fixed tests and to probes with those of the interpreter.

use conformance::{
    DeclaredWorld, HistoryOptions, Level, ProbeOptions, ProbeOutcome, ProbeVerdict, RunOptions, Shadow, Subject, Suite,
};
use std::collections::{BTreeMap, HashSet};

/// Runs one fixed test in so many against an empty server without limits, and compares each answer with the interpreter's.
///
/// # Panics
/// If a test fails, an answer differs, or few answers were compared.
pub fn expect_shadowed(
    suite: &'static Suite,
    server: Box<dyn Subject>,
    roots: Vec<(String, String)>,
    (level, one_in): (Level, usize),
) {
    let shadow = Shadow::at(level);
    let server = shadow.of(server, suite.contract, roots.clone());
    let world = DeclaredWorld::new(suite.contract, server, roots).at(level);
    let tried: HashSet<String> = suite.tests().map(|(name, _)| name).step_by(one_in).collect();
    let options = RunOptions {
        is_tried: &|name| tried.contains(name),
        ..RunOptions::default()
    };
    let outcomes = suite.run(Box::leak(Box::new(world)), &options).into_iter();
    let failing = outcomes.filter_map(|one| Some(format!("{}: {}", one.test, one.verdict.failure()?)));
    assert_eq!(failing.collect::<Vec<_>>(), [""; 0]);
    let report = shadow.report();
    println!("{} answers compared", report.compared);
    let differences: Vec<String> = report
        .differences
        .iter()
        .map(|(cause, (count, first))| format!("{count} × {cause}\n  {first}"))
        .collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(
        report.compared > 3 * tried.len(),
        "{} of {}",
        report.compared,
        tried.len()
    );
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
