//! Compares `enums`: the values of enumerations.

use crate::diff::matching::MemberKind;
use crate::diff::output::words::listed;
use crate::diff::output::{ChangeSubject, Comparison, PathPair, Rule, affected};
use crate::diff::relations::{Audience, Node};
use crate::model::{Data, Enum, Field, Kind, Model, Operation};
use std::collections::{HashMap, HashSet};

pub(crate) fn compare<'m>(comparison: &mut Comparison<'m>) {
    let (names, now) = (comparison.names, comparison.now);
    for old in &comparison.old.enums {
        let name = names.enumeration(&old.name);
        let Some(new) = now.enums.get(name).copied() else {
            continue;
        };
        let place = PathPair {
            old: path(comparison.old, old),
            new: path(comparison.new, new),
        };
        order(comparison, old, new);
        comparison.described_values(&place, (old, new), |comparison| {
            let things = (Node::Enum(&old.name), Node::Enum(&new.name));
            comparison.audience(things.0, things.1).operations()
        });
        if old.name == new.name && names.are_equal_enums(old, new) {
            continue;
        }
        let audience = comparison.audience(Node::Enum(&old.name), Node::Enum(&new.name));
        // The name of an enum of orders follows from that of the resource.
        if !new.is_of_orders {
            comparison.renamed(Rule::EnumRenamed, &place, &audience, (&old.name, &new.name));
        }
        if audience.is_nobody() {
            continue;
        }
        whole(comparison, &place, &audience, (old, new));
        values(comparison, &place, &audience, (old, new));
    }
}

/// The path of an enum. One of orders is declared by a list.
fn path(model: &Model, of: &Enum) -> String {
    let declares = |operation: &&Operation| {
        let mut query = operation.query.iter();
        let is_of_it = |field: &Field| field.of.kind == Kind::Enum(of.name.clone());
        of.is_of_orders && query.any(|field| operation.sorts_by(&field.name) && is_of_it(field))
    };
    let mut lists = model.surfaces.iter().filter_map(|surface| {
        let operation = surface.operations.iter().find(declares)?;
        Some(format!(
            "surfaces.{}.endpoints.{}.sort.orders",
            surface.name, operation.name
        ))
    });
    lists.next().unwrap_or_else(|| format!("enums.{}", of.name))
}

/// Compares the order of the values, which is visible if records are sorted by them.
fn order(comparison: &mut Comparison<'_>, old: &Enum, new: &Enum) {
    let places: HashMap<&str, usize> = new.values.iter().map(String::as_str).zip(0..).collect();
    let renamed = |value| comparison.names.inside(MemberKind::Value, &old.name, value);
    let kept: Vec<&str> = old
        .values
        .iter()
        .map(|value| renamed(value))
        .filter(|value| places.contains_key(value))
        .collect();
    if kept.is_sorted_by_key(|value| places[value]) {
        return;
    }
    let now = comparison.now;
    let sorts = |operation: &Operation| {
        let Some(Data::Many { resource, .. }) = &operation.data else {
            return false;
        };
        let fields = now
            .resources
            .get(resource.as_str())
            .into_iter()
            .flat_map(|resource| &resource.fields);
        let of_enum = fields.filter(|field| field.of.kind == Kind::Enum(new.name.clone()));
        let mut keys = operation.each_order().flat_map(|(_, keys)| keys);
        keys.any(|key| of_enum.clone().any(|field| field.name == key.field))
    };
    let operations = comparison
        .paired
        .already(comparison.new, |_, operation| sorts(operation));
    if !operations.is_empty() {
        let mut values = kept.clone();
        values.sort_by_key(|value| places[value]);
        let message = format!(
            "records are sorted by `{}` in the order {}, was {}",
            new.name,
            listed(values),
            listed(kept)
        );
        let place = PathPair::same("enums").under(&old.name, &new.name);
        comparison.between(Rule::EnumReordered, &place, operations, message);
    }
}

/// Compares the enumeration of which an enumeration is a subset.
fn whole(comparison: &mut Comparison<'_>, place: &PathPair, audience: &Audience, (old, new): (&Enum, &Enum)) {
    let Enum {
        name,
        values: _,
        docs: _,
        part_of,
        states: _,
        is_of_events: _,
        is_of_orders: _,
        at: _,
    } = new;
    let was = old.part_of.as_deref().map(|whole| comparison.names.enumeration(whole));
    if was != part_of.as_deref() {
        let words = |whole: Option<&str>| match whole {
            Some(whole) => format!("a subset of `{whole}`"),
            None => "an enum of its own".to_owned(),
        };
        let message = format!(
            "`{name}` is {}, was {}",
            words(part_of.as_deref()),
            words(old.part_of.as_deref())
        );
        comparison.between(Rule::EnumPartChanged, &place.join("of"), audience.operations(), message);
    }
}

fn values<'m>(
    comparison: &mut Comparison<'m>,
    place: &PathPair,
    audience: &Audience,
    (old, new): (&'m Enum, &'m Enum),
) {
    let subject = ChangeSubject::for_element(comparison, Node::Enum(&new.name), audience, &new.name);
    let (phrase, is) = (subject.phrase(), subject.is());
    let at = |one: &Enum, path: &str, value: &str| match one.part_of {
        Some(_) => format!("{path}.only.{value}"),
        None => format!("{path}.{value}"),
    };
    let olds: HashSet<&str> = old.values.iter().map(String::as_str).collect();
    let news: HashSet<&str> = new.values.iter().map(String::as_str).collect();
    let mut renamed = HashSet::new();
    for value in old.values.iter().filter(|value| !news.contains(value.as_str())) {
        let other = comparison.names.inside(MemberKind::Value, &old.name, value).to_owned();
        let was = at(old, &place.old, value);
        if other == *value {
            let message = format!("{phrase} can no longer be `{value}`{}", kept(audience, value));
            let rule = removed(audience);
            comparison.removed(rule, &was, affected(audience, &[rule]), message);
            continue;
        }
        let place = PathPair {
            old: was,
            new: at(new, &place.new, &other),
        };
        let message = format!("{phrase} {is} `{other}` instead of `{value}`{}", kept(audience, value));
        let rule = if audience.is_taken() || audience.is_shown() {
            Rule::ValueRenamed
        } else {
            Rule::StoredValueRenamed
        };
        comparison.between(rule, &place, audience.operations(), message);
        renamed.insert(other);
    }
    for value in new.values.iter().filter(|value| !olds.contains(value.as_str())) {
        if !renamed.contains(value.as_str()) {
            let message = format!("{phrase} now also {} `{value}`", subject.verb(audience));
            let path = at(new, &place.new, value);
            let rule = added(audience);
            comparison.added(rule, &path, affected(audience, &[rule]), message);
        }
    }
}

/// The advice about stored records.
fn kept(audience: &Audience, value: &str) -> String {
    if audience.stored {
        format!("; records with `{value}` cannot be read")
    } else {
        String::new()
    }
}

fn removed(audience: &Audience) -> Rule {
    match audience {
        _ if audience.is_taken() => Rule::RequestValueRemoved,
        _ if audience.stored => Rule::StoredValueRemoved,
        _ => Rule::AnswerValueRemoved,
    }
}

fn added(audience: &Audience) -> Rule {
    match audience {
        _ if audience.is_shown() => Rule::AnswerValueAdded,
        _ if audience.is_taken() => Rule::RequestValueAdded,
        _ => Rule::StoredValueAdded,
    }
}
