//! Selects the edits: some at every key of the language, drawn at random.

use super::contract::Contract;
use super::demands::EditCase;
use super::edit::{Edit, Kind, edits_at};
use crate::language::CONTRACTS;
use crate::mutations::random::Random;
use std::collections::BTreeMap;

/// How many edits of a kind at a key are tried for each wanted one.
const TRIES: usize = 4;
/// How many rejected edits are tried again with their consequences.
const MENDED: usize = 3;

/// How many edits are drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Amount {
    /// The number of kinds at each key, if there are as many.
    pub(super) kinds: usize,
    /// The number of edits of each kind.
    pub(super) each: usize,
}

#[derive(Default)]
pub(super) struct Drawn<'c> {
    pub(super) cases: Vec<EditCase<'c>>,
    pub(super) tried: usize,
}

/// Edits of a kind at a key, in all contracts; small contracts come first.
type Group<'c> = Vec<(&'c Contract, Edit)>;

/// The edited contracts: the one that shows every change, a small one, and the one that uses the whole language.
pub(super) fn contracts() -> Vec<Contract> {
    let [lockers, lighthouse] = [1, 3].map(|number| CONTRACTS[number]);
    vec![
        Contract::parse("base", &crate::diff::base()),
        Contract::parse(lighthouse.0, lighthouse.1),
        Contract::parse(lockers.0, lockers.1),
    ]
}

/// Accepted edits at every key.
pub(super) fn draw<'c>(contracts: &'c [Contract], amount: Amount, random: &mut Random) -> Drawn<'c> {
    let mut drawn = Drawn::default();
    for groups in by_key(contracts, random) {
        of_key(groups, amount, &mut drawn, random);
    }
    drawn
}

fn by_key<'c>(contracts: &'c [Contract], random: &mut Random) -> Vec<Vec<Group<'c>>> {
    let mut keys: BTreeMap<(&str, &str), BTreeMap<Kind, Group<'c>>> = BTreeMap::new();
    for contract in contracts {
        for spot in &contract.spots {
            for edit in edits_at(contract, spot, random) {
                let kinds = keys.entry((edit.section.what, edit.key.name)).or_default();
                kinds.entry(edit.kind).or_default().push((contract, edit));
            }
        }
    }
    keys.into_values().map(|kinds| kinds.into_values().collect()).collect()
}

/// Edits of some kinds at a key; those that are accepted unchanged come first.
fn of_key<'c>(mut groups: Vec<Group<'c>>, amount: Amount, drawn: &mut Drawn<'c>, random: &mut Random) {
    let mut wanted = amount.kinds;
    let mut rejected = Vec::new();
    while wanted > 0 && !groups.is_empty() {
        let group = groups.swap_remove(random.below(groups.len()));
        let before = drawn.cases.len();
        let again = of_kind(group, amount.each, drawn, random);
        match drawn.cases.len() - before {
            0 => rejected.push(again),
            _ => wanted -= 1,
        }
    }
    for group in rejected {
        if wanted == 0 {
            break;
        }
        let few = group.iter().take(amount.each * MENDED);
        let mended = few.filter_map(|(contract, edit)| EditCase::mended(contract, edit));
        let before = drawn.cases.len();
        drawn.cases.extend(mended.take(amount.each));
        wanted -= usize::from(drawn.cases.len() > before);
    }
}

/// Draws edits of a kind at a key that are accepted unchanged; returns the rejected ones.
fn of_kind<'c>(mut group: Group<'c>, each: usize, drawn: &mut Drawn<'c>, random: &mut Random) -> Group<'c> {
    let mut rejected = Vec::new();
    let mut found = 0;
    for _ in 0..each * TRIES {
        if group.is_empty() || found == each {
            break;
        }
        let small = group.iter().take_while(|(contract, _)| contract.is_small()).count();
        let among = if each == 1 && small > 0 { small } else { group.len() };
        let (contract, edit) = group.remove(random.below(among));
        drawn.tried += 1;
        match EditCase::accepted(contract, &edit) {
            Some(case) => {
                drawn.cases.push(case);
                found += 1;
            }
            None => rejected.push((contract, edit)),
        }
    }
    rejected
}
