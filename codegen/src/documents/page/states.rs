//! The states of what is stored, drawn, and who moves them.

use super::diagram::Diagram;
use super::drawing;
use super::text::{link, prose};
use crate::documents::shared::words;
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
        p { "A new record has the state that the dot leads to. To set the present one again is always allowed, and changes nothing." }
        div.states { @for (of, states) in &with_states { (figure(model, of, states)) } }
    };
    (!with_states.is_empty()).then_some(body)
}

fn figure(model: &Model, of: &Enum, states: &States) -> Markup {
    let (resource, field) = &states.of;
    let title = format!("The {field} of {}", with_article(&model.resource(resource).noun));
    let told = words::states(states);
    let id = format!("states-{resource}-{field}");
    html! {
        article {
            h3 id=(id) { (title) }
            figure aria-labelledby=(id) {
                (drawing::svg(&Diagram::new(&of.values, states), &title, &told.replace('`', "")))
                figcaption { (prose(&told)) " " (moved_by(model, of)) }
            }
        }
    }
}

fn moved_by(model: &Model, of: &Enum) -> Markup {
    let operations = model
        .surfaces
        .iter()
        .flat_map(|surface| surface.operations.iter().map(move |one| (surface, one)));
    let moving = operations.filter(|(_, one)| one.transitions.as_ref().is_some_and(|(_, name)| *name == of.name));
    let moving: Vec<_> = moving.collect();
    html! {
        @if !moving.is_empty() {
            "Moved by "
            @for (place, (surface, operation)) in moving.iter().enumerate() {
                @if place > 0 { ", " }
                (link(surface, operation))
            }
            "."
        }
    }
}
