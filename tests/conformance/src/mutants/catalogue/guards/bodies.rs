//! Mutants that accept bodies with another media type or too many bytes, or reject valid ones.

use super::{KIND, skip};
use crate::mutants::catalogue::Catalogue;
use crate::mutants::layer::{Call, headers};
use crate::world::{Request, Response};
use codegen::model::Body;
use codegen::step::Step;

const REFUSED: &str = "accepted form rejected";

pub(super) fn add(of: &mut Catalogue<'_>) {
    if of.operation.body.is_none() {
        return ignored_body(of);
    }
    media_types(of);
    sizes(of);
    if of.operation.declared_body().is_some_and(Body::may_be_absent) {
        absent(of);
    }
}

fn absent(of: &mut Catalogue<'_>) {
    let error = of.contract.error(Step::MediaType);
    of.add(REFUSED, "body", "demands one", move |call| {
        if call.request.body.as_ref().is_some_and(|body| !body.is_empty()) {
            return call.pass();
        }
        let probe = call.probe();
        if call.is_error(&probe, Step::Decode) {
            call.wrong(call.error_response(&probe, error, &[]))
        } else {
            call.pass()
        }
    });
}

fn media_types(of: &mut Catalogue<'_>) {
    let error = of.contract.error(Step::MediaType);
    type IsSuch = fn(&[String]) -> bool;
    let admitted: [(&str, IsSuch); 4] = [
        ("lets a body of no type through", |types| types.is_empty()),
        ("lets a type that stands twice through", |types| types.len() > 1),
        ("lets another charset through", |types| {
            types.iter().any(|one| one.contains("charset"))
        }),
        ("lets whatever begins like JSON through", |types| {
            types.iter().any(|one| one.starts_with("application/json"))
        }),
    ];
    for (sentence, is_such) in admitted {
        let is_such = move |call: &Call<'_>, _: &Response| is_such(&types(call));
        of.add(KIND, &*error.name, sentence, skip(error, is_such));
    }
    let is_encoded = |call: &Call<'_>, _: &Response| !headers(call.request, "content-encoding").is_empty();
    of.add(
        KIND,
        &*error.name,
        "lets an encoded body through",
        skip(error, is_encoded),
    );
    type IsForm = fn(&str) -> bool;
    let rejected: [(&str, IsForm); 2] = [
        ("in capitals", |declared| {
            declared != declared.to_lowercase() && !declared.contains("charset")
        }),
        ("with its charset", |declared| declared.contains("charset")),
    ];
    for (form, is_it) in rejected {
        let sentence = format!("rejects the media type {form}");
        of.add(REFUSED, &*error.name, sentence, move |call| {
            if !types(call).iter().any(|declared| is_it(declared)) {
                return call.pass();
            }
            let probe = call.probe();
            if call.is_error(&probe, Step::Decode) {
                call.wrong(call.error_response(&probe, error, &[]))
            } else {
                call.pass()
            }
        });
    }
}

/// The media types that a request declares.
fn types(call: &Call<'_>) -> Vec<String> {
    headers(call.request, "content-type")
}

fn ignored_body(of: &mut Catalogue<'_>) {
    of.add(REFUSED, "body", "reads a body that it does not take", |call| {
        if call.request.body.as_ref().is_none_or(Vec::is_empty) {
            return call.pass();
        }
        let probe = call.probe();
        if call.is_error(&probe, Step::Decode) {
            call.wrong(probe)
        } else {
            call.pass()
        }
    });
}

fn sizes(of: &mut Catalogue<'_>) {
    let most = of.operation.max_bytes();
    let length = |call: &Call<'_>| call.request.body.as_ref().map_or(0, Vec::len);
    let error = of.contract.error(Step::BodySize);
    of.add("bound moved", "body", "takes a byte more", move |call| {
        let trimmed = call.request.body.as_ref().map(|body| body.trim_ascii_end().to_vec());
        let response = call.pass();
        if length(call) != most + 1 || !call.is_error(&response, Step::BodySize) {
            return response;
        }
        let request = Request {
            body: trimmed,
            ..call.request.clone()
        };
        call.wrong(call.send(&request))
    });
    of.add(
        "bound moved",
        "body",
        "rejects one of the most bytes that there may be",
        move |call| {
            if length(call) != most {
                return call.pass();
            }
            let probe = call.probe();
            if call.is_error(&probe, Step::Decode) {
                call.wrong(call.error_response(&probe, error, &[("max_bytes", most.to_string())]))
            } else {
                call.pass()
            }
        },
    );
}
