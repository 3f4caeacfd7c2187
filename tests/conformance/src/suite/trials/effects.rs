//! Tests of the declared effects: what follows from a change elsewhere, what a change leaves alone, ids, times, credentials.

use crate::contract::Operation;
use crate::effects::{Invalid, changed_member, is_readable};
use crate::suite::leak_all;
use crate::suite::trials::rule::Rule;
use crate::suite::trials::{Trials, calls, holds};
use crate::types::{Member, Type};
use codegen::model::{AnswerFrom, Credential, Data, Effect, Field, Fill, Kind, Origin, Resource, Target};

pub(super) fn add(operation: &'static Operation, trials: &mut Trials) {
    two_errors(operation, trials);
    if operation.declared.method == "GET" {
        if is_readable(operation) {
            super::sources::add(operation, trials);
            super::distinct::add(operation, trials);
        }
        super::searches::add(operation, trials);
        super::events::add(operation, trials);
        return;
    }
    unchanged(operation, trials);
    ended(operation, trials);
    made(operation, trials);
    renewed(operation, trials);
    revoked(operation, trials);
}

/// Two places that are invalid at once: the first and the last of each kind.
fn two_errors(operation: &'static Operation, trials: &mut Trials) {
    let parameters = operation
        .query
        .iter()
        .filter(|one| is_comparable(one))
        .map(Invalid::Parameter);
    let members = operation.members().iter().map(Invalid::Member);
    let all: Vec<Invalid> = parameters.chain(members).collect();
    if let [first, .., last] = all.as_slice() {
        let both = [*first, *last];
        let rule = Rule::new("one response reports all that is invalid", operation.declared.at);
        trials.invalid("two_errors_are_reported", &rule, calls!(.names_both(both)));
    }
}

/// Whether an operation shows the new record: a list that is filtered by a field without a value does not.
fn is_shown_at_first(operation: &Operation, resource: &Resource, fills: &[(String, Fill)]) -> bool {
    let is_unset = |name: &str| {
        fills
            .iter()
            .any(|(field, fill)| field == name && *fill == Fill::Nothing)
    };
    let mut operations = operation.contract.operations().iter();
    operations.any(|one| match &one.declared.data {
        Some(Data::One { resource: of, .. }) => *of == resource.name,
        Some(Data::Many { resource: of, .. }) => {
            let mut filters = one.declared.filters.iter();
            *of == resource.name && filters.all(|filter| !is_unset(filter.field.field()))
        }
        _ => false,
    })
}

/// Whether some text is no value of the parameter.
fn is_comparable(parameter: &Member) -> bool {
    match parameter.of {
        Type::Text { min, .. } => *min > 0,
        of => !crate::sample::wrong_texts(of).is_empty(),
    }
}

fn unchanged(operation: &'static Operation, trials: &mut Trials) {
    let declared = operation.declared;
    let Some(resource) = subject(operation).filter(|_| declared.undeclared.is_none()) else {
        return;
    };
    let fields = resource.fields.iter().map(|field| field.name.as_str());
    let fields: Vec<&'static str> = fields
        .filter(|field| changed_member(operation, &resource.name, field).is_some())
        .collect();
    for field in &fields {
        let field: &'static str = field;
        let rule = Rule::new(format!("a change of `{field}` changes nothing else"), declared.at);
        let calls = calls!(.changes_nothing_else(resource, Some(field)));
        trials.accepts(&format!("{field}_changes_nothing_else"), &rule, calls);
    }
    if fields.is_empty() {
        let rule = Rule::new("its declared effects are all that it changes", declared.at);
        let calls = calls!(.changes_nothing_else(resource, None));
        trials.accepts("changes_nothing_else", &rule, calls);
    }
}

/// The resource of the record that the operation changes, or to which it adds another one.
fn subject(operation: &Operation) -> Option<&'static Resource> {
    let model = operation.contract.model;
    let acting = || {
        operation
            .credential?
            .caller
            .as_ref()
            .map(|acting| acting.resource.as_str())
    };
    let of_target = |target: &'static Target| match target {
        Target::Found(resource) => Some(resource.as_str()),
        Target::Caller => acting(),
        Target::Made(_) => None,
    };
    let moved = operation.transitions.as_ref().map(|moves| moves.resource.name.as_str());
    let mut effects = operation.declared.effects.iter();
    let changed = effects.find_map(|effect| match effect {
        Effect::Change { resource, .. } | Effect::End { resource, .. } => Some(resource.as_str()),
        Effect::Renew { target, .. } | Effect::Revoke { target, .. } => of_target(target),
        Effect::Make { .. } => None,
    });
    let makes = !operation.declared.effects.is_empty();
    let named = operation.exists.last().map(|exists| exists.resource.name.as_str());
    let added = named.or_else(acting).filter(|_| makes);
    moved.or(changed).or(added).map(|name| model.resource(name))
}

fn ended(operation: &'static Operation, trials: &mut Trials) {
    let model = operation.contract.model;
    for effect in &operation.declared.effects {
        let Effect::End { resource, at } = effect else { continue };
        let resource = model.resource(resource);
        let rule = Rule::new(format!("the id of a deleted {} is not used again", resource.noun), *at);
        trials.accepts("id_is_not_used_again", &rule, calls!(.ends_an_id(resource)));
        // A caller whose own credential ends with the record is rejected before.
        let names_it = |one: &&Operation| {
            let mut exists = one.exists.iter();
            exists.any(|exists| exists.resource.name == resource.name) && !one.acts_by(&resource.name)
        };
        let others = operation
            .contract
            .operations()
            .iter()
            .copied()
            .filter(|one| one.name != operation.name);
        for other in others.filter(names_it) {
            let rule = Rule::new(
                format!("a deleted {} does not exist for `{}`", resource.noun, other.name),
                *at,
            );
            let name = format!("ends_it_for_{}", other.declared.name);
            trials.accepts(&name, &rule, calls!(.ends_it_for(resource, other)));
        }
    }
    let makers = operation.contract.operations().iter().copied();
    for maker in makers {
        let Some(quota) = maker.quota.filter(|quota| quota.window_seconds.is_none()) else {
            continue;
        };
        let of = quota.records().unwrap_or_default();
        let room = match &quota.only {
            None => operation.declared.ends(of).then_some(None),
            Some(is) => operation
                .transitions
                .as_ref()
                .filter(|moves| moves.resource.name == of && moves.states.of.1 == is.field)
                .and_then(|moves| {
                    let counts = |state: &str| is.holds(state);
                    let mut words = moves.words.iter();
                    let out = words.find(|word| !counts(word) && moves.may_become(&moves.states.initial, word))?;
                    Some(Some((moves.member, out.as_str())))
                }),
        };
        if let Some(moved) = room {
            let words = format!(
                "quotas.{}: one that does not count any more makes room for one",
                quota.name
            );
            let name = format!("makes_room_for_{}", maker.declared.name);
            trials.accepts(&name, &Rule::new(words, quota.at), calls!(.makes_room(maker, moved)));
        }
    }
}

fn made(operation: &'static Operation, trials: &mut Trials) {
    let model = operation.contract.model;
    for effect in &operation.declared.effects {
        let Effect::Make {
            resource, fills, at, ..
        } = effect
        else {
            continue;
        };
        let resource = model.resource(resource);
        let is_now = |field: &&'static Field| {
            let is_filled = |(name, fill): &(String, Fill)| *name == field.name && *fill == Fill::Origin;
            field.origin == Some(Origin::Now) && field.of.kind == Kind::Timestamp && fills.iter().any(is_filled)
        };
        let times = leak_all(resource.fields.iter().filter(is_now).map(|field| field.name.as_str()));
        if !times.is_empty() {
            let rule = Rule::new(format!("`{}` is the time of the request", times.join("`, `")), *at);
            let name = format!("{}_is_dated", resource.name);
            trials.accepts(&name, &rule, calls!(.dates_new_records(resource, times)));
        }
        if fills.iter().any(|(_, fill)| matches!(fill, Fill::Literal(_)))
            && is_shown_at_first(operation, resource, fills)
        {
            let rule = Rule::new(format!("a new {} has the fixed values (`makes`)", resource.noun), *at);
            let name = format!("{}_has_fixed_values", resource.name);
            trials.accepts(&name, &rule, calls!(.fills_fixed_values(resource)));
        }
        let is_free = operation.quotas.is_empty() && operation.rules().next().is_none();
        if is_free && operation.makes(&resource.name) {
            let rule = Rule::new(format!("each request makes a new {}", resource.noun), *at);
            let name = format!("{}_is_new_each_time", resource.name);
            trials.accepts(&name, &rule, calls!(.makes_a_new_one_each_time(resource)));
        }
        for kind in minted(operation) {
            let of_kind = |field: &&Field| matches!(&field.origin, Some(Origin::Start(of)) if *of == kind.name);
            if let Some(field) = resource.fields.iter().find(of_kind) {
                let shown = kind.shown.unwrap_or_default();
                let rule = Rule::new(
                    format!("`{}`: the first {shown} characters, and `...`", field.name),
                    field.at,
                );
                let name = format!("{}_is_the_start", field.name);
                trials.accepts(&name, &rule, calls!(.shows_the_start(kind, resource)));
            }
        }
    }
}

/// The kinds of the credentials that it answers with.
fn minted(operation: &Operation) -> impl Iterator<Item = &'static Credential> {
    let model = operation.contract.model;
    operation.declared.answers.iter().filter_map(|from| match from {
        AnswerFrom::Secret(kind) => Some(model.credential(kind)),
        _ => None,
    })
}

fn renewed(operation: &'static Operation, trials: &mut Trials) {
    for kind in minted(operation) {
        let of = subject(operation).filter(|_| operation.renews(&kind.name).is_some());
        let door = holds::doors(operation).find(|door| door.credential.is_some_and(|one| one.name == kind.name));
        if let Some((of, door)) = of.zip(door) {
            let rule = Rule::new(
                format!("a new {} replaces the former one, and no other", kind.name),
                operation.declared.at,
            );
            let calls = calls!(.replaces_a_credential(kind, of, door));
            trials.accepts("former_credential_ends", &rule, calls);
        }
    }
}

fn revoked(operation: &'static Operation, trials: &mut Trials) {
    for effect in &operation.declared.effects {
        let Effect::Revoke { credential, at, .. } = effect else {
            continue;
        };
        let kind = operation.contract.model.credential(credential);
        let is_itself = |of: &&Resource| kind.caller.as_ref().is_some_and(|caller| caller.resource == of.name);
        let door = holds::doors(operation).find(|door| door.credential.is_some_and(|one| one.name == *credential));
        if let Some((of, door)) = subject(operation).filter(is_itself).zip(door) {
            let rule = Rule::new(format!("the {credential} ends, and no other"), *at);
            trials.accepts("credential_ends", &rule, calls!(.ends_a_credential(kind, of, door)));
        }
    }
}
