//! Two contracts compared: what a client, a worker or an operator would notice when the new one takes the place of the
//! old one.
//!
//! Knows the model only. One file a theme compares what is declared in one section of the contract, and takes every
//! struct of the model apart field by field, so that what the model gains cannot be forgotten here. A change is reported
//! once, where it is declared, and names the operations that show it. The rules are in [`crate::rules`].

mod bounds;
mod change;
mod credentials;
mod decisions;
mod envelope;
mod errors;
mod guards;
mod headers;
mod limits;
mod names;
mod operations;
mod paired;
mod pairs;
mod place;
mod precedence;
mod quotas;
mod service;
mod states;
mod surfaces;
mod transitions;

pub use change::Change;

use crate::model::Model;
use names::Names;
use paired::Paired;
use place::Place;
use std::collections::BTreeSet;

/// Every change from `old` to `new`, in the order of a contract's sections.
pub fn compare(old: &Model, new: &Model) -> Vec<Change> {
    let mut comparison = Comparison {
        old,
        new,
        names: &Names::of(old, new),
        paired: &Paired::of(old, new),
        changes: Vec::new(),
    };
    service::compare(&mut comparison);
    envelope::compare(&mut comparison);
    errors::compare(&mut comparison);
    limits::compare(&mut comparison);
    quotas::compare(&mut comparison);
    credentials::compare(&mut comparison);
    states::compare(&mut comparison);
    surfaces::compare(&mut comparison);
    decisions::compare(&mut comparison);
    let mut changes = comparison.changes;
    changes.sort_by_key(|change| section(change.path()));
    changes
}

/// The sections of a contract, in their order.
const SECTIONS: [&str; 15] = [
    "api",
    "envelope",
    "decisions",
    "errors",
    "limits",
    "limit_headers",
    "quotas",
    "credentials",
    "types",
    "enums",
    "states",
    "objects",
    "inputs",
    "resources",
    "surfaces",
];

fn section(path: &str) -> usize {
    let name = path.split_once('.').map_or(path, |(name, _)| name);
    let place = SECTIONS.iter().position(|section| *section == name);
    place.unwrap_or(SECTIONS.len())
}

/// Two contracts, and the changes that have been found.
struct Comparison<'m> {
    old: &'m Model,
    new: &'m Model,
    /// What is called otherwise.
    names: &'m Names<'m>,
    /// The surfaces and operations of both.
    paired: &'m Paired<'m>,
    changes: Vec<Change>,
}

impl Comparison<'_> {
    /// Something that is in both contracts, at the same path, and not the same.
    fn changed(&mut self, rule: &'static str, path: &str, operations: BTreeSet<String>, message: String) {
        self.changes.push(Change {
            rule,
            old: Some(path.to_owned()),
            new: Some(path.to_owned()),
            message,
            operations,
        });
    }

    /// Something that is in both contracts, each at its own path, and not the same.
    fn between(&mut self, rule: &'static str, place: &Place, operations: BTreeSet<String>, message: String) {
        self.changes.push(Change {
            rule,
            old: Some(place.old.clone()),
            new: Some(place.new.clone()),
            message,
            operations,
        });
    }

    /// Something that only the new contract has.
    fn added(&mut self, rule: &'static str, path: &str, operations: BTreeSet<String>, message: String) {
        self.changes.push(Change {
            rule,
            old: None,
            new: Some(path.to_owned()),
            message,
            operations,
        });
    }

    /// Something that only the old contract has.
    fn removed(&mut self, rule: &'static str, path: &str, operations: BTreeSet<String>, message: String) {
        self.changes.push(Change {
            rule,
            old: Some(path.to_owned()),
            new: None,
            message,
            operations,
        });
    }
}
