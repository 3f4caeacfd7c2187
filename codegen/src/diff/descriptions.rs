//! What things say of themselves, and what callers are told to do after an error response. Nobody is answered otherwise.

use super::Comparison;
use super::path_pair::PathPair;
use crate::model::{Enum, Field};
use std::collections::BTreeSet;

impl Comparison<'_> {
    /// The text of something that is in both contracts.
    pub(super) fn described(
        &mut self,
        place: &PathPair,
        name: &str,
        (old, new): (Option<&str>, Option<&str>),
        operations: impl FnOnce(&Self) -> BTreeSet<String>,
    ) {
        if old != new {
            let operations = operations(self);
            self.between("description-changed", place, operations, text(name, old, new));
        }
    }

    /// The `doc` of something that is in both contracts. It stands in documents, and is no operation's.
    pub(super) fn described_by_doc(&mut self, place: &PathPair, name: &str, docs: (&Option<String>, &Option<String>)) {
        let docs = (docs.0.as_deref(), docs.1.as_deref());
        self.described(&place.join("doc"), name, docs, |_| BTreeSet::new());
    }

    /// The texts of the fields that have the same names in both.
    pub(super) fn described_members(
        &mut self,
        place: &PathPair,
        (old, new): (&[&Field], &[&Field]),
        operations: &BTreeSet<String>,
    ) {
        for old in old {
            if let Some(new) = new.iter().find(|new| new.name == old.name) {
                let docs = (old.doc.as_deref(), new.doc.as_deref());
                self.described(&place.join(&new.name), &new.name, docs, |_| operations.clone());
            }
        }
    }

    /// The texts of the values that have the same names in both; a part has those of the whole.
    pub(super) fn described_values(
        &mut self,
        place: &PathPair,
        (old, new): (&Enum, &Enum),
        operations: impl Fn(&Self) -> BTreeSet<String>,
    ) {
        if old.part_of.is_some() || new.part_of.is_some() {
            return;
        }
        for value in new.values.iter().filter(|value| old.values.contains(value)) {
            let docs = (old.doc(value), new.doc(value));
            self.described(&place.join(value), value, docs, &operations);
        }
    }
}

/// What is said, and what was.
pub(super) fn text(name: &str, old: Option<&str>, new: Option<&str>) -> String {
    format!("the description of `{name}` {}", is_and_was(old, new))
}

/// A text that there need not be, and what it was.
pub(super) fn is_and_was(old: Option<&str>, new: Option<&str>) -> String {
    let shown = |text: Option<&str>| text.map_or_else(|| "nothing".to_owned(), |text| format!("`{text}`"));
    format!("is {}, was {}", shown(new), shown(old))
}
