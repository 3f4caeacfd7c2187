//! What a request may not decide, because the service does.

use super::lookup::{Operation, find, operations, record_members};
use crate::report::Report;
use crate::spec::{Body, Resource, Spec, Word};

/// `given-by-service`: a body takes the id of what it makes, its owner, or a state that only transitions may change.
pub(super) fn given_by_service(spec: &Spec, reports: &mut Vec<Report>) {
    for body in super::bodies::all(spec) {
        let Some((name, _)) = resource_of(spec, body) else {
            continue;
        };
        for member in record_members(body) {
            if member.text == "id" {
                let message = format!(
                    "a request cannot choose the id of a `{}`: the service counts ids",
                    name.text
                );
                let help = "leave it out; the answer tells it: `data: { id: Resource.id }`";
                reports.push(Report::new("given-by-service", member.at, message).help(help));
            }
            reports.extend(state(spec, name, member, body));
        }
    }
    for operation in operations(spec) {
        if let Some(body) = operation.body()
            && let Some((name, resource)) = resource_of(spec, body)
        {
            reports.extend(owner(operation, name, resource, body));
        }
    }
}

fn resource_of<'s>(spec: &'s Spec, body: &Body) -> Option<(&'s Word, &'s Resource)> {
    let named = body.resource.as_ref()?;
    let found = spec.resources.iter().find(|(name, _)| name.text == named.text)?;
    Some((&found.0, &found.1))
}

/// A field with states that a body sets past them.
fn state(spec: &Spec, resource: &Word, member: &Word, body: &Body) -> Option<Report> {
    let place = format!("{}.{}", resource.text, member.text);
    let states = find(&spec.states, &place)?;
    let is_partial = !body.any.is_empty();
    if is_partial && states.transitions.is_none() {
        return None;
    }
    let (message, help) = if is_partial {
        let message = format!(
            "`{}` has states, and a partial body would set it past its transitions",
            member.text
        );
        (
            message,
            format!("give it an endpoint of its own, with `transitions: {place}`"),
        )
    } else {
        let first = &states.initial.text;
        let message = format!(
            "a new `{}` is `{first}`: a request cannot choose its `{}`",
            resource.text, member.text
        );
        (
            message,
            format!("leave it out; an endpoint with `transitions: {place}` changes it"),
        )
    };
    Some(Report::new("given-by-service", member.at, message).help(help))
}

/// An owner who could make things in another one's name.
fn owner(operation: Operation<'_>, name: &Word, resource: &Resource, body: &Body) -> Option<Report> {
    let caller = operation.caller()?;
    let field = find(&resource.owner, &caller.text)?;
    let member = record_members(body).find(|member| member.text == field.text)?;
    let message = format!(
        "a `{}` calls here, and could give a `{}` to any other: its owner is who calls",
        caller.text, name.text
    );
    let help = "leave it out; the handler knows the caller";
    Some(Report::new("given-by-service", member.at, message).help(help))
}
