//! Compares `objects`: types with members.

use super::members;
use super::type_change::{self, TypeChange};
use crate::diff::matching::{MemberKind, Namespace};
use crate::diff::output::{ChangeSubject, Comparison, PathPair, Rule, affected};
use crate::diff::relations::Node;
use crate::model::{Field, Object};
use std::collections::{HashMap, HashSet};

pub(crate) fn compare(comparison: &mut Comparison<'_>) {
    let (names, now) = (comparison.names, comparison.now);
    for old in &comparison.old.objects {
        let Some(new) = now.objects.get(names.declared(Namespace::Object, &old.name)).copied() else {
            continue;
        };
        let place = PathPair::same("objects").under(&old.name, &new.name);
        if old.name != new.name {
            let audience = comparison.audience(Node::Object(&old.name), Node::Object(&new.name));
            comparison.renamed(Rule::ObjectRenamed, &place, &audience, (&old.name, &new.name));
        }
        compare_object(comparison, &place, old, new);
    }
}

fn compare_object<'m>(comparison: &mut Comparison<'m>, place: &PathPair, old: &'m Object, new: &'m Object) {
    let Object { name, members, at: _ } = new;
    let news: HashMap<&str, &Field> = members.iter().map(|field| (field.name.as_str(), field)).collect();
    let whole = comparison.audience(Node::Object(&old.name), Node::Object(name));
    let holder = ChangeSubject::for_element(comparison, Node::Object(name), &whole, "");
    let called = |member: &str| match holder.or("") {
        "" => member.to_owned(),
        holder => format!("{holder}.{member}"),
    };
    let mut kept = HashSet::new();
    for member in &old.members {
        let other = comparison.names.inside(MemberKind::Member, &old.name, &member.name);
        let Some(new_member) = news.get(other).copied() else {
            let audience = comparison.audience(Node::Object(&old.name), Node::Object(name));
            if audience.is_nobody() {
                continue;
            }
            let rule = members::removed(&audience);
            let path = format!("{}.{}", place.old, member.name);
            comparison.removed(
                rule,
                &path,
                audience.operations(),
                members::removed_text(&called(&member.name), rule, &audience),
            );
            continue;
        };
        kept.insert(other);
        let place = place.under(&member.name, other);
        let things = (
            Node::Member(&old.name, &member.name),
            Node::Member(name, &new_member.name),
        );
        let docs = (member.doc.as_deref(), new_member.doc.as_deref());
        comparison.described(&place, &called(other), docs, |comparison| {
            comparison.audience(things.0, things.1).operations()
        });
        if other == member.name && comparison.names.are_equal_types(&member.of, &new_member.of) {
            continue;
        }
        let audience = comparison.audience(things.0, things.1);
        if other != member.name && !audience.is_nobody() {
            let rule = members::renamed(comparison.now, &audience, &new_member.of);
            let message = format!("`{}` is renamed to `{other}`", called(&member.name));
            comparison.between(rule, &place, audience.operations(), message);
        }
        let typed = TypeChange {
            name: &called(other),
            old: &member.of,
            new: &new_member.of,
        };
        type_change::compare(comparison, &place, &audience, typed);
    }
    for member in members.iter().filter(|member| !kept.contains(member.name.as_str())) {
        let audience = comparison.audience(Node::Object(&old.name), Node::Object(name));
        if audience.is_nobody() {
            continue;
        }
        let rule = members::added(comparison.now, &audience, &member.of);
        let path = format!("{}.{}", place.new, member.name);
        comparison.added(
            rule,
            &path,
            affected(&audience, &[rule]),
            members::added_text(&called(&member.name), rule, &audience),
        );
    }
}
