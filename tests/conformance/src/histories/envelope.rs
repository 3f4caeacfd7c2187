//! The envelopes and the errors of the contract, found in responses.

use crate::template::match_template;
use crate::world::Response;
use codegen::Model;
use codegen::model::{EnvelopeValue, ErrorEntry, Operation, Surface};
use codegen::step::Step;
use serde_json::Value;

/// What a member of an envelope holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    Data,
    Text,
    RequestId,
    Other,
}

/// What a member with this value holds.
pub(super) fn content(value: Option<&EnvelopeValue>) -> Content {
    match value {
        Some(EnvelopeValue::Placeholder { name, .. }) => match name.as_str() {
            "data" => Content::Data,
            "text" => Content::Text,
            "request_id" => Content::RequestId,
            _ => Content::Other,
        },
        _ => Content::Other,
    }
}

/// The body of a response.
pub(super) fn body(response: &Response) -> Value {
    serde_json::from_slice(&response.body).unwrap_or(Value::Null)
}

/// `data` of a success.
pub(super) fn data<'b>(model: &Model, body: &'b Value) -> &'b Value {
    const NONE: &Value = &Value::Null;
    let mut members = body.as_object().into_iter().flatten();
    let data = members.find(|(name, _)| content(model.success.get(name)) == Content::Data);
    data.map_or(NONE, |(_, value)| value)
}

/// The error that a response reports.
pub(super) fn error<'m>(
    model: &'m Model,
    operation: Option<(&'m Surface, &'m Operation)>,
    response: &Response,
) -> Option<&'m ErrorEntry> {
    let body = body(response);
    let mut members = body.as_object()?.iter();
    let (_, text) = members.find(|(name, _)| content(model.error.get(name)) == Content::Text)?;
    let possible = match operation {
        Some((surface, operation)) => model.errors_of(surface, operation),
        None => model.errors.iter().collect(),
    };
    let text = text.as_str()?;
    let is_it = |error: &&&ErrorEntry| {
        // `decode` has any text.
        error.status == response.status
            && error.step != Step::Decode
            && match_template(&error.text, &[], text).is_some()
    };
    let decode = possible
        .iter()
        .find(|error| error.step == Step::Decode && error.status == response.status);
    possible.iter().find(is_it).or(decode).copied()
}
