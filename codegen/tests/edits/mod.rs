//! Random edits of contracts: each is told, and nothing else is.
//!
//! The edits are drawn from the whole language: at any place of a contract, one of the kinds that its form has. What the
//! compiler refuses is mended, if that is simple, or thrown away. `SEED=n` repeats a run or makes another one, `EDITS=n`
//! takes so many of each kind at each key of the language, where a run of the gate takes one.

mod contract;
mod copies;
mod demands;
mod edit;
mod mend;
mod same;
mod scalars;
mod touched;
mod two;

use crate::language::CONTRACTS;
use crate::mutations::number;
use crate::mutations::random::Random;
use codegen::language;
use contract::Contract;
use demands::Case;
use edit::{Edit, Kind, edits_at};
use std::collections::{BTreeMap, BTreeSet};

/// How many edits of a kind at a key are tried for each that is wanted.
const TRIES: usize = 8;

/// Edits by section, key and kind.
type Groups<'c> = BTreeMap<(&'static str, &'static str, Kind), Vec<(&'c Contract, Edit)>>;

fn groups<'c>(contracts: &'c [Contract], random: &mut Random) -> Groups<'c> {
    let mut groups = Groups::new();
    for contract in contracts {
        for spot in &contract.spots {
            for edit in edits_at(contract, spot, random) {
                let group = groups.entry((edit.section.what, edit.key.name, edit.kind)).or_default();
                group.push((contract, edit));
            }
        }
    }
    groups
}

/// How many of them are tried once more, with what they bring along.
const MENDED: usize = 3;

/// The edits of a group that are accepted: as many as are wanted; those of small contracts first, and those that are
/// accepted as they are.
fn accepted<'c>(
    mut edits: Vec<(&'c Contract, Edit)>,
    wanted: usize,
    tried: &mut usize,
    random: &mut Random,
) -> Vec<Case<'c>> {
    let mut found = Vec::new();
    let mut refused = Vec::new();
    for _ in 0..wanted * TRIES {
        if edits.is_empty() || found.len() == wanted {
            break;
        }
        let small = edits.iter().take_while(|(contract, _)| contract.is_small()).count();
        let among = if wanted == 1 && small > 0 { small } else { edits.len() };
        let (contract, edit) = edits.remove(random.below(among));
        *tried += 1;
        match Case::of(contract, &edit) {
            Some(case) => found.push(case),
            None => refused.push((contract, edit)),
        }
    }
    let missing = wanted - found.len();
    let again = refused.iter().take(wanted * MENDED);
    let mended = again.filter_map(|(contract, edit)| Case::mended(contract, edit));
    found.extend(mended.take(missing));
    found
}

#[test]
fn an_edit_of_any_key_is_told_and_nothing_else() {
    let seed = number("SEED").unwrap_or(20_261_121);
    let wanted = number("EDITS").unwrap_or(1) as usize;
    println!("SEED={seed} EDITS={wanted}");
    let mut random = Random::new(seed);
    let contracts: Vec<Contract> = [2, 3, 1]
        .map(|number| Contract::of(CONTRACTS[number].0, CONTRACTS[number].1))
        .into();
    let groups = groups(&contracts, &mut random);
    let (mut tried, mut count, mut mended, mut wrong) = (0, 0, 0, Vec::new());
    let mut covered: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut reached: BTreeSet<&str> = BTreeSet::new();
    for ((section, key, kind), edits) in groups {
        let found = accepted(edits, wanted, &mut tried, &mut random);
        if found.is_empty() {
            println!("never accepted: {kind:?} of `{key}` of {section}");
        }
        for case in found {
            count += 1;
            mended += usize::from(case.is_mended);
            covered.extend(case.keys());
            reached.extend(case.changes.iter().map(|change| change.rule));
            let faults = case.faults();
            if !faults.is_empty() {
                wrong.push(format!("{}\n   ## {}", case.shown(), faults.join("\n   ## ")));
            }
        }
    }
    println!(
        "{tried} edits, {count} accepted, {mended} mended, {} wrong",
        wrong.len()
    );
    println!("rules: {reached:?}");
    let keys = language::sections().into_iter().flat_map(|section| {
        let keys = section.keys.iter();
        keys.map(|key| (section.what, key.name))
    });
    let missed: Vec<_> = keys.filter(|key| !covered.contains(key)).collect();
    println!("missed: {missed:?}");
    assert!(wrong.is_empty(), "SEED={seed}\n{}", wrong.join("\n\n"));
}
