//! Compares descriptions, and the advice for callers after an error response. They do not change any answer.

use super::comparison::Comparison;
use super::path_pair::PathPair;
use crate::model::{Enum, Field};
use crate::rules::Rule;
use std::collections::BTreeSet;

impl Comparison<'_> {
    /// Compares the text of an element that is in both contracts.
    pub(crate) fn described(
        &mut self,
        place: &PathPair,
        name: &str,
        (old, new): (Option<&str>, Option<&str>),
        operations: impl FnOnce(&Self) -> BTreeSet<String>,
    ) {
        if old != new {
            let operations = operations(self);
            self.between(Rule::DescriptionChanged, place, operations, text(name, old, new));
        }
    }

    /// Compares the `doc` of an element that is in both contracts. It appears in documents, and affects no operation.
    pub(crate) fn described_by_doc(&mut self, place: &PathPair, name: &str, docs: (&Option<String>, &Option<String>)) {
        let docs = (docs.0.as_deref(), docs.1.as_deref());
        self.described(&place.join("doc"), name, docs, |_| BTreeSet::new());
    }

    /// Compares what people see of an element beside its `doc`, such as its unit.
    pub(crate) fn shown<T: ToString + PartialEq>(
        &mut self,
        place: &PathPair,
        name: &str,
        (old, new): (&Option<T>, &Option<T>),
        what: &str,
    ) {
        if old == new {
            return;
        }
        let written = |value: &Option<T>| match value {
            Some(value) => format!("`{}`", value.to_string()),
            None => "none".to_owned(),
        };
        let message = format!("the {what} of `{name}` is {}, was {}", written(new), written(old));
        self.between(Rule::DescriptionChanged, place, BTreeSet::new(), message);
    }

    /// Compares the texts of the fields with the same names.
    pub(crate) fn described_members(
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

    /// Compares the texts of the values with the same names. A subset of an enumeration has the texts of the whole.
    pub(crate) fn described_values(
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

/// The new text and the old one.
pub(crate) fn text(name: &str, old: Option<&str>, new: Option<&str>) -> String {
    format!("the description of `{name}` {}", is_and_was(old, new))
}

/// The new and the old version of an optional text.
pub(crate) fn is_and_was(old: Option<&str>, new: Option<&str>) -> String {
    let quoted = |text: Option<&str>| text.map_or_else(|| "empty".to_owned(), |text| format!("`{text}`"));
    format!("is {}, was {}", quoted(new), quoted(old))
}
