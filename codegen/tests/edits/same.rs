//! Contracts without a change: a contract against itself, formatted differently, or with its defaults written out.

use super::contract::Contract;
use super::demands::meaning;
use crate::language::CONTRACTS;
use crate::mutations::yaml::Yaml;
use crate::mutations::{mutant, number};
use codegen::Model;
use codegen::diff::{Change, compare};

/// The greatest exact integer of a JSON number.
const GREATEST: &str = "9007199254740991";

/// The defaults of absent keys: section, key, value. `$name` is the default with that name. (All test contracts use some
/// further keys.)
const DEFAULTS: [(&str, &str, &str); 33] = [
    ("api.yaml", "decisions", "{}"),
    ("api.yaml", "limits", "{}"),
    ("api.yaml", "limit_headers", "{}"),
    ("api.yaml", "quotas", "{}"),
    ("api.yaml", "states", "{}"),
    ("api.yaml", "objects", "{}"),
    ("api.yaml", "inputs", "{}"),
    ("`api`", "version", "0.0.0"),
    ("`api`", "error_headers", "{}"),
    ("an error", "headers", "{}"),
    ("a credential", "limited_by", "$caller"),
    ("`string`", "min", "0"),
    ("`integer`", "max", GREATEST),
    ("`list`", "min", "0"),
    ("a resource", "owner", "{}"),
    ("a resource", "private", "false"),
    ("a resource", "joined", "{}"),
    ("a resource", "views", "{}"),
    ("a body", "required", "[]"),
    ("a body", "optional", "[]"),
    ("a body", "at_least_one_of", "[]"),
    ("a body", "members", "{}"),
    ("a surface", "limits", "[]"),
    ("an endpoint", "path", "{}"),
    ("an endpoint", "query", "{}"),
    ("an endpoint", "constraints", "[]"),
    ("an endpoint", "sort", "[]"),
    ("an endpoint", "filters", "[]"),
    ("an endpoint", "max_bytes", "$max_bytes"),
    ("an endpoint", "guards", "[]"),
    ("an endpoint", "errors", "[]"),
    ("`success`", "status", "200"),
    ("`success`", "siblings", "[]"),
];

fn model(source: &str) -> Model {
    codegen::compile(source).unwrap_or_else(|diagnostics| panic!("{source}\n{diagnostics:#?}"))
}

#[track_caller]
fn are_same(name: &str, old: &Model, new: &Model) {
    let changes = changes(old, new);
    assert!(changes.is_empty(), "{name}: {changes:#?}");
}

/// The changes in both directions.
fn changes(old: &Model, new: &Model) -> Vec<Change> {
    compare(old, new).into_iter().chain(compare(new, old)).collect()
}

#[test]
fn a_contract_laid_out_anew_is_the_same() {
    for (name, source) in CONTRACTS {
        let old = model(source);
        let tree = Yaml::parse(source).expect("ours are YAML");
        are_same(name, &old, &old);
        are_same(name, &old, &model(&tree.render()));
        are_same(name, &old, &model(&backwards(&tree, "").render()));
        are_same(
            name,
            &old,
            &model(&format!(
                "# A remark.\n{}",
                source.replace("\n  ", "\n    # Another.\n    ")
            )),
        );
    }
}

/// Reverses everything whose order has no meaning.
fn backwards(node: &Yaml, under: &str) -> Yaml {
    const ORDERED: [&str; 5] = ["errors", "enums", "sort", "guards", "columns"];
    if ORDERED.contains(&under) {
        return node.clone();
    }
    match node {
        Yaml::List(items) => Yaml::List(items.iter().rev().map(|item| backwards(item, "")).collect()),
        Yaml::Map(entries) => {
            let entry = |(key, value): &(String, Yaml)| (key.clone(), backwards(value, key));
            Yaml::Map(entries.iter().rev().map(entry).collect())
        }
        scalar => scalar.clone(),
    }
}

#[test]
fn a_default_written_out_is_no_change() {
    let contracts: Vec<Contract> = CONTRACTS
        .iter()
        .map(|(name, text)| Contract::parse(name, text))
        .collect();
    let (mut never, mut wrong) = (Vec::new(), Vec::new());
    for (section, key, value) in DEFAULTS {
        let mut is_accepted = false;
        for contract in &contracts {
            for tree in with_default(contract, section, key, value) {
                if let Ok(new) = codegen::compile(&tree.render()) {
                    is_accepted = true;
                    let changes = changes(&contract.model, &new).into_iter();
                    wrong.extend(changes.map(|change| (contract.name, section, key, value, change)));
                }
            }
        }
        if !is_accepted {
            never.push((section, key));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(never.is_empty(), "the compiler never takes these defaults: {never:?}");
}

/// The contract with a default written out at some of the places where it is absent.
fn with_default(contract: &Contract, section: &str, key: &str, value: &str) -> Vec<Yaml> {
    const FEW: usize = 3;
    let whole = contract.whole();
    let pointers = contract.spots.iter().filter(|spot| spot.form.section().is_some());
    let pointers = pointers.map(|spot| (spot.form.section(), spot.pointer.clone()));
    let pointers = pointers.chain([(Some(whole), Vec::new())]);
    let trees = pointers.filter_map(|(of, pointer)| {
        let mut tree = contract.tree.clone();
        let Yaml::Map(entries) = tree.at_mut(&pointer) else {
            return None;
        };
        let value_of = |name: &str| {
            entries
                .iter()
                .find(|(key, _)| key == name)
                .map(|(_, value)| value.clone())
        };
        if of.is_none_or(|of| of.what != section) || value_of(key).is_some() {
            return None;
        }
        let value = match value.strip_prefix('$') {
            Some("max_bytes") => Yaml::Plain(contract.model.body_max_bytes.to_string()),
            Some(other) => value_of(other)?,
            None => Yaml::parse(value)?,
        };
        entries.push((key.to_owned(), value));
        Some(tree)
    });
    trees.take(FEW).collect()
}

#[test]
fn nothing_has_changed_between_any_contract_and_itself() {
    let seed = number("SEED").unwrap_or(20_261_121);
    let rounds = number("MUTATIONS").unwrap_or(60);
    println!("SEED={seed} MUTATIONS={rounds}");
    let ours: Vec<Model> = CONTRACTS[2..].iter().map(|(_, source)| model(source)).collect();
    let mut accepted = 0;
    for round in 0..rounds {
        let contract = mutant(seed, round);
        let Ok(new) = codegen::compile(&contract) else {
            continue;
        };
        accepted += 1;
        are_same(&format!("SEED={seed}, round {round}"), &new, &new);
        // Every pair can be compared, and only a mutant of this contract can mean the same.
        for ours in &ours {
            let changes = compare(ours, &new);
            assert!(
                !changes.is_empty() || meaning(ours) == meaning(&new),
                "SEED={seed}, round {round}"
            );
            let changes = [changes, compare(&new, ours)].concat();
            assert!(
                changes.iter().all(|change| !change.path().is_empty()),
                "SEED={seed}, round {round}"
            );
        }
    }
    println!("{accepted} accepted");
}
