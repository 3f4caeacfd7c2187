//! Takes answers apart and builds them, by the envelope of the contract.

use crate::contract::{Contract, meaning};
use crate::template::{fill_template, match_template};
use crate::world::Response;
use codegen::model::{EnvelopeValue, ErrorEntry, Piece, Word};
use serde_json::Value as Json;
use std::cmp::Reverse;

/// Whether the answer is a success.
pub(crate) fn is_success(response: &Response) -> bool {
    response.status < 400
}

/// The body as JSON; null if it is not JSON.
pub(crate) fn body_json(response: &Response) -> Json {
    serde_json::from_slice(&response.body).unwrap_or_default()
}

/// The answer with another body; `None` if its body is not JSON or `change` leaves it unchanged.
pub(crate) fn with_json(response: &Response, change: impl FnOnce(&mut Json)) -> Option<Response> {
    let json: Json = serde_json::from_slice(&response.body).ok()?;
    let mut changed = json.clone();
    change(&mut changed);
    (changed != json).then(|| with_body(response, &changed))
}

fn with_body(response: &Response, json: &Json) -> Response {
    let body = json.to_string().into_bytes();
    let mut response = response.clone();
    for (_, value) in response.headers.iter_mut().filter(|(name, _)| name == "content-length") {
        *value = body.len().to_string();
    }
    Response { body, ..response }
}

/// The error of an answer, found by status and text, the plainest text first.
pub(super) fn entry_of(contract: &'static Contract, response: &Response) -> Option<&'static ErrorEntry> {
    if is_success(response) {
        return None;
    }
    let json: Json = serde_json::from_slice(&response.body).ok()?;
    let text = json.get(contract.error_member("text")?)?.as_str()?;
    let mut errors: Vec<&ErrorEntry> = contract
        .model
        .errors
        .iter()
        .filter(|error| error.status == response.status)
        .collect();
    let literal = |piece: &Piece| match piece {
        Piece::Text(text) => text.len(),
        Piece::Placeholder(_) => 0,
    };
    errors.sort_by_key(|error| Reverse(error.text.0.iter().map(literal).sum::<usize>()));
    errors
        .into_iter()
        .find(|error| match_template(&error.text, &[], text).is_some())
}

/// This error in place of an answer, whose headers it keeps.
pub(super) fn error_response(
    contract: &'static Contract,
    in_place_of: &Response,
    error: &'static ErrorEntry,
    values: &[(&str, String)],
) -> Response {
    let before = body_json(in_place_of);
    let member = |(name, part): &(Word, EnvelopeValue)| {
        let value = match (part, meaning(part)) {
            (EnvelopeValue::Literal(json), _) => serde_json::from_str(json).unwrap_or_default(),
            (_, "code") => error.name.as_str().into(),
            (_, "status") => error.status.into(),
            (_, "request_id") => before
                .get(name.as_str())
                .cloned()
                .unwrap_or_else(|| "0000000000000000".into()),
            _ => fill_template(&error.text, values).into(),
        };
        (name.to_string(), value)
    };
    let of_errors: Vec<&str> = contract
        .model
        .errors
        .iter()
        .flat_map(|error| &error.headers)
        .map(|(name, _)| name.as_str())
        .collect();
    let mut response = in_place_of.clone();
    response
        .headers
        .retain(|(name, _)| !of_errors.iter().any(|entries| entries.eq_ignore_ascii_case(name)));
    let values = [values, &[("fault_codes", ";unknown".to_owned())]].concat();
    let own = error
        .headers
        .iter()
        .map(|(name, template)| (name.to_lowercase(), fill_template(template, &values)));
    response.headers.extend(own);
    response.status = error.status;
    with_body(
        &response,
        &Json::Object(contract.model.error.iter().map(member).collect()),
    )
}
