//! Compares the realms of resources: which records callers of another realm do not see.

use crate::diff::matching::operations;
use crate::diff::output::{Comparison, PathPair, Rule};
use crate::model::{Model, Realm, Resource};
use std::collections::BTreeSet;

pub(super) fn compare(
    comparison: &mut Comparison<'_>,
    place: &PathPair,
    old: &Resource,
    (name, realm): (&str, Option<&Realm>),
) {
    let noun = &comparison.new.resource(name).noun;
    let names = comparison.names;
    let was = old.realm.as_ref().map(|realm| match &realm.through {
        None => names.field(&old.name, &realm.field).to_owned(),
        Some((id, other)) => format!("{}.{}", names.field(&old.name, id), names.field(other, &realm.field)),
    });
    let is = realm.map(ToString::to_string);
    let (rule, message) = match (&was, &is) {
        (None, Some(is)) => (
            Rule::RealmAdded,
            format!("only callers with the same `{is}` see this {noun}"),
        ),
        (Some(was), Some(is)) if was != is => (
            Rule::RealmChanged,
            format!("the realm of this {noun} is its `{is}`, was its `{was}`"),
        ),
        (Some(_), None) => (
            Rule::RealmRemoved,
            format!("callers see each {noun}, was only those of their own realm"),
        ),
        _ => return,
    };
    let seen = match realm {
        Some(_) => seen(comparison.new, name),
        None => seen(comparison.old, &old.name),
    };
    comparison.between(rule, &place.join("realm"), seen, message);
}

/// The operations that look up or list records of a resource for callers with a realm.
fn seen(model: &Model, resource: &str) -> BTreeSet<String> {
    operations(model, |surface, operation| {
        let lists = operation.listed() == Some(resource);
        model.realm_seen(surface, resource).is_some() && (lists || operation.finds(resource))
    })
}
