//! Renders changes as JSON: one object. Its members are stable; more may be added.
//!
//! ```text
//! { "old": …, "new": …,                  the names of the two files
//!   "counts": { "breaking": …, "risky": …, "compatible": …,
//!               "allowed": of the breaking ones },
//!   "changes": [ {                        the most severe first
//!     "rule": …,                          `codegen explain` describes it
//!     "severity": "breaking", "risky" or "compatible",
//!     "message": …,
//!     "old": null if it was added, or {
//!         "path": …, dotted               what has changed: with the rule, what an allowance names (of `new` where
//!                                         there is no `old`)
//!         "stated": whether the file has a node at this path; else the place is that of the node around it,
//!         "line": …, "column": …,
//!         "text": that line },            a part, if the line is very long
//!     "new": null if it was removed, or the same of the new file,
//!     "operations": [ { "surface": …, "name": …, "method": …, "path": the whole path } ],
//!     "allowed": null or the reason
//! } ] }
//! ```
//!
//! Prints no object if a contract has errors or an allowance is invalid.

use super::affected::AffectedOperation;
use super::{Comparison, Contract, Found, SourceLocation};
use codegen::json;
use codegen::rules::Severity;
use serde::Serialize;

/// The object as text.
pub(super) fn object(comparison: &Comparison<'_>) -> String {
    let changes = comparison
        .found
        .iter()
        .map(|found| Change::from_found(comparison, found));
    let diff = Diff {
        old: &comparison.old.input.name,
        new: &comparison.new.input.name,
        counts: Counts {
            breaking: comparison.count(Severity::Breaking).all,
            risky: comparison.count(Severity::Risky).all,
            compatible: comparison.count(Severity::Compatible).all,
            allowed: comparison.count(Severity::Breaking).allowed,
        },
        changes: changes.collect(),
    };
    json::pretty(&diff)
}

#[derive(Serialize)]
struct Diff<'c> {
    old: &'c str,
    new: &'c str,
    counts: Counts,
    changes: Vec<Change<'c>>,
}

#[derive(Serialize)]
struct Counts {
    breaking: usize,
    risky: usize,
    compatible: usize,
    allowed: usize,
}

/// One change. The module documents its members.
#[derive(Serialize)]
struct Change<'c> {
    rule: &'c str,
    severity: &'static str,
    message: String,
    old: Option<Location<'c>>,
    new: Option<Location<'c>>,
    operations: Vec<Operation<'c>>,
    allowed: Option<&'c str>,
}

#[derive(Serialize)]
struct Location<'c> {
    path: &'c str,
    stated: bool,
    line: usize,
    column: usize,
    text: String,
}

#[derive(Serialize)]
struct Operation<'c> {
    surface: &'c str,
    name: &'c str,
    method: &'c str,
    path: &'c str,
}

impl<'c> Change<'c> {
    fn from_found(comparison: &Comparison<'_>, found: &'c Found) -> Self {
        let operations = found.affected.operations.iter().map(operation);
        Change {
            rule: found.rule.name(),
            severity: found.rule.severity().label(),
            message: found.change.message(),
            old: found.old.as_ref().map(|place| stands(place, comparison.old)),
            new: found.new.as_ref().map(|place| stands(place, comparison.new)),
            operations: operations.collect(),
            allowed: found.allowed.as_deref(),
        }
    }
}

fn stands<'c>(place: &'c SourceLocation, contract: &Contract) -> Location<'c> {
    Location {
        path: &place.path,
        stated: place.is_stated,
        line: place.at.line,
        column: place.at.column,
        text: place.line(contract),
    }
}

fn operation(affected: &AffectedOperation) -> Operation<'_> {
    Operation {
        surface: &affected.surface,
        name: &affected.name,
        method: &affected.method,
        path: &affected.path,
    }
}
