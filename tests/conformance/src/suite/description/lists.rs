//! A list and its items.

use super::types::type_of;
use super::{Description, words_of};
use crate::lists::description::{Creator, Filter, FilterBy, List, Mover, Origin, SortKey, Source};
use crate::suite::listed::{self, Creation, Listed, Moving, filter_name, is_told, listed};
use crate::suite::trials::{leak, leak_all};
use codegen::model::{self, Kind, Operation, Surface};

pub(super) fn list(
    description: &Description,
    surface: &'static Surface,
    operation: &'static Operation,
) -> Option<List> {
    let model = description.model;
    let list = listed(model, surface, operation)?;
    let shows = list.view.members.iter().filter(|member| match &list.creation {
        Some(_) => list.is_known(model, &member.source),
        None => matches!(member.source, model::Source::Stored(_)),
    });
    let filters = operation.filters.iter().map(|one| filter(description, operation, one));
    Some(List {
        resource: &list.resource.name,
        id: list.id,
        shows: leak_all(shows.map(|member| (member.shown.as_str(), source(&member.source)))),
        order: leak_all(
            operation
                .sort
                .iter()
                .map(|(field, reversed)| sort_key(description, &list, field, *reversed)),
        ),
        filters: is_told(model, surface, operation).then(|| leak_all(filters)),
        creator: list.creation.as_ref().map(|creation| creator(description, creation)),
    })
}

fn source(source: &'static model::Source) -> Source {
    match source {
        model::Source::Stored(field) | model::Source::Joined(field) => Source::of(field),
        model::Source::Each(field, member) => Source::each(field, member),
    }
}

fn sort_key(description: &Description, list: &Listed, field: &'static str, is_reversed: bool) -> SortKey {
    let shows = |source: &model::Source| matches!(source, model::Source::Stored(stored) if stored == field);
    let shown = list.view.members.iter().find(|member| shows(&member.source));
    SortKey {
        field,
        view_member: shown.map(|member| member.shown.as_str()),
        of: type_of(description.model, &list.resource.field(field).of),
        is_reversed,
    }
}

fn filter(description: &Description, operation: &Operation, filter: &'static model::Filter) -> Filter {
    Filter {
        name: leak(filter_name(operation, filter)),
        rule: leak(filter.to_string()),
        at: description.at(filter.at),
        by: match &filter.by {
            model::FilterBy::Query(parameter, matching) => FilterBy::Query(parameter, *matching),
            model::FilterBy::Path(parameter) => FilterBy::Path(parameter),
            model::FilterBy::Caller => FilterBy::Caller,
            model::FilterBy::Value(value) if matches!(filter.of.kind, Kind::Enum(_)) => {
                FilterBy::Value(leak(format!("\"{value}\"")))
            }
            model::FilterBy::Value(value) => FilterBy::Value(value),
        },
        source: source(&filter.field),
    }
}

fn creator(description: &Description, creation: &Creation) -> Creator {
    let fields = creation.fields.iter();
    Creator {
        operation: description.operation(creation.operation),
        id: creation.id,
        fields: leak_all(fields.map(|(field, origin)| (field.name.as_str(), origin_of(origin)))),
        may_repeat: creation.operation.rules.is_empty(),
        mover: creation.moving.as_ref().map(|moving| mover(description, moving)),
    }
}

fn origin_of(origin: &listed::Origin) -> Origin {
    match origin {
        listed::Origin::Id => Origin::Id,
        listed::Origin::Member(member, otherwise) => Origin::Member(&member.field.name, otherwise.as_ref().map(leak)),
        listed::Origin::Caller => Origin::Caller,
        listed::Origin::Named(resource) => Origin::Named(resource),
        listed::Origin::Always(json) => Origin::Always(leak(json)),
    }
}

fn mover(description: &Description, moving: &Moving) -> Mover {
    Mover {
        operation: description.operation(moving.operation),
        member: moving.member,
        field: moving.field,
        ways: leak_all(moving.ways.iter().map(|way| words_of(way))),
    }
}
