//! The envelopes and the errors of the contract, found in responses.

use super::call::Call;
use crate::contract::{data_in, text_in};
use crate::exchange::Response;
use crate::json;
use crate::template::match_template;
use codegen::Model;
use codegen::model::{ErrorEntry, Operation, Surface};
use codegen::step::Step;
use serde_json::Value;

/// The body of a response.
pub(super) fn body(response: &Response) -> Value {
    json::parse(&response.body).unwrap_or(Value::Null)
}

/// `data` of a success.
pub(super) fn data<'b>(model: &Model, call: &Call<'_>, body: &'b Value) -> &'b Value {
    const NONE: &Value = &Value::Null;
    call.operation
        .map_or(NONE, |(_, operation)| data_in(model, operation, body))
}

/// The error that a response reports.
pub(super) fn error<'m>(
    model: &'m Model,
    operation: Option<(&'m Surface, &'m Operation)>,
    response: &Response,
) -> Option<&'m ErrorEntry> {
    let body = body(response);
    let text = text_in(model, &body)?;
    let possible = match operation {
        Some((surface, operation)) => model.errors_of(surface, operation),
        None => model.errors.iter().collect(),
    };
    let text = text.as_str()?;
    let is_it = |error: &&&ErrorEntry| {
        // `decode` has any text.
        error.status == response.status && error.step != Step::Decode && match_template(&error.text, text).is_some()
    };
    let decode = possible
        .iter()
        .find(|error| error.step == Step::Decode && error.status == response.status);
    possible.iter().find(is_it).or(decode).copied()
}
