//! Rules about endpoints that count the records of a list.

use super::lookup::{LocatedOperation, TypeTarget, find, operations, type_target};
use super::parameters::is_used;
use super::taken::{taken, unknown};
use crate::diagnostic::{Diagnostic, Rule};
use crate::model::ValueCounts;
use crate::syntax::{Counts, Data, Endpoint, Spec, TypeDef, Word};

/// `counts`: an endpoint that counts no list of its surface, or by a field whose values are no texts or words that the list
/// shows, or that repeats what it takes from there.
pub(super) fn counts(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for operation in operations(spec) {
        let own = operation.endpoint;
        let Some(declared) = &own.counts else { continue };
        let name = &declared.list;
        let Some((place, list)) = own.counted(operation.surface) else {
            diagnostics.push(unknown(Rule::Counts, operation.surface, name));
            continue;
        };
        match listed(list) {
            Ok(resource) => by(spec, (declared, place), resource, diagnostics),
            Err(reason) => {
                let message = format!("`{}` cannot be counted: {reason}", name.text);
                diagnostics.push(Diagnostic::new(Rule::Counts, name.at, message).declared(place));
            }
        }
        repeated(operation, declared, diagnostics);
    }
}

/// The resource of a list that can be counted, and its view.
fn listed(list: &Endpoint) -> Result<(&str, &str), &'static str> {
    match &list.success.data {
        _ if !list.path.is_empty() => Err("its path has parameters"),
        _ if list.query.iter().any(|(name, _)| !is_used(list, &name.text)) => {
            Err("the contract does not say what one of its parameters does")
        }
        Some(Data::View(used)) if used.list => used.name.text.split_once('.').ok_or("it returns no list of a view"),
        _ => Err("it returns no list of a view"),
    }
}

fn by(
    spec: &Spec,
    (declared, place): (&Counts, &Word),
    (resource, view): (&str, &str),
    diagnostics: &mut Vec<Diagnostic>,
) {
    let (by, Some(of)) = (&declared.by, find(&spec.resources, resource)) else {
        return;
    };
    let Some(used) = find(&of.fields, &by.text).filter(|_| by.text != "id") else {
        let known = of.fields.iter().map(|(name, _)| name.text.as_str());
        let message = format!("`{resource}` has no stored field `{}`", by.text);
        diagnostics.push(Diagnostic::new(Rule::Counts, by.at, message).propose(&by.text, known));
        return;
    };
    let is_text = matches!(
        type_target(spec, &used.name.text),
        TypeTarget::Type(TypeDef::String(_)) | TypeTarget::Enum(_)
    );
    let place_of_field = format!("{resource}.{}", by.text);
    let has_synonyms = find(&spec.synonyms, &place_of_field).is_some();
    let is_shown = find(&of.views, view).is_none_or(|view| view.iter().any(|member| member.source.text == by.text));
    let reason = match () {
        () if by.text == ValueCounts::COUNT => "the member with the number has this name",
        () if !is_text || used.list => "it is neither a text with bounds nor a word of an enum",
        () if has_synonyms => "some of its values mean the same",
        () if !is_shown => "the list does not show it",
        () => return,
    };
    let message = format!("records cannot be counted by `{}`: {reason}", by.text);
    let diagnostic = Diagnostic::new(Rule::Counts, by.at, message);
    diagnostics.push(diagnostic.declared(place));
}

/// Reports what it takes from the list and has itself, and what it cannot return.
fn repeated(operation: LocatedOperation<'_>, declared: &Counts, diagnostics: &mut Vec<Diagnostic>) {
    let (own, name) = (operation.endpoint, &declared.list.text);
    if own.method.text != "GET" {
        let message = format!("a {} counts no list", own.method.text);
        diagnostics.push(Diagnostic::new(Rule::Counts, own.method.at, message).help("use GET"));
    }
    for (key, at) in taken(own) {
        let message = format!("`{key}` comes from `{name}`");
        diagnostics.push(Diagnostic::new(Rule::Counts, at, message).help(format!("remove `{key}`")));
    }
    let success = &own.success;
    if success.data.is_some() || success.file.is_some() || !success.siblings.is_empty() {
        let message = "an endpoint that counts a list returns only values and their numbers";
        let diagnostic = Diagnostic::new(Rule::Counts, declared.list.at, message);
        diagnostics.push(diagnostic.help("leave `data`, `file` and `siblings` out"));
    }
}
