//! Rules about examples: in descriptions, at types and at endpoints.

use super::defaults::{of_type, sent_tables, view_tables};
use super::ids::uuids;
use super::lookup::{LocatedOperation, TypeTarget, body_members, declaration, has, operations, type_target};
use crate::diagnostic::{Diagnostic, Rule, while_few};
use crate::formats::Format;
use crate::syntax::{ListDef, Spec, TypeDef, TypeUse, Word};

/// `bad-default`: an example that is not a value of its type.
pub(super) fn bad_example(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let tables = sent_tables(spec).chain(view_tables(spec)).flatten();
    let described = tables.filter_map(|(_, used)| {
        let example = used.example()?;
        let is_checked = matches!(
            type_target(spec, &used.name.text),
            TypeTarget::Type(_) | TypeTarget::Enum(_)
        );
        is_checked.then_some((used.name.text.as_str(), example))
    });
    let of_types = spec
        .types
        .iter()
        .filter_map(|(name, of)| Some((name.text.as_str(), of.example.clone()?)));
    let of_endpoints = operations(spec).flat_map(|operation| {
        let pairs = arguments(operation).into_iter();
        pairs.filter_map(move |(name, used)| {
            let example = operation.endpoint.example.get(&name.text)?;
            Some((used.name.text.as_str(), example.clone()))
        })
    });
    for (name, example) in described.chain(of_types).chain(of_endpoints) {
        if let Some(expected) = misfit(spec, name, &example.text) {
            let message = format!("`{}` is no example of `{name}`: {expected}", example.text);
            let diagnostic = Diagnostic::new(Rule::BadDefault, example.at, message);
            diagnostics.push(diagnostic.declared_if(declaration(spec, name)));
        }
    }
}

/// `unknown-field`: an example of something that the endpoint does not take.
pub(super) fn unknown_example(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for operation in operations(spec) {
        let arguments = arguments(operation);
        for (name, _) in &operation.endpoint.example {
            if arguments.iter().any(|(known, _)| known.text == name.text) {
                continue;
            }
            let message = format!(
                "this endpoint has no parameter and no member of its body `{}`",
                name.text
            );
            let known = arguments.iter().map(|(known, _)| known.text.as_str());
            let diagnostic = Diagnostic::new(Rule::UnknownField, name.at, message);
            diagnostics.push(diagnostic.propose(&name.text, while_few(diagnostics, known)));
        }
    }
}

/// What an endpoint takes: its parameters, and the members of its body.
fn arguments(operation: LocatedOperation<'_>) -> Vec<(&Word, &TypeUse)> {
    let endpoint = operation.endpoint;
    let parameters = endpoint.path.iter().chain(&endpoint.query);
    let members = operation.body().map(|body| body_members(operation.spec, body));
    let parameters = parameters.map(|(name, used)| (name, used));
    parameters.chain(members.into_iter().flatten()).collect()
}

/// The format of the ids that a type such as `Book.id` names, if they are texts.
fn format_of_ids(spec: &Spec, name: &str) -> Option<&'static Format> {
    let (resource, _) = name.split_once('.')?;
    uuids(spec, resource)?.1.format()
}

/// Why a text is not a value of a format, as it is shown.
fn of_format(format: &Format, example: &str) -> Option<String> {
    match format.canonical(example) {
        Some(shown) if shown == example => None,
        Some(shown) => Some(format!("it is shown as `{shown}`")),
        None => Some(format!("it is {} such as `{}`", format.noun, format.values[0])),
    }
}

/// Why a text is not a value of a type, or of the items of a list.
fn misfit(spec: &Spec, name: &str, example: &str) -> Option<String> {
    let expected = match type_target(spec, name) {
        TypeTarget::Type(TypeDef::List(ListDef { of, .. })) => return misfit(spec, &of.text, example),
        TypeTarget::Type(TypeDef::FreeForm { .. }) => "an object with any members has none",
        TypeTarget::Type(def) => return of_type(def, example),
        TypeTarget::Enum((_, of)) if has(&of.values, example) => return None,
        TypeTarget::Enum(_) => "the enum has no such value",
        TypeTarget::BuiltIn("boolean" | "flag") if matches!(example, "true" | "false") => return None,
        TypeTarget::BuiltIn("boolean" | "flag") => "it is `true` or `false`",
        TypeTarget::Format(format) => return of_format(format, example),
        TypeTarget::Id if let Some(format) = format_of_ids(spec, name) => return of_format(format, example),
        TypeTarget::Id if example.parse::<i64>().is_ok_and(|id| id > 0) => return None,
        TypeTarget::Id => "it is a positive number",
        TypeTarget::Unknown | TypeTarget::Resource => return None,
        _ => "give the examples of its members instead",
    };
    Some(expected.to_owned())
}
