//! `errors`: with what requests can be refused. Which refusal comes first is compared in [`super::precedence`].
//!
//! A row is known by its step, of which there is one, or else by its name. A row that only new operations can answer with,
//! or could only those that are gone, is a part of them.

use super::headers::{self, source};
use super::paired::operations;
use super::pairs::{Pairs, pairs};
use super::place::Place;
use super::{Comparison, descriptions, precedence};
use crate::model::{EnvelopeValue, Model, Row, Untestable};
use crate::step::Step;
use std::collections::BTreeSet;

pub(super) fn compare(comparison: &mut Comparison<'_>) {
    let rows = &comparison.paired.rows;
    for (old, new) in &rows.kept {
        compare_row(comparison, old, new);
    }
    precedence::compare(comparison, &rows.kept);
    gone_and_come(comparison, rows);
}

/// Brings the rows of two contracts together.
pub(super) fn paired<'m>(old: &'m Model, new: &'m Model) -> Pairs<'m, Row> {
    let mut rows = pairs(&old.rows, &new.rows, identity);
    let renamed = rows.take_renamed(|row| Some(content(row)), |row| Some(content(row)));
    rows.kept.extend(renamed);
    rows
}

fn identity(row: &Row) -> (Step, &str) {
    match row.step {
        Step::Rule => (Step::Rule, &row.name),
        step => (step, ""),
    }
}

fn content(row: &Row) -> (Step, u16, String, Vec<(String, String)>) {
    let headers = row.headers.iter();
    let headers = headers.map(|(name, value)| (name.to_lowercase(), source(value)));
    (row.step, row.status, source(&row.text), headers.collect())
}

/// The rule of another text in refusals: what a program reads where there is no code beside it, and else only people do.
pub(super) fn worded(comparison: &Comparison<'_>) -> &'static str {
    if has_code(comparison.old) && has_code(comparison.new) {
        "error-wording-changed"
    } else {
        "error-text-changed"
    }
}

fn has_code(model: &Model) -> bool {
    let mut members = model.error.iter();
    members.any(|(_, value)| matches!(value, EnvelopeValue::Placeholder { name, .. } if name == "code"))
}

fn compare_row(comparison: &mut Comparison<'_>, old: &Row, new: &Row) {
    let Row {
        name,
        status,
        step: _,
        text,
        help,
        headers,
        untestable,
        at: _,
    } = new;
    let place = Place::same("errors").under(&old.name, name);
    let operations = answered(comparison.new, new);
    if *name != old.name {
        if has_code(comparison.old) && has_code(comparison.new) {
            let message = format!("the code of the refusal is `{name}`, was `{}`", old.name);
            comparison.between("error-code-renamed", &place, operations.clone(), message);
        } else {
            let message = format!("the refusal `{}` is called `{name}` now", old.name);
            comparison.between("error-renamed", &place, BTreeSet::new(), message);
        }
    }
    if *status != old.status {
        let message = format!(
            "`{name}` answers {status}{}, was {}",
            unheard(comparison, *status),
            old.status
        );
        comparison.between(
            "error-status-changed",
            &place.join("status"),
            operations.clone(),
            message,
        );
    }
    if *text != old.text {
        let message = format!("`{name}` says `{}`, was `{}`", source(text), source(&old.text));
        comparison.between(worded(comparison), &place.join("text"), operations.clone(), message);
    }
    if *help != old.help {
        let words = descriptions::is_and_was(old.help.as_deref(), help.as_deref());
        let message = format!("what a caller does next who is refused with `{name}` {words}");
        comparison.between("help-changed", &place.join("help"), operations.clone(), message);
    }
    headers::compare(comparison, &place.join("headers"), (&old.headers, headers), &operations);
    if *untestable != old.untestable {
        let (is, was) = (seen_by(untestable.as_ref()), seen_by(old.untestable.as_ref()));
        let message = format!("`{name}` is seen by {is}, was by {was}");
        let place = place.join("untestable");
        match (&old.untestable, untestable) {
            (None, _) => comparison.added("untestable-changed", &place.new, BTreeSet::new(), message),
            (_, None) => comparison.removed("untestable-changed", &place.old, BTreeSet::new(), message),
            _ => comparison.between("untestable-changed", &place, BTreeSet::new(), message),
        }
    }
}

/// Who sees a refusal.
fn seen_by(untestable: Option<&Untestable>) -> String {
    match untestable {
        Some(Untestable { reason, test }) => format!("the test `{test}` alone (`{reason}`)"),
        None => "whoever brings it about".to_owned(),
    }
}

/// What to add to a status that nothing answered with before.
pub(super) fn unheard(comparison: &Comparison<'_>, status: u16) -> &'static str {
    if comparison.old.statuses.contains(&status) {
        ""
    } else {
        " (which nothing answered before)"
    }
}

fn gone_and_come(comparison: &mut Comparison<'_>, rows: &Pairs<'_, Row>) {
    let section = Place::same("errors");
    for row in &rows.removed {
        let old = comparison.old;
        let operations = comparison
            .paired
            .still(old, |surface, one| old.can_refuse(surface, one, row));
        if !operations.is_empty() {
            let message = format!("nothing is refused with `{}` ({}) any more", row.name, row.status);
            let path = section.join(&row.name).old;
            comparison.removed("error-removed", &path, operations, message);
        }
    }
    for row in &rows.added {
        let new = comparison.new;
        let operations = comparison
            .paired
            .already(new, |surface, one| new.can_refuse(surface, one, row));
        if !operations.is_empty() {
            let (name, status, text) = (&row.name, row.status, source(&row.text));
            let unheard = unheard(comparison, status);
            let message = format!("requests can be refused with `{name}`, {status}{unheard}: `{text}`");
            comparison.added("error-added", &section.join(name).new, operations, message);
        }
    }
}

/// The operations that can answer with a row: none with those of what reaches no operation.
fn answered(model: &Model, row: &Row) -> BTreeSet<String> {
    operations(model, |surface, operation| model.can_refuse(surface, operation, row))
}
