//! Checks that no stored value follows from itself. (A joined one is looked up in stored ones.)

use crate::diagnostic::{Diagnostic, Rule};
use crate::model::{Field, Model, Origin};

/// A stored field: its resource and its name.
type Node<'m> = (&'m str, &'m str);

/// `origin-circle`: each circle once, at the first of its fields.
pub(super) fn check(model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    for resource in &model.resources {
        for field in &resource.fields {
            let start = (resource.name.as_str(), field.name.as_str());
            let Some(circle) = circle(model, start) else { continue };
            if circle.iter().any(|node| declared(model, *node).at < field.at) {
                continue;
            }
            let sources = circle.iter().map(|node| source(model, *node));
            let message = format!(
                "`{}` follows from itself: {}",
                field.name,
                sources.collect::<Vec<_>>().join(", ")
            );
            let help = "take one of these values from a field that has no source of its own";
            diagnostics.push(Diagnostic::new(Rule::OriginCircle, field.at, message).help(help));
        }
    }
}

/// The fields on a shortest way from a field back to it.
fn circle<'m>(model: &'m Model, start: Node<'m>) -> Option<Vec<Node<'m>>> {
    let mut ways = vec![vec![start]];
    let mut place = 0;
    while let Some(way) = ways.get(place).cloned() {
        place += 1;
        for next in needed(model, *way.last()?) {
            if next == start {
                return Some(way);
            }
            if !ways.iter().any(|other| other.last() == Some(&next)) {
                ways.push([way.as_slice(), &[next]].concat());
            }
        }
    }
    None
}

/// The fields from which the value of a field follows.
fn needed<'m>(model: &'m Model, node: Node<'m>) -> Vec<Node<'m>> {
    match &declared(model, node).origin {
        Some(Origin::Latest { resource, via, field }) => vec![(resource, via), (resource, field)],
        Some(Origin::Count { resource, via, .. }) => vec![(resource, via)],
        _ => Vec::new(),
    }
}

fn declared<'m>(model: &'m Model, (resource, field): Node<'_>) -> &'m Field {
    model.resource(resource).field(field)
}

fn source(model: &Model, node: Node<'_>) -> String {
    let origin = declared(model, node).origin.as_ref();
    let origin = origin.expect("a field of a circle has a source");
    format!("`{}.{} = {origin}`", node.0, node.1)
}
