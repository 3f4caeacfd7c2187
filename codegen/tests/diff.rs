//! Compares two contracts in each case on the pages in `diff/`, and in the example of each rule of a change.
//!
//! The base contract is `ui/base.yaml`, edited by `diff/base.diff` and then by the `diff old` blocks of the case. If the base
//! already contains the new lines of the case's edit, the base is the new contract and the edit is undone to get the old one.
//! Otherwise the base is the old contract. `REWRITE=1 cargo test -p hitode-codegen diff::` rewrites the expected changes.

use crate::cases::{Case, Found, Input, cases, check, check_distinct, edited, inverted};
use crate::edits::has_one_text;
use crate::language::CONTRACTS;
use codegen::Model;
use codegen::diff::{Change, compare};
use std::sync::{Arc, LazyLock};

const RULES: &str = "src/rules/changes";

#[test]
fn every_change_is_reported_as_expected() {
    check(all(), |case| {
        let found = changes(case);
        let found = found.as_ref().as_ref().map_err(Clone::clone)?;
        let mut messages = found.iter().map(Change::message);
        assert!(
            !messages.any(|message| has_one_text(&message)),
            "{case}: no difference is shown"
        );
        Ok(render(found))
    });
}

#[test]
fn the_example_of_a_rule_is_a_change_of_that_rule_alone() {
    for case in all().iter().filter(|case| case.is_in(RULES)) {
        let found = changes(case);
        let found = found
            .as_ref()
            .as_ref()
            .unwrap_or_else(|error| panic!("{case}: {error}"));
        let mut others = found
            .iter()
            .filter(|change| !is_beside(&case.heading, change.rule.name()));
        let is_it = others.next().is_some_and(|change| change.rule.name() == case.heading);
        assert!(is_it && others.next().is_none(), "{case}\n{}", render(found));
    }
}

/// Whether a change always comes with another one: an operation that is open without need is an error, and so is one
/// that has to be open but is not. Further pages need a parameter.
fn is_beside(rule: &str, other: &str) -> bool {
    const TOGETHER: [(&str, &str); 5] = [
        ("operation-opened", "guard-owner-removed"),
        ("operation-closed", "guard-owner-added"),
        ("guard-parent-removed", "operation-opened"),
        ("guard-parent-added", "operation-closed"),
        ("pages-extended", "request-member-added"),
    ];
    TOGETHER.contains(&(rule, other))
}

/// Whole contracts before and after an edit, in `diff/whole`, and the expected changes.
const WHOLE: [(&str, &str, &str); 4] = [
    (
        include_str!("diff/whole/base.yaml"),
        include_str!("diff/whole/base-moved-into-routes.yaml"),
        "no change\n",
    ),
    (
        include_str!("diff/whole/base-moved-into-routes.yaml"),
        include_str!("diff/whole/base.yaml"),
        "no change\n",
    ),
    (
        include_str!("diff/whole/base.yaml"),
        include_str!("diff/whole/surface-renamed.yaml"),
        "risky[surface-renamed]: the surface `public` is renamed to `api`\n  old: surfaces.public\n  new: surfaces.api\n  \
         operations: api.create_book, api.get_book, api.list_books\n",
    ),
    (
        include_str!("diff/whole/answers.yaml"),
        include_str!("diff/whole/answer-nullable.yaml"),
        "breaking[value-retyped]: `s.n` is an integer, at least 1, at most 100, or null, was an integer, at least 1, at \
         most 100\n  at: surfaces.public.endpoints.stats.success.data.s\n  operations: public.stats\n",
    ),
];

#[test]
fn whole_contracts_have_changed_as_expected() {
    for (old, new, expected) in WHOLE {
        let (old, new) = (model(old).unwrap(), model(new).unwrap());
        assert_eq!(render(&compare(&old, &new)), expected);
    }
}

/// The edit of the README: an optional field that clients may send and can see.
#[test]
fn an_optional_member_of_a_body_is_a_compatible_line() {
    const EDIT: [(&str, &str); 3] = [
        (
            "      deadline: date? --",
            "      contact: name? -- The contact person.\n      deadline: date? --",
        ),
        (
            "required_skills, deadline, estimated_hours]\n\n",
            "required_skills, deadline, estimated_hours, contact]\n\n",
        ),
        (
            "estimated_hours, required_skills]\n",
            "estimated_hours, required_skills, contact]\n",
        ),
    ];
    let edited = EDIT.iter().fold(CONTRACTS[0].1.to_owned(), |text, (old, new)| {
        assert_eq!(text.matches(old).count(), 1, "{old}");
        text.replace(old, new)
    });
    let found = compare(&model(CONTRACTS[0].1).unwrap(), &model(&edited).unwrap());
    let lines: Vec<String> = found
        .iter()
        .map(|change| render(std::slice::from_ref(change)))
        .collect();
    let first = lines.iter().map(|text| text.lines().next().unwrap_or_default());
    let expected = [
        "compatible[field-added]: `Bounty.contact` is now stored",
        "compatible[answer-member-added]: `contact` is now returned",
        "compatible[request-member-added]: `contact` is now accepted",
        // The operation that tries it.
        "compatible[request-member-added]: `contact` is now accepted",
    ];
    assert_eq!(first.collect::<Vec<_>>(), expected);
}

#[test]
fn nothing_has_changed_between_a_contract_and_itself() {
    let base = base();
    let contracts = CONTRACTS.iter().map(|(_, contract)| *contract);
    for source in contracts.chain([base.as_str()]) {
        let model = model(source).unwrap();
        assert_eq!(compare(&model, &model), []);
    }
}

#[test]
fn no_two_cases_are_the_same() {
    check_distinct(all(), |case| contracts(case).unwrap());
}

/// The cases and the examples of the rules of changes.
pub(crate) fn all() -> &'static [Case] {
    static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| cases(&["tests/diff", RULES]));
    &CASES
}

/// The old contract of cases without one of their own.
pub(crate) fn base() -> String {
    edited(include_str!("ui/base.yaml"), include_str!("diff/base.diff")).expect("it edits the base")
}

/// The changes from the old contract of a case to the new one.
fn changes(case: &Case) -> Arc<Result<Vec<Change>, String>> {
    static FOUND: Found<Result<Vec<Change>, String>> = Found::new();
    FOUND.of(&format!("{case:p}"), || {
        let (old, new) = contracts(case)?;
        let [old, new] = [old, new].map(model_of_side);
        let [old, new] = [&old, &new].map(|side| side.as_ref().as_ref().map_err(Clone::clone));
        Ok(compare(old?, new?))
    })
}

/// The model of a side of a case, which is the base of most.
fn model_of_side(source: String) -> Arc<Result<Model, String>> {
    static BASE: LazyLock<(String, Arc<Result<Model, String>>)> = LazyLock::new(|| {
        let base = base();
        let model = model(&base);
        (base, Arc::new(model))
    });
    if source == BASE.0 {
        Arc::clone(&BASE.1)
    } else {
        Arc::new(model(&source))
    }
}

/// The old and the new contract of a case.
fn contracts(case: &Case) -> Result<(String, String), String> {
    let base = case.old.iter().try_fold(base(), |base, edit| edited(&base, edit))?;
    match &case.input {
        Input::Contract(contract) => Ok((base, contract.clone())),
        Input::Edit(edit) => sides(base, edit),
    }
}

/// The old and the new contract of an edit. The base is the new one if it already contains the new lines of the edit,
/// else the old one.
fn sides(base: String, edit: &str) -> Result<(String, String), String> {
    let only_adds = !edit.lines().any(|line| line.starts_with('-'));
    match (edited(&base, edit), edited(&base, &inverted(edit))) {
        (Ok(_), Ok(old)) if only_adds => Ok((old, base)),
        (Ok(new), _) => Ok((base, new)),
        (Err(_), Ok(old)) => Ok((old, base)),
        (Err(error), Err(_)) => Err(error),
    }
}

/// The model of a contract, or its diagnostics.
fn model(source: &str) -> Result<Model, String> {
    let reports = codegen::compile(source);
    reports.map_err(|reports| codegen::diagnostic::render(&reports, "api.yaml", source).join("\n"))
}

/// Renders each change: its rule, its place, and the affected operations.
fn render(changes: &[Change]) -> String {
    let render = |change: &Change| {
        let mut lines = vec![format!(
            "{}[{}]: {}\n",
            change.rule.severity().label(),
            change.rule.name(),
            change.message()
        )];
        let places = match (&change.old, &change.new) {
            (old, new) if old == new => vec![("at", old)],
            (old, new) => vec![("old", old), ("new", new)],
        };
        let places = places
            .into_iter()
            .filter_map(|(label, place)| Some((label, place.as_ref()?)));
        lines.extend(places.map(|(label, place)| format!("  {label}: {place}\n")));
        if !change.operations.is_empty() {
            let operations: Vec<_> = change.operations.iter().map(String::as_str).collect();
            lines.push(format!("  operations: {}\n", operations.join(", ")));
        }
        lines.concat()
    };
    if changes.is_empty() {
        return "no change\n".to_owned();
    }
    changes.iter().map(render).collect::<Vec<_>>().join("\n")
}
