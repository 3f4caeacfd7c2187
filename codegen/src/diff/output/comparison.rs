//! Two contracts that are compared, with what is known about both, and the changes found so far.

use super::change::Change;
use super::path_pair::PathPair;
use super::sentence::Sentence;
use crate::diff::matching::{Declared, MatchedContracts, Renames};
use crate::diff::relations::{Audience, Node, Relations, UseGraph};
use crate::model::Model;
use crate::rules::Rule;
use std::collections::BTreeSet;

/// Two contracts, and the changes found so far.
pub(crate) struct Comparison<'m> {
    pub(crate) old: &'m Model,
    pub(crate) new: &'m Model,
    /// The declarations of the old contract.
    pub(crate) was: &'m Declared<'m>,
    /// The declarations of the new contract.
    pub(crate) now: &'m Declared<'m>,
    /// The renamed elements.
    pub(crate) names: &'m Renames<'m>,
    /// Who sends and who receives what, in the new contract.
    pub(crate) uses: &'m UseGraph<'m>,
    /// The same in the old contract.
    pub(crate) uses_before: &'m UseGraph<'m>,
    /// The relations of types of the old contract to those of the new one.
    pub(crate) relations: &'m Relations<'m, 'm>,
    /// The matched surfaces and operations, and the limits, quotas and errors that they name.
    pub(crate) paired: &'m MatchedContracts<'m>,
    pub(crate) changes: Vec<Change>,
}

impl<'m> Comparison<'m> {
    /// Who is affected by a change of an element of both contracts: those who use it in both. A use in only one of them
    /// is a separate change, reported where it is used.
    pub(crate) fn audience(&self, old: Node<'m>, new: Node<'m>) -> Audience {
        let name = |old: &str| self.paired.now(old).map(str::to_owned);
        self.uses.audience(new).and(&self.uses_before.audience(old), name)
    }

    /// The changes that a comparison finds, without reporting them.
    pub(crate) fn aside(&mut self, compare: impl FnOnce(&mut Self)) -> Vec<Change> {
        let before = self.changes.len();
        compare(self);
        self.changes.split_off(before)
    }

    /// Reports a declaration if it is renamed.
    pub(crate) fn renamed(&mut self, rule: Rule, place: &PathPair, audience: &Audience, (old, new): (&str, &str)) {
        if old != new {
            let message = format!("`{old}` is renamed to `{new}`");
            self.between(rule, place, audience.operations(), message);
        }
    }

    /// Reports a changed element of both contracts.
    pub(crate) fn between(&mut self, rule: Rule, place: &PathPair, operations: BTreeSet<String>, message: String) {
        self.report(rule, (Some(&place.old), Some(&place.new)), operations, message);
    }

    /// Reports a changed element with the same path in both contracts.
    pub(crate) fn changed(&mut self, rule: Rule, path: &str, operations: BTreeSet<String>, message: String) {
        self.report(rule, (Some(path), Some(path)), operations, message);
    }

    /// Reports an added element.
    pub(crate) fn added(&mut self, rule: Rule, path: &str, operations: BTreeSet<String>, message: impl Into<Sentence>) {
        self.report(rule, (None, Some(path)), operations, message);
    }

    /// Reports a removed element.
    pub(crate) fn removed(
        &mut self,
        rule: Rule,
        path: &str,
        operations: BTreeSet<String>,
        message: impl Into<Sentence>,
    ) {
        self.report(rule, (Some(path), None), operations, message);
    }

    pub(crate) fn report(
        &mut self,
        rule: Rule,
        (old, new): (Option<&str>, Option<&str>),
        operations: BTreeSet<String>,
        message: impl Into<Sentence>,
    ) {
        self.changes.push(Change {
            rule,
            old: old.map(str::to_owned),
            new: new.map(str::to_owned),
            message: message.into(),
            operations,
        });
    }
}
