//! Changes between two contracts and what is said of them.
//!
//! A case is a pair of files in `changes/`: `NAME.diff` changes the base of the mistakes (its form is that of the
//! mistakes' cases), and `NAME.txt` tells what has changed from the base to that.
//! `REWRITE=1 cargo test -p hitode-codegen changes` writes them anew: read the difference before you commit it.

use crate::mistakes::{files, patched};
use crate::rules::of_changes;
use codegen::Model;
use codegen::diff::{Change, compare};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const BASE: &str = include_str!("mistakes/base.yaml");

#[test]
fn every_change_is_reported_as_expected() {
    let rewrite = std::env::var_os("REWRITE").is_some();
    let mut wrong = Vec::new();
    for case in files("changes", "diff") {
        let hunks = fs::read_to_string(&case).expect("the case can be read");
        let found = shown(&changes(&hunks, &case));
        let expected = case.with_extension("txt");
        if rewrite {
            fs::write(&expected, &found).unwrap();
        } else if fs::read_to_string(&expected).unwrap_or_default() != found {
            wrong.push(format!("--- {}\n{found}", case.display()));
        }
    }
    assert!(wrong.is_empty(), "other changes than expected:\n{}", wrong.join("\n"));
}

#[test]
fn the_example_of_a_rule_is_a_change_of_that_rule_alone() {
    let mut wrong = Vec::new();
    for rule in of_changes() {
        let found = changes(rule.example, Path::new(rule.name));
        if !found.iter().map(|change| change.rule).eq([rule.name]) {
            wrong.push(format!("`{}` is not what is found:\n{}", rule.name, shown(&found)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_rule_of_a_change_has_a_case() {
    let reported: BTreeSet<String> = files("changes", "txt")
        .iter()
        .flat_map(|file| rules_in(&fs::read_to_string(file).unwrap()))
        .collect();
    let explained = of_changes().map(|rule| rule.name.to_owned()).collect();
    assert_eq!(reported, explained, "left: found in cases; right: explained");
}

#[test]
fn nothing_has_changed_between_a_contract_and_itself() {
    for source in [
        BASE,
        include_str!("../../api.yaml"),
        include_str!("../../tests/lockers/api.yaml"),
    ] {
        assert_eq!(compare(&model(source), &model(source)), []);
    }
}

/// What has changed from the base to the base with these hunks.
fn changes(hunks: &str, case: &Path) -> Vec<Change> {
    let new = hunks
        .split("\n\n")
        .fold(BASE.to_owned(), |contract, hunk| patched(&contract, hunk, case));
    compare(&model(BASE), &model(&new))
}

fn model(source: &str) -> Model {
    codegen::understand(source)
        .unwrap_or_else(|reports| panic!("{}", codegen::report::render(&reports, "api.yaml", source).join("\n")))
}

/// A change in four lines, and what it concerns.
fn shown(changes: &[Change]) -> String {
    let none = || "none".to_owned();
    let line = |change: &Change| {
        let operations: Vec<_> = change.operations.iter().map(String::as_str).collect();
        format!(
            "{}[{}]: {}\n  old: {}\n  new: {}\n  operations: {}\n",
            change.catalogued().severity.label(),
            change.rule,
            change.message,
            change.old.clone().unwrap_or_else(none),
            change.new.clone().unwrap_or_else(none),
            if operations.is_empty() {
                none()
            } else {
                operations.join(", ")
            },
        )
    };
    let lines: Vec<String> = changes.iter().map(line).collect();
    if lines.is_empty() {
        "no change\n".to_owned()
    } else {
        lines.join("\n")
    }
}

fn rules_in(text: &str) -> Vec<String> {
    let named = text.lines().filter(|line| !line.starts_with(' '));
    let named = named.filter_map(|line| line.split_once('[')?.1.split_once("]: "));
    named.map(|(rule, _)| rule.to_owned()).collect()
}
