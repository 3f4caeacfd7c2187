//! Compares the catalogue of rules with the diagnostics of the compiler and the changes that it finds.

use crate::cases::{Case, Input};
use crate::{diff, ui};
use codegen::rules::{self, Explanation, Severity};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The rules of errors.
fn of_mistakes() -> impl Iterator<Item = &'static Explanation> {
    rules::all()
        .iter()
        .filter(|rule| rule.rule.severity() == Severity::Mistake)
}

/// The rules of changes.
pub(crate) fn of_changes() -> impl Iterator<Item = &'static Explanation> {
    rules::all()
        .iter()
        .filter(|rule| rule.rule.severity() != Severity::Mistake)
}

#[test]
fn every_rule_that_the_code_names_is_in_the_catalogue_and_the_other_way_round() {
    let catalogue: BTreeSet<String> = rules::all().iter().map(|rule| rule.name.to_owned()).collect();
    let mut code = Literals::default();
    for file in ["yaml.rs", "yaml", "syntax/read", "syntax/expressions", "check", "diff"]
        .iter()
        .flat_map(|part| code_under(part))
    {
        let text = fs::read_to_string(&file).unwrap();
        code.walk(text.parse().expect("the code is Rust"));
    }
    let unexplained: Vec<_> = code.named.difference(&catalogue).collect();
    assert!(
        unexplained.is_empty(),
        "no section in codegen/src/rules for {unexplained:?}"
    );
    let unheard: Vec<_> = catalogue.difference(&code.all).collect();
    assert!(unheard.is_empty(), "nothing reports {unheard:?}");
}

#[test]
fn every_rule_has_a_case_and_every_case_a_rule() {
    let named = |rules: Vec<&Explanation>| rules.into_iter().map(|rule| rule.name.to_owned()).collect();
    let of_errors: BTreeSet<String> = named(of_mistakes().collect());
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

fn code_under(part: &str) -> Vec<PathBuf> {
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(part))
}

fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let entries = fs::read_dir(path).expect("the code is there");
    let files = entries.flat_map(|entry| files(&entry.expect("the folder can be read").path()));
    files.collect()
}

/// The string literals in a piece of code.
#[derive(Default)]
struct Literals {
    /// Literals that can only be names of rules: arguments of `Report::new`, and those that look like one.
    named: BTreeSet<String>,
    all: BTreeSet<String>,
}

/// Headers, which look like names of rules.
const HEADERS: [&str; 4] = [
    "content-type",
    "content-length",
    "transfer-encoding",
    "proxy-authorization",
];

impl Literals {
    fn walk(&mut self, code: TokenStream) {
        let mut path = String::new();
        for token in code {
            match token {
                TokenTree::Group(group) => {
                    let first = group.stream().into_iter().next().and_then(|token| text_of(&token));
                    self.named.extend(first.filter(|_| path.ends_with("Report::new")));
                    self.walk(group.stream());
                    path.clear();
                }
                TokenTree::Literal(_) => {
                    let text = text_of(&token);
                    let is_rule = |text: &String| text.contains('-') && is_kebab(text) && !HEADERS.contains(&&**text);
                    self.named.extend(text.clone().filter(is_rule));
                    self.all.extend(text);
                }
                other => path.push_str(&other.to_string()),
            }
        }
    }
}

fn text_of(token: &TokenTree) -> Option<String> {
    let text = token.to_string();
    Some(text.strip_prefix('"')?.strip_suffix('"')?.to_owned())
}

fn is_kebab(text: &str) -> bool {
    let is_part = |part: &str| part.len() > 1 && part.bytes().all(|byte| byte.is_ascii_lowercase());
    text.split('-').all(is_part)
}
