//! Takes answers apart and builds them, by the envelope of the contract.

use crate::contract::{Contract, ErrorEntry, Part};
use crate::template::{fill_template, match_template};
use crate::world::Response;
use serde_json::Value as Json;

/// Whether the answer is a success.
pub(crate) fn is_success(response: &Response) -> bool {
    response.status < 400
}

/// The name of a success's `data`.
pub(crate) fn data_name(contract: &'static Contract) -> &'static str {
    let found = contract
        .success
        .iter()
        .find(|(_, part)| matches!(part, Part::Always("data") | Part::IfAny("data")));
    found.map_or("", |(name, _)| name)
}

/// The name of an error's member with this meaning.
pub(crate) fn error_member(contract: &'static Contract, stands_for: &str) -> Option<&'static str> {
    let found = contract.error.iter().find(|(_, part)| match part {
        Part::Always(name) | Part::IfAny(name) => *name == stands_for,
        Part::Literal(_) => false,
    });
    found.map(|(name, _)| *name)
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
    let text = json.get(error_member(contract, "text")?)?.as_str()?;
    let mut errors: Vec<&ErrorEntry> = contract
        .errors
        .iter()
        .filter(|error| error.status == response.status)
        .collect();
    errors.sort_by_key(|error| {
        std::cmp::Reverse(
            error
                .text
                .split('{')
                .map(|part| part.split('}').next_back().map_or(0, str::len))
                .sum::<usize>(),
        )
    });
    errors
        .into_iter()
        .find(|error| match_template(error.text, &[], text).is_some())
}

/// This error in place of an answer, whose headers it keeps.
pub(super) fn error_response(
    contract: &'static Contract,
    in_place_of: &Response,
    error: &'static ErrorEntry,
    values: &[(&str, String)],
) -> Response {
    let before = body_json(in_place_of);
    let member = |(name, part): &(&'static str, Part)| {
        let value = match part {
            Part::Literal(json) => serde_json::from_str(json).unwrap_or_default(),
            Part::Always("code") | Part::IfAny("code") => error.name.into(),
            Part::Always("status") | Part::IfAny("status") => error.status.into(),
            Part::Always("request_id") | Part::IfAny("request_id") => {
                before.get(name).cloned().unwrap_or_else(|| "0000000000000000".into())
            }
            Part::Always(_) | Part::IfAny(_) => fill_template(error.text, values).into(),
        };
        ((*name).to_owned(), value)
    };
    let of_errors: Vec<&str> = contract
        .errors
        .iter()
        .flat_map(|error| error.headers)
        .map(|(name, _)| *name)
        .collect();
    let mut response = in_place_of.clone();
    response
        .headers
        .retain(|(name, _)| !of_errors.iter().any(|entries| entries.eq_ignore_ascii_case(name)));
    let own = error
        .headers
        .iter()
        .map(|(name, template)| (name.to_lowercase(), fill_template(template, values)));
    response.headers.extend(own);
    response.status = error.status;
    with_body(&response, &Json::Object(contract.error.iter().map(member).collect()))
}
