//! One change between two contracts.

use crate::rules::{self, Rule};
use std::collections::BTreeSet;

/// A change between two contracts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Name of the rule that it falls under, such as `limit-lowered`.
    pub rule: &'static str,
    /// The dotted path of what has changed in the old contract, as [`crate::yaml::Node::find`] takes it, or where it would
    /// stand if its meaning comes from elsewhere; `None` where it is new.
    pub old: Option<String>,
    /// The same in the new contract; `None` where it is gone.
    pub new: Option<String>,
    /// What it was and what it is now, in words for whoever is concerned, without a full stop.
    pub message: String,
    /// The operations that show the change, as `surface.operation`, by their names in the contract that has them: the new
    /// one where both do. Empty where none does: what only an operator or the author of a handler sees, or what concerns
    /// the whole service.
    pub operations: BTreeSet<String>,
}

impl Change {
    /// The path by which the change is named: the old one, if there is one.
    pub fn path(&self) -> &str {
        let path = self.old.as_deref().or(self.new.as_deref());
        path.unwrap_or_default()
    }

    /// What is known of its rule.
    pub fn catalogued(&self) -> &'static Rule {
        rules::find(self.rule).expect("every rule of a change is in the catalogue: a test")
    }
}
