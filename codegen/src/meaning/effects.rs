//! Resolves what an operation does: `makes`, `changes`, `ends`, `renews`, `revokes`.

use super::fills::Filling;
use super::{Known, credential, resource};
use crate::diagnostic::{Diagnostic, Rule};
use crate::model::{Body, Effect, Field, Fill, Kind, Model, Operation, Origin, Surface, Target, TypeRule};
use crate::syntax::{Endpoint, Made, Spec, Word};

pub(super) fn declare(spec: &Spec, model: &mut Model, diagnostics: &mut Vec<Diagnostic>) {
    let seen = model.clone();
    let endpoints = spec.surfaces.iter().flat_map(|(_, surface)| &surface.endpoints);
    let operations = seen.operations().zip(endpoints);
    let effects: Vec<Vec<Effect>> = operations
        .map(|((surface, operation), (_, endpoint))| of_operation(&seen, (surface, operation), endpoint, diagnostics))
        .collect();
    let operations = model.surfaces.iter_mut().flat_map(|surface| &mut surface.operations);
    for (operation, effects) in operations.zip(effects) {
        operation.effects = effects;
    }
    for surface in &mut model.surfaces {
        let done: Vec<_> = surface
            .operations
            .iter()
            .map(|one| (one.name.clone(), one.effects.clone()))
            .collect();
        for operation in &mut surface.operations {
            let tried = operation.dry_run.as_ref().map(|tried| &tried.text);
            let effects = done.iter().find(|(name, _)| Some(name) == tried);
            operation.tried = effects.map(|(_, effects)| effects.clone()).unwrap_or_default();
        }
    }
    if diagnostics.is_empty() {
        diagnostics.extend(without_effect(model));
    }
}

fn of_operation(
    model: &Model,
    (surface, operation): (&Surface, &Operation),
    endpoint: &Endpoint,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Effect> {
    let known = Known::for_operation(model, surface, operation);
    let mut effects = Vec::new();
    if let Some(name) = &endpoint.changes {
        effects.extend(change(&known, name, diagnostics));
    }
    if let Some(puts) = &endpoint.puts {
        for (name, one) in puts {
            effects.extend(put(&known, operation, (name, one), diagnostics));
        }
    }
    if let Some(makes) = &endpoint.makes {
        let made: Vec<&str> = makes.iter().map(|(name, _)| name.text.as_str()).collect();
        let makes = makes.iter();
        let made = makes.filter_map(|(name, one)| make(&known, operation, (name, one), &made, diagnostics));
        effects.extend(in_order(made.collect()));
    }
    if let Some(name) = &endpoint.renews {
        effects.extend(renew(&known, operation, name, diagnostics));
    }
    if let Some(name) = &endpoint.revokes {
        effects.extend(revoke(&known, operation, name, diagnostics));
    }
    if let Some(name) = &endpoint.ends
        && resource(model, name, diagnostics).is_some()
    {
        match known.target(&name.text) {
            Some(Target::Found(resource)) => effects.push(Effect::End { resource, at: name.at }),
            _ => diagnostics.push(no_target(&known, name)),
        }
    }
    effects
}

/// `no-effect`: an operation that declares nothing, although others do.
fn without_effect(model: &Model) -> impl Iterator<Item = Diagnostic> {
    let operations = model.operations().map(|(_, operation)| operation);
    let silent = operations.filter(|operation| {
        let is_declared = !operation.effects.is_empty() || operation.transitions.is_some();
        let is_declared = is_declared || operation.undeclared.is_some() || operation.dry_run.is_some();
        operation.method != "GET" && !is_declared
    });
    silent.map(|operation| {
        let message = format!("`{}` declares no effect, but other endpoints do", operation.name);
        let help = "write what it `makes`, `puts`, `changes`, `ends`, `renews` or `revokes`, its `transitions`, or in `undeclared` why the \
                    contract cannot say";
        Diagnostic::new(Rule::NoEffect, operation.at, message).help(help)
    })
}

fn no_target(known: &Known<'_>, name: &Word) -> Diagnostic {
    let message = format!("`{}` finds no `{}`", known.operation.name, name.text);
    Diagnostic::new(Rule::EffectTarget, name.at, message).help(known.help_to_find(&name.text))
}

fn change(known: &Known<'_>, name: &Word, found: &mut Vec<Diagnostic>) -> Option<Effect> {
    resource(known.model, name, found)?;
    let Some(target) = known.target(&name.text) else {
        found.push(no_target(known, name));
        return None;
    };
    Some(Effect::Change {
        resource: name.text.clone(),
        target,
        at: name.at,
    })
}

fn renew(known: &Known<'_>, operation: &Operation, name: &Word, found: &mut Vec<Diagnostic>) -> Option<Effect> {
    Some(Effect::Renew {
        credential: name.text.clone(),
        target: holder(known, operation, name, found)?,
        at: name.at,
    })
}

fn revoke(known: &Known<'_>, operation: &Operation, name: &Word, found: &mut Vec<Diagnostic>) -> Option<Effect> {
    let target = holder(known, operation, name, found)?;
    let fields = known.model.resources.iter().flat_map(|one| &one.fields);
    let is_of_it =
        |field: &&Field| matches!(&field.origin, Some(Origin::Digest(of) | Origin::Start(of)) if *of == name.text);
    for field in fields.filter(is_of_it).filter(|field| !field.of.optional) {
        let message = format!(
            "`{}` leaves `{}` without a value, which it must have",
            operation.name, field.name
        );
        let help = format!("write `{}: string?`", field.name);
        found.push(
            Diagnostic::new(Rule::EffectTarget, name.at, message)
                .related(field.at, "not optional")
                .help(help),
        );
    }
    Some(Effect::Revoke {
        credential: name.text.clone(),
        target,
        at: name.at,
    })
}

/// The record that has a credential.
fn holder(known: &Known<'_>, operation: &Operation, name: &Word, found: &mut Vec<Diagnostic>) -> Option<Target> {
    let of = credential(known.model, name, found)?;
    let whose = of.caller.as_ref().map(|caller| caller.limited_by.as_str());
    let target = whose.and_then(|whose| known.target(whose));
    if target.is_none() {
        let message = match whose {
            Some(whose) => format!("`{}` finds no `{whose}`, which has the credential", operation.name),
            None => format!(
                "a `{}` is of no record, so no endpoint can replace or end it",
                name.text
            ),
        };
        let diagnostic = Diagnostic::new(Rule::EffectTarget, name.at, message);
        found.push(match whose.filter(|whose| known.optional_id(whose).is_some()) {
            Some(whose) => diagnostic.help(known.help_to_find(whose)),
            None => diagnostic,
        });
    }
    target
}

fn make(
    known: &Known<'_>,
    operation: &Operation,
    (name, one): (&Word, &Made),
    made: &[&str],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Effect> {
    let of = resource(known.model, name, diagnostics)?;
    let body = known.model.body(operation);
    let mut members: Vec<&str> = body.map(names).unwrap_or_default();
    if operation.file.is_some() {
        // Beside a file, the query says what a body would.
        members.extend(operation.query.iter().map(|field| field.name.as_str()));
    }
    let all = members.clone();
    if let Some(each) = &one.each {
        members = items(known.model, body, each, diagnostics)?;
    }
    let filling = Filling {
        known,
        operation,
        of,
        made,
        members: &members,
        body: &all,
    };
    Some(Effect::Make {
        resource: name.text.clone(),
        each: one.each.as_ref().map(|each| each.text.clone()),
        fills: filling.all(&one.fields, name.at, diagnostics),
        one_for: Vec::new(),
        at: name.at,
    })
}

/// A new record, or the one that there is for the same others.
fn put(
    known: &Known<'_>,
    operation: &Operation,
    (name, one): (&Word, &Made),
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Effect> {
    let mut effect = make(known, operation, (name, one), &[&name.text], diagnostics)?;
    let Effect::Make { fills, one_for, .. } = &mut effect else {
        return None;
    };
    let of = resource(known.model, name, diagnostics)?;
    let ids = fills.iter().filter(|(field, fill)| {
        matches!(fill, Fill::IdOf(Target::Found(_) | Target::Caller)) && !of.field(field).of.optional
    });
    *one_for = ids.map(|(field, _)| field.clone()).collect();
    let mut report = |message: String, help: &str| {
        diagnostics.push(Diagnostic::new(Rule::BadMakes, name.at, message).help(help));
    };
    let is_counted = |quota: &&Word| known.model.quota(quota).records() == Some(&name.text);
    if let Some(quota) = operation.quotas.iter().find(is_counted) {
        report(
            format!(
                "`{}` counts each record that is put, also one that is there",
                quota.text
            ),
            "count what other endpoints make",
        );
    } else if one.each.is_some() {
        report("several records are not put at once".to_owned(), "use `makes`");
    } else if one_for.is_empty() {
        let message = format!(
            "nothing says which `{}` is replaced: it has no id that a guard finds or the caller",
            name.text
        );
        report(message, "add a field with such an id, or use `makes`");
    }
    Some(effect)
}

/// New records, those first whose ids others hold.
fn in_order(mut makes: Vec<Effect>) -> Vec<Effect> {
    let mut ordered = Vec::new();
    while !makes.is_empty() {
        let holds = |effect: &Effect, other: &Effect| match (effect, other) {
            (Effect::Make { fills, .. }, Effect::Make { resource, .. }) => {
                let id = Fill::IdOf(Target::Made(resource.clone()));
                fills.iter().any(|(_, fill)| *fill == id)
            }
            _ => false,
        };
        let first = makes
            .iter()
            .position(|one| !makes.iter().any(|other| holds(one, other)));
        ordered.push(makes.remove(first.unwrap_or(0)));
    }
    ordered
}

fn names(body: &Body) -> Vec<&str> {
    body.members.iter().map(|member| member.field.name.as_str()).collect()
}

/// The members of the items of a list in a body.
fn items<'m>(
    model: &'m Model,
    body: Option<&'m Body>,
    each: &Word,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<&'m str>> {
    let member = body.and_then(|body| body.members.iter().find(|member| member.field.name == each.text));
    let kind = member.and_then(|member| match &member.field.of {
        of if of.list => Some(&of.kind),
        of => match &of.kind {
            Kind::Named(name) => match &model.named_type(name).rule {
                TypeRule::List { of, .. } => Some(&of.kind),
                _ => None,
            },
            _ => None,
        },
    });
    match kind {
        Some(Kind::Input(name)) => Some(names(&model.input(name).body)),
        Some(Kind::Object(name)) => {
            let members = model.object(name).members.iter();
            Some(members.map(|member| member.name.as_str()).collect())
        }
        _ => {
            let message = format!("the body has no list of objects `{}`", each.text);
            diagnostics.push(Diagnostic::new(Rule::BadMakes, each.at, message));
            None
        }
    }
}
