//! Two contracts compared: what a client, a worker or an operator would notice when the new one takes the place of the
//! old one.
//!
//! Knows the model only. One file a theme compares what is declared in one section of the contract, and takes every
//! struct of the model apart field by field, so that what the model gains cannot be forgotten here. A change is reported
//! once, where it is declared, and names the operations that show it. The rules are in [`crate::rules`].

mod change;
mod limits;
mod pairs;

pub use change::Change;

use crate::model::Model;
use std::collections::BTreeSet;

/// Every change from `old` to `new`, in the order of a contract's sections.
pub fn compare(old: &Model, new: &Model) -> Vec<Change> {
    let mut comparison = Comparison {
        old,
        new,
        changes: Vec::new(),
    };
    limits::compare(&mut comparison);
    comparison.changes
}

/// Two contracts, and the changes that have been found.
struct Comparison<'m> {
    old: &'m Model,
    new: &'m Model,
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
