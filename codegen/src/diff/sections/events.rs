//! Compares `events`: their kinds, who gets them, and how long they are kept.

use crate::diff::matching::match_by;
use crate::diff::output::{Comparison, PathPair, Rule, words};
use crate::model::{EventKind, EventMember, Events};
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
    let names = |kind: &EventKind| -> BTreeSet<String> {
        let causes = kind.causes.iter();
        causes
            .map(|cause| format!("{}.{}", cause.surface, cause.operation))
            .collect()
    };
    let renamed: BTreeSet<String> = names(old)
        .into_iter()
        .map(|name| comparison.paired.now(&name).map_or(name.clone(), str::to_owned))
        .collect();
    let is_about = comparison.names.resource(&old.of) == of;
    let texts = |kind: &EventKind| {
        kind.to
            .iter()
            .map(|to| (to.each.clone(), to.path.to_string()))
            .collect::<Vec<_>>()
    };
    if !is_about || texts(old) != texts(new) || renamed != names(new) {
        let message = format!("the event `{name}` has other causes or recipients");
        comparison.between(Rule::EventCausesChanged, &place, BTreeSet::new(), message);
    }
    let _ = (to, causes);
    members(comparison, &place, (name, &old.data), data);
}

fn members(
    comparison: &mut Comparison<'_>,
    place: &PathPair,
    (name, old): (&str, &[EventMember]),
    new: &[EventMember],
) {
    let place = place.join("data");
    let members = match_by(old, new, |member| member.field.name.as_str());
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
        let was = words::of_type(comparison.was, &old.field.of);
        let is = words::of_type(comparison.now, &new.field.of);
        if was != is || old.field.of.optional != new.field.of.optional {
            let message = format!("`{}` of the event `{name}` is {is}, was {was}", new.field.name);
            let place = place.under(&old.field.name, &new.field.name);
            comparison.between(Rule::EventDataRemoved, &place, BTreeSet::new(), message);
        }
    }
}
