//! The description of an operation and of its parameters.

use super::words::{self, joined};
use super::{events, lists, realms};
use crate::model::{Effect, Exists, Field, GuardKind, Kind, Model, Operation, Surface, Target};

/// The description of a parameter: the text of the contract, and the parameter's effect on a list.
pub(crate) fn parameter(model: &Model, operation: &Operation, field: &Field) -> Option<String> {
    let of_feed = events::parameter(operation, &field.name).map(str::to_owned);
    let of_list = of_feed.or_else(|| lists::parameter(model, operation, &field.name));
    let of_id = || match &field.of.kind {
        Kind::Id(resource) => Some(format!("The id of the {}.", model.resource(resource).noun)),
        _ => None,
    };
    match (&field.doc, of_list) {
        // The generated text would repeat the contract's.
        (Some(doc), _) if lists::is_of_pages(operation, &field.name) => Some(doc.clone()),
        (Some(doc), Some(more)) => Some(joined(doc, &more)),
        (Some(doc), None) => Some(doc.clone()),
        (None, of_list) => of_list.or_else(of_id),
    }
}

/// The purpose, the requirements and the promises of an operation, one sentence a line.
pub(crate) fn operation(model: &Model, surface: &Surface, operation: &Operation) -> String {
    let mut lines: Vec<String> = Vec::new();
    lines.extend(operation.guard_kinds().map(|guard| match guard {
        GuardKind::Plan(plan) => words::plan_line(plan),
        GuardKind::Exists(exists) => exists_line(model, exists),
        GuardKind::Owner(resource) => words::owned_line(model, operation, resource),
    }));
    lines.extend(
        operation
            .quotas
            .iter()
            .map(|name| words::quota(model, model.quota(name))),
    );
    lines.extend(words::transitions(model, operation));
    lines.extend(
        operation
            .effects
            .iter()
            .map(|effect| effect_line(model, surface, effect)),
    );
    let tried = operation.dry_run.as_ref();
    lines.extend(tried.map(|tried| format!("Checks all that `{}` checks, and does nothing.", tried.text)));
    lines.extend(lists::counts(operation));
    lines.extend(operation.undeclared.clone());
    lines.extend(lists::always(operation));
    lines.extend(lists::nearest(operation));
    lines.extend(realms::of_list(model, surface, operation));
    let constraints = operation.constraints.iter();
    lines.extend(constraints.map(|(lower, upper)| format!("`{lower}` must not be greater than `{upper}`.")));
    lines.extend(words::sorted(operation));
    lines.extend(words::file(operation));
    lines.extend(words::content(model, operation));
    if operation.body.is_some() {
        lines.push(format!("The body has at most {} bytes.", operation.max_bytes));
    }
    let credential = model.credential_of(surface);
    lines.extend(operation.limit.iter().map(|name| {
        let limited = words::limit(model.limit(name), words::counted_by(model, surface));
        format!("Counts against the limit `{name}`: {limited}.")
    }));
    lines.extend(credential.map(|credential| format!("Requires a credential in the header `{}`.", credential.header)));
    let lines: Vec<String> = lines.iter().map(|line| format!("- {line}")).collect();
    let doc = operation.doc.clone().unwrap_or_else(|| words::summary(operation) + ".");
    if lines.is_empty() {
        doc
    } else {
        format!("{doc}\n\n{}", lines.join("\n"))
    }
}

fn exists_line(model: &Model, exists: &Exists) -> String {
    let noun = &model.resource(&exists.resource).noun;
    let id = exists.id.name();
    let within = exists.parent.as_ref().map(|(parent, _)| &model.resource(parent).noun);
    let within = within.map_or_else(String::new, |parent| format!(" and belong to the {parent}"));
    let given = if exists.is_optional { ", if it is given" } else { "" };
    format!("The {noun} `{id}` must exist{within}{given}.")
}

fn effect_line(model: &Model, surface: &Surface, effect: &Effect) -> String {
    let noun = |resource: &str| model.resource(resource).noun.as_str();
    let known = |target: &Target| match target {
        Target::Made(resource) | Target::Found(resource) => format!("the {}", noun(resource)),
        Target::Caller => {
            let caller = model.credential_of(surface).and_then(|one| one.caller.as_ref());
            caller.map_or_else(
                || "the caller".to_owned(),
                |caller| format!("the calling {}", noun(&caller.resource)),
            )
        }
    };
    match effect {
        Effect::Make { resource, one_for, .. } if !one_for.is_empty() => {
            format!("Creates one {}, or changes the one that there is.", noun(resource))
        }
        Effect::Make { resource, each, .. } => match each {
            Some(each) => format!("Creates one {} for each item of `{each}`: all or none.", noun(resource)),
            None => format!("Creates one {}.", noun(resource)),
        },
        Effect::Change { target, .. } => format!("Changes the members of {} that the body has.", known(target)),
        Effect::End { resource, .. } => format!("Deletes the {}.", noun(resource)),
        Effect::Renew { credential, target, .. } => {
            let header = &model.credential(credential).header;
            format!(
                "Replaces the credential for `{header}` of {}: the former one ends.",
                known(target)
            )
        }
        Effect::Revoke { credential, target, .. } => {
            let header = &model.credential(credential).header;
            format!("Ends the credential for `{header}` of {}.", known(target))
        }
    }
}
