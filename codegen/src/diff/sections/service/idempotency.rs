//! Compares `idempotency`: of the whole service, and of each operation.

use crate::diff::matching::operations;
use crate::diff::output::{Comparison, OperationPair, Rule};
use crate::model::{Idempotency, Operation, Surface, period_in_words};

/// Compares what applies to the whole service: the headers, and whether there are keys at all.
pub(crate) fn compare(comparison: &mut Comparison<'_>) {
    let (old, new) = (comparison.old, comparison.new);
    let takes_keys = |_: &Surface, operation: &Operation| operation.keep_seconds.is_some();
    match (&old.idempotency, &new.idempotency) {
        (None, None) => {}
        (None, Some(keys)) => {
            let affected = comparison.paired.already(new, takes_keys);
            let message = format!("requests can have an idempotency key in `{}`", keys.header);
            comparison.added(Rule::IdempotencyAdded, "idempotency", affected, message);
        }
        (Some(keys), None) => {
            let affected = comparison.paired.still(old, takes_keys);
            let message = format!("idempotency keys in `{}` are no longer read", keys.header);
            comparison.removed(Rule::IdempotencyRemoved, "idempotency", affected, message);
        }
        (Some(was), Some(is)) => both(comparison, was, is),
    }
}

fn both(comparison: &mut Comparison<'_>, was: &Idempotency, is: &Idempotency) {
    let takes_keys = |_: &Surface, operation: &Operation| operation.keep_seconds.is_some();
    let affected = operations(comparison.new, takes_keys);
    if !was.header.eq_ignore_ascii_case(&is.header) {
        let message = format!("the idempotency key is read from `{}`, was `{}`", is.header, was.header);
        comparison.changed(
            Rule::IdempotencyHeaderChanged,
            "idempotency.header",
            affected.clone(),
            message,
        );
    }
    if !was.replayed.eq_ignore_ascii_case(&is.replayed) {
        let message = format!("the header `{}` is renamed to `{}`", was.replayed, is.replayed);
        comparison.changed(Rule::AnswerHeaderRenamed, "idempotency.replayed", affected, message);
    }
    if was.keep != is.keep {
        let (was, is) = (was.keep.seconds, is.keep.seconds);
        let affected = operations(comparison.new, |_, operation| operation.keep_seconds == Some(is));
        let message = kept("answers", is, was);
        comparison.changed(rule(was, is), "idempotency.keep", affected, message);
    }
}

/// Compares what an operation says itself. What changes for all operations is reported once.
pub(crate) fn of_operation(comparison: &mut Comparison<'_>, pair: &OperationPair<'_>) {
    let (Some(old), Some(new)) = (&comparison.old.idempotency, &comparison.new.idempotency) else {
        return;
    };
    let line = pair.line();
    let (rule, message) = match (pair.old.keep_seconds, pair.new.keep_seconds) {
        (None, Some(_)) => (Rule::IdempotencyAdded, format!("`{line}` can have an idempotency key")),
        (Some(_), None) => (
            Rule::IdempotencyRemoved,
            format!("`{line}` takes no idempotency keys any more"),
        ),
        (Some(was), Some(is)) if was != is => {
            if was == old.keep.seconds && is == new.keep.seconds {
                return;
            }
            (rule(was, is), kept(&format!("answers to `{line}`"), is, was))
        }
        _ => return,
    };
    comparison.between(rule, &pair.place, pair.concerned(), message);
}

fn rule(was: u32, is: u32) -> Rule {
    if is < was {
        Rule::IdempotencyShortened
    } else {
        Rule::IdempotencyLengthened
    }
}

fn kept(answers: &str, is: u32, was: u32) -> String {
    format!(
        "{answers} are kept {} for idempotency keys, was {}",
        period_in_words(is),
        period_in_words(was)
    )
}
