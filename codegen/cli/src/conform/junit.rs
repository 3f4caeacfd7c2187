//! The report for systems that run tests, in the format of `JUnit`.

use super::report::{Report, Trial, Verdict};
use conformance::Masks;
use quick_junit::{NonSuccessKind, Report as Document, TestCase, TestCaseStatus, TestSuite};
use std::collections::BTreeMap;

/// The report as XML: a suite for each operation. It has no credentials.
pub(super) fn junit(report: &Report) -> Result<String, String> {
    let mut suites: BTreeMap<&str, TestSuite> = BTreeMap::new();
    for trial in &report.trials {
        let (name, _) = trial.name.rsplit_once("::").unwrap_or(("", &trial.name));
        let suite = suites.entry(name).or_insert_with(|| TestSuite::new(name.to_owned()));
        suite.add_test_case(case(trial, &report.masks));
    }
    let mut document = Document::new(format!("{} at {}", report.contract, report.url));
    document.add_test_suites(suites.into_values());
    document.to_string().map_err(|error| error.to_string())
}

fn case(trial: &Trial, masks: &Masks) -> TestCase {
    let status = match &trial.verdict {
        Verdict::Passed => TestCaseStatus::success(),
        Verdict::Failed(failure) if trial.is_expected => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(format!("failed as expected: {}", failure.cause));
            status
        }
        Verdict::Failed(failure) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_message(failure.cause.clone());
            status.set_description(masks.hide(&format!(
                "{}\ncame: {}\nwanted: {}\ncontract: {}",
                failure.script, failure.came, failure.wanted, failure.place
            )));
            status
        }
        Verdict::NotTried { reason } => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(reason.clone());
            status
        }
    };
    TestCase::new(trial.name.clone(), status)
}
