//! Compares `errors`: the possible error responses. Their precedence is compared in [`super::precedence`].
//!
//! An error is identified by its step if the step has one error, else by its name. An error that affects only added or
//! removed operations is part of those changes.

use super::{headers, precedence};
use crate::diff::matching::{Matched, operations};
use crate::diff::output::{Comparison, PathPair, Rule, descriptions};
use crate::model::{EnvelopeValue, ErrorEntry, Model, Untestable};
use crate::step::Step;
use std::collections::BTreeSet;

pub(crate) fn compare(comparison: &mut Comparison<'_>) {
    let errors = &comparison.paired.errors;
    for (old, new) in &errors.kept {
        compare_row(comparison, old, new);
    }
    precedence::compare(comparison, &errors.kept);
    removed_and_added(comparison, errors);
}

/// The rule for a changed text of error responses: programs read it if there is no code beside it; otherwise only
/// people do.
pub(crate) fn worded(comparison: &Comparison<'_>) -> Rule {
    if has_code(comparison.old) && has_code(comparison.new) {
        Rule::ErrorWordingChanged
    } else {
        Rule::ErrorTextChanged
    }
}

fn has_code(model: &Model) -> bool {
    EnvelopeValue::shows(&model.error, "code")
}

fn compare_row(comparison: &mut Comparison<'_>, old: &ErrorEntry, new: &ErrorEntry) {
    let ErrorEntry {
        name,
        status,
        step: _,
        text,
        title,
        help,
        when: _,
        headers,
        untestable,
        at: _,
    } = new;
    let place = PathPair::same("errors").under(&old.name, name);
    let operations = answered(comparison.new, new);
    if *name != old.name {
        if has_code(comparison.old) && has_code(comparison.new) {
            let message = format!("the error code is `{name}`, was `{}`", old.name);
            comparison.between(Rule::ErrorCodeRenamed, &place, operations.clone(), message);
        } else {
            let message = format!("the error `{}` is renamed to `{name}`", old.name);
            comparison.between(Rule::ErrorRenamed, &place, BTreeSet::new(), message);
        }
    }
    if *status != old.status {
        let message = format!(
            "the status of `{name}` is {status}{}, was {}",
            unheard(comparison, *status),
            old.status
        );
        comparison.between(
            Rule::ErrorStatusChanged,
            &place.join("status"),
            operations.clone(),
            message,
        );
    }
    if *text != old.text {
        let message = format!("the text of `{name}` is `{text}`, was `{}`", old.text);
        comparison.between(worded(comparison), &place.join("text"), operations.clone(), message);
    }
    let shown = [comparison.old.title_of(old), comparison.new.title_of(new)];
    if shown.iter().all(Option::is_some) && shown[0] != shown[1] {
        let message = format!("the title of `{name}` is `{title}`, was `{}`", old.title);
        comparison.between(worded(comparison), &place.join("title"), operations.clone(), message);
    }
    if *help != old.help {
        let words = descriptions::is_and_was(old.help.as_deref(), help.as_deref());
        let message = format!("the advice (`help`) of `{name}` {words}");
        comparison.between(Rule::HelpChanged, &place.join("help"), operations.clone(), message);
    }
    headers::compare(comparison, &place.join("headers"), (&old.headers, headers), &operations);
    let (is, was) = (seen_by(untestable.as_ref()), seen_by(old.untestable.as_ref()));
    if is != was {
        let message = format!("`{name}` is tested {is}, was {was}");
        let place = place.join("untestable");
        match (&old.untestable, untestable) {
            (None, _) => comparison.added(Rule::UntestableChanged, &place.new, BTreeSet::new(), message),
            (_, None) => comparison.removed(Rule::UntestableChanged, &place.old, BTreeSet::new(), message),
            _ => comparison.between(Rule::UntestableChanged, &place, BTreeSet::new(), message),
        }
    }
}

/// Describes who sees an error response.
fn seen_by(untestable: Option<&Untestable>) -> String {
    match untestable {
        Some(Untestable { reason, test, at: _ }) => format!("only by the test `{test}` (`{reason}`)"),
        None => "by generated requests".to_owned(),
    }
}

/// The addition for a status that no answer had before.
pub(crate) fn unheard(comparison: &Comparison<'_>, status: u16) -> &'static str {
    if comparison.old.statuses.contains(&status) {
        ""
    } else {
        " (which no response had before)"
    }
}

fn removed_and_added(comparison: &mut Comparison<'_>, errors: &Matched<'_, ErrorEntry>) {
    let section = PathPair::same("errors");
    // What changes for requests with idempotency keys is a change of these.
    let have_keys = comparison.old.idempotency.is_some() && comparison.new.idempotency.is_some();
    let is_told = |error: &&&ErrorEntry| {
        have_keys || !matches!(error.step, Step::KeyReused | Step::KeyInProgress | Step::KeySecret)
    };
    let (removed, added): (Vec<_>, Vec<_>) = (
        errors.removed.iter().filter(is_told).collect(),
        errors.added.iter().filter(is_told).collect(),
    );
    for error in removed {
        let old = comparison.old;
        let operations = comparison
            .paired
            .still(old, |surface, one| old.can_respond(surface, one, error));
        if !operations.is_empty() {
            let message = format!(
                "requests are no longer rejected with `{}` ({})",
                error.name, error.status
            );
            let path = section.join(&error.name).old;
            comparison.removed(Rule::ErrorRemoved, &path, operations, message);
        }
    }
    for error in added {
        let new = comparison.new;
        let operations = comparison
            .paired
            .already(new, |surface, one| new.can_respond(surface, one, error));
        if !operations.is_empty() {
            let (name, status, text) = (&error.name, error.status, &error.text);
            let unheard = unheard(comparison, status);
            let message = format!("requests can now be rejected with `{name}`, status {status}{unheard}: `{text}`");
            comparison.added(Rule::ErrorAdded, &section.join(name).new, operations, message);
        }
    }
}

/// The operations that an error can answer; empty for errors of requests that reach no operation.
fn answered(model: &Model, error: &ErrorEntry) -> BTreeSet<String> {
    operations(model, |surface, operation| model.can_respond(surface, operation, error))
}
