//! Changes between two contracts and what is said of them.
//!
//! A case is a pair of files in `changes/`: `NAME.diff` changes the base of the mistakes (its form is that of the
//! mistakes' cases), and `NAME.txt` tells what has changed from the base to that. Where the base has not what is to change,
//! `NAME.old.diff` adds it first; so it does for the example of the rule of this name.
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
        let found = changes(&hunks, &case).map_or_else(|reports| reports, |changes| shown(&changes));
        let expected = case.with_extension("txt");
        if rewrite && !found.starts_with("error") {
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
        let found = changes(rule.example, Path::new(rule.name)).and_then(|found| {
            let is_alone = found.iter().map(|change| change.rule).eq([rule.name]);
            if is_alone { Ok(()) } else { Err(shown(&found)) }
        });
        if let Err(found) = found {
            wrong.push(format!("`{}` is not what is found:\n{found}", rule.name));
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
        let model = || model(source).unwrap_or_else(|reports| panic!("{reports}"));
        assert_eq!(compare(&model(), &model()), []);
    }
}

const OLD: &str = ".old.diff";

fn cases() -> Vec<PathBuf> {
    let is_old = |path: &PathBuf| path.to_string_lossy().ends_with(OLD);
    files("changes", "diff")
        .into_iter()
        .filter(|path| !is_old(path))
        .collect()
}

#[test]
fn every_file_belongs_to_a_case() {
    let named = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    let cases: BTreeSet<String> = cases().iter().map(named).collect();
    for file in [files("changes", "diff"), files("changes", "txt")].concat() {
        let name = named(&file);
        let case = name.strip_suffix(OLD).or(name.strip_suffix(".txt"));
        let belongs = case.is_none_or(|case| cases.contains(&format!("{case}.diff")));
        assert!(belongs, "{name} belongs to no case");
    }
}

/// What has changed from the old contract of a case, or of the rule of its name, to that with these hunks; or why one of
/// them is no contract.
fn changes(hunks: &str, case: &Path) -> Result<Vec<Change>, String> {
    let name = case.file_stem().unwrap_or_default().to_string_lossy();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/changes");
    let before = fs::read_to_string(folder.join(format!("{name}{OLD}")));
    let old = before.map_or_else(|_| BASE.to_owned(), |before| changed(BASE, &before, case));
    Ok(compare(&model(&old)?, &model(&changed(&old, hunks, case))?))
}

fn changed(contract: &str, hunks: &str, case: &Path) -> String {
    let hunks = hunks.split("\n\n");
    hunks.fold(contract.to_owned(), |contract, hunk| patched(&contract, hunk, case))
}

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
