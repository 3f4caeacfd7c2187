//! Edits of a description are reported as exactly that, also on the way back.

use super::contract::Contract;
use super::demands::EditCase;
use super::draw;
use super::edit::{Edit, Kind, edits_at};
use crate::mutations::random::Random;
use codegen::syntax::{Form, Section};
use std::collections::BTreeSet;

/// The number of description edits that are tried in a large contract. In a small contract all are tried.
const TRIED: usize = 30;

#[test]
fn a_changed_description_is_reported_as_that_alone() {
    let random = &mut Random::new(20_261_121);
    let mut sections: BTreeSet<&str> = BTreeSet::new();
    for contract in draw::contracts() {
        let mut edits = texts(&contract, random);
        let tried = if contract.is_small() { edits.len() } else { TRIED };
        for _ in 0..tried.min(edits.len()) {
            let edit = edits.swap_remove(random.below(edits.len()));
            let case = EditCase::accepted(&contract, &edit).unwrap_or_else(|| panic!("it is rejected: {edit:?}"));
            let rules = case.changes.iter().chain(&case.back).map(|change| change.rule.name());
            let is_reported = rules.eq(["description-changed"; 2]);
            assert!(is_reported && case.failures().is_empty(), "{}", case.render());
            sections.insert(edit.section.what);
        }
    }
    let described = codegen::syntax::sections()
        .into_iter()
        .filter(|section| is_described(section));
    let described: BTreeSet<&str> = described.map(|section| section.what).collect();
    assert_eq!(sections, described, "left: edited; right: what the grammar describes");
}

/// The edits of a contract that change only a text.
fn texts(contract: &Contract, random: &mut Random) -> Vec<Edit> {
    let mut edits = Vec::new();
    for spot in &contract.spots {
        edits.extend(edits_at(contract, spot, random));
    }
    edits.retain(|edit| edit.kind == Kind::Described);
    edits
}

fn is_described(section: &Section) -> bool {
    section.keys.iter().any(|key| has_description(&key.form))
}

fn has_description(form: &Form) -> bool {
    match form {
        Form::Scalar(scalar) => scalar.is_described(),
        Form::List { of, .. } | Form::Map { of, .. } | Form::Pair { of, .. } => has_description(of),
        Form::Either { of, .. } => of.iter().any(has_description),
        Form::Section(_) => false,
    }
}
