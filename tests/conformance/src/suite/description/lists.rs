//! A list whose items can be told apart by their ids: its items, order and filters, and how items are created.

use super::Description;
use super::creators::{caller_of, creator, id_field};
use super::types::type_of;
use crate::lists::description::{Creator, Filter, FilterBy, List, Origin, SortKey, Source};
use crate::suite::description::fields::is_same;
use crate::suite::trials::{leak, leak_all};
use codegen::model::{self, Data, Field, Kind, Model, Operation, Pages, Resource, Surface, Type, TypeRule};

/// `None` if the operation has no list, or its items do not show their ids.
pub(super) fn list(
    description: &Description,
    surface: &'static Surface,
    operation: &'static Operation,
) -> Option<List> {
    let Some(Data::Many { resource, view }) = &operation.data else {
        return None;
    };
    let model = description.model;
    let resource = model.resource(resource);
    let view = resource.views.iter().find(|one| one.name == *view)?;
    let shown = |field: &str| {
        let is_it = |source: &model::Source| matches!(source, model::Source::Stored(stored) if stored == field);
        let member = view.members.iter().find(|member| is_it(&member.source))?;
        Some(member.shown.as_str())
    };
    let id = shown(&id_field(resource)?.name)?;
    let items = Items::of(description, surface, operation, resource);
    let shows = view.members.iter().filter(|member| match items.creator {
        Some(_) => items.is_known(&member.source),
        None => matches!(member.source, model::Source::Stored(_)),
    });
    let order = operation.sort.iter().map(|(field, is_reversed)| SortKey {
        field,
        view_member: shown(field),
        of: type_of(model, &resource.field(field).of),
        is_reversed: *is_reversed,
    });
    // Records that a filter looks up elsewhere satisfy it, unless a test changes them.
    let own = operation.filters.iter().filter(|filter| filter.through.is_none());
    let filters = own.map(|filter| Filter {
        name: leak(filter_name(operation, filter)),
        rule: leak(filter.to_string()),
        at: description.at(filter.at),
        by: filter_by(filter),
        source: source(&filter.field),
        is_tried: items.can_be_excluded(filter),
    });
    Some(List {
        resource: &resource.name,
        id,
        shows: leak_all(shows.map(|member| (member.shown.as_str(), source(&member.source)))),
        order: leak_all(order),
        filters: is_decided(model, surface, operation).then(|| leak_all(filters)),
        creator: items.creator,
    })
}

/// Whether the contract decides which items are shown: by the list's filters or, without filters, because the request has
/// nothing that could select.
fn is_decided(model: &'static Model, surface: &Surface, operation: &Operation) -> bool {
    let pages = operation.pages.as_ref().map(Pages::named);
    let is_of_pages = |name: &str| pages.iter().flatten().any(|(_, named)| *named == Some(name));
    let chooses = |field: &Field| !is_of_pages(&field.name);
    let may_choose = !operation.path.is_empty() || operation.query.iter().any(chooses);
    !operation.filters.is_empty() || (!may_choose && caller_of(model, surface).is_none())
}

/// The items of a list, as far as the contract knows them.
struct Items {
    model: &'static Model,
    resource: &'static Resource,
    /// The body of the request that creates one.
    body: Option<&'static model::Body>,
    creator: Option<Creator>,
}

impl Items {
    fn of(
        description: &Description,
        surface: &'static Surface,
        list: &'static Operation,
        resource: &'static Resource,
    ) -> Self {
        let model = description.model;
        let creators = model.operations().filter_map(|(on, operation)| {
            let creator = creator(description, (surface, list, resource), on, operation)?;
            Some((on, operation, creator))
        });
        let best = creators.min_by_key(|(on, operation, _)| {
            let makes = model.body(operation).and_then(|body| body.resource.as_ref());
            let is_plain = makes == Some(&resource.name);
            (!is_plain, on.name != surface.name, operation.rules.len())
        });
        Self {
            model,
            resource,
            body: best.as_ref().and_then(|(_, operation, _)| model.body(operation)),
            creator: best.map(|(_, _, creator)| creator),
        }
    }

    /// The origin of this field in a new item.
    fn origin(&self, field: &str) -> Option<Origin> {
        let mut fields = self.creator.as_ref()?.fields.iter();
        fields.find(|(known, _)| *known == field).map(|(_, origin)| *origin)
    }

    /// The type of the body's member that a new item's field comes from.
    fn sent(&self, field: &str) -> Option<&'static Type> {
        let mut members = self.body?.members.iter();
        members
            .find(|member| member.field.name == field)
            .map(|member| &member.field.of)
    }

    /// Whether the members of this source are known to show what the request gave.
    fn is_known(&self, source: &'static model::Source) -> bool {
        match source {
            model::Source::Joined(_) => false,
            model::Source::Stored(field) => match self.origin(field) {
                Some(Origin::Member(..)) => {
                    let of = &self.resource.field(field).of;
                    self.sent(field).is_some_and(|sent| is_same(sent, of))
                }
                origin => origin.is_some(),
            },
            model::Source::Each(field, pick) => {
                let is_sent = matches!(self.origin(field), Some(Origin::Member(..)));
                let items = self.sent(field).filter(|_| is_sent);
                items.is_some_and(|of| has_item_member(self.model, of, pick))
            }
        }
    }

    /// Whether items can exist that the filter excludes.
    fn can_be_excluded(&self, filter: &'static model::Filter) -> bool {
        match (&filter.by, &filter.field) {
            (model::FilterBy::Caller | model::FilterBy::Path(_), _) => true,
            (model::FilterBy::Query(..), source) => self.is_known(source),
            (model::FilterBy::Value(_), model::Source::Stored(field)) => {
                let mover = self.creator.as_ref().and_then(|creator| creator.mover.as_ref());
                let varies = matches!(
                    self.origin(field),
                    Some(Origin::Member(..) | Origin::Named(_) | Origin::Caller)
                );
                varies || mover.is_some_and(|mover| mover.field == field)
            }
            (model::FilterBy::Value(_), _) => false,
        }
    }
}

/// Whether each item of a list of objects has a member of this name.
fn has_item_member(model: &Model, of: &Type, name: &str) -> bool {
    let kind = match &of.kind {
        Kind::Named(list) => match &model.named_type(list).rule {
            TypeRule::List { of, .. } => &of.kind,
            _ => return false,
        },
        kind if of.list => kind,
        _ => return false,
    };
    matches!(kind, Kind::Object(object) if model.object(object).members.iter().any(|member| member.name == name))
}

fn source(source: &'static model::Source) -> Source {
    match source {
        model::Source::Stored(field) | model::Source::Joined(field) => Source::of(field),
        model::Source::Each(field, member) => Source::each(field, member),
    }
}

fn filter_by(filter: &'static model::Filter) -> FilterBy {
    match &filter.by {
        model::FilterBy::Query(parameter, matching) => FilterBy::Query(parameter, *matching),
        model::FilterBy::Path(parameter) => FilterBy::Path(parameter),
        model::FilterBy::Caller => FilterBy::Caller,
        model::FilterBy::Value(value) if matches!(filter.of.kind, Kind::Enum(_)) => {
            FilterBy::Value(leak(format!("\"{value}\"")))
        }
        model::FilterBy::Value(value) => FilterBy::Value(value),
    }
}

/// The name of a filter in test names: its parameter, `$caller`, or the field and its value.
fn filter_name(operation: &Operation, filter: &model::Filter) -> String {
    let of_field = |end: &str| format!("{}{end}", filter.field).replace("[].", "_");
    match &filter.by {
        model::FilterBy::Query(name, _) => {
            let is_it = |other: &&model::Filter| matches!(&other.by, model::FilterBy::Query(known, _) if known == name);
            match operation.filters.iter().filter(is_it).count() {
                1 => name.clone(),
                _ => format!("{name}_of_{}", of_field("")),
            }
        }
        model::FilterBy::Path(name) => name.clone(),
        model::FilterBy::Caller => "$caller".to_owned(),
        model::FilterBy::Value(value) => of_field(&format!("_is_{value}")),
    }
}
