//! `given-by-service`: fields that the service sets and a request must not.

use super::lookup::{LocatedOperation, entry, find, operations, record_members};
use super::unguarded::{is_meant, node, of_member};
use crate::diagnostic::{Diagnostic, Rule};
use crate::syntax::{Body, BodyUse, Data, Resource, Spec, Word};

/// `given-by-service`: a body takes the id of the resource that it creates, its owner, or a state that only transitions
/// may change.
pub(super) fn given_by_service(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (node, body) in bodies(spec) {
        let Some((name, _)) = resource_of(spec, body) else {
            continue;
        };
        for member in record_members(body) {
            let source = id(name, member).or_else(|| state(spec, name, member, body));
            diagnostics.extend(unless_meant(spec, &node, (name, member), source));
        }
    }
    for operation in operations(spec) {
        if let Some(body) = operation.body()
            && let Some((name, resource)) = resource_of(spec, body).or_else(|| answered(operation))
            && let Some((member, diagnostic)) = owner(operation, name, resource, body)
        {
            let node = node(operation);
            diagnostics.extend(unless_meant(spec, &node, (name, member), Some(diagnostic)));
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

fn resource_of<'s>(spec: &'s Spec, body: &Body) -> Option<(&'s Word, &'s Resource)> {
    let named = body.resource.as_ref()?;
    let (name, resource) = entry(&spec.resources, &named.text)?;
    Some((name, resource))
}

/// The resource that is created where the body names none: the first one whose id or view the response contains.
fn answered(operation: LocatedOperation<'_>) -> Option<(&Word, &Resource)> {
    let (name, _) = match operation.endpoint.success.data.as_ref()? {
        Data::View(used) => used.name.text.split_once('.')?,
        Data::Members(members) => {
            let mut ids = members.iter().filter_map(|(_, used)| used.name.text.split_once('.'));
            ids.next()?
        }
    };
    let (name, resource) = entry(&operation.spec.resources, name)?;
    Some((name, resource))
}

/// A field with states that a body sets without a transition.
fn state(spec: &Spec, resource: &Word, member: &Word, body: &Body) -> Option<Diagnostic> {
    let place = format!("{}.{}", resource.text, member.text);
    let states = find(&spec.states, &place)?;
    let is_partial = !body.any.is_empty();
    if is_partial && states.transitions.is_none() {
        return None;
    }
    let (message, help) = if is_partial {
        let message = format!(
            "`{}` has states: a partial body would bypass its transitions",
            member.text
        );
        (
            message,
            format!("change it in an endpoint of its own, with `transitions: {place}`"),
        )
    } else {
        let first = &states.initial.text;
        let message = format!(
            "a new `{}` is always `{first}`: a request cannot choose its `{}`",
            resource.text, member.text
        );
        (
            message,
            format!("remove it; an endpoint with `transitions: {place}` changes it"),
        )
    };
    Some(Diagnostic::new(Rule::GivenByService, member.at, message).help(help))
}

/// A field with the owner's id, with which a caller could create resources for another owner.
fn owner<'s>(
    operation: LocatedOperation<'s>,
    name: &Word,
    resource: &Resource,
    body: &'s Body,
) -> Option<(&'s Word, Diagnostic)> {
    let caller = operation.caller()?;
    let field = find(&resource.owner, &caller.text)?;
    let own = body.members.iter().map(|(name, _)| name);
    let member = record_members(body)
        .chain(own)
        .find(|member| member.text == field.text)?;
    let message = format!(
        "a `{}` could create a `{}` for another owner: the owner must be the caller",
        caller.text, name.text
    );
    let help = "remove it; the handler knows the caller";
    Some((
        member,
        Diagnostic::new(Rule::GivenByService, member.at, message).help(help),
    ))
}
