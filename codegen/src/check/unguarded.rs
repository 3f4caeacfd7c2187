//! Ids in paths that nothing looks up, and changes that anyone could make. A decision that names the endpoint's node
//! (`at: surfaces.public.endpoints.put_page`, or its `guards` or `path`) says that it is meant.

use super::lookup::{Operation, find, operations};
use super::routes::parameters;
use crate::report::Report;
use crate::spec::{Guard, Spec, Word};

/// `unguarded-id`: a path names something, and no guard finds out whether it exists.
pub(super) fn unguarded_id(spec: &Spec, reports: &mut Vec<Report>) {
    // A PUT may make what it names.
    for operation in operations(spec).filter(|operation| operation.endpoint.method.text != "PUT") {
        for (name, used) in &operation.endpoint.path {
            let Some((resource, "id")) = used.name.text.split_once('.') else {
                continue;
            };
            let is_known = find(&spec.resources, resource).is_some();
            let is_found = operation.existing().any(|existing| existing.text == resource);
            if is_known && !is_found && !is_needed(operation, resource) && !is_decided(operation) {
                let message = format!("nothing finds out whether the `{resource}` of `:{}` exists", name.text);
                let help = format!("add `exists {resource}` to `guards`, or say in `decisions` why not");
                reports.push(Report::new("unguarded-id", used.name.at, message).help(help));
            }
        }
    }
}

/// Whether a rule of its own asks for the guard already, or a guard names a resource that there is not, which is reported
/// and may be meant for this one.
fn is_needed(operation: Operation<'_>, resource: &str) -> bool {
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

/// `unguarded-change`: whoever calls can change what another one owns, or another caller. A POST is let pass: it adds
/// something of its own to what may well be another one's.
pub(super) fn unguarded_change(spec: &Spec, reports: &mut Vec<Report>) {
    let changing =
        |operation: &Operation<'_>| matches!(operation.endpoint.method.text.as_str(), "PUT" | "PATCH" | "DELETE");
    for operation in operations(spec).filter(changing) {
        let (Some(caller), Some(found)) = (operation.caller(), changed(operation)) else {
            continue;
        };
        let is_owned = find(&spec.resources, &found.text)
            .is_some_and(|resource| !resource.private && find(&resource.owner, &caller.text).is_some());
        let is_guarded = operation.owned().next().is_some() || is_decided(operation);
        if found.text == caller.text && !is_guarded {
            let message = format!("any `{0}` can change any other `{0}` here", caller.text);
            let help = "leave the id out of the path, since the handler knows who calls, or say in `decisions` why not";
            reports.push(Report::new("unguarded-change", found.at, message).help(help));
        } else if is_owned && !is_guarded {
            let message = format!(
                "any `{}` can change any `{}` here, its owner or not",
                caller.text, found.text
            );
            let help = format!("add `owner {}` to `guards`, or say in `decisions` why not", found.text);
            reports.push(Report::new("unguarded-change", found.at, message).help(help));
        }
    }
}

/// What an endpoint changes: the guarded resource of the last parameter of its route.
fn changed<'s>(operation: Operation<'s>) -> Option<&'s Word> {
    let last = parameters(&operation.endpoint.route.text).last()?;
    let used = find(&operation.endpoint.path, last)?;
    let (resource, _) = used.name.text.split_once('.')?;
    operation.existing().find(|existing| existing.text == resource)
}

/// Whether a decision names the endpoint, its guards or its path.
fn is_decided(operation: Operation<'_>) -> bool {
    let node = node(operation);
    let below = |at: &str| at.strip_prefix(&node).is_some_and(|rest| rest.starts_with(".path"));
    is_meant(operation.spec, &[node.clone(), format!("{node}.guards")]) || decided(operation.spec).any(below)
}

/// Where an endpoint stands.
pub(super) fn node(operation: Operation<'_>) -> String {
    let surfaces = &operation.spec.surfaces;
    let surface = surfaces
        .iter()
        .find(|(_, surface)| std::ptr::eq(surface, operation.surface));
    let surface = surface.map_or("", |(name, _)| &name.text);
    format!("surfaces.{surface}.endpoints.{}", operation.name.text)
}

/// Whether a decision is enacted at one of these nodes: its author knows better than a rule.
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
