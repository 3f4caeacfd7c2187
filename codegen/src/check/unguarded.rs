//! `unguarded-id`: ids that no guard looks up. A decision permits it if it names the endpoint's node
//! (`surfaces.public.endpoints.put_page`), or its `guards`, `path` or `body`.

use super::lookup::{LocatedOperation, find, operations};
use super::rights::{IdUse, Stands, ids};
use crate::diagnostic::{Diagnostic, Rule};
use crate::syntax::{Guard, Spec, Word};

/// `unguarded-id`: a request carries an id, and no guard checks that the resource exists.
pub(super) fn unguarded_id(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for operation in operations(spec) {
        // A PUT may create the resource that its path names.
        let is_made = |id: &IdUse<'_>| id.stands == Stands::Path && operation.endpoint.method.text == "PUT";
        for id in ids(operation).iter().filter(|id| id.is_found && !is_made(id)) {
            let resource = id.resource;
            let is_known = find(&spec.resources, resource).is_some();
            let is_found = operation.existing().any(|existing| existing.text == resource);
            if is_known && !is_found && !is_needed(operation, resource) && !is_decided(operation) {
                let colon = if id.stands == Stands::Path { ":" } else { "" };
                let message = format!(
                    "no guard checks that the `{resource}` of `{colon}{}` exists",
                    id.name.text
                );
                let help = format!("add `exists {resource}` to `guards`, or give the reason in `decisions`");
                diagnostics.push(Diagnostic::new(Rule::UnguardedId, id.at, message).help(help));
            }
        }
    }
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
