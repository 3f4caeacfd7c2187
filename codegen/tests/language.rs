//! Compares the tables of the language with contracts.

use codegen::Model;
use codegen::syntax::{self, FILE, Form, Key, Place, Presence, Section};
use codegen::yaml::{Node, Value as Tree};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Contracts of different services. The second one uses the whole language.
pub(crate) const CONTRACTS: [(&str, &str); 4] = [
    ("api.yaml", include_str!("../../api.yaml")),
    ("tests/lockers/api.yaml", include_str!("../../tests/lockers/api.yaml")),
    ("codegen/tests/ui/base.yaml", include_str!("ui/base.yaml")),
    (
        "codegen/tests/expected/lighthouse.yaml",
        include_str!("expected/lighthouse.yaml"),
    ),
];

/// The models of the contracts, in their order.
pub(crate) static MODELS: LazyLock<[Model; 4]> = LazyLock::new(|| CONTRACTS.map(|(_, contract)| understood(contract)));

/// The model of a contract without errors.
#[track_caller]
pub(crate) fn understood(contract: &str) -> Model {
    codegen::compile(contract).unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}"))
}

/// The contracts with their models.
pub(crate) fn models() -> impl Iterator<Item = (&'static str, &'static Model)> {
    CONTRACTS.iter().zip(&*MODELS).map(|((name, _), model)| (*name, model))
}

fn tree(contract: &str) -> Node {
    codegen::yaml::parse(contract, &mut Vec::new()).expect("it is YAML")
}

/// Every key with its section.
fn keys() -> impl Iterator<Item = (&'static Section, &'static Key)> {
    let sections = syntax::sections().into_iter();
    sections.flat_map(|section| section.keys.iter().map(move |key| (section, key)))
}

#[test]
fn the_lockers_use_every_key_of_the_language() {
    let tree = tree(CONTRACTS[1].1);
    let used: BTreeSet<(&str, &str)> = syntax::places(&tree)
        .iter()
        .map(|place| (place.section.what, place.key.name))
        .collect();
    let unused = keys().map(|(section, key)| (section.what, key.name));
    let unused: Vec<_> = unused.filter(|key| !used.contains(key)).collect();
    // The lockers number no items of lists, as `distinct` needs, hide nothing, show no mean, take no files, try nothing, put no
    // record and make no texts that are shown once; Hitode does all seven.
    let waiting = [
        ("`string`", "secret"),
        ("a resource", "hidden"),
        ("a resource", "distinct"),
        ("a resource", "average"),
        ("hidden records", "when"),
        ("hidden records", "except"),
        ("an average", "field"),
        ("an average", "count"),
        ("an average", "of"),
        ("an average", "where"),
        ("an endpoint", "file"),
        ("an endpoint", "puts"),
        ("an endpoint", "dry_run"),
        ("`file`", "types"),
        ("`file`", "max_seconds"),
        ("`file`", "min_rate"),
        ("`success`", "file"),
    ];
    assert_eq!(unused, waiting, "tests/lockers/api.yaml does not use these");
}

#[test]
fn every_node_of_a_contract_has_its_place_in_the_grammar() {
    for (name, contract) in CONTRACTS {
        let tree = tree(contract);
        let places = syntax::places(&tree);
        for place in &places {
            let found = tree.find(&place.path).map(|node| node.at);
            // This kind of list item has no path of its own.
            let is_pair = matches!(place.form, Form::Pair { .. });
            assert!(is_pair || found == Some(place.node.at), "{name}: {}", place.path);
        }
        let covered: BTreeSet<_> = places
            .iter()
            .filter(|place| is_leaf(place))
            .map(|place| place.node.at)
            .collect();
        let mut leaves = Vec::new();
        collect(&tree, &mut leaves);
        let unseen: Vec<_> = leaves.iter().filter(|at| !is_within(at, &covered)).collect();
        assert!(unseen.is_empty(), "{name}: the grammar has no place for {unseen:?}");
    }
}

fn is_leaf(place: &Place<'_>) -> bool {
    matches!(place.form, Form::Scalar(_))
}

fn is_within(at: &codegen::span::Span, covered: &BTreeSet<codegen::span::Span>) -> bool {
    covered.iter().any(|span| span.start <= at.start && at.end <= span.end)
}

fn collect(node: &Node, leaves: &mut Vec<codegen::span::Span>) {
    match &node.form {
        Tree::List(items) => items.iter().for_each(|item| collect(item, leaves)),
        Tree::Map(entries) => entries.iter().for_each(|(_, value)| collect(value, leaves)),
        _ => leaves.push(node.at),
    }
}

#[test]
fn every_key_is_explained_with_an_example() {
    let mut wrong = Vec::new();
    for (section, key) in keys() {
        let texts = [key.doc, key.effect];
        let is_said = !key.doc.is_empty() && texts.iter().all(|text| text.is_empty() || text.ends_with(['.', ')']));
        let is_short = matches!(key.presence, Presence::Optional(absent) if absent.ends_with('.'));
        let is_shown = !key.example().is_empty();
        if !is_said || is_short || !is_shown {
            wrong.push(format!("`{}` of {}", key.name, section.what));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    for section in syntax::sections() {
        assert!(section.doc.ends_with(['.', ')']), "{}", section.what);
        assert!(section.example.is_empty() == (section == FILE), "{}", section.what);
    }
}
