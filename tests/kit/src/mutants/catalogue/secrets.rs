//! Credentials: some that come back, and new ones that open nothing.

use super::Catalogue;
use super::answers::edited;
use crate::contract::{Row, Step};
use crate::mutants::layer::{Call, data_name, error_member, is_success, with_json};
use crate::mutants::place::{Place, leaves};
use crate::types::Type;
use crate::world::Response;
use serde_json::Value as Json;

pub(super) fn add(of: &mut Catalogue<'_>) {
    echoed(of);
    dead(of);
}

/// Credentials that come back.
fn echoed(of: &mut Catalogue<'_>) {
    let Some(kind) = of.operation.credential else { return };
    let sent = move |call: &Call<'_>| {
        let header = call.request.headers.iter().find(|(name, _)| name == kind.header);
        header
            .map(|(_, secret)| secret.clone())
            .filter(|secret| !secret.is_empty())
    };
    let texts = of
        .operation
        .data
        .map(|data| leaves(data, &Place::default().member(data_name(of.contract))));
    let text = texts
        .into_iter()
        .flatten()
        .find(|(_, of)| matches!(of, Type::Stored | Type::Text { chars: None, .. }));
    if let Some((place, _)) = text {
        of.add(
            "secret echoed",
            place.to_string(),
            "shows the credential in it",
            move |call| {
                let secret = sent(call);
                edited(call, |json| {
                    place.values(json, &mut |value| {
                        *value = secret.clone().map_or_else(|| value.clone(), Json::from)
                    });
                })
            },
        );
    }
    let header = move |call: &Call<'_>, is_one: fn(&Response) -> bool| {
        let mut response = call.pass();
        match sent(call).filter(|_| is_one(&response)) {
            Some(secret) => {
                response.headers.push((kind.header.to_lowercase(), secret));
                call.wrong(response)
            }
            None => response,
        }
    };
    of.add(
        "secret echoed",
        "success",
        "gives the credential back in a header",
        move |call| header(call, is_success),
    );
    of.add(
        "secret echoed",
        "error",
        "gives the credential back in a header",
        move |call| header(call, |response| !is_success(response)),
    );
    let row: &'static Row = of.contract.row(Step::Decode);
    let text = error_member(of.contract, "text").unwrap_or_default();
    of.add(
        "secret echoed",
        row.name,
        "shows the credential in its text",
        move |call| {
            let response = call.pass();
            let Some(secret) = sent(call).filter(|_| call.is_row(&response, Step::Decode)) else {
                return response;
            };
            let told =
                |json: &mut Json| json[text] = format!("{} ({secret})", json[text].as_str().unwrap_or_default()).into();
            call.wrong(with_json(&response, told).unwrap_or(response))
        },
    );
}

/// Credentials that were shown once, and open nothing.
fn dead(of: &mut Catalogue<'_>) {
    let Some(data) = of.operation.data else { return };
    let root = Place::default().member(data_name(of.contract));
    for (place, _) in leaves(data, &root)
        .into_iter()
        .filter(|(_, of)| matches!(of, Type::Secret))
    {
        let row = of.contract.row(Step::Credential);
        of.add_anywhere(
            "write forgotten",
            place.to_string(),
            "shows a credential that opens nothing",
            move |call| {
                let response = call.pass();
                if call.is_ours() && is_success(&response) {
                    let mut json: Json = serde_json::from_slice(&response.body).unwrap_or_default();
                    place.values(&mut json, &mut |secret| {
                        if let Some(secret) = secret.as_str() {
                            call.layer.count(secret, 1);
                        }
                    });
                    return response;
                }
                let Some(kind) = call.called.and_then(|called| called.credential) else {
                    return response;
                };
                let is_dead = call
                    .request
                    .headers
                    .iter()
                    .any(|(name, secret)| name == kind.header && call.layer.count(secret, 0) > 0);
                if !is_dead || call.is_row(&response, Step::Credential) {
                    return response;
                }
                call.wrong(call.refusal(&response, row, &[("header", kind.header.to_owned())]))
            },
        );
    }
}
