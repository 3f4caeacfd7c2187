//! Simple consequences of an edit: mentions of removed names are removed, unused declarations are removed, a returned
//! status is listed, and what others can name or see is opened by a decision.

use crate::mutations::yaml::Yaml;
use codegen::span::Span;
use codegen::yaml::{Node, Value, parse};
use codegen::{Diagnostic, Model};

/// Most attempts.
const ROUNDS: usize = 5;

/// The accepted contract, or `None`.
pub(super) fn mended(mut tree: Yaml) -> Option<(Yaml, Model)> {
    for _ in 0..=ROUNDS {
        let text = tree.render();
        let diagnostics = match codegen::compile(&text) {
            Ok(model) => return Some((tree, model)),
            Err(diagnostics) => diagnostics,
        };
        if !diagnostics.iter().all(can_be_mended) {
            return None;
        }
        let nodes = parse(&text, &mut Vec::new())?;
        let mut pointers: Vec<Vec<usize>> = Vec::new();
        for diagnostic in &diagnostics {
            match diagnostic.rule.name() {
                "status-not-listed" => list(&mut tree, diagnostic, &text),
                "unproven-id" | "unproven-answer" => open(&mut tree, &entry(&nodes, diagnostic.at, &mut Vec::new())?)?,
                _ => pointers.extend(entry(&nodes, diagnostic.at, &mut Vec::new())),
            }
        }
        // From the end, so that earlier indexes stay valid; nothing inside of removed nodes.
        pointers.sort();
        pointers.dedup();
        let all = pointers.clone();
        pointers.retain(|pointer| !all.iter().any(|other| other != pointer && pointer.starts_with(other)));
        pointers.iter().rev().for_each(|pointer| remove(&mut tree, pointer));
    }
    None
}

fn can_be_mended(diagnostic: &Diagnostic) -> bool {
    const NOT: [&str; 6] = [
        "syntax",
        "wrong-form",
        "unknown-key",
        "missing-error-row",
        "duplicate-step",
        "says-too-little",
    ];
    !NOT.contains(&diagnostic.rule.name())
}

/// The innermost entry of a map or item of a list around a position.
fn entry(node: &Node, at: Span, pointer: &mut Vec<usize>) -> Option<Vec<usize>> {
    let is_in = |span: Span| span.start <= at.start && at.end <= span.end;
    let parts: Vec<(Option<Span>, &Node)> = match &node.form {
        Value::List(items) => items.iter().map(|item| (None, item)).collect(),
        Value::Map(entries) => entries.iter().map(|(key, value)| (Some(key.at), value)).collect(),
        _ => return None,
    };
    for (number, (key, value)) in parts.into_iter().enumerate() {
        pointer.push(number);
        let found = match is_in(value.at) {
            true => entry(value, at, pointer).or_else(|| Some(pointer.clone())),
            false => key.filter(|key| is_in(*key)).map(|_| pointer.clone()),
        };
        pointer.pop();
        if found.is_some() {
            return found;
        }
    }
    None
}

fn remove(tree: &mut Yaml, pointer: &[usize]) {
    let Some((last, parent)) = pointer.split_last() else {
        return;
    };
    match tree.at_mut(parent) {
        Yaml::List(items) => drop(items.remove(*last)),
        Yaml::Map(entries) => drop(entries.remove(*last)),
        _ => {}
    }
}

/// Opens the endpoint around a node: the fourth step of its pointer.
fn open(tree: &mut Yaml, pointer: &[usize]) -> Option<()> {
    let Some(Yaml::Map(decisions)) = tree.entry_mut("decisions") else {
        return None;
    };
    let decision = Yaml::Text(decisions.first()?.0.clone());
    let Yaml::Map(keys) = tree.at_mut(pointer.get(..4)?) else {
        return None;
    };
    if keys.iter().all(|(key, _)| key != "open") {
        keys.push(("open".to_owned(), decision));
    }
    Some(())
}

fn list(tree: &mut Yaml, diagnostic: &Diagnostic, text: &str) {
    let status = Yaml::Plain(text[diagnostic.at.start..diagnostic.at.end].to_owned());
    if let Some(Yaml::List(statuses)) = tree.entry_mut("api").and_then(|api| api.entry_mut("statuses"))
        && !statuses.contains(&status)
    {
        statuses.push(status);
    }
}
