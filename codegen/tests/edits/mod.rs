//! Random edits of contracts: each is reported, and nothing else is.
//!
//! The edits are drawn from the whole language: at any place of a contract, one of the kinds that its form has. Rejected edits
//! are mended, if that is simple, or dropped. A standard run takes edits of some kinds at every key of the language. `SEED=n`
//! repeats a run or makes another one. `EDITS=n` takes `n` edits of every kind at every key, and reaches every rule of the
//! catalogue but those that `reached.rs` gives a reason for.

mod contract;
mod copies;
mod demands;
mod descriptions;
mod draw;
mod edit;
mod keys;
mod mend;
mod reached;
mod same;
mod scalars;
mod touched;
mod two;

pub(crate) use demands::has_one_text;

use crate::mutations::number;
use crate::mutations::random::Random;
use crate::schema::Validator;
use codegen::syntax;
use draw::{Amount, Drawn};
use std::collections::{BTreeMap, BTreeSet};

/// The amount of a standard run.
const GATE: Amount = Amount { kinds: 1, each: 1 };

#[test]
fn an_edit_of_any_key_is_reported_and_nothing_else() {
    let seed = number("SEED").unwrap_or(20_261_121);
    let edits = number("EDITS");
    let amount = edits.map_or(GATE, |each| Amount {
        kinds: usize::MAX,
        each: each as usize,
    });
    println!("SEED={seed} {amount:?}");
    let contracts = draw::contracts();
    let random = &mut Random::new(seed);
    let mut drawn = draw::draw(&contracts, amount, random);
    if edits.is_some() {
        reached::further(&contracts, &mut drawn, random);
    }
    count(&drawn);
    let schema = Validator::new();
    let wrong: Vec<String> = drawn
        .cases
        .iter()
        .filter_map(|case| {
            let mut failures = case.failures();
            let rejected = schema.rejected(&case.tree.render());
            failures.extend(rejected.map(|why| format!("the schema rejects it: {why}")));
            (!failures.is_empty()).then(|| format!("{}\n   ## {}", case.render(), failures.join("\n   ## ")))
        })
        .collect();
    let (all, number) = (wrong.join("\n\n"), wrong.len());
    assert!(
        number == 0,
        "SEED={seed}: {number} edits are not told as they should be\n{all}"
    );
    let missed = keys_that_were_not_edited(&drawn);
    assert!(missed.is_empty(), "SEED={seed}: no edit is accepted of {missed:?}");
    reached::hold(&drawn, edits.is_some());
}

/// Prints what has been drawn.
fn count(drawn: &Drawn<'_>) {
    let mut kinds: BTreeMap<_, usize> = BTreeMap::new();
    for case in &drawn.cases {
        *kinds.entry(case.edit.kind).or_default() += 1;
    }
    let mended = drawn.cases.iter().filter(|case| case.is_mended).count();
    let changes: usize = drawn.cases.iter().map(|case| case.changes.len()).sum();
    let silent = drawn.cases.iter().filter(|case| case.changes.is_empty()).count();
    let (tried, accepted) = (drawn.tried, drawn.cases.len());
    println!(
        "{tried} edits, {accepted} accepted, {mended} of them mended: {changes} changes, {silent} edits without one"
    );
    println!("{kinds:?}");
}

fn keys_that_were_not_edited(drawn: &Drawn<'_>) -> Vec<(&'static str, &'static str)> {
    let edited: BTreeSet<_> = drawn.cases.iter().flat_map(|case| case.keys()).collect();
    let keys = syntax::sections().into_iter().flat_map(|section| {
        let keys = section.keys.iter();
        keys.map(|key| (section.what, key.name))
    });
    // The lockers have no realms, no contract has a second list with numbered items, and one alone hides records.
    let waiting = [
        ("a resource", "hidden"),
        ("hidden records", "when"),
        ("hidden records", "except"),
        ("a resource", "distinct"),
        ("a realm of a credential", "prefix"),
        ("a realm of a credential", "headers"),
        // One contract alone has a mean, and takes files.
        ("a resource", "average"),
        ("an average", "field"),
        ("an average", "count"),
        ("an average", "of"),
        ("an average", "where"),
        ("an endpoint", "dry_run"),
        ("an endpoint", "puts"),
        ("`file`", "types"),
        ("`file`", "max_seconds"),
        ("`file`", "min_rate"),
        ("`success`", "file"),
        ("`string`", "secret"),
    ];
    keys.filter(|key| !edited.contains(key) && !waiting.contains(key))
        .collect()
}
