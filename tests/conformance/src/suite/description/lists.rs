//! A list whose items can be told apart by their ids: its items, order and filters, and how items are created.

use super::creators::{caller_of, creator, id_field};
use crate::contract::Operation;
use crate::lists::description::{Creator, Filter, List, Origin};
use crate::suite::description::fields::is_same;
use crate::suite::leak;
use codegen::model::{self, Data, Field, FilterBy, Kind, Model, Pages, Resource, Source, Type};

/// `None` if the operation has no list, or its items do not show their ids.
pub(crate) fn list(operation: &Operation) -> Option<List> {
    let Some(Data::Many { resource, view }) = &operation.declared.data else {
        return None;
    };
    let model = operation.contract.model;
    let view = model.view(resource, view);
    // Nothing makes the records of a list of distinct items: `trials::distinct` has its tests.
    let resource = Some(model.resource(resource)).filter(|one| one.distinct.is_none())?;
    let id = view.member_of(&id_field(resource)?.name)?;
    let items = Items::for_list(operation, resource);
    let shows = view.members.iter().filter(|member| match items.creator {
        Some(_) => items.is_known(&member.source),
        None => matches!(member.source, Source::Stored(_)),
    });
    // Records that a filter looks up elsewhere satisfy it, unless a test changes them.
    let own = operation
        .declared
        .filters
        .iter()
        .filter(|filter| filter.through.is_none());
    let filters = own.map(|declared| Filter {
        name: leak(filter_name(operation.declared, declared)),
        declared,
        synonyms: model
            .synonyms_of(&resource.name, declared)
            .map_or(&[], |one| one.groups.as_slice()),
        is_tried: items.can_be_excluded(declared),
    });
    Some(List {
        resource: &resource.name,
        id: &id.shown,
        shows: shows.map(|member| (member.shown.as_str(), &member.source)).collect(),
        filters: is_decided(operation).then(|| filters.collect()),
        creator: items.creator,
    })
}

/// Whether the contract decides which items are shown: by the list's filters or, without filters, because the request has
/// nothing that could select.
fn is_decided(operation: &Operation) -> bool {
    let declared = operation.declared;
    let pages = declared.pages.as_ref().map(Pages::named);
    let is_of_pages = |name: &str| pages.iter().flatten().any(|(_, named)| *named == Some(name));
    let chooses = |field: &Field| !is_of_pages(&field.name);
    let may_choose = !declared.path.is_empty() || declared.query.iter().any(chooses);
    !declared.filters.is_empty() || (!may_choose && caller_of(operation).is_none())
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
    fn for_list(list: &Operation, resource: &'static Resource) -> Self {
        let creators = list.contract.operations().iter();
        let creators = creators.filter_map(|maker| Some((*maker, creator(list, resource, maker)?)));
        let best = creators.min_by_key(|(maker, _)| {
            let makes = maker.declared_body().and_then(|body| body.resource.as_ref());
            let is_plain = makes == Some(&resource.name);
            let is_elsewhere = maker.surface.name != list.surface.name;
            (!is_plain, is_elsewhere, maker.rules().count())
        });
        Self {
            model: list.contract.model,
            resource,
            body: best.as_ref().and_then(|(maker, _)| maker.declared_body()),
            creator: best.map(|(_, creator)| creator),
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
    fn is_known(&self, source: &'static Source) -> bool {
        match source {
            Source::Joined(_) => false,
            Source::Stored(field) => match self.origin(field) {
                Some(Origin::Member(..)) => {
                    let of = &self.resource.field(field).of;
                    self.sent(field).is_some_and(|sent| is_same(sent, of))
                }
                origin => origin.is_some(),
            },
            Source::Each(field, pick) => {
                let is_sent = matches!(self.origin(field), Some(Origin::Member(..)));
                let items = self.sent(field).filter(|_| is_sent);
                items.is_some_and(|of| has_item_member(self.model, of, pick))
            }
        }
    }

    /// Whether items can exist that the filter excludes.
    fn can_be_excluded(&self, filter: &'static model::Filter) -> bool {
        match (&filter.by, &filter.field) {
            (FilterBy::Caller | FilterBy::Path(_), _) => true,
            (FilterBy::Query(..), source) => self.is_known(source),
            (FilterBy::Value(_), Source::Stored(field)) => {
                let mover = self.creator.as_ref().and_then(|creator| creator.mover);
                let moves = mover.and_then(|mover| mover.transitions.as_ref());
                let varies = matches!(
                    self.origin(field),
                    Some(Origin::Member(..) | Origin::Named(_) | Origin::Caller)
                );
                varies || moves.is_some_and(|moves| moves.states.of.1 == *field)
            }
            (FilterBy::Value(_), _) => false,
        }
    }
}

/// Whether each item of a list of objects has a member of this name.
fn has_item_member(model: &Model, of: &Type, name: &str) -> bool {
    let Some(Kind::Object(object)) = model.item_kind(of) else {
        return false;
    };
    model.object(object).members.iter().any(|member| member.name == name)
}

/// The name of a filter in test names: its parameter, `$caller`, or the field and its value.
fn filter_name(operation: &model::Operation, filter: &model::Filter) -> String {
    let of_field = |end: &str| format!("{}{end}", filter.field).replace("[].", "_");
    match &filter.by {
        FilterBy::Query(name, _) => {
            let is_it = |other: &&model::Filter| matches!(&other.by, FilterBy::Query(known, _) if known == name);
            match operation.filters.iter().filter(is_it).count() {
                1 => name.clone(),
                _ => format!("{name}_of_{}", of_field("")),
            }
        }
        FilterBy::Path(name) => name.clone(),
        FilterBy::Caller => "$caller".to_owned(),
        FilterBy::Value(value) => of_field(&format!("_is_{value}")),
    }
}
