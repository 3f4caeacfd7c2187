//! The common parts of all answers: the members of a success and of an error, and the headers.

use super::table::{Row, captioned};
use super::text::prose;
use crate::documents::shared::words;
use crate::model::{EnvelopeValue, Model, Template, Word};
use maud::{Markup, html};

const HEADINGS: [&str; 2] = ["Member", "Meaning"];

pub(super) fn body(model: &Model) -> Markup {
    html! {
        p {
            "Every response is JSON in UTF-8. " (prose(words::UNNAMED))
            @if model.operations().any(|(_, one)| one.success_body().is_bare()) {
                " Some operations return their data alone, or no body: their responses do not have the members of a success response."
            }
        }
        (captioned("Success response", &HEADINGS, members(&model.success)))
        (captioned("Error response", &HEADINGS, members(&model.error)))
        @if !model.headers.is_empty() { (captioned("Headers of every response", &["Header", "Meaning"], headers(&model.headers))) }
        @if !model.error_headers.is_empty() { (captioned("Headers of every error response", &["Header", "Meaning"], headers(&model.error_headers))) }
    }
}

fn members(members: &[(Word, EnvelopeValue)]) -> Vec<Row> {
    let members = members.iter().map(|(name, value)| {
        let what = match value {
            EnvelopeValue::Literal(json) => html! { "Always " code { (json) } "." },
            EnvelopeValue::Placeholder { name, optional } => html! {
                (prose(words::member(name)))
                @if *optional { " Absent if there is none." }
            },
        };
        row(name, what)
    });
    members.collect()
}

fn headers(headers: &[(String, Template)]) -> Vec<Row> {
    let headers = headers.iter().map(|(name, template)| {
        let placeholders = template.placeholders().into_iter().map(words::member);
        let placeholders: Vec<&str> = placeholders.collect();
        let what = html! {
            @if placeholders.is_empty() { "Always " code { (template) } "." } @else { (placeholders.join(" ")) }
        };
        row(name, what)
    });
    headers.collect()
}

fn row(name: &str, what: Markup) -> Row {
    Row {
        anchor: None,
        cells: vec![html! { code { (name) } }, what],
    }
}
