//! Which rules of changes the random edits reach, there or on the way back.
//!
//! Every rule is reached, or is in a list with the reason why one edit of these contracts cannot show it or seldom does
//! (`tests/diff/` has a case for it anyway). Every run checks that the lists name rules, and that a rule which one edit reaches
//! is not listed as unreachable. Only long runs (`EDITS=n`) check that all other rules are reached: they search all edits of
//! the small contracts for the missing ones.

use super::contract::Contract;
use super::demands::EditCase;
use super::draw::Drawn;
use super::edit::edits_at;
use crate::mutations::random::Random;
use crate::rules::of_changes;
use std::collections::BTreeSet;

/// Rules that no single edit reaches, with what else they need.
const COMPOUND: [(&str, &str); 2] = [
    (
        "body-extended",
        "a named input gives way to all its members and one more, written in the endpoint",
    ),
    (
        "operation-quota-changed",
        "a quota counts what the operation makes, so a second one of that resource must be there before",
    ),
];

/// Rules that few places of the large contract show alone. That contract is not searched completely: a run reaches them
/// or not.
const SELDOM: [(&str, &str); 10] = [
    (
        "answer-header-text-changed",
        "in the small contracts all texts of headers are placeholders",
    ),
    ("data-extended", "a view that another one begins with is rare"),
    ("enum-reordered", "no list of the small contracts is sorted by an enum"),
    (
        "guard-plan-changed",
        "the small contracts have one such guard, and which word is put in its place is drawn",
    ),
    ("limit-code-renamed", "no header of the small contracts names its limit"),
    (
        "limit-method-moved",
        "a method that leaves a limit must go to another one, which few mended edits do",
    ),
    ("operation-open-changed", "in the small contracts nothing is open"),
    (
        "state-initial-changed",
        "in the small contracts another initial state leaves a state that nothing leads to",
    ),
    (
        "transitions-freed",
        "no moves of the small contracts are `any`, which edits take from another place",
    ),
    ("transitions-restricted", "it is the way back of `transitions-freed`"),
];

/// Edits of the small contracts that reach new rules. Edits that are accepted unchanged come first; edits that must be mended
/// follow while an unlisted rule is missing.
pub(super) fn further<'c>(contracts: &'c [Contract], drawn: &mut Drawn<'c>, random: &mut Random) {
    let mut missed = missed(drawn);
    let mut rejected = Vec::new();
    for contract in contracts.iter().filter(|contract| contract.is_small()) {
        for edit in contract.spots.iter().flat_map(|spot| edits_at(contract, spot, random)) {
            drawn.tried += 1;
            match EditCase::accepted(contract, &edit) {
                Some(case) => keep(case, &mut missed, drawn),
                None => rejected.push((contract, edit)),
            }
        }
    }
    println!("not reached as they are: {missed:?}");
    for (contract, edit) in rejected {
        if missed.iter().all(|rule| is_listed(rule)) {
            break;
        }
        if let Some(case) = EditCase::mended(contract, &edit) {
            keep(case, &mut missed, drawn);
        }
    }
}

fn keep<'c>(case: EditCase<'c>, missed: &mut BTreeSet<&str>, drawn: &mut Drawn<'c>) {
    let before = missed.len();
    missed.retain(|missed| !rules(&case).any(|rule| rule == *missed));
    if missed.len() < before {
        drawn.cases.push(case);
    }
}

fn is_listed(rule: &str) -> bool {
    COMPOUND.iter().chain(&SELDOM).any(|(listed, _)| *listed == rule)
}

/// The rules of an edit, there or on the way back.
fn rules<'e>(case: &'e EditCase<'_>) -> impl Iterator<Item = &'static str> + 'e {
    case.changes.iter().chain(&case.back).map(|change| change.rule.name())
}

fn missed(drawn: &Drawn<'_>) -> BTreeSet<&'static str> {
    let reached: BTreeSet<&str> = drawn.cases.iter().flat_map(rules).collect();
    let all = of_changes().map(|rule| rule.name);
    all.filter(|rule| !reached.contains(rule)).collect()
}

/// Fails if a list names an unknown rule or if the first list names a reached one; in a long run also if a rule is neither
/// reached nor listed.
pub(super) fn hold(drawn: &Drawn<'_>, is_long: bool) {
    let missed = missed(drawn);
    println!("not reached: {missed:?}");
    let named = COMPOUND.iter().chain(&SELDOM).map(|(rule, _)| *rule);
    let unknown: Vec<&str> = named
        .filter(|name| of_changes().all(|rule| rule.name != *name))
        .collect();
    assert!(unknown.is_empty(), "no rules of changes: {unknown:?}");
    let needless = COMPOUND.iter().filter(|(rule, _)| !missed.contains(rule));
    let needless: Vec<_> = needless.collect();
    assert!(needless.is_empty(), "one edit reaches what is listed: {needless:?}");
    let open: Vec<_> = missed.iter().filter(|rule| !is_listed(rule)).collect();
    assert!(!is_long || open.is_empty(), "no edit reaches {open:?}");
}
