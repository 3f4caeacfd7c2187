//! `unguarded-id` and `unchecked-id`: ids that no guard looks up. A decision permits it if it names the endpoint's node
//! (`surfaces.public.endpoints.put_page`), or its `guards`, `path` or `body`.

use super::lookup::{LocatedOperation, find, operations};
use super::rights::{IdUse, Stands, ids};
use crate::diagnostic::{Diagnostic, Rule, places};
use crate::syntax::{Guard, Spec, Word};

/// `unguarded-id`: every request carries an id, and no guard checks that the resource exists.
pub(super) fn unguarded_id(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let reported = places(diagnostics);
    for operation in operations(spec) {
        let unguarded = unguarded(operation).filter(|id| !is_value(operation, id));
        let found = unguarded.map(|id| unchecked(Rule::UnguardedId, operation, &id));
        diagnostics.extend(found.filter(|diagnostic| !reported.contains(&diagnostic.at)));
    }
}

/// `unchecked-id`, a warning: an id in a body that no guard looks up, where it is a value of a public record, may be absent,
/// or no guard can.
pub(super) fn unchecked_id(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for operation in operations(spec) {
        let values = unguarded(operation).filter(|id| is_value(operation, id));
        diagnostics.extend(values.map(|id| unchecked(Rule::UncheckedId, operation, &id)));
        let is_open = operation.endpoint.open.is_some() || is_decided(operation);
        let in_body = ids(operation)
            .into_iter()
            .filter(|id| id.stands == Stands::Body && !is_open);
        let (found, unfound): (Vec<_>, Vec<_>) = in_body.partition(|id| id.is_found);
        let unguarded = found.iter().filter(|id| {
            let mut guards = operation.existing();
            operation.optional_id(id.resource).is_some() && !guards.any(|guarded| guarded.text == id.resource)
        });
        diagnostics.extend(unguarded.map(|id| unchecked(Rule::UncheckedId, operation, id)));
        let unfound = unfound.iter().filter(|id| !is_own_id(operation, id));
        diagnostics.extend(unfound.map(|id| {
            let message = format!(
                "no guard can look up the `{}` of `{}`: it is in a list or an object, or beside another id",
                id.resource, id.name.text
            );
            let help = format!(
                "let the handler look it up, and say so in `decisions`: `at: {}`",
                node(operation)
            );
            Diagnostic::new(Rule::UncheckedId, id.at, message).help(help)
        }));
    }
}

/// The ids that every request of an operation carries, and that no guard looks up, without a decision.
fn unguarded(operation: LocatedOperation<'_>) -> impl Iterator<Item = IdUse<'_>> {
    // A PUT may create the resource that its path names.
    let is_made = move |id: &IdUse<'_>| id.stands == Stands::Path && operation.endpoint.method.text == "PUT";
    let is_always_there = move |id: &IdUse<'_>| id.is_found && operation.optional_id(id.resource).is_none();
    let ids = ids(operation)
        .into_iter()
        .filter(move |id| is_always_there(id) && !is_made(id));
    ids.filter(move |id| {
        let is_known = find(&operation.spec.resources, id.resource).is_some();
        let is_found = operation.existing().any(|existing| existing.text == id.resource);
        // The guards of a dry run are those of the endpoint that it tries.
        let is_dry_run = operation.endpoint.dry_run.is_some();
        is_known && !is_found && !is_dry_run && !is_needed(operation, id.resource) && !is_decided(operation)
    })
}

/// Whether an id is a value of a record on a surface without a credential, where nobody has rights.
fn is_value(operation: LocatedOperation<'_>, id: &IdUse<'_>) -> bool {
    operation.surface.credential.is_none()
        && id.stands == Stands::Body
        && operation
            .body()
            .is_some_and(|body| find(&body.members, &id.name.text).is_none())
}

/// Whether an id is that of the record of the body.
fn is_own_id(operation: LocatedOperation<'_>, id: &IdUse<'_>) -> bool {
    let record = operation.body().and_then(|body| body.resource.as_ref());
    id.name.text == "id" && record.is_some_and(|record| record.text == id.resource)
}

fn unchecked(rule: Rule, operation: LocatedOperation<'_>, id: &IdUse<'_>) -> Diagnostic {
    let (resource, name) = (id.resource, &id.name.text);
    let colon = if id.stands == Stands::Path { ":" } else { "" };
    let message = format!("no guard checks that the `{resource}` of `{colon}{name}` exists");
    let help = match operation.ids_of(resource).len() {
        1 => format!("add `exists {resource}` to `guards`, or give the reason in `decisions`"),
        _ => format!(
            "a guard looks up one id of each resource: give the reason in `decisions`, `at: {}`",
            node(operation)
        ),
    };
    Diagnostic::new(rule, id.at, message).help(help)
}

/// Whether another rule already requires the guard, or a guard names an unknown resource, which another rule reports
/// and which may be meant for this id.
pub(super) fn is_needed(operation: LocatedOperation<'_>, resource: &str) -> bool {
    let mut guarded = operation.existing();
    let is_unknown = |name: &Word| find(&operation.spec.resources, &name.text).is_none();
    let is_parent =
        |guard: &Guard| matches!(guard, Guard::Exists { parent: Some(parent), .. } if parent.text == resource);
    let moved = operation.endpoint.transitions.as_ref();
    guarded.any(is_unknown)
        || operation.owned().any(|owned| owned.text == resource)
        || operation.endpoint.guards.iter().any(is_parent)
        || moved.is_some_and(|place| place.text.split('.').next() == Some(resource))
}

/// Whether a decision names the endpoint, its guards, its path or its body.
fn is_decided(operation: LocatedOperation<'_>) -> bool {
    let node = node(operation);
    let is_below = |rest: &str| rest.starts_with(".path") || rest.starts_with(".body");
    let below = |at: &str| at.strip_prefix(&node).is_some_and(is_below);
    is_meant(operation.spec, &[node.clone(), format!("{node}.guards")]) || decided(operation.spec).any(below)
}

/// The path of an endpoint in the contract.
pub(super) fn node(operation: LocatedOperation<'_>) -> String {
    let surfaces = &operation.spec.surfaces;
    let surface = surfaces
        .iter()
        .find(|(_, surface)| std::ptr::eq(surface, operation.surface));
    let surface = surface.map_or("", |(name, _)| &name.text);
    format!("surfaces.{surface}.endpoints.{}", operation.name.text)
}

/// Whether a decision names one of these nodes, which permits what the rule would report.
pub(super) fn is_meant(spec: &Spec, nodes: &[String]) -> bool {
    decided(spec).any(|at| nodes.iter().any(|node| node == at))
}

fn decided(spec: &Spec) -> impl Iterator<Item = &str> {
    let places = spec.decisions.iter().filter_map(|(_, decision)| decision.at.as_ref());
    places.map(|at| at.text.as_str())
}

/// The nodes of a member that a body takes from its resource: the body at `node`, and the member in it.
pub(super) fn of_member(node: &str, member: &Word) -> Vec<String> {
    let lists = ["required", "optional", "at_least_one_of"];
    let in_lists = lists.map(|list| format!("{node}.{list}.{}", member.text));
    in_lists.into_iter().chain([node.to_owned()]).collect()
}
