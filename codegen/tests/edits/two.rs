//! Two unrelated edits at once.

use super::contract::Contract;
use super::demands::EditCase;
use super::edit::{Edit, Step, edits_at};
use crate::language::CONTRACTS;
use crate::mutations::number;
use crate::mutations::random::Random;
use codegen::diff::{Change, compare};
use std::collections::BTreeSet;

#[test]
fn the_changes_of_two_edits_are_those_of_both() {
    let seed = number("SEED").unwrap_or(20_261_121);
    let wanted = number("EDITS").unwrap_or(1) as usize * 30;
    println!("SEED={seed}, {wanted} pairs");
    let mut random = Random::new(seed);
    let contract = Contract::parse(CONTRACTS[2].0, CONTRACTS[2].1);
    let cases = cases(&contract, wanted, &mut random);
    let (mut compared, mut wrong) = (0, Vec::new());
    for one in &cases {
        let other = random.of(&cases);
        let Some(both) = (!are_related(one, other)).then(|| merged(one, other)).flatten() else {
            continue;
        };
        compared += 1;
        let (both, each) = (reported(&both), &reported(&one.changes) | &reported(&other.changes));
        if both != each {
            let (only, missing) = (both.difference(&each), each.difference(&both));
            let (only, missing): (Vec<_>, Vec<_>) = (only.collect(), missing.collect());
            wrong.push(format!(
                "{}\n{}\n   ## only with both {only:?}, only with one {missing:?}",
                one.render(),
                other.render()
            ));
        }
    }
    println!("{compared} pairs compared, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "SEED={seed}\n{}", wrong.join("\n\n"));
    assert!(
        compared * 3 > wanted,
        "only {compared} of {wanted} pairs can be compared"
    );
}

/// Edits that are accepted unchanged and reported.
fn cases<'c>(contract: &'c Contract, wanted: usize, random: &mut Random) -> Vec<EditCase<'c>> {
    let mut cases = Vec::new();
    while cases.len() < wanted {
        let edits = edits_at(contract, random.of(&contract.spots), random);
        let edits: Vec<Edit> = edits
            .into_iter()
            .filter(|edit| matches!(edit.step, Step::At(..)))
            .collect();
        if edits.is_empty() {
            continue;
        }
        let case = EditCase::accepted(contract, random.of(&edits));
        cases.extend(case.filter(|case| !case.changes.is_empty()));
    }
    cases
}

/// Whether two edits are related: by a place, or by an affected operation.
fn are_related(one: &EditCase<'_>, other: &EditCase<'_>) -> bool {
    const DECLARED: usize = 2;
    let place = |case: &EditCase<'_>| match &case.edit.step {
        Step::At(pointer, _) => pointer.clone(),
        _ => Vec::new(),
    };
    let (here, there) = (place(one), place(other));
    let shared = here.iter().zip(&there).take_while(|(one, other)| one == other).count();
    let operations = |case: &EditCase<'_>| -> BTreeSet<String> {
        let changes = case.changes.iter();
        changes.flat_map(|change| change.operations.clone()).collect()
    };
    shared >= DECLARED.min(here.len()).min(there.len()) || !operations(one).is_disjoint(&operations(other))
}

fn merged(one: &EditCase<'_>, other: &EditCase<'_>) -> Option<Vec<Change>> {
    let mut tree = one.contract.tree.clone();
    for case in [one, other] {
        if let Step::At(pointer, value) = &case.edit.step {
            *tree.at_mut(pointer) = value.clone();
        }
    }
    let model = codegen::compile(&tree.render()).ok()?;
    Some(compare(&one.contract.model, &model))
}

type Reported = BTreeSet<(&'static str, Option<String>, Option<String>)>;

fn reported(changes: &[Change]) -> Reported {
    let reported = |change: &Change| (change.rule.name(), change.old.clone(), change.new.clone());
    changes.iter().map(reported).collect()
}
