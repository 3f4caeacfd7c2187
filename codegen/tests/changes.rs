//! Changes between two contracts and what is said of them.
//!
//! A case is a pair of files in `changes/`: `NAME.diff` changes the base (its form is that of the mistakes' cases), and
//! `NAME.txt` tells what has changed from the base to that. The base is that of the mistakes with `changes/base.diff`, the
//! forms that only changes need. What the base cannot show begins with `NAME.old.diff`: that is the old contract then, for
//! the example of the rule of this name as well.
//! `REWRITE=1 cargo test -p hitode-codegen changes` writes them anew: read the difference before you commit it.

use crate::mistakes::{files, patched};
use crate::rules::of_changes;
use codegen::Model;
use codegen::diff::{Change, compare};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const BASE: &str = include_str!("mistakes/base.yaml");

#[test]
fn every_change_is_reported_as_expected() {
    let rewrite = std::env::var_os("REWRITE").is_some();
    let mut wrong = Vec::new();
    for case in cases() {
        let hunks = fs::read_to_string(&case).expect("the case can be read");
        let found = match changes(&old(&case), &hunks, &case) {
            Ok(found) => shown(&found),
            Err(mistakes) => {
                wrong.push(format!("--- {}: no contract\n{mistakes}", case.display()));
                continue;
            }
        };
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
        let case = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/changes")
            .join(rule.name);
        let found = changes(&old(&case), rule.example, &case)
            .unwrap_or_else(|mistakes| panic!("the example of `{}` is no contract:\n{mistakes}", rule.name));
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
fn every_expectation_has_a_case() {
    let named: BTreeSet<PathBuf> = cases().into_iter().collect();
    for file in files("changes", "txt") {
        assert!(named.contains(&file.with_extension("diff")), "{}", file.display());
    }
}

#[test]
fn nothing_has_changed_between_a_contract_and_itself() {
    for source in [
        &base(),
        include_str!("../../api.yaml"),
        include_str!("../../tests/lockers/api.yaml"),
    ] {
        let model = model(source).unwrap();
        assert_eq!(compare(&model, &model), []);
    }
}

/// The cases: the files that are no part of another one.
fn cases() -> Vec<PathBuf> {
    let mut cases = files("changes", "diff");
    cases.retain(|case| !case.ends_with("base.diff") && case.with_extension("").extension().is_none());
    cases
}

/// The old contract of a case.
fn old(case: &Path) -> String {
    let hunks = fs::read_to_string(case.with_extension("old.diff"));
    hunks.map_or_else(|_| base(), |hunks| changed(&base(), &hunks, case))
}

/// The old contract of the cases that bring none.
pub(crate) fn base() -> String {
    changed(BASE, include_str!("changes/base.diff"), Path::new("changes/base.diff"))
}

/// A contract with the hunks of a difference.
fn changed(contract: &str, hunks: &str, case: &Path) -> String {
    let hunks = hunks.split("\n\n");
    hunks.fold(contract.to_owned(), |contract, hunk| patched(&contract, hunk, case))
}

/// What has changed from a contract to the same with these hunks.
fn changes(old: &str, hunks: &str, case: &Path) -> Result<Vec<Change>, String> {
    Ok(compare(&model(old)?, &model(&changed(old, hunks, case))?))
}

/// The model of a contract, or its mistakes.
fn model(source: &str) -> Result<Model, String> {
    codegen::understand(source).map_err(|reports| codegen::report::render(&reports, "api.yaml", source).join("\n"))
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
