//! Compares `resources`: stored fields, look-ups for answers, owners, and views.

use super::members::{added, added_text, default_of, field_renamed, removed_text};
use super::type_change::{self, TypeChange};
use super::{hidden, realms, shapes};
use crate::diff::matching::{MemberKind, Namespace, operations};
use crate::diff::output::{ChangeSubject, Comparison, Findings, PathPair, Rule};
use crate::diff::relations::{Audience, Node};
use crate::diff::sections::service::errors;
use crate::model::{Body, Field, Model, Resource};
use std::collections::{BTreeSet, HashMap, HashSet};

pub(crate) fn compare(comparison: &mut Comparison<'_>) {
    let (names, now) = (comparison.names, comparison.now);
    let mut kept = HashSet::new();
    for old in &comparison.old.resources {
        let name = names.declared(Namespace::Resource, &old.name);
        let Some(new) = now.resources.get(name).copied() else {
            let message = format!("`{}` is no longer stored", old.name);
            comparison.removed(
                Rule::ResourceRemoved,
                &format!("resources.{}", old.name),
                BTreeSet::new(),
                message,
            );
            continue;
        };
        kept.insert(name);
        let place = PathPair::same("resources").under(&old.name, name);
        comparison.renamed(Rule::ResourceRenamed, &place, &Audience::default(), (&old.name, name));
        compare_resource(comparison, &place, old, new);
    }
    for new in comparison
        .new
        .resources
        .iter()
        .filter(|new| !kept.contains(new.name.as_str()))
    {
        let message = format!("`{}` is now stored", new.name);
        comparison.added(
            Rule::ResourceAdded,
            &format!("resources.{}", new.name),
            BTreeSet::new(),
            message,
        );
    }
}

fn compare_resource<'m>(comparison: &mut Comparison<'m>, place: &PathPair, old: &'m Resource, new: &'m Resource) {
    let Resource {
        name,
        noun,
        plural,
        label,
        columns,
        doc,
        ids: _,
        omits_nulls: _,
        owner,
        private,
        realm,
        hidden,
        distinct: _,
        average: _,
        fields,
        joined,
        views: _,
        at: _,
    } = new;
    if old.noun != *noun {
        let message = format!("the noun in errors is `{noun}`, was `{}`", old.noun);
        let named = guarded(comparison.new, name);
        comparison.between(errors::worded(comparison), &place.join("noun"), named, message);
    }
    if old.noun == *noun {
        let plurals = (&Some(&old.plural), &Some(plural));
        comparison.shown(&place.join("plural"), name, plurals, "plural");
    }
    compare_columns(comparison, place, old, (name, label, columns));
    comparison.described_by_doc(place, name, (&old.doc, doc));
    compare_ids(comparison, place, (old, new));
    compare_nulls(comparison, place, (old, new));
    compare_owner(comparison, place, old, owner);
    if old.private != *private {
        let (rule, message) = if *private {
            (
                Rule::ResourceHidden,
                format!(
                    "callers who do not own a {noun} get the error for an unknown {noun}, was the error for a {noun} of another owner"
                ),
            )
        } else {
            (
                Rule::ResourceRevealed,
                format!(
                    "callers who do not own a {noun} get the error for a {noun} of another owner, was the error for an unknown {noun}"
                ),
            )
        };
        comparison.between(rule, &place.join("private"), owned(comparison.new, name), message);
    }
    realms::compare(comparison, place, old, (name, realm.as_ref()));
    hidden::compare(comparison, place, old, (name, hidden.as_ref()));
    compare_fields(comparison, place, (old, &old.fields), (name, fields));
    compare_joined(comparison, place, (old, &old.joined), (name, joined));
    compare_views(comparison, place, old, new);
}

fn compare_nulls<'m>(comparison: &mut Comparison<'m>, place: &PathPair, (old, new): (&'m Resource, &'m Resource)) {
    let (was, is) = match (old.omits_nulls, new.omits_nulls) {
        (false, true) => ("null", "left out"),
        (true, false) => ("left out", "null"),
        _ => return,
    };
    let is_taken = |body: &Body| body.resource.as_ref() == Some(&new.name) && !body.partial;
    let mut affected = operations(comparison.new, |_, one| comparison.new.body(one).is_some_and(is_taken));
    for view in &new.views {
        let view = |resource: &'m Resource| Node::View(&resource.name, &view.name);
        affected.extend(comparison.audience(view(old), view(new)).operations());
    }
    let message = format!("a member of `{}` without a value is {is}, was {was}", new.name);
    let place = place.join("nulls");
    match new.omits_nulls {
        true => comparison.added(Rule::NullsChanged, &place.new, affected, message),
        false => comparison.removed(Rule::NullsChanged, &place.old, affected, message),
    }
}

fn compare_ids<'m>(comparison: &mut Comparison<'m>, place: &PathPair, (old, new): (&'m Resource, &'m Resource)) {
    if old.ids == new.ids {
        return;
    }
    // The former ids of another version stay valid.
    let rule = match old.ids.is_uuid() && new.ids.is_uuid() {
        true => Rule::MeaningChanged,
        false => Rule::IdsChanged,
    };
    let kinds = [old, new].map(|one| Node::BuiltIn(&one.field("id").of.kind));
    let affected = comparison.audience(kinds[0], kinds[1]).operations();
    let (is, was) = (new.ids.as_str(), old.ids.as_str());
    let message = format!("the ids of `{}` are `{is}`, were `{was}`", new.name);
    comparison.between(rule, &place.join("ids"), affected, message);
}

/// Compares what tables show, by the fields' names in the new contract.
fn compare_columns(
    comparison: &mut Comparison<'_>,
    place: &PathPair,
    old: &Resource,
    (name, label, columns): (&str, &Option<String>, &[String]),
) {
    let names = comparison.names;
    let now = |field: &String| names.field(&old.name, field).to_owned();
    let labels = (&old.label.as_ref().map(now), label);
    comparison.shown(&place.join("label"), name, labels, "label");
    let listed = |columns: &[String]| (!columns.is_empty()).then(|| columns.join(", "));
    let olds: Vec<String> = old.columns.iter().map(now).collect();
    let columns = (&listed(&olds), &listed(columns));
    comparison.shown(&place.join("columns"), name, columns, "list of columns");
}

fn compare_owner(comparison: &mut Comparison<'_>, place: &PathPair, old: &Resource, new: &[(String, String)]) {
    let names = comparison.names;
    let followed: Vec<(&str, &str)> = old
        .owner
        .iter()
        .map(|(caller, field)| (names.resource(caller), names.field(&old.name, field)))
        .collect();
    let olds: HashMap<&str, &str> = followed.iter().copied().collect();
    let news: HashMap<&str, &str> = new
        .iter()
        .map(|(caller, field)| (caller.as_str(), field.as_str()))
        .collect();
    let operations = owned(comparison.new, names.resource(&old.name));
    let place = place.join("owner");
    for (caller, field) in new {
        match olds.get(caller.as_str()) {
            Some(was) if was == field => {}
            Some(was) => {
                let message = format!("the owner is the `{caller}` whose id is in `{field}`, was in `{was}`");
                comparison.between(Rule::OwnerChanged, &place.join(caller), operations.clone(), message);
            }
            None => {
                let message = format!("the `{caller}` whose id is in `{field}` is now also an owner");
                let path = format!("{}.{caller}", place.new);
                comparison.added(Rule::OwnerChanged, &path, operations.clone(), message);
            }
        }
    }
    for (caller, _) in &old.owner {
        if !news.contains_key(names.resource(caller)) {
            let message = format!("a `{caller}` is no longer an owner");
            comparison.removed(
                Rule::OwnerChanged,
                &format!("{}.{caller}", place.old),
                operations.clone(),
                message,
            );
        }
    }
}

fn compare_fields<'m>(
    comparison: &mut Comparison<'m>,
    place: &PathPair,
    (old, old_fields): (&'m Resource, &'m [Field]),
    (name, fields): (&'m str, &'m [Field]),
) {
    let place = place.join("fields");
    let stored = Audience {
        stored: true,
        ..Audience::default()
    };
    let news: HashMap<&str, &Field> = fields.iter().map(|field| (field.name.as_str(), field)).collect();
    let mut kept = HashSet::new();
    for field in old_fields {
        let other = comparison.names.inside(MemberKind::Field, &old.name, &field.name);
        let Some(new) = news.get(other).copied() else {
            let path = format!("{}.{}", place.old, field.name);
            let message = removed_text(&format!("{}.{}", old.name, field.name), Rule::FieldRemoved, &stored);
            comparison.removed(Rule::FieldRemoved, &path, BTreeSet::new(), message);
            continue;
        };
        kept.insert(other);
        let place = place.under(&field.name, other);
        if other != field.name {
            let rule = field_renamed(comparison.now, &new.of);
            let message = format!("`{name}.{}` is stored as `{other}`", field.name);
            comparison.between(rule, &place, BTreeSet::new(), message);
        }
        let docs = (field.doc.as_deref(), new.doc.as_deref());
        comparison.described(&place, &format!("{name}.{other}"), docs, |comparison| {
            let things = (Node::Field(&old.name, &field.name), Node::Field(name, &new.name));
            comparison.audience(things.0, things.1).operations()
        });
        compare_field(comparison, &place, (&old.name, field), (name, new));
    }
    for field in fields.iter().filter(|field| !kept.contains(field.name.as_str())) {
        let rule = added(comparison.now, &stored, &field.of);
        let path = format!("{}.{}", place.new, field.name);
        comparison.added(
            rule,
            &path,
            BTreeSet::new(),
            added_text(&format!("{name}.{}", field.name), rule, &stored),
        );
    }
}

/// Compares a stored field of both contracts. Who sends and who receives it follows from its type.
fn compare_field<'m>(
    comparison: &mut Comparison<'m>,
    place: &PathPair,
    (old_resource, old): (&'m str, &'m Field),
    (resource, new): (&'m str, &'m Field),
) {
    if old.name == new.name && comparison.names.are_equal_types(&old.of, &new.of) {
        return;
    }
    let audience = comparison.audience(
        Node::FieldItself(old_resource, &old.name),
        Node::FieldItself(resource, &new.name),
    );
    let stored = format!("{resource}.{}", new.name);
    let itself = Node::FieldItself(resource, &new.name);
    let subject = ChangeSubject::for_element(comparison, itself, &audience, &stored);
    let name = subject.or(&new.name);
    let typed = TypeChange {
        name,
        old: &old.of,
        new: &new.of,
    };
    let mut findings = Findings::default();
    type_change::kind(comparison, &mut findings, &audience, typed);
    let nulled = comparison.audience(
        Node::FieldNull(old_resource, &old.name),
        Node::FieldNull(resource, &new.name),
    );
    if nulled.is_taken() {
        type_change::null(&mut findings, typed);
    }
    let shown = Audience {
        shown: audience.shown.clone(),
        ..Audience::default()
    };
    type_change::presence(comparison, &mut findings, &shown, typed);
    type_change::stored(comparison, &mut findings, typed, |of| {
        match default_of(comparison.now, of) {
            Some(default) => format!("`{default}`"),
            None => "none".to_owned(),
        }
    });
    findings.report(comparison, place, &audience);
}

fn compare_joined<'m>(
    comparison: &mut Comparison<'m>,
    place: &PathPair,
    (old, old_fields): (&'m Resource, &'m [Field]),
    (name, fields): (&'m str, &'m [Field]),
) {
    let place = place.join("joined");
    let news: HashMap<&str, &Field> = fields.iter().map(|field| (field.name.as_str(), field)).collect();
    // An added or removed joined field also changes a view, or it is unused.
    for field in old_fields {
        let other = comparison.names.inside(MemberKind::Joined, &old.name, &field.name);
        let Some(new) = news.get(other).copied() else { continue };
        let place = place.under(&field.name, other);
        let things = (Node::Joined(&old.name, &field.name), Node::Joined(name, &new.name));
        let docs = (field.doc.as_deref(), new.doc.as_deref());
        comparison.described(&place, &format!("{name}.{other}"), docs, |comparison| {
            comparison.audience(things.0, things.1).operations()
        });
        if other == field.name && comparison.names.are_equal_types(&field.of, &new.of) {
            continue;
        }
        let audience = comparison.audience(things.0, things.1);
        comparison.renamed(Rule::JoinedFieldRenamed, &place, &audience, (&field.name, other));
        let typed = TypeChange {
            name: other,
            old: &field.of,
            new: &new.of,
        };
        type_change::compare(comparison, &place, &audience, typed);
    }
}

/// Compares the views that are in both contracts. Added and removed views are reported where they are used.
fn compare_views<'m>(comparison: &mut Comparison<'m>, place: &PathPair, old: &'m Resource, new: &'m Resource) {
    for view in &old.views {
        let name = comparison.names.inside(MemberKind::View, &old.name, &view.name);
        let Some(other) = comparison.now.views.get(&(new.name.as_str(), name)).copied() else {
            continue;
        };
        let are_equal = comparison.names.are_equal_views((&old.name, view), (&new.name, other));
        if name == view.name && are_equal {
            continue;
        }
        let place = place.join("views").under(&view.name, name);
        let audience = comparison.audience(Node::View(&old.name, &view.name), Node::View(&new.name, &other.name));
        comparison.renamed(Rule::ViewRenamed, &place, &audience, (&view.name, name));
        let shapes = (&*shapes::of_view(&old.name, view), &*shapes::of_view(&new.name, other));
        if !audience.is_nobody() {
            shapes::compare(comparison, &place, &audience, shapes);
        }
    }
}

/// The operations that can answer that a resource is absent or belongs to another caller.
fn guarded(model: &Model, resource: &str) -> BTreeSet<String> {
    operations(model, |_, operation| {
        operation.finds(resource) || operation.claims(resource)
    })
}

/// The operations that only the owner of a resource may call.
fn owned(model: &Model, resource: &str) -> BTreeSet<String> {
    operations(model, |_, operation| operation.claims(resource))
}
