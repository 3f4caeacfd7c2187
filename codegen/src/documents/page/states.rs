//! The states of stored resources as diagrams, with the operations that change them.

use super::diagram::Diagram;
use super::drawing;
use super::text::{link, prose};
use crate::documents::shared::words;
use crate::model::{Enum, Model, States};
use crate::names::with_article;
use maud::{Markup, html};

/// Maximum number of arrows that a reader can follow. If there are more, only the text is shown.
const MOST_ARROWS: usize = 24;

pub(super) fn body(model: &Model) -> Option<Markup> {
    let with_states: Vec<(&Enum, &States)> = model
        .enums
        .iter()
        .filter_map(|one| Some((one, one.states.as_ref()?)))
        .collect();
    let body = html! {
        p { "The arrow from the dot leads to the initial state. Setting the current state again is always allowed and changes nothing." }
        div.states { @for (of, states) in &with_states { (figure(model, of, states)) } }
    };
    (!with_states.is_empty()).then_some(body)
}

fn figure(model: &Model, of: &Enum, states: &States) -> Markup {
    let (resource, field) = &states.of;
    let title = format!("The {field} of {}", with_article(&model.resource(resource).noun));
    let description = words::states(states);
    let id = format!("states-{resource}-{field}");
    let arrows: usize = states.transitions.iter().flatten().map(|(_, next)| next.len()).sum();
    html! {
        article {
            h3 id=(id) { (title) }
            figure aria-labelledby=(id) {
                @if arrows <= MOST_ARROWS { (drawing::svg(&Diagram::new(&of.values, states), &title, &description.replace('`', ""))) }
                figcaption { (prose(&description)) " " (moved_by(model, of)) }
            }
            (meanings(of))
        }
    }
}

/// The meanings of the states, if the contract describes them.
fn meanings(of: &Enum) -> Markup {
    let documented = of.values.iter().filter_map(|value| Some((value, of.doc(value)?)));
    let documented: Vec<_> = documented.collect();
    html! {
        @if !documented.is_empty() {
            dl { @for (value, doc) in &documented { dt { code { (value) } } dd { (prose(doc)) } } }
        }
    }
}

fn moved_by(model: &Model, of: &Enum) -> Markup {
    let moving = model
        .operations()
        .filter(|(_, one)| one.transitions.as_ref().is_some_and(|(_, name)| *name == of.name));
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
