//! The error table, in order of precedence.

use super::table::{Row, captioned, table};
use super::text::{codes, link, prose};
use crate::documents::shared::{possible_errors, words};
use crate::fault_codes::{self, FaultCode};
use crate::model::{self, EnvelopeValue, Model, Operation, Surface};
use crate::step::Step;
use maud::{Markup, html};

/// Maximum number of operations that are listed without a click.
const FEW: usize = 2;

pub(super) fn body(model: &Model) -> Markup {
    let rows = model.errors.iter().enumerate().map(|(place, error)| Row {
        anchor: Some(format!("error-{}", error.name)),
        cells: cells(model, place + 1, error),
    });
    html! {
        p { "The order is the precedence: if a request causes several errors, the response is the first of them in this table." }
        (table(&["Error", "Status", "Text", "What to do", "Operations"], rows.collect()))
        @if let Some(header) = model.fault_codes_header() {
            p { code { (header) } ": " (prose(fault_codes::SYNTAX)) }
        }
        @if model.fault_codes_header().is_some() || EnvelopeValue::shows(&model.fault, "code") {
            (captioned("Codes of validation errors", &["Code", "Values", "Meaning"], fault_codes::ALL.iter().map(fault_code).collect()))
        }
    }
}

fn fault_code(code: &FaultCode) -> Row {
    Row {
        anchor: None,
        cells: vec![
            html! { code { (code.name) } },
            html! { @if !code.values.is_empty() { code { (code.values) } } },
            prose(code.meaning),
        ],
    }
}

fn cells(model: &Model, place: usize, error: &model::ErrorEntry) -> Vec<Markup> {
    vec![
        html! { span.place { (place) ". " } code { (error.name) } },
        html! { (error.status) },
        details(model, error),
        prose(error.help.as_deref().unwrap_or_default()),
        concerned(model, error),
    ]
}

/// The title and the text of an error, its headers, and its meaning if the text alone does not state it.
fn details(model: &Model, error: &model::ErrorEntry) -> Markup {
    let meaning = Some(words::meaning(error)).filter(|_| error.step != Step::Rule);
    html! {
        @if let Some(title) = model.title_of(error) { p { (title) ":" } }
        q { (error.text) }
        @if let Some(meaning) = meaning { p { (prose(&words::capitalised(&meaning))) "." } }
        @if !error.headers.is_empty() { p { "With " (codes(error.headers.iter().map(|(name, _)| name.as_str()))) "." } }
    }
}

/// The operations that can be answered with an error.
fn concerned(model: &Model, error: &model::ErrorEntry) -> Markup {
    let can_answer =
        |(surface, operation): &(&Surface, &Operation)| possible_errors::can_answer(model, surface, operation, error);
    let concerned: Vec<_> = model.operations().filter(can_answer).collect();
    let links = html! {
        ul { @for (surface, operation) in &concerned { li { (link(surface, operation)) } } }
    };
    html! {
        @if matches!(error.step, Step::Route | Step::Method) { "Requests that match no operation" }
        @else if concerned.len() == model.operations().count() { "All operations" }
        @else if concerned.is_empty() { "No operation" }
        @else if concerned.len() <= FEW { (links) }
        @else { details { summary { (concerned.len()) " operations" } (links) } }
    }
}
