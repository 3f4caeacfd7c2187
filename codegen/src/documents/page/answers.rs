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
        @if let Some(media_type) = &model.error_media_type {
            p { "An error response has the media type " code { (media_type) } "." }
        }
        @if EnvelopeValue::shows(&model.error, "faults") {
            (captioned("Each fault of an invalid request", &HEADINGS, members_of_fault(&model.fault)))
        }
        @if !model.headers.is_empty() { (captioned("Headers of every response", &["Header", "Meaning"], headers(&model.headers))) }
        @if !model.error_headers.is_empty() { (captioned("Headers of every error response", &["Header", "Meaning"], headers(&model.error_headers))) }
    }
}

fn members(members: &[(Word, EnvelopeValue)]) -> Vec<Row> {
    let members = members.iter().flat_map(|(name, value)| match value {
        EnvelopeValue::Object(inner) => inner
            .iter()
            .map(|(inner, value)| member(&format!("{name}.{inner}"), value, words::member))
            .collect(),
        _ => vec![member(name, value, words::member)],
    });
    members.collect()
}

fn members_of_fault(members: &[(Word, EnvelopeValue)]) -> Vec<Row> {
    let members = members.iter();
    members
        .map(|(name, value)| member(name, value, words::member_of_fault))
        .collect()
}

fn member(name: &str, value: &EnvelopeValue, meaning: fn(&str) -> &'static str) -> Row {
    let what = match value {
        EnvelopeValue::Literal(json) => html! { "Always " code { (json) } "." },
        EnvelopeValue::Placeholder { name, optional } => html! {
            (prose(meaning(name)))
            @if *optional { " Absent if there is none." }
        },
        EnvelopeValue::Object(_) => html! {},
    };
    row(name, what)
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
