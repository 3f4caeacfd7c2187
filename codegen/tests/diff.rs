//! Changes between two contracts and what is said of them.
//!
//! A case is a pair of files in `diff/`: `NAME.diff` changes the base (its form is that of the mistakes' cases), and
//! `NAME.txt` tells what has changed from the base to that. The base is that of the mistakes with `changes/base.diff`, the
//! forms that only changes need. What the base cannot show begins with `NAME.old.diff`: that is the old contract then, for
//! the example of the rule of this name as well.
//! `REWRITE=1 cargo test -p hitode-codegen diff::` writes them anew: read the difference before you commit it.

use crate::language::CONTRACTS;
use crate::ui::{check, files, patched};
use crate::rules::{of_changes, reported};
use codegen::Model;
use codegen::diff::{Change, compare};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const BASE: &str = include_str!("ui/base.yaml");

#[test]
fn every_change_is_reported_as_expected() {
    check(cases(), |case| {
        let hunks = fs::read_to_string(case).expect("the case can be read");
        let found = changes(&old(case), &hunks, case);
        found
            .map(|found| shown(&found))
            .map_err(|mistakes| format!("no contract:\n{mistakes}"))
    });
}

#[test]
fn the_example_of_a_rule_is_a_change_of_that_rule_alone() {
    let mut wrong = Vec::new();
    for rule in of_changes() {
        let case = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/diff")
            .join(rule.name);
        let found = changes(&old(&case), rule.example, &case)
            .unwrap_or_else(|mistakes| panic!("the example of `{}` is no contract:\n{mistakes}", rule.name));
        let mut others = found.iter().filter(|change| !is_beside(rule.name, change.rule));
        let is_it = others.next().is_some_and(|change| change.rule == rule.name);
        if !is_it || others.next().is_some() {
            wrong.push(format!("`{}` is not what is found:\n{}", rule.name, shown(&found)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether a change always comes with another one: what is open without need is a mistake, and what needs it, too.
fn is_beside(rule: &str, other: &str) -> bool {
    const TOGETHER: [(&str, &str); 4] = [
        ("operation-opened", "guard-owner-removed"),
        ("operation-closed", "guard-owner-added"),
        ("guard-parent-removed", "operation-opened"),
        ("guard-parent-added", "operation-closed"),
    ];
    TOGETHER.contains(&(rule, other))
}

#[test]
fn every_rule_of_a_change_has_a_case() {
    let explained = of_changes().map(|rule| rule.name.to_owned()).collect();
    assert_eq!(reported("diff"), explained, "left: found in cases; right: explained");
}

#[test]
fn every_expectation_has_a_case() {
    let named: BTreeSet<PathBuf> = cases().into_iter().collect();
    for file in files("diff", "txt") {
        assert!(named.contains(&file.with_extension("diff")), "{}", file.display());
    }
}

#[test]
fn nothing_has_changed_between_a_contract_and_itself() {
    let base = base();
    for source in CONTRACTS
        .map(|(_, contract)| contract)
        .into_iter()
        .chain([base.as_str()])
    {
        let model = model(source).unwrap();
        assert_eq!(compare(&model, &model), []);
    }
}

/// The cases: the files that are no part of another one.
fn cases() -> Vec<PathBuf> {
    let mut cases = files("diff", "diff");
    cases.retain(|case| !case.ends_with("base.diff") && case.with_extension("").extension().is_none());
    cases
}

/// The old contract of a case.
fn old(case: &Path) -> String {
    let hunks = fs::read_to_string(case.with_extension("old.diff"));
    hunks.map_or_else(|_| base(), |hunks| patched(&base(), &hunks, case))
}

/// The old contract of the cases that bring none.
pub(crate) fn base() -> String {
    patched(BASE, include_str!("diff/base.diff"), Path::new("diff/base.diff"))
}

/// What has changed from a contract to the same with these hunks.
fn changes(old: &str, hunks: &str, case: &Path) -> Result<Vec<Change>, String> {
    Ok(compare(&model(old)?, &model(&patched(old, hunks, case))?))
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
