//! The interpreter as the judge of a server: of its answers to the fixed tests.

use conformance::{DeclaredWorld, Level, RunOptions, Shadow, Subject, Suite};
use std::collections::HashSet;

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
