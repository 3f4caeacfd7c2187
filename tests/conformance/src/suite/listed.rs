//! The known facts about the items of a list: which member is their id, which operation creates them, and what it sets
//! each field to.

mod creation;

use self::creation::creation;
use crate::suite::fields::is_same;
use codegen::model::{
    BodyMember, Data, Field, Filter, FilterBy, Kind, Model, Operation, Pages, Resource, Source, Surface, Type,
    TypeRule, View,
};

/// A list whose items can be told apart by their ids.
pub(crate) struct Listed {
    pub(crate) resource: &'static Resource,
    /// The members of its items.
    pub(crate) view: &'static View,
    /// The member that shows an item's id.
    pub(crate) id: &'static str,
    /// How items are created.
    pub(crate) creation: Option<Creation>,
}

/// The operation that creates an item of a list.
pub(crate) struct Creation {
    pub(crate) surface: &'static Surface,
    pub(crate) operation: &'static Operation,
    /// The member of its `data` with the item's id.
    pub(crate) id: &'static str,
    /// The origin of each field, as far as the contract states it.
    pub(crate) fields: Vec<(&'static Field, Origin)>,
    /// How items reach other states, if a filter needs them.
    pub(crate) moving: Option<Moving>,
}

/// The origin of a field's value.
pub(crate) enum Origin {
    Id,
    /// A member of the body, and its value if it is absent, as JSON.
    Member(&'static BodyMember, Option<String>),
    Caller,
    /// The id of this resource, which the request names.
    Named(&'static str),
    /// This JSON value.
    Always(String),
}

/// The operation that moves an item to another state.
pub(crate) struct Moving {
    pub(crate) operation: &'static Operation,
    /// The member of its body that names the state.
    pub(crate) member: &'static str,
    /// The field that holds the state.
    pub(crate) field: &'static str,
    /// The paths to all states but the initial one.
    pub(crate) ways: Vec<Vec<String>>,
}

/// The facts about the operation's list; `None` if the operation has no list, or its items do not show their ids.
pub(crate) fn listed(
    model: &'static Model,
    surface: &'static Surface,
    operation: &'static Operation,
) -> Option<Listed> {
    let Some(Data::Many { resource, view }) = &operation.data else {
        return None;
    };
    let resource = model.resource(resource);
    let view = resource.views.iter().find(|one| one.name == *view)?;
    let own = id_field(resource)?;
    let is_id = |source: &Source| matches!(source, Source::Stored(field) if *field == own.name);
    let id = &view.members.iter().find(|member| is_id(&member.source))?.shown;
    let list = (surface, operation, resource);
    let mut found: Vec<_> = model
        .operations()
        .filter_map(|(on, maker)| creation(model, list, on, maker))
        .collect();
    found.sort_by_key(|made| {
        let makes = model.body(made.operation).and_then(|body| body.resource.as_ref());
        (
            makes != Some(&resource.name),
            made.surface.name != surface.name,
            made.operation.rules.len(),
        )
    });
    let creation = found.into_iter().next();
    Some(Listed {
        resource,
        view,
        id,
        creation,
    })
}

/// Whether the shown items are known: by the list's filters or, without filters, because the request has nothing that
/// could select.
pub(crate) fn is_told(model: &'static Model, surface: &Surface, operation: &Operation) -> bool {
    let pages = operation.pages.as_ref().map(Pages::named);
    let is_of_pages = |name: &str| pages.iter().flatten().any(|(_, named)| *named == Some(name));
    let chooses = |field: &Field| !is_of_pages(&field.name);
    let may_choose = !operation.path.is_empty() || operation.query.iter().any(chooses);
    !operation.filters.is_empty() || (!may_choose && caller_of(model, surface).is_none())
}

impl Listed {
    /// The value of this field in a new item.
    pub(crate) fn origin(&self, field: &str) -> Option<&Origin> {
        let fields = &self.creation.as_ref()?.fields;
        fields
            .iter()
            .find(|(known, _)| known.name == field)
            .map(|(_, origin)| origin)
    }

    /// Whether the members of this source are known to show what the request gave.
    pub(crate) fn is_known(&self, model: &'static Model, source: &Source) -> bool {
        match source {
            Source::Joined(_) => false,
            Source::Stored(field) => match self.origin(field) {
                Some(Origin::Member(member, _)) => is_same(&member.field.of, &self.resource.field(field).of),
                origin => origin.is_some(),
            },
            Source::Each(field, pick) => match self.origin(field) {
                Some(Origin::Member(member, _)) => item_member(model, &member.field.of, pick).is_some(),
                _ => false,
            },
        }
    }

    /// Whether items can be created that differ in this field.
    pub(crate) fn varies(&self, field: &str) -> bool {
        let moving = self.creation.as_ref().and_then(|creation| creation.moving.as_ref());
        let moves = moving.is_some_and(|moving| moving.field == field);
        moves
            || matches!(
                self.origin(field),
                Some(Origin::Member(..) | Origin::Named(_) | Origin::Caller)
            )
    }
}

fn id_field(resource: &Resource) -> Option<&Field> {
    resource
        .fields
        .iter()
        .find(|field| id_of(&field.of) == Some(&resource.name))
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

fn caller_of(model: &'static Model, surface: &Surface) -> Option<&'static str> {
    let credential = model.credential_of(surface)?;
    credential.caller.as_ref().map(|caller| caller.resource.as_str())
}

/// The member of this name in each item of a list of objects.
fn item_member(model: &'static Model, of: &'static Type, name: &str) -> Option<&'static Field> {
    let kind = match &of.kind {
        Kind::Named(list) => match &model.named_type(list).rule {
            TypeRule::List { of, .. } => &of.kind,
            _ => return None,
        },
        kind if of.list => kind,
        _ => return None,
    };
    let Kind::Object(object) = kind else { return None };
    model.object(object).members.iter().find(|member| member.name == name)
}

/// The name of a filter in test names: its parameter, `$caller`, or the field and its value.
pub(crate) fn filter_name(operation: &Operation, filter: &Filter) -> String {
    match &filter.by {
        FilterBy::Query(name, _) => {
            let about = operation
                .filters
                .iter()
                .filter(|other| matches!(&other.by, FilterBy::Query(known, _) if known == name));
            let is_one = about.count() == 1;
            if is_one {
                name.clone()
            } else {
                format!("{name}_of_{}", filter.field).replace("[].", "_")
            }
        }
        FilterBy::Path(name) => name.clone(),
        FilterBy::Caller => "$caller".to_owned(),
        FilterBy::Value(value) => format!("{}_is_{value}", filter.field).replace("[].", "_"),
    }
}
