//! Compares requests to an operation: path, query, body.

use crate::diff::matching::{Declared, MemberKind, Namespace, Renames};
use crate::diff::output::words::listed;
use crate::diff::output::{Comparison, PathPair, Rule, findings};
use crate::diff::relations::Audience;
use crate::diff::sections::declarations::bodies;
use crate::diff::sections::declarations::members::{self, added_text, removed_text};
use crate::diff::sections::declarations::type_change::{self, TypeChange};
use crate::model::{Body, BodyUse, Field, Kind, Operation, Segment, Type};
use std::collections::{HashMap, HashSet};

/// Compares the requests of an operation that is in both contracts. `name` is its name in the new one, as
/// `surface.operation`.
pub(crate) fn compare(comparison: &mut Comparison<'_>, at: &PathPair, name: &str, old: &Operation, new: &Operation) {
    let audience = Audience::taken_by(name);
    path(comparison, &at.join("path"), &audience, old, new);
    query(comparison, at, &audience, old, new);
    body(
        comparison,
        &at.join("body"),
        &audience,
        (old.body.as_ref(), new.body.as_ref()),
    );
}

/// The old and new names of renamed parameters, those of the query first.
pub(crate) fn renamed<'m>(names: &'m Renames<'m>, old: &'m Operation, new: &'m Operation) -> Vec<(&'m str, &'m str)> {
    let mut renamed = names.renamed(&old.query, &new.query);
    renamed.extend(path_parameters(old, new).into_iter().filter(|(old, new)| old != new));
    renamed
}

/// Pairs the path parameters: by position in the route, or by name if their number differs.
fn path_parameters<'m>(old: &'m Operation, new: &'m Operation) -> Vec<(&'m str, &'m str)> {
    let parameters = |operation: &'m Operation| -> Vec<&'m str> {
        let segments = operation.segments.iter();
        let names = segments.filter_map(|segment| match segment {
            Segment::Parameter(name) => Some(name.as_str()),
            Segment::Literal(_) => None,
        });
        names.collect()
    };
    let (olds, news) = (parameters(old), parameters(new));
    if olds.len() == news.len() {
        olds.into_iter().zip(news).collect()
    } else {
        let kept = olds.into_iter().filter(|name| news.contains(name));
        kept.map(|name| (name, name)).collect()
    }
}

fn path(comparison: &mut Comparison<'_>, place: &PathPair, audience: &Audience, old: &Operation, new: &Operation) {
    let named = |fields: &'_ [Field], name: &str| fields.iter().position(|field| field.name == name);
    for (was, is) in path_parameters(old, new) {
        let (Some(before), Some(after)) = (named(&old.path, was), named(&new.path, is)) else {
            continue;
        };
        let place = place.under(was, is);
        if was != is {
            let message = format!("`{was}` in the path is renamed to `{is}`");
            comparison.between(Rule::PathParameterRenamed, &place, audience.operations(), message);
        }
        let (before, after) = (&old.path[before], &new.path[after]);
        let docs = (before.doc.as_deref(), after.doc.as_deref());
        comparison.described(&place, is, docs, |_| audience.operations());
        let typed = TypeChange {
            name: is,
            old: &before.of,
            new: &after.of,
        };
        type_change::compare(comparison, &place, audience, typed);
    }
}

fn query(comparison: &mut Comparison<'_>, place: &PathPair, audience: &Audience, old: &Operation, new: &Operation) {
    let renamed: HashMap<&str, &str> = comparison.names.renamed(&old.query, &new.query).into_iter().collect();
    let news: HashMap<&str, &Field> = new.query.iter().map(|field| (field.name.as_str(), field)).collect();
    let mut kept = HashSet::new();
    for field in &old.query {
        let name = renamed.get(field.name.as_str()).copied().unwrap_or(&field.name);
        let Some(other) = news.get(name) else {
            let path = parameter(&place.old, old, &field.name);
            let rule = members::removed(audience);
            comparison.removed(
                rule,
                &path,
                audience.operations(),
                removed_text(&field.name, rule, audience),
            );
            continue;
        };
        kept.insert(name);
        let operation = place;
        let place = &PathPair {
            old: parameter(&operation.old, old, &field.name),
            new: parameter(&operation.new, new, name),
        };
        if name != field.name {
            let is_told = old.siblings.contains(&field.name) && new.siblings.iter().any(|sibling| sibling == name);
            let suffix = if is_told { ", also in the response" } else { "" };
            let message = format!("`{}` is renamed to `{name}`{suffix}", field.name);
            comparison.between(Rule::RequestMemberRenamed, place, audience.operations(), message);
        }
        // The parameters of an operation that counts a list are described at the list.
        if new.counts().is_none() {
            let docs = (field.doc.as_deref(), other.doc.as_deref());
            comparison.described(place, name, docs, |_| audience.operations());
        }
        let chooses_order = old.sorts_by(&field.name) && new.sorts_by(name);
        let [was, is] = [&field.of, &other.of].map(|of| Type {
            default: of.default.clone().filter(|_| !chooses_order),
            ..of.clone()
        });
        let typed = TypeChange {
            name,
            old: &was,
            new: &is,
        };
        type_change::compare(comparison, place, audience, typed);
        if chooses_order {
            default_order(
                comparison,
                &operation.join("sort").join("orders"),
                audience,
                (&field.of, &other.of),
            );
        }
    }
    for field in new.query.iter().filter(|field| !kept.contains(field.name.as_str())) {
        let rule = members::added(comparison.now, audience, &field.of);
        let path = parameter(&place.new, new, &field.name);
        comparison.added(
            rule,
            &path,
            audience.operations(),
            added_text(&field.name, rule, audience),
        );
    }
}

/// The path of a parameter: in `query`, or where the order of the list declares it.
fn parameter(operation: &str, declared: &Operation, name: &str) -> String {
    match declared.sorts_by(name) {
        true => format!("{operation}.sort.by"),
        false => format!("{operation}.query.{name}"),
    }
}

/// The order of a list that a request without a choice gets.
fn default_order(comparison: &mut Comparison<'_>, place: &PathPair, audience: &Audience, (old, new): (&Type, &Type)) {
    let (Kind::Enum(of), Some(was), Some(is)) = (&old.kind, &old.default, &new.default) else {
        return;
    };
    if comparison.names.inside(MemberKind::Value, of, was) != is {
        let message = format!("the default order is `{is}`, was `{was}`");
        comparison.between(Rule::DefaultOrderChanged, place, audience.operations(), message);
    }
}

fn body(
    comparison: &mut Comparison<'_>,
    place: &PathPair,
    audience: &Audience,
    (old, new): (Option<&BodyUse>, Option<&BodyUse>),
) {
    match (old, new) {
        (None, None) => {}
        (None, Some(new)) => {
            let members = body_of(comparison.now, new).map(words).unwrap_or_default();
            let message = format!("requests now have a body with {members}");
            comparison.added(Rule::BodyAdded, &place.new, audience.operations(), message);
        }
        (Some(old), None) => {
            let members = body_of(comparison.was, old).map(words).unwrap_or_default();
            let message = format!("requests no longer have a body, was one with {members}");
            comparison.removed(Rule::BodyRemoved, &place.old, audience.operations(), message);
        }
        (Some(BodyUse::Named(old)), Some(BodyUse::Named(new)))
            if comparison.names.declared(Namespace::Input, old) == new => {}
        (Some(BodyUse::Inline(old)), Some(BodyUse::Inline(new))) => {
            bodies::describe(comparison, place, (old, new), &audience.operations());
            bodies::compare(comparison, place, audience, (old, new));
        }
        (Some(old), Some(new)) => {
            let bodies = body_of(comparison.was, old).zip(body_of(comparison.now, new));
            let Some(bodies) = bodies else { return };
            other_body(comparison, place, audience, bodies);
        }
    }
}

/// Compares two different bodies of which at least one is a named declaration.
fn other_body(comparison: &mut Comparison<'_>, place: &PathPair, audience: &Audience, bodies: (&Body, &Body)) {
    let rules = [Rule::BodyExtended, Rule::BodyReplaced];
    findings::as_one(comparison, place, audience, rules, |aside| {
        bodies::compare(aside, place, audience, bodies);
    });
}

fn body_of<'m>(declared: &Declared<'m>, used: &'m BodyUse) -> Option<&'m Body> {
    match used {
        BodyUse::Named(name) => declared.inputs.get(name.as_str()).map(|input| &input.body),
        BodyUse::Inline(body) => Some(body),
    }
}

fn words(body: &Body) -> String {
    listed(body.members.iter().map(|member| member.field.name.as_str()))
}
