//! An operation that is in both contracts: the subject of the changes that belong to one operation.

use super::comparison::Comparison;
use super::path_pair::PathPair;
use crate::diff::matching::MatchedSurface;
use crate::model::Operation;
use crate::rules::Rule;
use std::collections::BTreeSet;

/// An operation that is in both contracts.
pub(crate) struct OperationPair<'b> {
    pub(crate) old: &'b Operation,
    pub(crate) new: &'b Operation,
    pub(crate) surface: &'b MatchedSurface<'b>,
    /// Old and new names of renamed parameters.
    pub(crate) parameters: Vec<(&'b str, &'b str)>,
    pub(crate) place: PathPair,
    /// `surface.operation` in the new contract.
    pub(crate) name: String,
}

impl OperationPair<'_> {
    /// Reports a change under the same key in both contracts.
    pub(crate) fn changed(&self, comparison: &mut Comparison<'_>, rule: Rule, key: &str, message: String) {
        comparison.between(rule, &self.place.join(key), self.concerned(), message);
    }

    pub(crate) fn added(&self, comparison: &mut Comparison<'_>, rule: Rule, key: &str, message: String) {
        comparison.added(rule, &self.place.join(key).new, self.concerned(), message);
    }

    pub(crate) fn removed(&self, comparison: &mut Comparison<'_>, rule: Rule, key: &str, message: String) {
        comparison.removed(rule, &self.place.join(key).old, self.concerned(), message);
    }

    /// Method and whole path, in the new contract.
    pub(crate) fn line(&self) -> String {
        line(&self.surface.new.base, self.new)
    }

    pub(crate) fn concerned(&self) -> BTreeSet<String> {
        BTreeSet::from([self.name.clone()])
    }

    /// The new name of a parameter of the query or the path.
    pub(crate) fn parameter<'n>(&'n self, old: &'n str) -> &'n str {
        let renamed = self.parameters.iter().find(|(was, _)| *was == old);
        renamed.map_or(old, |(_, now)| now)
    }
}

/// Method and whole path.
pub(crate) fn line(base: &str, operation: &Operation) -> String {
    format!("{} {base}{}", operation.method, operation.route)
}
