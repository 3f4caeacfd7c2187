//! The states of stored resources, with the operations that change them.

use super::table::{Row, captioned};
use super::text::{codes, link, prose};
use crate::model::{Enum, Model, States};
use crate::names::with_article;
use maud::{Markup, html};

pub(super) fn body(model: &Model) -> Option<Markup> {
    let with_states: Vec<(&Enum, &States)> = model
        .enums
        .iter()
        .filter_map(|one| Some((one, one.states.as_ref()?)))
        .collect();
    let body = html! {
        p { "Setting the current state again is always allowed and changes nothing." }
        @for (of, states) in &with_states { (changes(model, of, states)) }
    };
    (!with_states.is_empty()).then_some(body)
}

/// A row for each state, with the states that can follow it.
fn changes(model: &Model, of: &Enum, states: &States) -> Markup {
    let (resource, field) = &states.of;
    let title = format!("The {field} of {}", with_article(&model.resource(resource).noun));
    let is_documented = of.values.iter().any(|value| of.doc(value).is_some());
    let columns = ["State", "Can change to", "Meaning"];
    let columns = if is_documented { &columns[..] } else { &columns[..2] };
    let row = |value: &String| Row {
        anchor: None,
        cells: vec![
            html! { code { (value) } @if *value == states.initial { " (initial)" } },
            next(states, value),
            html! { @if let Some(doc) = of.doc(value) { (prose(doc)) } },
        ],
    };
    html! {
        article id={ "states-" (resource) "-" (field) } {
            (captioned(&title, columns, of.values.iter().map(row).collect()))
            p { (moved_by(model, of)) }
        }
    }
}

fn next(states: &States, value: &String) -> Markup {
    let Some(transitions) = &states.transitions else {
        return html! { "any other state" };
    };
    let others = transitions
        .iter()
        .filter(|(from, _)| from == value)
        .flat_map(|(_, to)| to);
    let others: Vec<&str> = others.filter(|to| *to != value).map(String::as_str).collect();
    html! { @if others.is_empty() { "none (final)" } @else { (codes(others)) } }
}

fn moved_by(model: &Model, of: &Enum) -> Markup {
    let moving = model.operations().filter(|(_, one)| one.changes(&of.name));
    let moving: Vec<_> = moving.collect();
    html! {
        @if !moving.is_empty() {
            "Changed by "
            @for (place, (surface, operation)) in moving.iter().enumerate() {
                @if place > 0 { ", " }
                (link(surface, operation))
            }
            "."
        }
    }
}
