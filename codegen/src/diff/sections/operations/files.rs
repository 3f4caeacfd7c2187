//! Compares bodies and answers that are files.

use crate::diff::output::{Comparison, OperationPair, Rule};
use crate::diff::sections::service::pace;
use crate::model::FileBody;

/// Compares the files that an operation takes and returns.
pub(super) fn compare(comparison: &mut Comparison<'_>, both: &OperationPair<'_>) {
    match (&both.old.file, &both.new.file) {
        (None, None) => {}
        (None, Some(file)) => {
            let message = format!("the body is now a file of the type {}", types(file));
            both.added(comparison, Rule::BodyAdded, "file", message);
        }
        (Some(file), None) => {
            let message = format!("the body is no longer a file, was one of the type {}", types(file));
            both.removed(comparison, Rule::BodyRemoved, "file", message);
        }
        (Some(was), Some(is)) => bodies(comparison, both, was, is),
    }
    match (&both.old.content_of, &both.new.content_of) {
        (None, Some(of)) => {
            let message = format!("the response is now the content of a `{of}`");
            both.added(comparison, Rule::DataReplaced, "success.file", message);
        }
        (Some(of), None) => {
            let message = format!("the response is no longer the content of a `{of}`");
            both.removed(comparison, Rule::DataReplaced, "success.file", message);
        }
        _ => {}
    }
}

fn bodies(comparison: &mut Comparison<'_>, both: &OperationPair<'_>, was: &FileBody, is: &FileBody) {
    let lacks = |file: &FileBody, other: &FileBody| other.types.iter().any(|one| !file.types.contains(one));
    let rule = match (lacks(is, was), lacks(was, is)) {
        (true, _) => Some(Rule::BodyReplaced),
        (false, true) => Some(Rule::BodyExtended),
        (false, false) => None,
    };
    if let Some(rule) = rule {
        let message = format!("the body is a file of the type {}, was {}", types(is), types(was));
        both.changed(comparison, rule, "file.types", message);
    }
    if let Some((rule, rates)) = pace::compare(was.min_rate.as_ref(), is.min_rate.as_ref()) {
        let message = format!("the minimum rate of the file is {rates}");
        both.changed(comparison, rule, "file.min_rate", message);
    }
    let (was, is) = (was.max_seconds, is.max_seconds);
    if was != is {
        let rule = match is < was {
            true => Rule::BodySecondsLowered,
            false => Rule::BodySecondsRaised,
        };
        let message = format!("the file can take at most {is} s to arrive, was {was} s");
        both.changed(comparison, rule, "file.max_seconds", message);
    }
}

fn types(file: &FileBody) -> String {
    let types: Vec<String> = file.types.iter().map(|one| format!("`{one}`")).collect();
    types.join(", ")
}
