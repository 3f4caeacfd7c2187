//! Compares `events`: their kinds, who gets them, and how long they are kept.

use crate::diff::matching::match_by;
use crate::diff::output::{Comparison, PathPair, Rule, differences};
use crate::model::{Cause, EventKind, EventMember, Events, FieldPath, Recipient};
use std::collections::BTreeSet;

pub(crate) fn compare(comparison: &mut Comparison<'_>) {
    let (old, new) = (comparison.old.event_kinds(), comparison.new.event_kinds());
    let kinds = match_by(old, new, |kind| kind.name.as_str());
    for kind in kinds.removed {
        let message = format!("the event `{}` is no longer sent", kind.name);
        comparison.removed(Rule::EventRemoved, &path(kind), BTreeSet::new(), message);
    }
    for kind in kinds.added {
        let message = format!("the event `{}` is added", kind.name);
        comparison.added(Rule::EventAdded, &path(kind), BTreeSet::new(), message);
    }
    for (old, new) in kinds.kept {
        compare_kind(comparison, old, new);
    }
    if let (Some(old), Some(new)) = (&comparison.old.events, &comparison.new.events) {
        retention(comparison, old, new);
    }
}

fn path(kind: &EventKind) -> String {
    format!("events.kinds.{}", kind.name)
}

fn retention(comparison: &mut Comparison<'_>, old: &Events, new: &Events) {
    let Events {
        keep_seconds,
        max,
        recipients,
        kinds: _,
        at: _,
    } = new;
    let compared = [
        (
            "keep",
            old.keep_seconds,
            *keep_seconds,
            "seconds for which an event is kept",
        ),
        ("max", old.max, *max, "events kept for each recipient"),
        ("recipients", old.recipients, *recipients, "recipients of an event"),
    ];
    for (key, was, is, what) in compared {
        let rule = match is < was {
            true => Rule::EventsKeptShorter,
            false => Rule::EventsKeptLonger,
        };
        if was != is {
            let message = format!("the maximum of {what} is {is}, was {was}");
            comparison.changed(rule, &format!("events.{key}"), BTreeSet::new(), message);
        }
    }
}

fn compare_kind(comparison: &mut Comparison<'_>, old: &EventKind, new: &EventKind) {
    let place = PathPair::same("events").join("kinds").under(&old.name, &new.name);
    let EventKind {
        name,
        doc,
        of,
        to,
        causes,
        data,
        at: _,
    } = new;
    if *doc != old.doc {
        let message = format!("the description of the event `{name}` has changed");
        comparison.between(Rule::DescriptionChanged, &place, BTreeSet::new(), message);
    }
    let names = |causes: &[Cause]| -> BTreeSet<String> {
        causes
            .iter()
            .map(|cause| format!("{}.{}", cause.surface, cause.operation))
            .collect()
    };
    let renamed: BTreeSet<String> = names(&old.causes)
        .into_iter()
        .map(|name| comparison.paired.now(&name).map_or(name.clone(), str::to_owned))
        .collect();
    let is_about = comparison.names.resource(&old.of) == of;
    let were: BTreeSet<Recipient> = old.to.iter().map(|to| recipient(comparison, old, to)).collect();
    let are: BTreeSet<Recipient> = to.iter().cloned().collect();
    if !is_about || were != are || renamed != names(causes) {
        let message = format!("the event `{name}` has other causes or recipients");
        comparison.between(Rule::EventCausesChanged, &place, BTreeSet::new(), message);
    }
    members(comparison, &place, old, (name, data));
}

/// A recipient of the old contract, by the names of the new one.
fn recipient(comparison: &Comparison<'_>, kind: &EventKind, to: &Recipient) -> Recipient {
    let names = comparison.names;
    let from = to.each.as_ref().map_or(&kind.of, |(resource, _)| resource);
    Recipient {
        caller: names.resource(&to.caller).to_owned(),
        each: to.each.as_ref().map(|(resource, field)| {
            (
                names.resource(resource).to_owned(),
                names.field(resource, field).to_owned(),
            )
        }),
        path: path_now(comparison, from, &to.path),
    }
}

/// A path of the old contract, by the names of the new one.
fn path_now(comparison: &Comparison<'_>, from: &str, path: &FieldPath) -> FieldPath {
    let names = comparison.names;
    let mut resource = from;
    let mut ids = Vec::new();
    for (field, to) in &path.ids {
        ids.push((names.field(resource, field).to_owned(), names.resource(to).to_owned()));
        resource = to;
    }
    let field = names.field(resource, &path.field).to_owned();
    FieldPath { ids, field }
}

fn members(comparison: &mut Comparison<'_>, place: &PathPair, kind: &EventKind, (name, new): (&str, &[EventMember])) {
    let place = place.join("data");
    let members = match_by(&kind.data, new, |member| member.field.name.as_str());
    for member in members.removed {
        let message = format!("the event `{name}` no longer has `{}`", member.field.name);
        let path = place.join(&member.field.name).old;
        comparison.removed(Rule::EventDataRemoved, &path, BTreeSet::new(), message);
    }
    for member in members.added {
        let message = format!("the event `{name}` also has `{}`", member.field.name);
        let path = place.join(&member.field.name).new;
        comparison.added(Rule::EventDataAdded, &path, BTreeSet::new(), message);
    }
    for (old, new) in members.kept {
        let was = differences::of_member(comparison.was, &old.field.of);
        let is = differences::of_member(comparison.now, &new.field.of);
        let (from, to) = (path_now(comparison, &kind.of, &old.path), &new.path);
        let of = format!("`{}` of the event `{name}`", new.field.name);
        let message = match was == is {
            true if from == *to => continue,
            true => format!("{of} shows `{to}`, was `{from}`"),
            false => format!("{of} is {is}, was {was}"),
        };
        let place = place.under(&old.field.name, &new.field.name);
        comparison.between(Rule::EventDataChanged, &place, BTreeSet::new(), message);
    }
}
