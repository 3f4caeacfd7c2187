//! Compares the catalogue of rules with the diagnostics of the compiler and the changes that it finds.

use crate::cases::{Case, Input};
use crate::{diff, ui};
use codegen::rules::{self, Explanation};
use std::collections::{BTreeMap, BTreeSet};

/// The rules of errors and warnings.
fn of_contracts() -> impl Iterator<Item = &'static Explanation> {
    rules::all().iter().filter(|rule| rule.rule.severity().is_of_contract())
}

/// The rules of changes.
pub(crate) fn of_changes() -> impl Iterator<Item = &'static Explanation> {
    rules::all()
        .iter()
        .filter(|rule| !rule.rule.severity().is_of_contract())
}

#[test]
fn every_rule_has_a_case_and_every_case_a_rule() {
    let named = |rules: Vec<&Explanation>| rules.into_iter().map(|rule| rule.name.to_owned()).collect();
    let of_errors: BTreeSet<String> = named(of_contracts().collect());
    let of_changes: BTreeSet<String> = named(of_changes().collect());
    assert_eq!(reported(ui::all()), of_errors, "left: in cases; right: explained");
    assert_eq!(reported(diff::all()), of_changes, "left: in cases; right: explained");
}

/// The rules of all diagnostics that cases expect.
fn reported(cases: &[Case]) -> BTreeSet<String> {
    let labels: BTreeSet<&str> = rules::all().iter().map(|rule| rule.rule.severity().label()).collect();
    let rule = |line: &str| {
        let (label, rest) = line.split_once('[')?;
        let (rule, _) = rest.split_once("]: ")?;
        labels.contains(label).then(|| rule.to_owned())
    };
    let lines = cases.iter().flat_map(|case| case.expected.lines());
    lines.filter_map(rule).collect()
}

#[test]
fn the_example_of_every_rule_is_a_case() {
    for rule in rules::all() {
        let is_it = |case: &&Case| case.is_in("src/rules") && case.heading == rule.name;
        let case = ui::all().iter().chain(diff::all()).find(is_it);
        let input = case.map(|case| &case.input);
        assert!(
            matches!(input, Some(Input::Edit(edit)) if edit == rule.example),
            "{}",
            rule.name
        );
    }
}

#[test]
fn no_two_rules_say_the_same() {
    let says: [fn(&Explanation) -> &str; 5] = [|r| r.name, |r| r.summary, |r| r.why, |r| r.remedy, |r| r.example];
    for say in says {
        let mut first = BTreeMap::new();
        for rule in rules::all() {
            let other = first.insert(say(rule), rule.name);
            assert_eq!(other, None, "`{}` says this, too: {}", rule.name, say(rule));
        }
    }
}

#[test]
fn a_rule_is_explained_in_few_and_short_lines() {
    for rule in rules::all() {
        let is_line = !rule.summary.contains('\n') && rule.summary.ends_with('.');
        assert!(is_line, "{}: the summary is one sentence", rule.name);
        for line in [rule.why, rule.remedy].into_iter().flat_map(str::lines) {
            assert!(line.chars().count() <= 100, "{}: {line}", rule.name);
        }
        assert!(rule.example.lines().count() <= 16, "{}: a long example", rule.name);
    }
}

#[test]
fn a_misspelled_rule_is_found_and_nonsense_is_not() {
    assert_eq!(
        rules::nearest("unknown_typ").map(rules::Rule::name),
        Some("unknown-type")
    );
    assert_eq!(rules::nearest("zebra"), None);
}
