//! One change between two contracts.

use super::sentence::{Sentence, together};
use crate::rules::Rule;
use std::collections::BTreeSet;

/// A change between two contracts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its rule, such as `limit-lowered`.
    pub rule: Rule,
    /// The dotted path in the old contract, as [`crate::yaml::Node::find`] takes it, or the path where the value
    /// belongs if it is derived; `None` if it was added.
    pub old: Option<String>,
    /// The same in the new contract; `None` if it was removed.
    pub new: Option<String>,
    pub(crate) message: Sentence,
    /// The affected operations, as `surface.operation`, by their names in the new contract, or in the old one if they
    /// were removed. Empty if no operation shows the change: it affects only operators, authors of handlers, or the
    /// whole service.
    pub operations: BTreeSet<String>,
}

impl Change {
    /// The old and the new value, in words for the affected callers, without a full stop.
    pub fn message(&self) -> String {
        together([&self.message])
    }

    /// The path that names the change: the old one, if there is one.
    pub fn path(&self) -> &str {
        let path = self.old.as_deref().or(self.new.as_deref());
        path.unwrap_or_default()
    }
}
