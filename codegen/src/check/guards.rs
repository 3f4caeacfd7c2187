//! Rules about guards that have nothing to check.

use super::enums::check_value;
use super::lookup::{LocatedOperation, entry, enum_of, find, operations, record_members};
use super::rights::ids;
use super::routes::parameters;
use crate::diagnostic::{Diagnostic, Rule, listed};
use crate::syntax::{Guard, Resource, Spec, Word};

/// `guard-target`: a guard on a resource of which the request does not carry exactly one id.
pub(super) fn guard_target(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for operation in operations(spec) {
        if has_open_member(operation) || has_open_parameter(operation) {
            continue;
        }
        let mut seen: Vec<&Word> = Vec::new();
        for resource in operation
            .existing()
            .filter(|resource| find(&spec.resources, &resource.text).is_some())
        {
            let ids = operation.ids_of(&resource.text);
            let diagnostic = |message: String| Diagnostic::new(Rule::GuardTarget, resource.at, message);
            let first = seen.iter().find(|first| first.text == resource.text);
            diagnostics.push(match (first, ids.as_slice()) {
                (Some(first), _) => diagnostic(format!("the guard `exists {}` occurs twice", resource.text))
                    .related(first.at, "first given here"),
                (None, [_]) => {
                    seen.push(resource);
                    continue;
                }
                (None, []) => without_id(operation, resource),
                (None, ids) => ids.iter().fold(
                    diagnostic(format!(
                        "the path and the body have {} ids of `{}`: the guard needs exactly one",
                        ids.len(),
                        resource.text
                    )),
                    |diagnostic, id| diagnostic.related(id.at, "one of them"),
                ),
            });
        }
    }
}

/// No request needs to have an id of the resource of a guard.
fn without_id(operation: LocatedOperation<'_>, resource: &Word) -> Diagnostic {
    let ids = ids(operation).into_iter().filter(|id| id.resource == resource.text);
    let ids: Vec<_> = ids.collect();
    let name = &resource.text;
    let message = match ids.is_empty() {
        true => format!("neither the path nor the body has an id of `{name}`: add a member of the type `{name}.id`"),
        false => format!(
            "a guard looks up an id in the path or in a member of the body itself, and no id of `{name}` is there"
        ),
    };
    let diagnostic = Diagnostic::new(Rule::GuardTarget, resource.at, message);
    ids.iter().fold(diagnostic, |diagnostic, id| {
        diagnostic.related(id.name.at, "this id is in the query, a list or an object")
    })
}

/// Whether a parameter of the route has no type, or a type that names no resource. Another rule reports it; it could be
/// the id that a guard needs.
fn has_open_parameter(operation: LocatedOperation<'_>) -> bool {
    let path = &operation.endpoint.path;
    let is_known = |name: &str| find(&operation.spec.resources, name.split('.').next().unwrap_or_default()).is_some();
    parameters(&operation.endpoint.route.text)
        .into_iter()
        .any(|name| find(path, name).is_none_or(|used| !is_known(&used.name.text)))
}

/// Whether the body takes a member from an unknown resource or field. Another rule reports it; it could be the id that a
/// guard needs.
fn has_open_member(operation: LocatedOperation<'_>) -> bool {
    let Some(body) = operation.body() else {
        return operation.endpoint.body.is_some();
    };
    let record = body.resource.as_ref();
    let fields = record.and_then(|record| Some(&find(&operation.spec.resources, &record.text)?.fields));
    record_members(body).any(|member| fields.is_none_or(|fields| find(fields, &member.text).is_none()))
}

/// `guard-parent`: a guard that a resource belongs to a parent, where no field of the resource holds the parent's id.
pub(super) fn guard_parent(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for operation in operations(spec) {
        for guard in &operation.endpoint.guards {
            let Guard::Exists {
                resource,
                parent: Some(parent),
            } = guard
            else {
                continue;
            };
            let Some((declared, child)) = entry(&spec.resources, &resource.text) else {
                continue;
            };
            if find(&spec.resources, &parent.text).is_none() {
                continue;
            }
            let id = format!("{}.id", parent.text);
            // A field that holds the resource instead of its id has been reported already.
            let is_parent = |name: &str| name == id || name == parent.text;
            let fields = child
                .fields
                .iter()
                .filter(|(_, used)| is_parent(&used.name.text) && !used.list && !used.optional)
                .count();
            if resource.text == parent.text || fields != 1 {
                let message = format!(
                    "for `exists … in …`, `{}` needs exactly one field of the type `{id}`, without `?`",
                    resource.text
                );
                diagnostics.push(Diagnostic::new(Rule::GuardParent, resource.at, message).declared(declared));
            } else if !operation.always_finds(&parent.text) {
                let message = format!(
                    "the guard for `{}` needs its parent `{}`, which no guard finds",
                    resource.text, parent.text
                );
                let help = operation.help_to_find(&parent.text);
                diagnostics.push(Diagnostic::new(Rule::GuardParent, resource.at, message).help(help));
            }
        }
    }
}

/// `guard-owner`: a guard on ownership where no resource is found, or where the caller can own none.
pub(super) fn guard_owner(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for operation in operations(spec) {
        let mut seen: Vec<&Word> = Vec::new();
        for resource in operation.owned() {
            if let Some(owned) = entry(&spec.resources, &resource.text) {
                diagnostics.extend(unowned(operation, resource, owned, &seen));
                seen.push(resource);
            }
        }
    }
}

fn unowned(
    operation: LocatedOperation<'_>,
    resource: &Word,
    (declared, owned): &(Word, Resource),
    seen: &[&Word],
) -> Option<Diagnostic> {
    let name = &resource.text;
    let diagnostic = |message: String| Diagnostic::new(Rule::GuardOwner, resource.at, message);
    if let Some(first) = seen.iter().find(|first| first.text == *name) {
        let diagnostic = diagnostic(format!("the guard `owner {name}` occurs twice"));
        return Some(diagnostic.related(first.at, "first given here"));
    }
    if !operation.existing().any(|existing| existing.text == *name) {
        let message = format!("a guard `owner` needs a record that was found: add `exists {name}` to `guards`");
        return Some(diagnostic(message));
    }
    match operation.caller() {
        // An unknown credential has been reported already.
        None if operation.credential().is_none() && operation.surface.credential.is_some() => None,
        None => Some(operation.with_credential(diagnostic(format!(
            "callers of this surface are unknown, so none can \
            own a `{name}`"
        )))),
        Some(caller) if find(&owned.owner, &caller.text).is_some() => None,
        Some(caller) => {
            let diagnostic = diagnostic(format!(
                "the caller is a `{}`, and `{name}` has no such `owner`",
                caller.text
            ));
            let diagnostic = diagnostic.related(caller.at, "the caller").declared(declared);
            let owners: Vec<&str> = owned.owner.iter().map(|(owner, _)| owner.text.as_str()).collect();
            Some(match owners.as_slice() {
                [] => diagnostic.help(format!("declare `owner: {{ {}: field }}` in `{name}`", caller.text)),
                owners => diagnostic.help(format!("its owners are {}", listed(owners))),
            })
        }
    }
}

/// `guard-private`: a private resource has no owner, or a guard finds it for callers who may not own it.
pub(super) fn guard_private(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (name, resource) in &spec.resources {
        if resource.private && resource.owner.is_empty() {
            let message = format!("`{}` is private, but has no `owner`", name.text);
            let help = "declare its `owner`, or remove `private`";
            diagnostics.push(Diagnostic::new(Rule::GuardPrivate, name.at, message).help(help));
        }
    }
    for operation in operations(spec) {
        let Some(caller) = operation.caller() else {
            continue;
        };
        let is_owned = |name: &Word| operation.owned().any(|owned| owned.text == name.text);
        for guard in &operation.endpoint.guards {
            let Guard::Exists { resource: name, parent } = guard else {
                continue;
            };
            let private = entry(&spec.resources, &name.text)
                .filter(|(_, resource)| resource.private && !resource.owner.is_empty());
            let Some((declared, resource)) = private else {
                continue;
            };
            let can_own = find(&resource.owner, &caller.text).is_some();
            let is_in_own = !can_own && parent.as_ref().is_some_and(is_owned);
            if !is_owned(name) && !is_in_own {
                let message = format!("`{}` is private, but no guard checks its owner", name.text);
                let help = match can_own {
                    true => format!("add `owner {}` to `guards`", name.text),
                    false => format!("find it in a record that the caller owns: `exists {} in …`", name.text),
                };
                let diagnostic = Diagnostic::new(Rule::GuardPrivate, name.at, message).help(help);
                diagnostics.push(diagnostic.declared(declared));
            }
        }
    }
}

/// `guard-plan`: a guard on a plan that the caller cannot have.
pub(super) fn guard_plan(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for operation in operations(spec) {
        let plans = operation.endpoint.guards.iter().filter_map(|guard| match guard {
            Guard::Plan(plan) => Some(plan),
            _ => None,
        });
        let mut first: Option<&Word> = None;
        for plan in plans {
            if let Some(first) = first {
                let diagnostic = Diagnostic::new(Rule::GuardPlan, plan.at, "there is already a guard `plan`");
                diagnostics.push(diagnostic.related(first.at, "first given here"));
            } else {
                check_plan(operation, plan, diagnostics);
                first = Some(plan);
            }
        }
    }
}

fn check_plan(operation: LocatedOperation<'_>, plan: &Word, diagnostics: &mut Vec<Diagnostic>) {
    let Some(credential) = operation.credential() else {
        if operation.surface.credential.is_none() {
            let message = "callers of this surface are unknown, so none can have a plan";
            diagnostics.push(Diagnostic::new(Rule::GuardPlan, plan.at, message));
        }
        return;
    };
    let (Some(caller), Some(field)) = (&credential.caller, &credential.plan) else {
        let message = "the credential of this surface has no `plan`";
        let diagnostic = Diagnostic::new(Rule::GuardPlan, plan.at, message);
        return diagnostics.push(operation.with_credential(diagnostic));
    };
    let used = find(&operation.spec.resources, &caller.text).and_then(|resource| find(&resource.fields, &field.text));
    if let Some(plans) = used.and_then(|used| enum_of(operation.spec, used)) {
        check_value(plan, plans, diagnostics);
    }
}
