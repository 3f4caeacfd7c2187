//! `given-by-service`: fields that the service sets and a request must not.

use super::lookup::{LocatedOperation, enum_of, find, operations, record_members, resource_field};
use super::unguarded::{is_meant, node, of_member};
use super::written::{By, Written, resource_of, written};
use crate::diagnostic::{Diagnostic, Rule};
use crate::syntax::{Body, BodyUse, Spec, Word};
use std::collections::HashSet;

/// `given-by-service`: a body takes the id of the resource that it creates, its owner, or a state that only transitions
/// may change.
pub(super) fn given_by_service(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let mut taken = HashSet::new();
    for (node, body) in bodies(spec) {
        let Some((name, _)) = resource_of(spec, body) else {
            continue;
        };
        let is_new = body.any.is_empty();
        for member in record_members(body) {
            taken.insert((member.at, name.text.as_str()));
            let source = id(name, member).or_else(|| state(spec, name, (&member.text, member), is_new));
            diagnostics.extend(unless_meant(spec, &node, (name, member), source));
        }
    }
    for operation in operations(spec) {
        let node = node(operation);
        let mut seen = HashSet::new();
        for record in written(operation) {
            let state = unmoved_state(operation, &record)
                .filter(|(member, _)| !taken.contains(&(member.at, &record.name.text)));
            for (member, diagnostic) in owner(operation, &record).into_iter().chain(state) {
                if !seen.insert(member.at) {
                    continue;
                }
                diagnostics.extend(unless_meant(spec, &node, (record.name, member), Some(diagnostic)));
            }
        }
    }
}

/// Every body with its path: for an inline body, that of its endpoint.
fn bodies(spec: &Spec) -> Vec<(String, &Body)> {
    let named = spec.inputs.iter();
    let named = named.map(|(name, body)| (format!("inputs.{}", name.text), body));
    let own = operations(spec).filter_map(|operation| match &operation.endpoint.body {
        Some(BodyUse::Inline(body)) => Some((node(operation), body)),
        _ => None,
    });
    named.chain(own).collect()
}

/// The diagnostic with its help, unless a decision names the field, the body or the member.
fn unless_meant(
    spec: &Spec,
    node: &str,
    (resource, member): (&Word, &Word),
    diagnostic: Option<Diagnostic>,
) -> Option<Diagnostic> {
    let field = format!("resources.{}.fields.{}", resource.text, member.text);
    let nodes = [of_member(node, member), of_member(&format!("{node}.body"), member)];
    let diagnostic = diagnostic.filter(|_| !is_meant(spec, &[nodes.concat(), vec![field]].concat()))?;
    let help = diagnostic.help.clone().unwrap_or_default();
    Some(diagnostic.help(format!(
        "{help}; if it is intended, say so in `decisions`: `at: {node}`"
    )))
}

fn id(resource: &Word, member: &Word) -> Option<Diagnostic> {
    let message = format!(
        "a request cannot choose the id of a `{}`: the service assigns ids",
        resource.text
    );
    let help = "remove it; the response contains it: `data: { id: Resource.id }`";
    (member.text == "id").then(|| Diagnostic::new(Rule::GivenByService, member.at, message).help(help))
}

/// A field with states that a member of the body fills, although no transition is checked.
fn unmoved_state<'s>(operation: LocatedOperation<'s>, record: &Written<'s>) -> Option<(&'s Word, Diagnostic)> {
    let is_new = match record.by {
        By::Makes => true,
        By::Changes => false,
        By::Guess => return None,
    };
    let moved = operation.endpoint.transitions.as_ref();
    let mut fills = record.fills.iter();
    fills.find_map(|(field, member)| {
        let is_moved = moved.is_some_and(|moved| moved.text == format!("{}.{field}", record.name.text));
        let set = state(operation.spec, record.name, (field, member), is_new).filter(|_| !is_moved)?;
        Some((*member, set))
    })
}

/// The diagnostic if a field has states and a request sets it: the state of a new record, or past its transitions.
fn state(spec: &Spec, resource: &Word, (field, member): (&str, &Word), is_new: bool) -> Option<Diagnostic> {
    let place = format!("{}.{field}", resource.text);
    let states = find(&spec.states, &place)?;
    let (_, _, used) = resource_field(spec, &place)?;
    enum_of(spec, used)?;
    if !is_new && states.transitions.is_none() {
        return None;
    }
    let (message, help) = if is_new {
        let first = &states.initial.text;
        let message = format!(
            "a new `{}` is always `{first}`: a request cannot choose its `{field}`",
            resource.text
        );
        (
            message,
            format!("remove it; an endpoint with `transitions: {place}` changes it"),
        )
    } else {
        let message = format!("`{field}` has states: a partial body would bypass its transitions");
        (
            message,
            format!("change it in an endpoint of its own, with `transitions: {place}`"),
        )
    };
    Some(Diagnostic::new(Rule::GivenByService, member.at, message).help(help))
}

/// A field with the owner's id, with which a caller could create resources for another owner, or give them away.
fn owner<'s>(operation: LocatedOperation<'s>, record: &Written<'s>) -> Option<(&'s Word, Diagnostic)> {
    let caller = operation.caller()?;
    let field = find(&record.resource.owner, &caller.text)?;
    let (_, member) = record.fills.iter().find(|(filled, _)| *filled == field.text)?;
    let message = format!(
        "a `{}` could create a `{}` for another owner: the owner must be the caller",
        caller.text, record.name.text
    );
    let help = "remove it; the handler knows the caller";
    Some((
        *member,
        Diagnostic::new(Rule::GivenByService, member.at, message).help(help),
    ))
}
