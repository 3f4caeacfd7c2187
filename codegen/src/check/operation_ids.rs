//! `operation-twice`: operations whose names are the same in documents.

use super::naming::keys;
use crate::diagnostic::{Diagnostic, Rule};
use crate::names;
use crate::syntax::{Spec, Word};
use std::collections::HashMap;

/// `operation-twice`: two operations, or an operation and an event, that have one `operationId`.
pub(super) fn operation_twice(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let surfaces = spec.surfaces.iter();
    let operations = surfaces.flat_map(|(surface, of)| keys(&of.endpoints).map(move |name| (surface, name)));
    let operations = operations.map(|(surface, name)| {
        let id = names::operation_id(&surface.text, &name.text);
        (id, name, format!("the operation `{}::{}`", surface.text, name.text))
    });
    let kinds = spec.events.iter().flat_map(|events| keys(&events.kinds));
    let kinds = kinds.map(|kind| (names::event_id(&kind.text), kind, format!("the event `{}`", kind.text)));
    let mut seen: HashMap<String, (&Word, String)> = HashMap::new();
    for (id, word, what) in operations.chain(kinds) {
        if let Some((first, other)) = seen.get(&id) {
            let message = format!("{what} and {other} have the same `operationId` in OpenAPI, `{id}`");
            let diagnostic = Diagnostic::new(Rule::OperationTwice, word.at, message);
            let help = "rename one of them, or its surface";
            diagnostics.push(diagnostic.related(first.at, "the other one").help(help));
        } else {
            seen.insert(id, (word, what));
        }
    }
}
