//! Errors in a contract: the diagnostics of each case on the pages in `ui/`, and of the example of each rule.
//!
//! An edit leads from `ui/base.yaml` to the errors, and in the example of a rule from the error to the base. `REWRITE=1
//! cargo test -p hitode-codegen ui::` rewrites the diagnostics: read the difference before you commit it.

use crate::cases::{Case, Found, Input, cases, check, check_distinct, edited, inverted};
use codegen::diagnostic::{self, Diagnostic, Style};
use std::sync::{Arc, LazyLock};

const BASE: &str = include_str!("ui/base.yaml");
const RULES: &str = "src/rules";
const NONE: &str = "no error\n";

#[test]
fn every_error_is_reported_as_expected() {
    check(all(), |case| contract(case).map(|contract| reported(&contract)));
}

#[test]
fn the_example_of_a_rule_breaks_that_rule_alone() {
    for case in all().iter().filter(|case| case.is_in(RULES)) {
        let diagnostics = diagnostics(&contract(case).unwrap());
        let is_alone = diagnostics
            .iter()
            .all(|diagnostic| diagnostic.rule.name() == case.heading);
        assert!(is_alone && !diagnostics.is_empty(), "{case}: {diagnostics:#?}");
    }
}

#[test]
fn only_accepted_contracts_are_silent() {
    assert_eq!(reported(BASE), NONE);
    let is_accepted = |case: &Case| case.is_in("tests/ui/accepted.md");
    assert!(
        all().iter().any(is_accepted),
        "the pages are looked for in the wrong place"
    );
    for case in all() {
        assert_eq!(case.expected == NONE, is_accepted(case), "{case}");
    }
}

#[test]
fn no_two_cases_are_the_same() {
    check_distinct(all(), |case| contract(case).unwrap());
}

#[test]
fn colours_change_nothing_but_colours() {
    for case in all() {
        let contract = contract(case).unwrap();
        let diagnostics = diagnostics(&contract);
        if diagnostics.is_empty() {
            continue;
        }
        let drawn = |style| diagnostic::draw(&diagnostics, "api.yaml", &contract, style).join("\n");
        let coloured = drawn(Style::Coloured);
        assert_ne!(coloured, drawn(Style::Plain));
        assert_eq!(without_colours(&coloured), drawn(Style::Plain), "{case}");
    }
}

fn without_colours(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + part.split_once('m').map_or(part, |(_, rest)| rest)
    })
}

/// The cases, and the examples of the rules of errors.
pub(crate) fn all() -> &'static [Case] {
    static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| cases(&["tests/ui", RULES]));
    &CASES
}

pub(crate) fn contract(case: &Case) -> Result<String, String> {
    let base = case
        .old
        .iter()
        .try_fold(BASE.to_owned(), |base, edit| edited(&base, edit))?;
    match &case.input {
        Input::Edit(edit) if case.is_in(RULES) => edited(&base, &inverted(edit)),
        Input::Edit(edit) => edited(&base, edit),
        Input::Contract(contract) => Ok(contract.clone()),
    }
}

/// The errors of a contract, or the warnings that the base does not have: there only the handler knows what `is_lent` does.
fn diagnostics(contract: &str) -> Arc<Vec<Diagnostic>> {
    static OF_BASE: LazyLock<Vec<Diagnostic>> =
        LazyLock::new(|| codegen::compile_with_warnings(BASE).expect("the base has no error").1);
    static FOUND: Found<Vec<Diagnostic>> = Found::new();
    FOUND.of(contract, || match codegen::compile_with_warnings(contract) {
        Ok((_, warnings)) => {
            let is_new = |warning: &Diagnostic| OF_BASE.iter().all(|known| known.message != warning.message);
            warnings.into_iter().filter(is_new).collect()
        }
        Err(errors) => errors,
    })
}

/// The diagnostics of a contract, without the lines of a drawing that hold only its margin.
fn reported(contract: &str) -> String {
    let diagnostics = diagnostics(contract);
    if diagnostics.is_empty() {
        return NONE.to_owned();
    }
    let text = diagnostic::render(&diagnostics, "api.yaml", contract).join("\n");
    let lines = text.split_inclusive('\n').filter(|line| line.trim() != "|");
    lines.collect()
}
