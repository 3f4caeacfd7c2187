//! Mutants of credentials: they are echoed, or new ones are rejected.

use super::Catalogue;
use super::answers::edited;
use super::envelopes::without_header;
use crate::mutants::json_path::{JsonPath, leaves};
use crate::mutants::layer::{Call, body_json, headers, is_success, with_json};
use crate::types::Type;
use crate::world::Response;
use codegen::model::{Credential, ErrorEntry};
use codegen::step::Step;
use serde_json::Value as Json;

const ECHOED: &str = "secret echoed";

pub(super) fn add(of: &mut Catalogue<'_>) {
    echoed(of);
    kept(of);
    dead(of);
}

/// Answers that caches may store.
fn kept(of: &mut Catalogue<'_>) {
    if !of
        .contract
        .model
        .forbids_caches(of.operation.surface, of.operation.declared)
    {
        return;
    }
    for (sentence, of_success) in [("leaves it out", true), ("leaves it out of errors", false)] {
        of.add("header", "cache-control", sentence, move |call| {
            let mut response = call.pass();
            if is_success(&response) != of_success || response.header("cache-control").is_none() {
                return response;
            }
            without_header(&mut response, "cache-control");
            call.wrong(response)
        });
    }
}

/// Answers that echo credentials.
fn echoed(of: &mut Catalogue<'_>) {
    let Some(kind) = of.operation.credential else { return };
    shown_in_data(of, kind);
    shown_in_headers(of, kind);
    let error: &'static ErrorEntry = of.contract.error(Step::Decode);
    let text = of.contract.error_member("text").unwrap_or_default();
    of.add(ECHOED, &*error.name, "shows the credential in its text", move |call| {
        let response = call.pass();
        let Some(secret) = sent(call, kind).filter(|_| call.is_error(&response, Step::Decode)) else {
            return response;
        };
        let changed =
            |json: &mut Json| json[text] = format!("{} ({secret})", json[text].as_str().unwrap_or_default()).into();
        call.wrong(with_json(&response, changed).unwrap_or(response))
    });
}

/// The credential of a request.
fn sent(call: &Call<'_>, kind: &Credential) -> Option<String> {
    let first = headers(call.request, &kind.header).into_iter().next();
    first.filter(|secret| !secret.is_empty())
}

fn shown_in_data(of: &mut Catalogue<'_>, kind: &'static Credential) {
    let Some(data) = of.operation.data else { return };
    let places = leaves(data, &JsonPath::of_data(of.operation));
    let is_open = |of: &Type| matches!(of, Type::Stored | Type::Text { chars: None, .. });
    if let Some((place, _)) = places.into_iter().find(|(_, of)| is_open(of)) {
        of.add(ECHOED, place.to_string(), "shows the credential in it", move |call| {
            let secret = sent(call, kind);
            edited(call, |json| {
                place.values(json, &mut |value| {
                    *value = secret.clone().map_or_else(|| value.clone(), Json::from)
                });
            })
        });
    }
}

fn shown_in_headers(of: &mut Catalogue<'_>, kind: &'static Credential) {
    type IsOne = fn(&Response) -> bool;
    let answers: [(&str, IsOne); 2] = [("success", is_success), ("error", |response| !is_success(response))];
    for (place, is_one) in answers {
        of.add(ECHOED, place, "gives the credential back in a header", move |call| {
            let mut response = call.pass();
            match sent(call, kind).filter(|_| is_one(&response)) {
                Some(secret) => {
                    response.headers.push((kind.header.to_lowercase(), secret));
                    call.wrong(response)
                }
                None => response,
            }
        });
    }
}

/// Credentials that were shown once and are rejected.
fn dead(of: &mut Catalogue<'_>) {
    let Some(data) = of.operation.data else { return };
    let root = JsonPath::of_data(of.operation);
    for (place, _) in leaves(data, &root)
        .into_iter()
        .filter(|(_, of)| matches!(of, Type::Secret))
    {
        let error = of.contract.error(Step::Credential);
        of.add_anywhere(
            "write forgotten",
            place.to_string(),
            "shows a credential that opens nothing",
            move |call| {
                let response = call.pass();
                if call.is_ours() && is_success(&response) {
                    place.values(&mut body_json(&response), &mut |secret| {
                        if let Some(secret) = secret.as_str() {
                            call.layer.count(secret, 1);
                        }
                    });
                    return response;
                }
                let Some(kind) = call.called.and_then(|called| called.credential) else {
                    return response;
                };
                let sent = headers(call.request, &kind.header);
                let is_dead = sent.iter().any(|secret| call.layer.count(secret, 0) > 0);
                if !is_dead || call.is_error(&response, Step::Credential) {
                    return response;
                }
                call.wrong(call.error_response(&response, error, &[("header", kind.header.to_owned())]))
            },
        );
    }
}
