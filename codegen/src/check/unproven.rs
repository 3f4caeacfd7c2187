//! `unproven-id` and `unproven-answer`: owned resources that an operation names or shows without proof of ownership.
//! The operation can name a decision that permits it: `open`.

use super::lookup::{LocatedOperation, operations};
use super::rights::{IdUse, OwnedResources, ids, proven};
use crate::diagnostic::{Diagnostic, places};
use crate::rules::{Class, Needs, Rule};
use crate::syntax::{Endpoint, Spec};
use std::collections::HashSet;

pub(super) const OPEN: &str = "name the decision that allows it: `open: DECISION`";

/// `unproven-id` and `unproven-answer`: reports unproven ids and answers of operations without `open`.
pub(super) fn unproven(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let belongings = OwnedResources::from_spec(spec);
    let reported = places(diagnostics);
    // A dry run has the guards of the endpoint that it tries, and shows nothing.
    let is_closed = |endpoint: &Endpoint| endpoint.open.is_none() && endpoint.dry_run.is_none();
    let closed = operations(spec).filter(|operation| is_closed(operation.endpoint));
    let found = closed.flat_map(|operation| findings(operation, &belongings));
    diagnostics.extend(found.filter(|diagnostic| !reported.contains(&diagnostic.at)));
}

/// `unused-open`: `open` on an operation that needs none.
pub(super) fn unused_open(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    // A name that another rule has reported may be the reason for `open`.
    let is_about_unknown = |diagnostic: &Diagnostic| {
        matches!(
            diagnostic.rule.class(),
            Class::Mistake(Needs::Names(_) | Needs::AnyName)
        )
    };
    if diagnostics.iter().any(is_about_unknown) {
        return;
    }
    let belongings = OwnedResources::from_spec(spec);
    for operation in operations(spec) {
        if let Some(open) = &operation.endpoint.open
            && findings(operation, &belongings).is_empty()
        {
            let message = "this operation needs no `open`: it names and shows nothing that belongs to others";
            diagnostics.push(Diagnostic::new(Rule::UnusedOpen, open.at, message).help("remove `open`"));
        }
    }
}

/// What an operation does not prove, regardless of `open`. Callers that are not a resource, such as operators, may
/// access everything.
fn findings<'s>(operation: LocatedOperation<'s>, belongings: &OwnedResources<'s>) -> Vec<Diagnostic> {
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
    // An unproven id explains unproven answers, so answers are checked only if all ids are proven.
    if found.is_empty() {
        asked.unproven_answer().into_iter().collect()
    } else {
        found
    }
}

/// An operation, and what its checks need.
pub(super) struct Asked<'a, 's> {
    pub(super) operation: LocatedOperation<'s>,
    pub(super) belongings: &'a OwnedResources<'s>,
    /// The resource that acts as the caller. `None` if the surface requires no credential.
    pub(super) caller: Option<&'s str>,
    pub(super) proven: HashSet<&'s str>,
    pub(super) ids: Vec<IdUse<'s>>,
}

impl Asked<'_, '_> {
    pub(super) fn who(&self) -> String {
        self.caller
            .map_or_else(|| "any caller".to_owned(), |caller| format!("any `{caller}`"))
    }
}
