//! Two contracts that are compared, with what is known about both, and the changes found so far.

use super::change::Change;
use super::contracts::MatchedContracts;
use super::declared::Declared;
use super::path_pair::PathPair;
use super::relations::Relations;
use super::renames::Renames;
use super::uses::{Audience, Thing, UseGraph};
use crate::model::Model;
use std::collections::BTreeSet;

/// Two contracts, and the changes found so far.
pub(super) struct Comparison<'m> {
    pub(super) old: &'m Model,
    pub(super) new: &'m Model,
    /// The declarations of the old contract.
    pub(super) was: &'m Declared<'m>,
    /// The declarations of the new contract.
    pub(super) now: &'m Declared<'m>,
    /// The renamed elements.
    pub(super) names: &'m Renames<'m>,
    /// Who sends and who receives what, in the new contract.
    pub(super) uses: &'m UseGraph<'m>,
    /// The same in the old contract.
    pub(super) uses_before: &'m UseGraph<'m>,
    /// The relations of types of the old contract to those of the new one.
    pub(super) relations: &'m Relations<'m, 'm>,
    /// The matched surfaces and operations, and the limits, quotas and errors that they name.
    pub(super) paired: &'m MatchedContracts<'m>,
    pub(super) changes: Vec<Change>,
}

impl<'m> Comparison<'m> {
    /// Who is affected by a change of an element of both contracts: those who use it in both. A use in only one of them
    /// is a separate change, reported where it is used.
    pub(super) fn audience(&self, old: Thing<'m>, new: Thing<'m>) -> Audience {
        let name = |old: &str| self.paired.now(old).map(str::to_owned);
        self.uses.audience(new).and(&self.uses_before.audience(old), name)
    }

    /// The changes that a comparison finds, without reporting them.
    pub(super) fn aside(&mut self, compare: impl FnOnce(&mut Self)) -> Vec<Change> {
        let before = self.changes.len();
        compare(self);
        self.changes.split_off(before)
    }

    /// Reports a declaration if it is renamed.
    pub(super) fn renamed(
        &mut self,
        rule: &'static str,
        place: &PathPair,
        audience: &Audience,
        (old, new): (&str, &str),
    ) {
        if old != new {
            let message = format!("`{old}` is renamed to `{new}`");
            self.between(rule, place, audience.operations(), message);
        }
    }

    /// Reports a changed element of both contracts.
    pub(super) fn between(
        &mut self,
        rule: &'static str,
        place: &PathPair,
        operations: BTreeSet<String>,
        message: String,
    ) {
        self.report(rule, (Some(&place.old), Some(&place.new)), operations, message);
    }

    /// Reports a changed element with the same path in both contracts.
    pub(super) fn changed(&mut self, rule: &'static str, path: &str, operations: BTreeSet<String>, message: String) {
        self.report(rule, (Some(path), Some(path)), operations, message);
    }

    /// Reports an added element.
    pub(super) fn added(&mut self, rule: &'static str, path: &str, operations: BTreeSet<String>, message: String) {
        self.report(rule, (None, Some(path)), operations, message);
    }

    /// Reports a removed element.
    pub(super) fn removed(&mut self, rule: &'static str, path: &str, operations: BTreeSet<String>, message: String) {
        self.report(rule, (Some(path), None), operations, message);
    }

    pub(super) fn report(
        &mut self,
        rule: &'static str,
        (old, new): (Option<&str>, Option<&str>),
        operations: BTreeSet<String>,
        message: String,
    ) {
        self.changes.push(Change {
            rule,
            old: old.map(str::to_owned),
            new: new.map(str::to_owned),
            message,
            operations,
        });
    }
}
