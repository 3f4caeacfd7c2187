//! Compares two contracts: the changes for a client, a worker or an operator when the new one replaces the old one.
//!
//! Each file compares one section of the model and destructures every struct, so that no new field of the model is
//! forgotten. A change is reported once, at its declaration, with the operations that it affects. The rules are in
//! [`crate::rules`]; this module knows the model only.

mod answers;
mod bodies;
mod bounds;
mod change;
mod chars;
mod credentials;
mod decisions;
mod declared;
mod descriptions;
mod enums;
mod envelope;
mod errors;
mod findings;
mod fingerprint;
mod guards;
mod headers;
mod in_flight;
mod limits;
mod lists;
mod matched;
mod matching;
mod members;
mod numbers;
mod objects;
mod operations;
mod path_pair;
mod precedence;
mod quotas;
mod relation;
mod renames;
mod requests;
mod resources;
mod service;
mod shapes;
mod states;
mod subject;
mod surfaces;
mod transitions;
mod type_change;
mod types;
mod uses;
mod words;

pub use change::Change;

use crate::model::Model;
use declared::Declared;
use matching::MatchedContracts;
use path_pair::PathPair;
use relation::Relations;
use renames::Renames;
use std::collections::BTreeSet;
use uses::{Audience, Thing, UseGraph};

/// Every change from `old` to `new`, in the order of a contract's sections.
pub fn compare(old: &Model, new: &Model) -> Vec<Change> {
    let (was, now) = (&Declared::of(old), &Declared::of(new));
    let names = &Renames::of((old, was), (new, now));
    each_is_compared(new);
    let mut comparison = Comparison {
        old,
        new,
        was,
        now,
        names,
        uses: &UseGraph::of(new, now),
        uses_before: &UseGraph::of(old, was),
        relations: &Relations::new(was, now, names),
        paired: &MatchedContracts::of(old, new, names),
        changes: Vec::new(),
    };
    service::compare(&mut comparison);
    envelope::compare(&mut comparison);
    let opening = comparison.changes.len();
    errors::compare(&mut comparison);
    limits::compare(&mut comparison);
    quotas::compare(&mut comparison);
    credentials::compare(&mut comparison);
    types::compare(&mut comparison);
    enums::compare(&mut comparison);
    states::compare(&mut comparison);
    objects::compare(&mut comparison);
    bodies::compare_inputs(&mut comparison);
    resources::compare(&mut comparison);
    surfaces::compare(&mut comparison);
    // Decisions name elements that may have been renamed in any other section.
    let decisions = comparison.aside(decisions::compare);
    comparison.changes.splice(opening..opening, decisions);
    comparison.changes
}

/// Destructures the model, so that a new field must be named here and compared.
fn each_is_compared(model: &Model) {
    let Model {
        name: _,
        title: _,
        version: _,
        doc: _,
        contact: _,
        license: _,
        statuses: _,
        headers: _,
        body_max_bytes: _,
        body_max_seconds: _,
        body_min_rate: _,
        in_flight: _,
        success: _,
        error: _,
        decisions: _,
        errors: _,
        limits: _,
        limit_headers: _,
        quotas: _,
        credentials: _,
        types: _,
        enums: _,
        objects: _,
        inputs: _,
        resources: _,
        surfaces: _,
    } = model;
}

/// Two contracts, and the changes found so far.
struct Comparison<'m> {
    old: &'m Model,
    new: &'m Model,
    /// The declarations of the old contract.
    was: &'m Declared<'m>,
    /// The declarations of the new contract.
    now: &'m Declared<'m>,
    /// The renamed elements.
    names: &'m Renames<'m>,
    /// Who sends and who receives what, in the new contract.
    uses: &'m UseGraph<'m>,
    /// The same in the old contract.
    uses_before: &'m UseGraph<'m>,
    /// The relations of types of the old contract to those of the new one.
    relations: &'m Relations<'m, 'm>,
    /// The matched surfaces and operations, and the limits, quotas and errors that they name.
    paired: &'m MatchedContracts<'m>,
    changes: Vec<Change>,
}

impl<'m> Comparison<'m> {
    /// Who is affected by a change of an element of both contracts: those who use it in both. A use in only one of them
    /// is a separate change, reported where it is used.
    fn audience(&self, old: Thing<'m>, new: Thing<'m>) -> Audience {
        let name = |old: &str| self.paired.now(old).map(str::to_owned);
        self.uses.audience(new).and(&self.uses_before.audience(old), name)
    }

    /// The changes that a comparison finds, without reporting them.
    fn aside(&mut self, compare: impl FnOnce(&mut Self)) -> Vec<Change> {
        let before = self.changes.len();
        compare(self);
        self.changes.split_off(before)
    }

    /// Reports a declaration if it is renamed.
    fn renamed(&mut self, rule: &'static str, place: &PathPair, audience: &Audience, (old, new): (&str, &str)) {
        if old != new {
            let message = format!("`{old}` is renamed to `{new}`");
            self.between(rule, place, audience.operations(), message);
        }
    }

    /// Reports a changed element of both contracts.
    fn between(&mut self, rule: &'static str, place: &PathPair, operations: BTreeSet<String>, message: String) {
        self.report(rule, (Some(&place.old), Some(&place.new)), operations, message);
    }

    /// Reports a changed element with the same path in both contracts.
    fn changed(&mut self, rule: &'static str, path: &str, operations: BTreeSet<String>, message: String) {
        self.report(rule, (Some(path), Some(path)), operations, message);
    }

    /// Reports an added element.
    fn added(&mut self, rule: &'static str, path: &str, operations: BTreeSet<String>, message: String) {
        self.report(rule, (None, Some(path)), operations, message);
    }

    /// Reports a removed element.
    fn removed(&mut self, rule: &'static str, path: &str, operations: BTreeSet<String>, message: String) {
        self.report(rule, (Some(path), None), operations, message);
    }

    fn report(
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
