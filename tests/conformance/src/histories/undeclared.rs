//! Fields whose values the contract does not declare.

use super::elsewhere::{is_from_elsewhere, unknown_fields};
use codegen::Model;
use codegen::model::{AnswerFrom, Effect, Field, Fill, Kind, Operation, Origin, Resource, Target};
use std::collections::HashSet;

/// Fields whose values the contract does not declare.
pub(super) fn undeclared(model: &Model) -> HashSet<(&str, &str)> {
    let joined = model.resources.iter().flat_map(|resource| {
        let own = resource.joined.iter().filter(|field| field.origin.is_none());
        own.map(|field| (resource.name.as_str(), field.name.as_str()))
    });
    let effects = model.operations().flat_map(|(_, operation)| &operation.effects);
    let filled = effects.flat_map(|effect| match effect {
        Effect::Make { resource, fills, .. } => {
            let open = fills.iter().filter(|(_, fill)| *fill == Fill::Undeclared);
            open.map(|(field, _)| (resource.as_str(), field.as_str())).collect()
        }
        _ => Vec::new(),
    });
    let of_handlers = model.resources.iter().flat_map(|resource| {
        let own = resource
            .fields
            .iter()
            .filter(|field| is_handlers(model, resource, field));
        own.map(|field| (resource.name.as_str(), field.name.as_str()))
    });
    let unnamed: Vec<&str> = model
        .operations()
        .flat_map(|(_, operation)| made_unnamed(operation))
        .chain(given(model))
        .collect();
    let names = |field: &&Field| match &field.of.kind {
        Kind::Id(named) => unnamed.contains(&named.as_str()),
        _ => false,
    };
    let ids = model.resources.iter().flat_map(|resource| {
        let own = resource.fields.iter().filter(names);
        own.map(|field| (resource.name.as_str(), field.name.as_str()))
    });
    let of_given = given(model).flat_map(|name| {
        let own = model
            .resource(name)
            .fields
            .iter()
            .filter(|field| field.origin.is_none());
        own.map(move |field| (name, field.name.as_str()))
    });
    let all = joined.chain(filled).chain(of_handlers).chain(ids).chain(of_given);
    let all = all.chain(unknown_fields(model));
    let mut undeclared: HashSet<_> = all.collect();
    loop {
        let before = undeclared.len();
        for resource in &model.resources {
            for field in resource.fields.iter().chain(&resource.joined) {
                if let Some(Origin::Follow { ids, field: last }) = &field.origin {
                    let mut of = resource.name.as_str();
                    let mut is_undeclared = false;
                    for (id, next) in ids {
                        is_undeclared |= undeclared.contains(&(of, id.as_str()));
                        of = next;
                    }
                    if is_undeclared || undeclared.contains(&(of, last.as_str())) {
                        undeclared.insert((&resource.name, &field.name));
                    }
                }
            }
        }
        if undeclared.len() == before {
            return undeclared;
        }
    }
}

/// Callers whom no operation makes, and what their limits count by: they come with the credentials that the verifier is given.
pub(super) fn given(model: &Model) -> impl Iterator<Item = &str> {
    let callers = model
        .credentials
        .iter()
        .filter_map(|credential| credential.caller.as_ref());
    let resources = callers.flat_map(|caller| [caller.resource.as_str(), &caller.limited_by]);
    resources.filter(move |name| is_from_elsewhere(model, name))
}

/// The resources of which an operation makes records whose ids its answer does not show: the server's ids are unknown.
fn made_unnamed(operation: &Operation) -> impl Iterator<Item = &str> {
    let is_named = |made: &str| {
        operation.answers.iter().any(|answer| match answer {
            AnswerFrom::Id(Target::Made(of)) | AnswerFrom::View(Target::Made(of)) | AnswerFrom::Ids(of) => of == made,
            _ => false,
        })
    };
    operation.effects.iter().filter_map(move |effect| match effect {
        Effect::Make { resource, .. } if !is_named(resource) => Some(resource.as_str()),
        _ => None,
    })
}

/// Whether an operation that does more than the contract declares may set a field: no declared effect does.
fn is_handlers(model: &Model, resource: &Resource, field: &Field) -> bool {
    let operations = || model.operations().map(|(_, operation)| operation);
    let mut undeclared = operations().filter(|operation| operation.undeclared.is_some() && operation.method != "GET");
    let mut effects =
        operations().flat_map(|operation| operation.effects.iter().map(move |effect| (operation, effect)));
    undeclared.any(|operation| operation.exists().any(|guard| guard.resource == resource.name))
        && field.origin.is_none()
        && !field.of.has_states
        && !effects.any(|(operation, effect)| match effect {
            Effect::Make {
                resource: of, fills, ..
            } if *of == resource.name => fills
                .iter()
                .any(|(name, fill)| *name == field.name && !matches!(fill, Fill::Nothing | Fill::Undeclared)),
            Effect::Change { resource: of, .. } if *of == resource.name => {
                let body = model.body(operation).into_iter();
                body.flat_map(|body| &body.members)
                    .any(|member| member.field.name == field.name)
            }
            _ => false,
        })
}
