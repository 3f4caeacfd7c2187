//! What is going on, on a terminal.

use super::report::Report;
use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// How many of the probes have ended.
pub(super) fn probes(count: usize) -> ProgressBar {
    let bar = spinner("{spinner} probes: {pos} of {len} have ended, {elapsed}");
    bar.set_length(count as u64);
    bar
}

/// Random histories take place; what the probes found is known.
pub(super) fn histories(report: &Report) -> ProgressBar {
    let counts = report.counts();
    let (passed, failed) = (counts.passed, counts.failed);
    spinner(&format!(
        "{{spinner}} random histories, {{elapsed}} (before: {passed} passed, {failed} failed)"
    ))
}

fn spinner(template: &str) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
