//! Compares the shape of an answer: the members of a view, or of `data` itself.

use super::members::{added_text, removed_text};
use super::type_change::{self, TypeChange};
use crate::diff::matching::{Renames, removed_and_added};
use crate::diff::output::{Comparison, Findings, PathPair, Rule};
use crate::diff::relations::Audience;
use crate::model::{Field, Source, Type, View, ViewMember};
use std::collections::{HashMap, HashSet};

/// A member of an answer.
#[derive(Clone, Copy)]
pub(crate) struct Shown<'m> {
    name: &'m str,
    of: &'m Type,
    /// The resource and the source of its value, for a member of a view.
    source: Option<(&'m str, &'m Source)>,
}

/// The members of a view.
pub(crate) fn of_view<'m>(resource: &'m str, view: &'m View) -> Vec<Shown<'m>> {
    let View { name: _, members } = view;
    let shown = |member: &'m ViewMember| {
        let ViewMember {
            shown,
            source,
            of,
            doc: _,
            omitted: _,
        } = member;
        Shown {
            name: shown,
            of,
            source: Some((resource, source)),
        }
    };
    members.iter().map(shown).collect()
}

/// The members that are declared in the answer itself.
pub(crate) fn of_members(members: &[Field]) -> Vec<Shown<'_>> {
    let shown = members.iter().map(|member| Shown {
        name: &member.name,
        of: &member.of,
        source: None,
    });
    shown.collect()
}

/// Compares two shapes.
pub(crate) fn compare(
    comparison: &mut Comparison<'_>,
    place: &PathPair,
    audience: &Audience,
    (old, new): (&[Shown<'_>], &[Shown<'_>]),
) {
    let renamed = renamed(comparison.names, old, new);
    let news: HashMap<&str, Shown<'_>> = new.iter().map(|member| (member.name, *member)).collect();
    let mut kept = HashSet::new();
    for member in old {
        let name = renamed.get(member.name).copied().unwrap_or(member.name);
        match news.get(name) {
            Some(new) => {
                kept.insert(name);
                compare_member(comparison, &place.under(member.name, name), audience, (*member, *new));
            }
            None => {
                let rule = Rule::AnswerMemberRemoved;
                let path = format!("{}.{}", place.old, member.name);
                comparison.removed(
                    rule,
                    &path,
                    audience.operations(),
                    removed_text(member.name, rule, audience),
                );
            }
        }
    }
    for member in new.iter().filter(|member| !kept.contains(member.name)) {
        let rule = Rule::AnswerMemberAdded;
        let path = format!("{}.{}", place.new, member.name);
        comparison.added(
            rule,
            &path,
            audience.operations(),
            added_text(member.name, rule, audience),
        );
    }
}

fn compare_member(
    comparison: &mut Comparison<'_>,
    place: &PathPair,
    audience: &Audience,
    (old, new): (Shown<'_>, Shown<'_>),
) {
    if old.name != new.name {
        let message = format!("`{}` is renamed to `{}`", old.name, new.name);
        comparison.between(Rule::AnswerMemberRenamed, place, audience.operations(), message);
    }
    let was = old.source.map(|source| origin(Some(comparison.names), source));
    let is = new.source.map(|source| origin(None, source));
    if was.is_some() && was == is {
        return;
    }
    let mut findings = Findings::default();
    let typed = TypeChange {
        name: new.name,
        old: old.of,
        new: new.of,
    };
    type_change::kind(comparison, &mut findings, audience, typed);
    type_change::presence(comparison, &mut findings, audience, typed);
    if let (Some(was), Some((_, is))) = (old.source, new.source) {
        let text = format!("`{}` shows the value of `{}`, was that of `{}`", new.name, is, was.1);
        findings.add(Rule::AnswerSourceChanged, text);
    }
    findings.report(comparison, place, audience);
}

/// Pairs renamed members: those with the same source.
fn renamed<'m>(names: &Renames<'_>, old: &[Shown<'m>], new: &[Shown<'m>]) -> HashMap<&'m str, &'m str> {
    let contents = |shown: &[Shown<'m>], names: Option<&Renames<'_>>| -> Vec<(&'m str, String)> {
        let content = |member: &Shown<'m>| match member.source {
            Some(source) => origin(names, source),
            None => Renames::content(names, member.of),
        };
        shown.iter().map(|member| (member.name, content(member))).collect()
    };
    removed_and_added(contents(old, Some(names)), contents(new, None))
        .into_iter()
        .collect()
}

/// The source of a value, with the new names if `names` are given.
pub(crate) fn origin(names: Option<&Renames<'_>>, (resource, source): (&str, &Source)) -> String {
    let path = path(names, (resource, source));
    format!("{}: {path}", names.map_or(resource, |names| names.resource(resource)))
}

/// The source of a value within its resource, with the new names if `names` are given.
pub(crate) fn path(names: Option<&Renames<'_>>, (resource, source): (&str, &Source)) -> String {
    let Some(names) = names else {
        return source.to_string();
    };
    let field = |field| names.field(resource, field);
    match source {
        Source::Stored(name) | Source::Joined(name) => field(name).to_owned(),
        Source::Each(name, part) => {
            let part = names.part_of_items(resource, name, part);
            format!("{}[].{part}", field(name))
        }
    }
}
