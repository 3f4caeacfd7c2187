//! What belongs to somebody, and is named or shown where nothing proves that it is the caller's. An operation that is
//! meant to be so names the decision that allows it: `open`.

use super::lookup::{Operation, operations};
use super::rights::{IdUse, OwnedResources, ids, proven};
use crate::diagnostic::{Diagnostic, places};
use crate::spec::Spec;
use std::collections::HashSet;

pub(super) const OPEN: &str = "name the decision that allows it: `open: DECISION`";

/// `unproven-id` and `unproven-answer`: what a request names and what an answer shows, unless a decision opens it.
pub(super) fn unproven(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let belongings = OwnedResources::of(spec);
    let reported = places(diagnostics);
    let closed = operations(spec).filter(|operation| operation.endpoint.open.is_none());
    let found = closed.flat_map(|operation| findings(operation, &belongings));
    diagnostics.extend(found.filter(|diagnostic| !reported.contains(&diagnostic.at)));
}

/// `unused-open`: a decision opens what nothing closes.
pub(super) fn unused_open(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    // What a rule on names has found may be what is open.
    if diagnostics
        .iter()
        .any(|diagnostic| diagnostic.rule.starts_with("unknown-"))
    {
        return;
    }
    let belongings = OwnedResources::of(spec);
    for operation in operations(spec) {
        if let Some(open) = &operation.endpoint.open
            && findings(operation, &belongings).is_empty()
        {
            let message = "nothing is open here: all that is named or shown may be, without a decision";
            diagnostics.push(Diagnostic::new("unused-open", open.at, message).help("leave `open` out"));
        }
    }
}

/// What is not proven of an operation, whatever a decision says of it. Who calls without being a caller of its own, as an
/// operator does, may do anything.
fn findings<'s>(operation: Operation<'s>, belongings: &OwnedResources<'s>) -> Vec<Diagnostic> {
    let caller = match (&operation.surface.credential, operation.credential()) {
        (None, _) => None,
        (Some(_), None) => return Vec::new(),
        (Some(_), Some(credential)) if credential.caller.is_none() => return Vec::new(),
        (Some(_), Some(credential)) => credential.caller.as_ref(),
    };
    let asked = Asked {
        operation,
        belongings,
        caller: caller.map(|caller| caller.text.as_str()),
        proven: proven(operation),
        ids: ids(operation),
    };
    let found: Vec<Diagnostic> = asked.ids.iter().filter_map(|id| asked.unproven_id(id)).collect();
    // Of an id that is not proven follows that what is shown is not.
    if found.is_empty() {
        asked.unproven_answer().into_iter().collect()
    } else {
        found
    }
}

/// An operation, and what is known of it.
pub(super) struct Asked<'a, 's> {
    pub(super) operation: Operation<'s>,
    pub(super) belongings: &'a OwnedResources<'s>,
    /// The resource that calls; nothing where no credential is asked for.
    pub(super) caller: Option<&'s str>,
    pub(super) proven: HashSet<&'s str>,
    pub(super) ids: Vec<IdUse<'s>>,
}

impl Asked<'_, '_> {
    pub(super) fn who(&self) -> String {
        self.caller
            .map_or_else(|| "anybody".to_owned(), |caller| format!("any `{caller}`"))
    }
}
