//! Guards that have nothing to guard.

use super::enums::check_value;
use super::lookup::{Operation, enum_of, find, operations};
use crate::report::Report;
use crate::spec::{Guard, Spec, Word};

/// `guard-target`: a guard on a resource of which the request does not name exactly one.
pub(super) fn guard_target(spec: &Spec, reports: &mut Vec<Report>) {
    for operation in operations(spec) {
        let mut seen: Vec<&str> = Vec::new();
        for resource in operation
            .existing()
            .filter(|resource| find(&spec.resources, &resource.text).is_some())
        {
            let ids = ids_of(operation, &resource.text);
            let message = if seen.contains(&resource.text.as_str()) {
                format!("there is a guard `exists {}` already", resource.text)
            } else if ids == 1 {
                seen.push(&resource.text);
                continue;
            } else if ids == 0 {
                format!(
                    "neither the path nor the body names a `{0}`: one of them needs a `{0}.id`",
                    resource.text
                )
            } else {
                format!(
                    "the path and the body name {ids} of `{}`: a guard needs exactly one",
                    resource.text
                )
            };
            reports.push(Report::new("guard-target", resource.at, message));
        }
    }
}

/// How many ids of a resource the path and the members of the body hold for certain.
fn ids_of(operation: Operation<'_>, resource: &str) -> usize {
    let id = format!("{resource}.id");
    let members = operation
        .body()
        .filter(|body| body.any.is_empty())
        .map(|body| &body.members);
    let used = operation
        .endpoint
        .path
        .iter()
        .chain(members.into_iter().flatten())
        .map(|(_, used)| used);
    used.filter(|used| used.name.text == id && !used.list && !used.optional && used.default.is_none())
        .count()
}

/// `guard-parent`: a guard on belonging together, between resources that do not.
pub(super) fn guard_parent(spec: &Spec, reports: &mut Vec<Report>) {
    for operation in operations(spec) {
        for guard in &operation.endpoint.guards {
            let Guard::Exists {
                resource,
                parent: Some(parent),
            } = guard
            else {
                continue;
            };
            let Some(child) = find(&spec.resources, &resource.text) else {
                continue;
            };
            if find(&spec.resources, &parent.text).is_none() {
                continue;
            }
            let id = format!("{}.id", parent.text);
            // The resource itself instead of its id is another mistake, and has been reported.
            let is_parent = |name: &str| name == id || name == parent.text;
            let fields = child
                .fields
                .iter()
                .filter(|(_, used)| is_parent(&used.name.text) && !used.list)
                .count();
            if resource.text == parent.text || fields != 1 {
                let message = format!(
                    "`{}` needs exactly one field of the type `{id}` to be in one",
                    resource.text
                );
                reports.push(Report::new("guard-parent", resource.at, message));
            } else if !operation.existing().any(|existing| existing.text == parent.text) {
                let message = format!("`{}` is in a `{}` that no guard has found", resource.text, parent.text);
                let help = format!("add `exists {}` to `guards`", parent.text);
                reports.push(Report::new("guard-parent", resource.at, message).help(help));
            }
        }
    }
}

/// `guard-owner`: a guard on ownership where nothing is found, or the caller owns nothing.
pub(super) fn guard_owner(spec: &Spec, reports: &mut Vec<Report>) {
    for operation in operations(spec) {
        let mut seen: Vec<&str> = Vec::new();
        for resource in operation.owned() {
            let Some(owned) = find(&spec.resources, &resource.text) else {
                continue;
            };
            if let Some(message) = unowned(operation, resource, owned.owner.iter().map(|(caller, _)| caller), &seen) {
                reports.push(Report::new("guard-owner", resource.at, message));
            }
            seen.push(&resource.text);
        }
    }
}

fn unowned<'s>(
    operation: Operation<'s>,
    resource: &Word,
    mut owners: impl Iterator<Item = &'s Word>,
    seen: &[&str],
) -> Option<String> {
    let name = &resource.text;
    if seen.contains(&name.as_str()) {
        return Some(format!("there is a guard `owner {name}` already"));
    }
    if !operation.existing().any(|existing| existing.text == *name) {
        return Some(format!(
            "an owner needs something to own: add `exists {name}` to `guards`"
        ));
    }
    match operation.caller() {
        // A credential that is not known has been reported.
        None if operation.credential().is_none() && operation.surface.credential.is_some() => None,
        None => Some(format!("nobody calls here who could own a `{name}`")),
        Some(caller) if owners.any(|owner| owner.text == caller.text) => None,
        Some(caller) => Some(format!(
            "a `{}` calls here, and `{name}` has no such `owner`",
            caller.text
        )),
    }
}

/// `guard-private`: what exists for nobody but its owner is found for anyone who calls.
pub(super) fn guard_private(spec: &Spec, reports: &mut Vec<Report>) {
    for (name, resource) in &spec.resources {
        if resource.private && resource.owner.is_empty() {
            let message = format!("`{}` is private, and has no `owner` who could see it", name.text);
            reports.push(Report::new("guard-private", name.at, message));
        }
    }
    for operation in operations(spec).filter(|operation| operation.caller().is_some()) {
        for name in operation.existing() {
            let is_private = find(&spec.resources, &name.text)
                .is_some_and(|resource| resource.private && !resource.owner.is_empty());
            if is_private && !operation.owned().any(|owned| owned.text == name.text) {
                let message = format!("`{}` is private: it exists for nobody but its owner", name.text);
                let help = format!("add `owner {}` to `guards`", name.text);
                reports.push(Report::new("guard-private", name.at, message).help(help));
            }
        }
    }
}

/// `guard-plan`: a guard on a plan that the caller cannot have.
pub(super) fn guard_plan(spec: &Spec, reports: &mut Vec<Report>) {
    for operation in operations(spec) {
        let plans = operation.endpoint.guards.iter().filter_map(|guard| match guard {
            Guard::Plan(plan) => Some(plan),
            _ => None,
        });
        for (index, plan) in plans.enumerate() {
            if index > 0 {
                let message = "there is a guard on the plan already";
                reports.push(Report::new("guard-plan", plan.at, message));
            } else {
                check_plan(operation, plan, reports);
            }
        }
    }
}

fn check_plan(operation: Operation<'_>, plan: &Word, reports: &mut Vec<Report>) {
    let Some(credential) = operation.credential() else {
        if operation.surface.credential.is_none() {
            let message = "nobody calls here who could have a plan";
            reports.push(Report::new("guard-plan", plan.at, message));
        }
        return;
    };
    let (Some(caller), Some(field)) = (&credential.caller, &credential.plan) else {
        let message = "the credential of this surface has no `plan`";
        return reports.push(Report::new("guard-plan", plan.at, message));
    };
    let used = find(&operation.spec.resources, &caller.text).and_then(|resource| find(&resource.fields, &field.text));
    if let Some((name, def)) = used.and_then(|used| enum_of(operation.spec, used)) {
        check_value(plan, &name.text, def, reports);
    }
}
