//! The result of a run, as data: the reports and the expected failures read it.

use conformance::{Contract, HistoryDifference, Masks};
use serde::Serialize;
use std::collections::BTreeMap;

/// The result of a run.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    /// The title of the contract.
    pub(super) contract: String,
    /// The file of the contract.
    pub(super) file: String,
    /// The server that was called.
    pub(super) url: String,
    /// How much was compared: `shape`, `values` or `texts`.
    pub(super) level: String,
    /// What the random calls depend on.
    pub(super) seed: u64,
    pub(super) seconds: f64,
    pub(super) trials: Vec<Trial>,
    /// The probes, if they ran.
    pub(super) probes: Option<ProbesTried>,
    /// What the random histories met, if they ran.
    pub(super) histories: Option<Coverage>,
    /// Whether histories are left out because most operations fail.
    pub(super) is_cut_short: bool,
    /// What is hidden in headings, and in reports that others keep.
    #[serde(skip)]
    pub(super) masks: Masks,
    /// The operations in the order of the contract, for the table.
    #[serde(skip)]
    pub(super) table: Vec<Row>,
}

/// A scenario, a probe, all passed probes of an operation, or a difference of a random history.
#[derive(Debug, Serialize)]
pub(super) struct Trial {
    /// `probes::agent::get_human::success`, `histories::agent::get_human`
    pub(super) name: String,
    /// The operation: `agent::get_human`; none if the test is about several.
    pub(super) operation: Option<String>,
    #[serde(flatten)]
    pub(super) verdict: Verdict,
    /// Whether the failure is listed as expected.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_expected: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case", tag = "verdict")]
pub(super) enum Verdict {
    Passed,
    Failed(Failure),
    /// It could not be tried.
    NotTried {
        reason: String,
    },
}

/// How a response differs from the contract.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Failure {
    /// In short and without ids: equal for failures of one cause.
    pub(super) cause: String,
    /// Lines for a shell that show the failure, with `$BASE` in place of the address.
    pub(super) script: String,
    /// The response.
    pub(super) came: String,
    /// What the contract demands.
    pub(super) wanted: String,
    /// The node of the contract that demands it: `api.yaml:120:7`.
    pub(super) place: String,
}

/// How many probes were tried.
#[derive(Debug, Serialize)]
pub(super) struct ProbesTried {
    pub(super) tried: usize,
    pub(super) not_tried: usize,
    /// How long they took.
    pub(super) seconds: f64,
}

/// What the random histories met.
#[derive(Debug, Serialize)]
pub(super) struct Coverage {
    pub(super) calls: usize,
    /// How long they took.
    pub(super) seconds: f64,
    /// How often each outcome was met, by operation and name of the outcome.
    pub(super) met: BTreeMap<String, BTreeMap<String, usize>>,
    /// `agent::get_human unknown`
    pub(super) never_met: Vec<String>,
}

/// An operation, with the outcomes that it can have.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) operation: String,
    pub(super) route: String,
    pub(super) outcomes: Vec<String>,
}

/// Trials that failed for one cause.
pub(super) struct Group<'r> {
    pub(super) cause: &'r str,
    pub(super) trials: Vec<(&'r Trial, &'r Failure)>,
}

/// How many trials have which verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) passed: usize,
    pub(super) failed: usize,
    /// Failures that are listed as expected.
    pub(super) expected: usize,
    pub(super) not_tried: usize,
}

impl Report {
    /// A difference from the interpreter, as the reports show it.
    pub(super) fn failure(&self, contract: Contract, difference: HistoryDifference) -> Failure {
        Failure {
            place: format!("{} ({})", contract.at(difference.place), difference.declared),
            cause: self.masks.hide(&difference.cause),
            script: difference.script,
            came: difference.got,
            wanted: difference.wanted,
        }
    }

    /// The unexpected failures by cause, the most frequent first.
    pub(super) fn groups(&self) -> Vec<Group<'_>> {
        let mut groups: Vec<Group> = Vec::new();
        for trial in self.trials.iter().filter(|trial| !trial.is_expected) {
            let Verdict::Failed(failure) = &trial.verdict else {
                continue;
            };
            match groups.iter_mut().find(|group| group.cause == failure.cause) {
                Some(group) => group.trials.push((trial, failure)),
                None => groups.push(Group {
                    cause: &failure.cause,
                    trials: vec![(trial, failure)],
                }),
            }
        }
        groups.sort_by_key(|group| std::cmp::Reverse(group.trials.len()));
        groups
    }

    pub(super) fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for trial in &self.trials {
            *match &trial.verdict {
                Verdict::Passed => &mut counts.passed,
                Verdict::Failed(_) if trial.is_expected => &mut counts.expected,
                Verdict::Failed(_) => &mut counts.failed,
                Verdict::NotTried { .. } => &mut counts.not_tried,
            } += 1;
        }
        counts
    }

    /// The reasons why trials were not tried, with their numbers, the most frequent first.
    pub(super) fn reasons(&self) -> Vec<(&str, usize)> {
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for trial in &self.trials {
            if let Verdict::NotTried { reason } = &trial.verdict {
                *reasons.entry(reason).or_default() += 1;
            }
        }
        let mut reasons: Vec<_> = reasons.into_iter().collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        reasons
    }
}
