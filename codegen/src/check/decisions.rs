//! `decision-node`: a decision that nothing in the contract implements.

use crate::diagnostic::{Diagnostic, Rule, while_few};
use crate::syntax::{Name, Names, Spec, Word};
use crate::yaml::{Node, Value};
use std::collections::HashSet;

/// `decision-node`: the path of a decision leads to no node, and no operation names the decision.
pub(super) fn decision_node(spec: &Spec, names: &Names, tree: &Node, diagnostics: &mut Vec<Diagnostic>) {
    // An operation that names a decision in `open` implements it.
    let opening: HashSet<&str> = names.used(Name::Decision).map(|name| name.text.as_str()).collect();
    for (name, decision) in &spec.decisions {
        let diagnostic = match (&decision.at, &decision.test) {
            (None, None) if opening.contains(name.text.as_str()) => continue,
            (None, None) => {
                let message = format!(
                    "the decision `{}` has no `at` and no `test`, and no `open` names it",
                    name.text
                );
                let help = "name the node that implements it, such as `at: errors.invalid.status`, or a test that \
                    shows it: `test: name_of_the_test`";
                Diagnostic::new(Rule::DecisionNode, name.at, message).help(help)
            }
            (Some(at), _) if tree.find(&at.text).is_none() => unknown_path(at, tree, diagnostics),
            _ => continue,
        };
        diagnostics.push(diagnostic);
    }
}

/// A path that leads to no node: points at its first segment that does not exist.
fn unknown_path(path: &Word, tree: &Node, diagnostics: &[Diagnostic]) -> Diagnostic {
    let mut last = tree;
    let mut rest = path.text.as_str();
    for (dot, _) in path.text.match_indices('.') {
        if let Some(node) = tree.find(&path.text[..dot]) {
            last = node;
            rest = &path.text[dot + 1..];
        }
    }
    let known: Vec<&str> = match &last.form {
        Value::Map(entries) => entries.iter().map(|(key, _)| key.text.as_str()).collect(),
        Value::List(items) => items.iter().filter_map(Node::name).collect(),
        _ => Vec::new(),
    };
    let name = rest.split_once('.').map_or(rest, |(name, _)| name);
    let missing = path.part(name);
    let before = path.text[..path.text.len() - rest.len()].trim_end_matches('.');
    let message = match before {
        "" => format!("the contract has no section `{name}`"),
        before => format!("`{before}` has no `{name}`"),
    };
    let diagnostic = Diagnostic::new(Rule::DecisionNode, missing.at, message);
    match known.as_slice() {
        [] => diagnostic.help(
            "a path has the keys with dots between, and items of lists by their text: \
            `resources.Book.views.item.title`",
        ),
        _ => diagnostic.propose(name, while_few(diagnostics, known)),
    }
}
