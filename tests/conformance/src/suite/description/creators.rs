//! Finds the operation that creates items of a list, the value that it gives each field, and how items reach other
//! states.

use crate::contract::Operation;
use crate::lists::description::{Creator, Origin};
use crate::suite::description::fields::{is_same, untouched};
use codegen::model::{Body, Data, Field, Filter, FilterBy, Kind, Resource, Source, Type};

/// How a request to `maker` creates an item that the list can show; `None` if it creates none.
pub(super) fn creator(list: &Operation, resource: &'static Resource, maker: &'static Operation) -> Option<Creator> {
    let Some(Data::Members(answered)) = &maker.declared.data else {
        return None;
    };
    let first = answered.iter().find(|member| id_of(&member.of).is_some())?;
    if id_of(&first.of) != Some(&resource.name) || named(maker).contains(&resource.name.as_str()) {
        return None;
    }
    let same_callers = maker.surface.credential == list.surface.credential;
    let may_be_named = |filter: &Filter| match &filter.by {
        FilterBy::Caller => same_callers || caller_of(list).is_some_and(|caller| named(maker).contains(&caller)),
        FilterBy::Path(name) => {
            let field = list.declared.path.iter().find(|field| field.name == *name);
            field
                .and_then(|field| id_of(&field.of))
                .is_some_and(|id| named(maker).contains(&id))
        }
        _ => true,
    };
    if !list.declared.filters.iter().all(may_be_named) {
        return None;
    }
    let origin = |field: &'static Field| Some((field.name.as_str(), origin(resource, maker, field)?));
    Some(Creator {
        operation: maker,
        id: &first.name,
        fields: resource.fields.iter().filter_map(origin).collect(),
        may_repeat: maker.rules().next().is_none(),
        mover: mover(list, resource, maker),
    })
}

fn origin(resource: &Resource, maker: &'static Operation, field: &'static Field) -> Option<Origin> {
    let model = maker.contract.model;
    if id_field(resource).is_some_and(|own| own.name == field.name) {
        return Some(Origin::Id);
    }
    let body = maker.declared_body();
    let makes_it = |body: &Body| body.resource.as_ref() == Some(&resource.name);
    let member = body.and_then(|body| body.members.iter().find(|member| member.field.name == field.name));
    if let Some(member) = member {
        let otherwise = if member.of_record {
            untouched(model, field)
        } else {
            untouched(model, &member.field)
        };
        let is_list = model.item_kind(&member.field.of).is_some();
        let is_one = is_same(&member.field.of, &field.of) || (is_list && field.of.list);
        return is_one.then_some(Origin::Member(&member.field.name, otherwise));
    }
    if let Some(of) = id_of(&field.of) {
        if let Some(named) = named(maker).into_iter().find(|named| *named == of) {
            return Some(Origin::Named(named));
        }
        if caller_of(maker) == Some(of) {
            return Some(Origin::Caller);
        }
    }
    let known = field.of.has_states || body.is_some_and(makes_it);
    known.then(|| untouched(model, field))?.map(Origin::Always)
}

/// How items reach the states that a filter needs: an operation that the creator may call, and that names no resources
/// beyond those that the creation named.
fn mover(list: &Operation, resource: &Resource, maker: &Operation) -> Option<&'static Operation> {
    let movers = list.contract.operations().iter().filter_map(|operation| {
        let moves = operation.transitions.as_ref()?;
        let is_asked = |filter: &Filter| matches!(&filter.field, Source::Stored(field) if *field == moves.states.of.1);
        let knows = |name: &&str| *name == resource.name || named(maker).contains(name);
        let may = if operation.surface.credential == maker.surface.credential {
            operation.plan.is_none() || operation.plan == maker.plan
        } else {
            operation.owned.is_empty() && caller_of(operation).is_none()
        };
        let ways = moves.ways().len() - 1;
        let can = may && operation.rules().next().is_none() && named(operation).iter().all(knows);
        let wanted = moves.resource.name == resource.name && list.declared.filters.iter().any(is_asked);
        (wanted && can && ways > 0).then_some((ways, *operation))
    });
    let best = movers.min_by_key(|(ways, _)| std::cmp::Reverse(*ways));
    best.map(|(_, operation)| operation)
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
fn named(operation: &Operation) -> Vec<&'static str> {
    let members = operation.declared_body().map_or(&[][..], |body| &body.members);
    let path = operation.declared.path.iter();
    let fields = path.chain(members.iter().map(|member| &member.field));
    fields.filter_map(|field| id_of(&field.of)).collect()
}

/// The resource that calls an operation.
pub(super) fn caller_of(operation: &Operation) -> Option<&'static str> {
    let caller = operation.credential?.caller.as_ref();
    caller.map(|caller| caller.resource.as_str())
}
