//! An operation that is in both contracts: the subject of the changes that belong to one operation.

use super::comparison::Comparison;
use super::contracts::MatchedSurface;
use super::path_pair::PathPair;
use crate::model::Operation;
use std::collections::BTreeSet;

/// An operation that is in both contracts.
pub(super) struct OperationPair<'b> {
    pub(super) old: &'b Operation,
    pub(super) new: &'b Operation,
    pub(super) surface: &'b MatchedSurface<'b>,
    /// Old and new names of renamed parameters.
    pub(super) parameters: Vec<(&'b str, &'b str)>,
    pub(super) place: PathPair,
    /// `surface.operation` in the new contract.
    pub(super) name: String,
}

impl OperationPair<'_> {
    /// Reports a change under the same key in both contracts.
    pub(super) fn changed(&self, comparison: &mut Comparison<'_>, rule: &'static str, key: &str, message: String) {
        comparison.between(rule, &self.place.join(key), self.concerned(), message);
    }

    pub(super) fn added(&self, comparison: &mut Comparison<'_>, rule: &'static str, key: &str, message: String) {
        comparison.added(rule, &self.place.join(key).new, self.concerned(), message);
    }

    pub(super) fn removed(&self, comparison: &mut Comparison<'_>, rule: &'static str, key: &str, message: String) {
        comparison.removed(rule, &self.place.join(key).old, self.concerned(), message);
    }

    /// Method and whole path, in the new contract.
    pub(super) fn line(&self) -> String {
        line(&self.surface.new.base, self.new)
    }

    pub(super) fn concerned(&self) -> BTreeSet<String> {
        BTreeSet::from([self.name.clone()])
    }

    /// The new name of a parameter of the query or the path.
    pub(super) fn parameter<'n>(&'n self, old: &'n str) -> &'n str {
        let renamed = self.parameters.iter().find(|(was, _)| *was == old);
        renamed.map_or(old, |(_, now)| now)
    }
}

/// Method and whole path.
pub(super) fn line(base: &str, operation: &Operation) -> String {
    format!("{} {base}{}", operation.method, operation.route)
}
