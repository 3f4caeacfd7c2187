//! Compares bodies of requests: `inputs`, and those declared in operations.

use super::members::{added_text, removed_text};
use super::type_change::{self, TypeChange};
use crate::diff::matching::{Namespace, Renames, removed_and_added};
use crate::diff::output::{Comparison, Findings, PathPair, Rule};
use crate::diff::relations::{Audience, Node};
use crate::model::{Body, BodyMember, Field, Input};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Compares the named bodies.
pub(crate) fn compare_inputs(comparison: &mut Comparison<'_>) {
    let (names, now) = (comparison.names, comparison.now);
    for old in &comparison.old.inputs {
        let Some(new) = now.inputs.get(names.declared(Namespace::Input, &old.name)).copied() else {
            continue;
        };
        let Input { name, body } = new;
        let place = PathPair::same("inputs").under(&old.name, name);
        let audience = comparison.audience(Node::Input(&old.name), Node::Input(name));
        describe(comparison, &place, (&old.body, body), &audience.operations());
        if old.name == *name && names.are_equal_bodies(&old.body, body) {
            continue;
        }
        comparison.renamed(Rule::InputRenamed, &place, &audience, (&old.name, name));
        if !audience.is_nobody() {
            compare(comparison, &place, &audience, (&old.body, body));
        }
    }
}

/// Compares the descriptions of the own members of two bodies. Fields of resources are compared at their declaration.
pub(crate) fn describe(
    comparison: &mut Comparison<'_>,
    place: &PathPair,
    (old, new): (&Body, &Body),
    operations: &BTreeSet<String>,
) {
    fn own(body: &Body) -> Vec<&Field> {
        let members = body.members.iter().filter(|member| !member.of_record);
        members.map(|member| &member.field).collect()
    }
    comparison.described_members(&place.join("members"), (&own(old), &own(new)), operations);
}

/// Compares two bodies.
pub(crate) fn compare(
    comparison: &mut Comparison<'_>,
    place: &PathPair,
    audience: &Audience,
    (old, new): (&Body, &Body),
) {
    let Body {
        resource,
        partial,
        members,
        at: _,
    } = new;
    compare_resource(comparison, place, audience, (old, resource.as_deref()));
    compare_partial(comparison, place, audience, (old.partial, *partial));
    let renamed = renamed(comparison.names, old, new);
    let news: HashMap<&str, &BodyMember> = members
        .iter()
        .map(|member| (member.field.name.as_str(), member))
        .collect();
    let mut kept = HashSet::new();
    for member in &old.members {
        let was = member.field.name.as_str();
        let is = renamed.get(was).copied().unwrap_or(was);
        let Some(other) = news.get(is) else {
            let rule = Rule::RequestMemberRemoved;
            let path = format!("{}.{}", place.old, key(old, member));
            comparison.removed(rule, &path, audience.operations(), removed_text(was, rule, audience));
            continue;
        };
        kept.insert(is);
        let place = place.under(&key(old, member), &key(new, other));
        if was != is {
            let message = format!("`{was}` is renamed to `{is}`");
            comparison.between(Rule::RequestMemberRenamed, &place, audience.operations(), message);
        }
        let members = BodyMembers {
            old: (old, member),
            new: (new, other),
        };
        compare_member(comparison, &place, audience, &members);
    }
    for member in members
        .iter()
        .filter(|member| !kept.contains(member.field.name.as_str()))
    {
        let rule = if member.required {
            Rule::RequiredMemberAdded
        } else {
            Rule::RequestMemberAdded
        };
        let path = format!("{}.{}", place.new, key(new, member));
        comparison.added(
            rule,
            &path,
            audience.operations(),
            added_text(&member.field.name, rule, audience),
        );
    }
}

fn compare_resource(
    comparison: &mut Comparison<'_>,
    place: &PathPair,
    audience: &Audience,
    (old, new): (&Body, Option<&str>),
) {
    let was = old.resource.as_deref();
    if was.map(|resource| comparison.names.resource(resource)) != new {
        let words = |resource: Option<&str>| resource.map_or("no resource".to_owned(), |name| format!("`{name}`"));
        let message = format!("the body creates or changes {}, was {}", words(new), words(was));
        comparison.between(
            Rule::BodyResourceChanged,
            &place.join("resource"),
            audience.operations(),
            message,
        );
    }
}

fn compare_partial(comparison: &mut Comparison<'_>, place: &PathPair, audience: &Audience, (old, new): (bool, bool)) {
    if old != new {
        let message = if new {
            "the body is now partial: omitted members keep their stored value, and at least one must be given"
        } else {
            "the body is no longer partial: omitted members do not keep their stored value"
        };
        comparison.between(
            Rule::PartialBodyChanged,
            place,
            audience.operations(),
            message.to_owned(),
        );
    }
}

/// A member that is in both bodies.
struct BodyMembers<'m> {
    old: (&'m Body, &'m BodyMember),
    new: (&'m Body, &'m BodyMember),
}

fn compare_member(comparison: &mut Comparison<'_>, place: &PathPair, audience: &Audience, members: &BodyMembers<'_>) {
    let ((old_body, old), (new_body, new)) = (members.old, members.new);
    let typed = TypeChange {
        name: &new.field.name,
        old: &old.field.of,
        new: &new.field.of,
    };
    let mut findings = Findings::default();
    let are_partial = old_body.partial && new_body.partial;
    let fields = field_of(old_body, old).zip(field_of(new_body, new));
    // Fields are compared at their declaration.
    let is_same_field = fields
        .is_some_and(|((was, field), is)| (comparison.names.resource(was), comparison.names.field(was, field)) == is);
    if !is_same_field {
        type_change::kind(comparison, &mut findings, audience, typed);
    }
    match (old.of_record || new.of_record, old_body.partial == new_body.partial) {
        (_, false) => {}
        _ if are_partial && !is_same_field => type_change::null(&mut findings, typed),
        (true, true) if is_same_field && old.required == new.required => {}
        (true, true) => type_change::requiredness(comparison, &mut findings, typed, (old.required, new.required)),
        _ if are_partial => {}
        (false, true) => type_change::presence(comparison, &mut findings, audience, typed),
    }
    findings.report(comparison, place, audience);
}

/// The resource and the field of a member.
fn field_of<'m>(body: &'m Body, member: &'m BodyMember) -> Option<(&'m str, &'m str)> {
    let resource = body.resource.as_deref().filter(|_| member.of_record)?;
    Some((resource, &member.field.name))
}

/// The path of a member within its body.
fn key(body: &Body, member: &BodyMember) -> String {
    let BodyMember {
        field,
        of_record,
        required,
        never_null: _,
    } = member;
    let key = match (of_record, body.partial, required) {
        (false, ..) => "members",
        (true, true, _) => "at_least_one_of",
        (true, false, true) => "required",
        (true, false, false) => "optional",
    };
    format!("{key}.{}", field.name)
}

/// Renamed members: those of renamed fields, and others of the same type.
fn renamed<'m>(names: &Renames<'_>, old: &'m Body, new: &'m Body) -> HashMap<&'m str, &'m str> {
    let news: HashSet<&str> = new.members.iter().map(|member| member.field.name.as_str()).collect();
    let olds: HashSet<&str> = old.members.iter().map(|member| member.field.name.as_str()).collect();
    let mut renamed = HashMap::new();
    for member in &old.members {
        let followed = field_of(old, member).and_then(|(resource, field)| news.get(names.field(resource, field)));
        if let Some(followed) = followed.filter(|followed| !olds.contains(**followed)) {
            renamed.insert(member.field.name.as_str(), *followed);
        }
    }
    let taken: HashSet<&str> = renamed.values().copied().collect();
    let contents =
        |body: &'m Body, names: Option<&Renames<'_>>, done: &dyn Fn(&str) -> bool| -> Vec<(&'m str, String)> {
            let members = body.members.iter().filter(|member| !done(&member.field.name));
            let content =
                |member: &BodyMember| format!("{} {}", member.required, Renames::content(names, &member.field.of));
            members
                .map(|member| (member.field.name.as_str(), content(member)))
                .collect()
        };
    let gone = contents(old, Some(names), &|name| renamed.contains_key(name));
    let come = contents(new, None, &|name| taken.contains(name));
    renamed.extend(removed_and_added(gone, come));
    renamed
}
