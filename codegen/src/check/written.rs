//! The records that an operation creates or changes, and the members of its body that fill their fields.

use super::lookup::{LocatedOperation, TypeTarget, entry, find, members_of, record_members, type_target};
use crate::syntax::{Body, Data, ListDef, Made, Resource, Spec, TypeDef, TypeUse, Word};

/// A record that an operation creates or changes.
pub(super) struct Written<'s> {
    pub(super) name: &'s Word,
    pub(super) resource: &'s Resource,
    pub(super) by: By,
    /// Names of fields, and the members of the body that fill them.
    pub(super) fills: Vec<(&'s str, &'s Word)>,
}

/// What says that an operation creates or changes a record.
#[derive(Clone, Copy)]
pub(super) enum By {
    Makes,
    Changes,
    /// The resource of its body, or else that of its response.
    Guess,
}

/// The records that an operation with a body creates or changes; a record may be there twice.
pub(super) fn written(operation: LocatedOperation<'_>) -> Vec<Written<'_>> {
    let (spec, endpoint) = (operation.spec, operation.endpoint);
    let Some(body) = operation.body() else {
        return Vec::new();
    };
    let own = body.members.iter().map(|(name, _)| name);
    let members: Vec<&Word> = record_members(body).chain(own).collect();
    let makes = endpoint.makes.iter().flatten();
    let made = makes.filter_map(|(name, made)| {
        let fills = fills(spec, body, &members, made);
        Some((entry(&spec.resources, &name.text)?, By::Makes, fills))
    });
    let changed = endpoint.changes.iter();
    let changed =
        changed.filter_map(|name| Some((entry(&spec.resources, &name.text)?, By::Changes, by_name(&members))));
    let guessed = resource_of(spec, body).or_else(|| answered(operation));
    let guessed = guessed.map(|entry| (entry, By::Guess, by_name(&members)));
    let all = made.chain(changed).chain(guessed);
    all.map(|((name, resource), by, fills)| Written {
        name,
        resource,
        by,
        fills,
    })
    .collect()
}

/// The fields of a new record that members fill: those that `makes` names, and else those of the same names.
fn fills<'s>(spec: &'s Spec, body: &'s Body, members: &[&'s Word], made: &'s Made) -> Vec<(&'s str, &'s Word)> {
    let items = made.each.as_ref().and_then(|each| find(&body.members, &each.text));
    let mut fills = match items {
        Some(items) => by_name(&item_members(spec, items)),
        None => by_name(members),
    };
    fills.retain(|(field, _)| find(&made.fields, field).is_none());
    let named = made.fields.iter().filter_map(|(field, value)| {
        let name = value.text.strip_prefix('$')?;
        let member = members.iter().find(|member| member.text == name)?;
        Some((field.text.as_str(), *member))
    });
    fills.extend(named);
    fills
}

fn by_name<'s>(members: &[&'s Word]) -> Vec<(&'s str, &'s Word)> {
    members.iter().map(|member| (member.text.as_str(), *member)).collect()
}

/// The members of the items of a list.
fn item_members<'s>(spec: &'s Spec, list: &'s TypeUse) -> Vec<&'s Word> {
    let item = match type_target(spec, &list.name.text) {
        TypeTarget::Type(TypeDef::List(ListDef { of, .. })) => &of.text,
        _ => &list.name.text,
    };
    let members = members_of(spec, item).unwrap_or_default();
    members.into_iter().map(|(name, _)| name).collect()
}

/// The resource of a body.
pub(super) fn resource_of<'s>(spec: &'s Spec, body: &Body) -> Option<&'s (Word, Resource)> {
    entry(&spec.resources, &body.resource.as_ref()?.text)
}

/// The first resource whose id or view the response contains.
fn answered(operation: LocatedOperation<'_>) -> Option<&(Word, Resource)> {
    let (name, _) = match operation.endpoint.success.data.as_ref()? {
        Data::View(used) => used.name.text.split_once('.')?,
        Data::Members(members) => {
            let mut ids = members.iter().filter_map(|(_, used)| used.name.text.split_once('.'));
            ids.next()?
        }
    };
    entry(&operation.spec.resources, name)
}
