//! A list of failures that are expected, such as those of a server that is not finished: they do not fail a run. An entry
//! that did not fail does, so that the list gets shorter.

use super::report::{Report, Verdict};
use codegen::nearest;

/// The entries of a file: one name of a trial in each line. `#` begins a comment.
pub(super) struct Expected(Vec<String>);

impl Expected {
    pub(super) fn parse(text: &str) -> Self {
        let line = |line: &str| line.split('#').next().unwrap_or_default().trim().to_owned();
        Self(text.lines().map(line).filter(|line| !line.is_empty()).collect())
    }

    /// Marks the failures that are expected. Returns what is wrong with the list: entries that did not fail. `is_whole`: all
    /// tests ran, so an entry without a test is wrong.
    pub(super) fn mark(&self, report: &mut Report, is_whole: bool) -> Vec<String> {
        let mut stale = Vec::new();
        for entry in &self.0 {
            let Some(trial) = report.trials.iter_mut().find(|trial| trial.name == *entry) else {
                if is_whole {
                    stale.push(unknown(entry, report));
                }
                continue;
            };
            match trial.verdict {
                Verdict::Failed(_) => trial.is_expected = true,
                Verdict::Passed => stale.push(format!(
                    "{entry} is expected to fail, but it passes: remove it from the list"
                )),
                Verdict::NotTried { .. } => {}
            }
        }
        stale
    }
}

fn unknown(entry: &str, report: &Report) -> String {
    for (part, what) in [("histories::", "random history"), ("probes::", "probe")] {
        if entry.starts_with(part) {
            return format!("{entry} is expected to fail, but no {what} shows it: remove it from the list");
        }
    }
    let names = report.trials.iter().map(|trial| trial.name.as_str());
    match nearest::nearest(entry, names) {
        Some(meant) => format!("there is no test {entry}, did you mean {meant}?"),
        None => format!("there is no test {entry}: remove it from the list of expected failures"),
    }
}
