//! Finds the operation that creates items of a list, the value that it gives each field, and how items reach other
//! states.

use super::Description;
use crate::lists::description::{Creator, Mover, Origin};
use crate::suite::description::fields::{is_same, untouched};
use crate::suite::trials::leak_all;
use codegen::model::{
    Body, BodyMember, Data, Field, Filter, FilterBy, Kind, Model, Operation, Resource, Source, Surface, Type, TypeRule,
};

type ListOf = (&'static Surface, &'static Operation, &'static Resource);

/// How a request to `maker` creates an item that the list can show; `None` if it creates none.
pub(super) fn creator(
    description: &Description,
    (surface, list, resource): ListOf,
    on: &'static Surface,
    maker: &'static Operation,
) -> Option<Creator> {
    let model = description.model;
    let Some(Data::Members(answered)) = &maker.data else {
        return None;
    };
    let first = answered.iter().find(|member| id_of(&member.of).is_some())?;
    if id_of(&first.of) != Some(&resource.name) || named(model, maker).contains(&resource.name.as_str()) {
        return None;
    }
    let same_callers = on.credential == surface.credential;
    let may_be_named = |filter: &Filter| match &filter.by {
        FilterBy::Caller => {
            same_callers || caller_of(model, surface).is_some_and(|caller| named(model, maker).contains(&caller))
        }
        FilterBy::Path(name) => {
            let field = list.path.iter().find(|field| field.name == *name);
            field
                .and_then(|field| id_of(&field.of))
                .is_some_and(|id| named(model, maker).contains(&id))
        }
        _ => true,
    };
    if !list.filters.iter().all(may_be_named) {
        return None;
    }
    let origin = |field: &'static Field| Some((field.name.as_str(), origin(model, resource, on, maker, field)?));
    Some(Creator {
        operation: description.operation(maker),
        id: &first.name,
        fields: leak_all(resource.fields.iter().filter_map(origin)),
        may_repeat: maker.rules.is_empty(),
        mover: mover(description, list, resource, on, maker),
    })
}

fn origin(
    model: &'static Model,
    resource: &'static Resource,
    on: &'static Surface,
    maker: &'static Operation,
    field: &'static Field,
) -> Option<Origin> {
    if id_field(resource).is_some_and(|own| own.name == field.name) {
        return Some(Origin::Id);
    }
    let body = model.body(maker);
    let makes_it = |body: &Body| body.resource.as_ref() == Some(&resource.name);
    let member = body.and_then(|body| body.members.iter().find(|member| member.field.name == field.name));
    if let Some(member) = member {
        let otherwise = if member.of_record {
            untouched(model, field)
        } else {
            untouched(model, &member.field)
        };
        let is_one = is_same(&member.field.of, &field.of) || (is_list(model, member) && field.of.list);
        return is_one.then_some(Origin::Member(&member.field.name, otherwise));
    }
    if let Some(of) = id_of(&field.of) {
        if let Some(named) = named(model, maker).into_iter().find(|named| *named == of) {
            return Some(Origin::Named(named));
        }
        if caller_of(model, on) == Some(of) {
            return Some(Origin::Caller);
        }
    }
    let known = field.of.has_states || body.is_some_and(makes_it);
    known.then(|| untouched(model, field))?.map(Origin::Always)
}

fn is_list(model: &Model, member: &BodyMember) -> bool {
    match &member.field.of.kind {
        Kind::Named(name) => matches!(model.named_type(name).rule, TypeRule::List { .. }),
        _ => member.field.of.list,
    }
}

/// How items reach the states that a filter needs: an operation that the creator may call, and that names no resources
/// beyond those that the creation named.
fn mover(
    description: &Description,
    list: &Operation,
    resource: &Resource,
    on: &Surface,
    maker: &'static Operation,
) -> Option<Mover> {
    let model = description.model;
    let movers = model.operations().filter_map(|(surface, operation)| {
        let described = description.operation(operation);
        let states = described.transitions.as_ref()?;
        let is_asked = |filter: &Filter| matches!(&filter.field, Source::Stored(stored) if stored == states.field);
        let knows = |name: &&str| *name == resource.name || named(model, maker).contains(name);
        let may = if surface.credential == on.credential {
            operation.plan().is_none() || operation.plan() == maker.plan()
        } else {
            operation.owned().next().is_none() && caller_of(model, surface).is_none()
        };
        let ways = states.ways().split_off(1);
        let can = may && operation.rules.is_empty() && named(model, operation).iter().all(knows);
        let wanted = states.resource == resource.name && list.filters.iter().any(is_asked);
        (wanted && can && !ways.is_empty()).then(|| Mover {
            operation: described,
            member: states.member,
            field: states.field,
            ways: leak_all(ways.into_iter().map(leak_all)),
        })
    });
    movers.min_by_key(|mover| std::cmp::Reverse(mover.ways.len()))
}

pub(super) fn id_field(resource: &Resource) -> Option<&Field> {
    let mut fields = resource.fields.iter();
    fields.find(|field| id_of(&field.of) == Some(&resource.name))
}

/// The resource that a value is the id of.
fn id_of(of: &Type) -> Option<&str> {
    match &of.kind {
        Kind::Id(resource) if !of.list => Some(resource),
        _ => None,
    }
}

/// The resources that a request names, each by an id in its path or body.
fn named(model: &'static Model, operation: &'static Operation) -> Vec<&'static str> {
    let members = model.body(operation).map_or(&[][..], |body| &body.members);
    let fields = operation.path.iter().chain(members.iter().map(|member| &member.field));
    fields.filter_map(|field| id_of(&field.of)).collect()
}

pub(super) fn caller_of(model: &'static Model, surface: &Surface) -> Option<&'static str> {
    let credential = model.credential_of(surface)?;
    credential.caller.as_ref().map(|caller| caller.resource.as_str())
}
