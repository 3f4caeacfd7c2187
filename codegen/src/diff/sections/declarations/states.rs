//! Compares `states`: initial states and allowed transitions.
//!
//! Transitions of an added or removed value are part of that change of the enumeration.

use super::transitions::{self, StateMoves};
use crate::diff::matching::{MemberKind, operations};
use crate::diff::output::words::listed;
use crate::diff::output::{Comparison, PathPair, Rule};
use crate::model::{Body, BodyUse, Data, Enum, Kind, Model, Operation, Source, States};
use std::collections::{BTreeSet, HashMap, HashSet};

pub(crate) fn compare(comparison: &mut Comparison<'_>) {
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
                "`{}` no longer has states: handlers decide its value",
                path_of(&states.of)
            );
            let path = format!("states.{}", path_of(&states.of));
            let operations = comparison
                .paired
                .still(comparison.old, |_, operation| operation.changes(&one.name));
            comparison.removed(Rule::StatesRemoved, &path, operations, message);
        }
    }
    // What is new has no stored states, and nobody depends on its moves.
    let is_old = |states: &States| comparison.old.resources.iter().any(|one| one.name == states.of.0);
    let added = declared(comparison.new).filter(|(_, states)| !kept.contains(&states.of) && is_old(states));
    for (one, states) in added {
        let message = format!(
            "`{}` begins as `{}` and allows {}",
            path_of(&states.of),
            states.initial,
            match states.transitions {
                Some(_) => "only the listed transitions",
                None => "every transition",
            }
        );
        let path = format!("states.{}", path_of(&states.of));
        comparison.added(Rule::StatesAdded, &path, moving(comparison.new, one), message);
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

/// The operations that change the states of an enumeration.
fn moving(model: &Model, moved: &Enum) -> BTreeSet<String> {
    operations(model, |_, operation| operation.changes(&moved.name))
}

/// The transitions of a table, in words.
fn listed_moves(table: &[(String, Vec<String>)]) -> String {
    let moves = table.iter().filter(|(_, to)| !to.is_empty());
    let moves = moves.map(|(from, to)| format!("from `{from}` to {}", listed(to.iter().map(String::as_str))));
    let moves: Vec<_> = moves.collect();
    if moves.is_empty() {
        "no transition".to_owned()
    } else {
        format!("only transitions {}", moves.join(" and "))
    }
}

/// Whether an operation creates a resource of this kind.
fn makes(model: &Model, operation: &Operation, of: &str) -> bool {
    body_of(model, operation).is_some_and(|body| !body.partial && body.resource.as_deref() == Some(of))
}

fn body_of<'m>(model: &'m Model, operation: &'m Operation) -> Option<&'m Body> {
    match operation.body.as_ref()? {
        BodyUse::Named(name) => {
            let mut inputs = model.inputs.iter();
            inputs.find(|input| input.name == *name).map(|input| &input.body)
        }
        BodyUse::Inline(body) => Some(body),
    }
}

/// The operations whose requests can ask for a state. A body may accept only some states.
fn asking(model: &Model, moved: &Enum, to: &str) -> BTreeSet<String> {
    let is_named = |kind: &Kind| {
        let Kind::Enum(name) = kind else { return false };
        let one = model.enumeration(name);
        let is_part = one.part_of.as_deref() == Some(&*moved.name);
        (one.name == moved.name || is_part) && one.values.iter().any(|value| value == to)
    };
    let moving = moving(model, moved);
    let asking = operations(model, |_, operation| {
        let members = body_of(model, operation).into_iter().flat_map(|body| &body.members);
        members.into_iter().any(|member| is_named(&member.field.of.kind))
    });
    moving.intersection(&asking).cloned().collect()
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

fn path_of((resource, field): &(String, String)) -> String {
    format!("{resource}.{field}")
}

fn compare_states(comparison: &mut Comparison<'_>, old: (&Enum, &States), new: (&Enum, &States)) {
    let States {
        of,
        initial,
        transitions,
        at: _,
    } = new.1;
    let names = comparison.names;
    let place = PathPair::same("states").under(&path_of(&old.1.of), &path_of(of));
    let of = path_of(of);
    let value = |name: &str| names.inside(MemberKind::Value, &old.0.name, name).to_owned();
    let model = comparison.new;
    let showing = operations(model, |_, operation| shows(model, operation, &new.1.of));
    if value(&old.1.initial) != *initial {
        let makes = operations(model, |_, operation| makes(model, operation, &new.1.of.0));
        let shows = showing.union(&makes).cloned().collect();
        let message = format!("the initial value of `{of}` is `{initial}`, was `{}`", old.1.initial);
        comparison.between(Rule::StateInitialChanged, &place.join("initial"), shows, message);
    }
    let place = place.join("transitions");
    let operations = moving(model, new.0);
    match (&old.1.transitions, transitions) {
        (None, None) => {}
        (None, Some(moves)) => {
            let message = format!("`{of}` allows {}, was every transition", listed_moves(moves));
            comparison.between(Rule::TransitionsRestricted, &place, operations, message);
        }
        (Some(_), None) => {
            let message = format!("`{of}` allows every transition, was only the listed ones");
            comparison.between(Rule::TransitionsFreed, &place, operations, message);
        }
        (Some(was), Some(is)) => {
            let moves = StateMoves {
                of: &of,
                place: &place,
                asking: &|to| asking(model, new.0, to),
                showing: &showing,
                was: transitions::from_table(was, value),
                is: transitions::from_table(is, str::to_owned),
                olds: old.0.values.iter().map(|name| value(name)).collect(),
                news: new.0.values.iter().cloned().collect(),
            };
            moves.compare(comparison);
        }
    }
}
