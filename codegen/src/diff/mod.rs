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
mod comparison;
mod contracts;
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
mod identity;
mod in_flight;
mod limits;
mod lists;
mod matched;
mod members;
mod numbers;
mod objects;
mod operation_pair;
mod operations;
mod path_pair;
mod precedence;
mod quotas;
mod relation;
mod relations;
mod rename_detection;
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
use comparison::Comparison;
use contracts::MatchedContracts;
use declared::Declared;
use relations::Relations;
use renames::Renames;
use uses::UseGraph;

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
