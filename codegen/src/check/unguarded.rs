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
    let node = format!(".endpoints.{}", operation.name.text);
    let names_it = |at: &Word| {
        let surface = operation
            .spec
            .surfaces
            .iter()
            .find(|(_, surface)| std::ptr::eq(surface, operation.surface));
        let rest = surface.and_then(|(name, _)| at.text.strip_prefix("surfaces.")?.strip_prefix(name.text.as_str()));
        rest.and_then(|rest| rest.strip_prefix(node.as_str()))
            .is_some_and(|rest| rest.is_empty() || rest == ".guards" || rest.starts_with(".path"))
    };
    operation
        .spec
        .decisions
        .iter()
        .filter_map(|(_, decision)| decision.at.as_ref())
        .any(names_it)
}
