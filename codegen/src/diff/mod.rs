//! Compares two contracts: the changes for a client, a worker or an operator when the new one replaces the old one.
//!
//! A change is reported once, at its declaration, with the operations that it affects. The rules are in
//! [`crate::rules`]; this module knows the model only. `matching` finds which declaration is which, `relations` how
//! values differ and who is affected, `sections` compares, and `output` is what it reports to.

mod matching;
mod output;
mod relations;
mod sections;

pub use output::Change;

use crate::model::Model;
use matching::{Declared, MatchedContracts, Renames};
use output::Comparison;
use relations::{Relations, UseGraph};

/// Every change from `old` to `new`, in the order of a contract's sections.
pub fn compare(old: &Model, new: &Model) -> Vec<Change> {
    let (was, now) = (&Declared::from_model(old), &Declared::from_model(new));
    let names = &Renames::detect(old, (new, now));
    each_is_compared(new);
    let mut comparison = Comparison {
        old,
        new,
        was,
        now,
        names,
        uses: &UseGraph::from_model(new),
        uses_before: &UseGraph::from_model(old),
        relations: &Relations::new(was, now, names),
        paired: &MatchedContracts::from_models(old, new, names),
        changes: Vec::new(),
    };
    sections::compare(&mut comparison);
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
        error_headers: _,
        in_flight: _,
        response_bytes: _,
        success: _,
        error: _,
        fault: _,
        error_media_type: _,
        decisions: _,
        errors: _,
        limits: _,
        limit_headers: _,
        idempotency: _,
        quotas: _,
        credentials: _,
        types: _,
        enums: _,
        objects: _,
        inputs: _,
        resources: _,
        synonyms: _,
        events: _,
        languages: _,
        surfaces: _,
    } = model;
}
