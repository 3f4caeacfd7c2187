//! The report for a terminal: failures by cause, the most frequent first, each with one call that shows it.

use super::report::{Counts, Failure, Group, Report, Trial};
use crate::output::{ERROR, STRONG, styled};
use std::fmt::Write;
use visible::{visible, visible_json};

/// The causes that are shown in full.
const SHOWN: usize = 20;
/// The tests that are named for each cause.
const NAMED: usize = 3;
/// The outcomes that are named as never met.
const NEVER_MET: usize = 10;

/// The report, without colours if the output is no terminal.
pub(super) fn text(report: &Report, notes: &[String]) -> String {
    let mut out = String::new();
    let groups = report.groups();
    for (nth, group) in groups.iter().take(SHOWN).enumerate() {
        cause(&mut out, nth + 1, group);
    }
    if groups.len() > SHOWN {
        line(
            &mut out,
            "Further causes (--report-html and --report-json show their calls):",
        );
        for (nth, group) in groups.iter().enumerate().skip(SHOWN) {
            let tests = group.trials.first().map_or("", |(trial, _)| trial.name.as_str());
            line(
                &mut out,
                &format!("{}. {} ({})", nth + 1, visible(group.cause), visible(tests)),
            );
        }
        out.push('\n');
    }
    for note in notes {
        line(&mut out, &format!("{}: {}", styled(ERROR, "error"), visible(note)));
    }
    not_tried(&mut out, report);
    probes(&mut out, report);
    histories(&mut out, report);
    summary(&mut out, report, groups.len());
    out
}

fn cause(out: &mut String, nth: usize, group: &Group) {
    let Some((trial, failure)) = group.trials.first() else {
        return;
    };
    let head = format!("{nth}. {}", visible(group.cause));
    line(out, &styled(STRONG, &head));
    let Failure {
        script,
        came,
        wanted,
        place,
        ..
    } = failure;
    block(out, "call", script);
    block(out, "came", came);
    block(out, "wanted", wanted);
    block(out, "contract", place);
    block(out, "test", &named(trial, group.trials.len(), group));
    out.push('\n');
}

/// `agent::get_human::success and 3 others, of 2 operations: …`
fn named(first: &Trial, count: usize, group: &Group) -> String {
    let mut operations: Vec<&str> = group
        .trials
        .iter()
        .filter_map(|(trial, _)| trial.operation.as_deref())
        .collect();
    operations.dedup();
    operations.sort_unstable();
    operations.dedup();
    if count == 1 {
        return first.name.clone();
    }
    let shown = operations.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    let more = match operations.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let others = if count == 2 {
        "1 other".to_owned()
    } else {
        format!("{} others", count - 1)
    };
    format!("{} and {others}, of {shown}{more}", first.name)
}

/// A text behind its label, with its lines below each other.
fn block(out: &mut String, label: &str, text: &str) {
    for (nth, part) in text.trim_end().lines().enumerate() {
        let label = if nth == 0 { label } else { "" };
        // Calls can be copied: the text of their bodies is JSON.
        line(out, &format!("   {label:<10}{}", visible_json(part)));
    }
}

fn not_tried(out: &mut String, report: &Report) {
    let reasons = report.reasons();
    if reasons.is_empty() {
        return;
    }
    line(out, &styled(STRONG, "Not tried:"));
    for (reason, count) in reasons {
        line(out, &format!("   {count:>5}  {}", visible(reason)));
    }
    out.push('\n');
}

fn probes(out: &mut String, report: &Report) {
    let Some(probes) = &report.probes else { return };
    line(
        out,
        &format!(
            "Probes: {} tried, {} not tried, in {:.1} s, seed {}.",
            probes.tried, probes.not_tried, probes.seconds, report.seed
        ),
    );
}

fn histories(out: &mut String, report: &Report) {
    if report.is_cut_short {
        line(
            out,
            "Random histories: left out, because most operations fail (--histories-only tries them all the same).",
        );
    }
    let Some(coverage) = &report.histories else { return };
    let met: usize = coverage.met.values().map(std::collections::BTreeMap::len).sum();
    let all = met + coverage.never_met.len();
    line(
        out,
        &format!(
            "Random histories: {} calls met {met} of {all} outcomes in {:.1} s, seed {}.",
            coverage.calls, coverage.seconds, report.seed
        ),
    );
    if !coverage.never_met.is_empty() {
        let shown = coverage
            .never_met
            .iter()
            .take(NEVER_MET)
            .cloned()
            .collect::<Vec<_>>()
            .join(", ");
        let more = match coverage.never_met.len().saturating_sub(NEVER_MET) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        line(out, &format!("Never met: {shown}{more}."));
    }
}

fn summary(out: &mut String, report: &Report, causes: usize) {
    let Counts {
        passed,
        failed,
        expected,
        not_tried,
    } = report.counts();
    let of_causes = match causes {
        0 => String::new(),
        1 => " for one cause".to_owned(),
        causes => format!(" for {causes} causes"),
    };
    let expected = match expected {
        0 => String::new(),
        expected => format!(", {expected} failed as expected"),
    };
    line(
        out,
        &styled(
            STRONG,
            &format!(
                "{} at {}: {passed} passed, {failed} failed{of_causes}{expected}, {not_tried} not tried, in {:.1} s.",
                report.contract, report.url, report.seconds
            ),
        ),
    );
}

fn line(out: &mut String, text: &str) {
    // A String takes any text.
    let _ = writeln!(out, "{text}");
}
