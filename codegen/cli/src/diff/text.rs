//! Renders changes as text for a terminal or a log, in the layout of diagnostics.

use super::{Comparison, Contract, Found, SourceLocation};
use crate::input::hint;
use crate::output::{RIGHT, style, styled};
use codegen::diagnostic::{self, Drawing, Style};
use visible::visible;

/// Maximum number of operations that a change names.
const MOST_OPERATIONS: usize = 6;

/// Every change, each followed by a blank line, and a summary.
pub(super) fn draw(comparison: &Comparison<'_>) -> String {
    let drawn = comparison.found.iter().map(|found| change(comparison, found));
    let mut text: String = drawn.collect();
    let [old, new] = [comparison.old, comparison.new].map(|contract| visible(&contract.input.name));
    let verdict = comparison.verdict(|severity, changes| styled(style(severity), changes));
    let verdict = verdict.unwrap_or_else(|| styled(RIGHT, "no change"));
    text.push_str(&format!("{old} → {new}: {verdict}\n"));
    let gravest = comparison.found.iter().find(|found| found.breaks());
    let first = gravest.or(comparison.found.first()).map(|found| found.rule.name());
    text.push_str(&hint(first));
    text
}

fn change(comparison: &Comparison<'_>, found: &Found) -> String {
    let names = [comparison.old, comparison.new].map(|contract| visible(&contract.input.name));
    let old = found.old.as_ref().map(|old| {
        let label = match (&found.new, old.is_stated) {
            (None, _) => "removed",
            (Some(_), true) => "was",
            (Some(_), false) => "was not stated here",
        };
        place(old, comparison.old, &names[0], label, found.new.is_none())
    });
    let new = found.new.as_ref().map(|new| {
        let label = match (&found.old, new.is_stated) {
            (None, _) => "new",
            (Some(_), true) => "is",
            (Some(_), false) => "is not stated here",
        };
        place(new, comparison.new, &names[1], label, true)
    });
    let message = visible(&found.change.message());
    let concerns = found.concerns(MOST_OPERATIONS);
    let concerns = concerns.map(|words| format!("affects {}", visible(&words)));
    let allowed = found.allowed.as_deref();
    let allowed = allowed.map(|reason| format!("allowed: {}", visible(reason)));
    let help = found.breaks().then(|| allowance(found));
    let drawing = Drawing {
        severity: found.rule.severity(),
        rule: found.rule.name(),
        message: &message,
        places: old.into_iter().chain(new).collect(),
        notes: concerns.iter().chain(&allowed).map(String::as_str).collect(),
        help: help.as_deref(),
    };
    drawing.draw(Style::Coloured) + "\n"
}

fn place<'a>(
    place: &SourceLocation,
    contract: &'a Contract,
    file: &'a str,
    label: &'a str,
    is_primary: bool,
) -> diagnostic::Location<'a> {
    diagnostic::Location {
        file,
        source: &contract.input.text,
        at: place.at,
        is_primary,
        label: Some(label),
        related: Vec::new(),
    }
}

/// The hint how to allow a change.
fn allowance(found: &Found) -> String {
    let path = visible(found.change.path());
    format!("if this is intended, allow it: `{}@{path}: REASON`", found.rule.name())
}
