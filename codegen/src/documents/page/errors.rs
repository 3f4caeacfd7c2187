//! The error table, in order of precedence.

use super::table::{Row, table};
use super::text::{codes, link, prose};
use crate::documents::shared::{possible_errors, words};
use crate::model::{self, Model, Operation, Surface};
use crate::step::Step;
use maud::{Markup, html};

/// Maximum number of operations that are listed without a click.
const FEW: usize = 2;

pub(super) fn body(model: &Model) -> Markup {
    let rows = model.errors.iter().enumerate().map(|(place, row)| Row {
        anchor: Some(format!("error-{}", row.name)),
        cells: cells(model, place + 1, row),
    });
    html! {
        p { "The order is the precedence: if a request causes several errors, the response is the first of them in this table. The line below the name is the step that rejects the request." }
        (table(&["Error", "Status", "Text", "What to do", "Operations"], rows.collect()))
    }
}

fn cells(model: &Model, place: usize, row: &model::ErrorEntry) -> Vec<Markup> {
    vec![
        html! { span.place { (place) ". " } code { (row.name) } p { "at " (row.step.as_str()) } },
        html! { (row.status) },
        said(row),
        prose(row.help.as_deref().unwrap_or_default()),
        concerned(model, row),
    ]
}

/// The text of an error, its headers, and its meaning if the text alone does not state it.
fn said(row: &model::ErrorEntry) -> Markup {
    let meaning = Some(words::meaning(row)).filter(|_| row.step != Step::Rule);
    html! {
        q { (words::template(&row.text)) }
        @if let Some(meaning) = meaning { p { (words::capitalised(&meaning)) "." } }
        @if !row.headers.is_empty() { p { "With " (codes(row.headers.iter().map(|(name, _)| name.as_str()))) "." } }
    }
}

/// The operations that can be answered with an error.
fn concerned(model: &Model, row: &model::ErrorEntry) -> Markup {
    let can_answer =
        |(surface, operation): &(&Surface, &Operation)| possible_errors::can_answer(model, surface, operation, row);
    let concerned: Vec<_> = model.operations().filter(can_answer).collect();
    let links = html! {
        ul { @for (surface, operation) in &concerned { li { (link(surface, operation)) } } }
    };
    html! {
        @if matches!(row.step, Step::Route | Step::Method) { "Requests that match no operation" }
        @else if concerned.len() == model.operations().count() { "All operations" }
        @else if concerned.is_empty() { "No operation" }
        @else if concerned.len() <= FEW { (links) }
        @else { details { summary { (concerned.len()) " operations" } (links) } }
    }
}
