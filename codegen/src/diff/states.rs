//! `states`: in which states things begin, and what may follow what.
//!
//! What may follow a value that came, or went, is a part of that change of the enumeration.

use super::Comparison;
use super::names::Part;
use super::paired::operations;
use super::place::Place;
use super::transitions::{self, Moves};
use crate::model::{Data, Enum, Model, Operation, Source, States};
use std::collections::{BTreeSet, HashMap, HashSet};

pub(super) fn compare(comparison: &mut Comparison<'_>) {
    let names = comparison.names;
    let new = by_place(comparison.new);
    let mut kept = HashSet::new();
    for (one, states) in declared(comparison.old) {
        let (resource, field) = &states.of;
        let now = (
            names.resource(resource).to_owned(),
            names.field(resource, field).to_owned(),
        );
        if let Some(new) = new.get(&now) {
            kept.insert(now);
            compare_states(comparison, (one, states), *new);
        } else {
            let message = format!(
                "`{}` can become whatever handlers allow, from any value",
                written(&states.of)
            );
            let path = format!("states.{}", written(&states.of));
            let operations = comparison.paired.still(comparison.old, |_, operation| {
                operation
                    .transitions
                    .as_ref()
                    .is_some_and(|(_, moved)| *moved == one.name)
            });
            comparison.removed("states-removed", &path, operations, message);
        }
    }
    for (one, states) in declared(comparison.new).filter(|(_, states)| !kept.contains(&states.of)) {
        let message = format!(
            "`{}` begins as `{}` and {}",
            written(&states.of),
            states.initial,
            match states.transitions {
                Some(_) => "can become only what is listed",
                None => "can become anything",
            }
        );
        let path = format!("states.{}", written(&states.of));
        comparison.added("states-added", &path, moving(comparison.new, one), message);
    }
}

fn declared(model: &Model) -> impl Iterator<Item = (&Enum, &States)> {
    model.enums.iter().filter_map(|one| Some((one, one.states.as_ref()?)))
}

fn by_place(model: &Model) -> HashMap<(String, String), (&Enum, &States)> {
    declared(model)
        .map(|(one, states)| (states.of.clone(), (one, states)))
        .collect()
}

/// The operations that move the states of an enumeration.
fn moving(model: &Model, moved: &Enum) -> BTreeSet<String> {
    operations(model, |_, operation| {
        operation
            .transitions
            .as_ref()
            .is_some_and(|(_, states)| *states == moved.name)
    })
}

/// Whether an operation shows a field.
fn shows(model: &Model, operation: &Operation, (of, field): &(String, String)) -> bool {
    let Some(Data::One { resource, view } | Data::Many { resource, view }) = &operation.data else {
        return false;
    };
    let mut views = model.resource(resource).views.iter().filter(|one| one.name == *view);
    let is_field = |source: &Source| matches!(source, Source::Stored(name) if name == field);
    resource == of && views.any(|view| view.members.iter().any(|member| is_field(&member.source)))
}

fn written((resource, field): &(String, String)) -> String {
    format!("{resource}.{field}")
}

fn compare_states(comparison: &mut Comparison<'_>, old: (&Enum, &States), new: (&Enum, &States)) {
    let States {
        of,
        initial,
        transitions,
    } = new.1;
    let names = comparison.names;
    let place = Place::same("states").under(&written(&old.1.of), &written(of));
    let of = written(of);
    let value = |name: &str| names.inside(Part::Value, &old.0.name, name).to_owned();
    if value(&old.1.initial) != *initial {
        let shows = operations(comparison.new, |_, operation| {
            shows(comparison.new, operation, &new.1.of)
        });
        let message = format!("a new `{of}` is `{initial}`, was `{}`", old.1.initial);
        comparison.between("state-initial-changed", &place.join("initial"), shows, message);
    }
    let place = place.join("transitions");
    let operations = moving(comparison.new, new.0);
    match (&old.1.transitions, transitions) {
        (None, None) => {}
        (None, Some(_)) => {
            let message = format!("`{of}` can become only what is listed, was anything");
            comparison.between("transitions-restricted", &place, operations, message);
        }
        (Some(_), None) => {
            let message = format!("`{of}` can become anything, was only what is listed");
            comparison.between("transitions-freed", &place, operations, message);
        }
        (Some(was), Some(is)) => {
            let moves = Moves {
                of: &of,
                place: &place,
                operations: &operations,
                was: transitions::of(was, value),
                is: transitions::of(is, str::to_owned),
                olds: old.0.values.iter().map(|name| value(name)).collect(),
                news: new.0.values.iter().cloned().collect(),
            };
            moves.compare(comparison);
        }
    }
}
