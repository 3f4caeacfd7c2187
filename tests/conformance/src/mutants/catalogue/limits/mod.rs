//! Mutants of rate limits.

mod failed;
mod response_bytes;
mod shared;

use super::Catalogue;
use super::envelopes::{set_header, without_header};
use super::errors::another;
use crate::contract::Operation;
use crate::mutants::layer::{Call, headers};
use crate::template::{fill_template, match_template};
use crate::world::Response;
use codegen::model::Counts;
use codegen::model::Limit;
use codegen::step::Step;

const LIMIT: &str = "limit";

pub(super) fn add(of: &mut Catalogue<'_>) {
    match of.operation.limit {
        Some(limit) => {
            counted(of);
            if of.is_first(|one| one.limit.is_some_and(|own| own.name == limit.name)) {
                exact(of, limit);
                windows(of, limit);
                shared::add(of, limit);
                wrong_headers(of, limit);
            }
        }
        None => uncounted(of),
    }
    response_bytes::add(of);
    let mut guarded = of.contract.operations().iter().filter(|one| one.credential.is_some());
    if guarded.next().is_some_and(|first| std::ptr::eq(*first, of.operation)) {
        failed::add(of);
    }
}

fn is_counted_by(operation: Option<&'static Operation>, limit: &'static Limit) -> bool {
    operation.is_some_and(|one| one.limit.is_some_and(|own| own.name == limit.name))
}

/// The subject that the limit counts, in the present window or `back` windows before it.
fn key(call: &Call<'_>, limit: &Limit, back: u64) -> Option<String> {
    let (now, service) = call.limited?;
    let window = (now / length(limit)).checked_sub(back)?;
    let secret = call.called?.credential.map(|kind| headers(call.request, &kind.header));
    Some(format!("{service} {window} {secret:?} {:?}", call.request.peer))
}

/// Milliseconds in a window.
fn length(limit: &Limit) -> u64 {
    u64::from(limit.window_seconds) * 1000
}

/// The values of the placeholders of the limit's headers in an answer.
fn header_values(call: &Call<'_>, limit: &Limit, response: &Response) -> Vec<(String, String)> {
    let known = [
        ("limit", limit.name.to_owned()),
        ("max", limit.max.to_string()),
        ("window_seconds", limit.window_seconds.to_string()),
    ];
    let headers = call.layer.contract.model.limit_headers.iter();
    headers
        .filter_map(|(name, template)| match_template(template, &known, response.header(name)?))
        .flatten()
        .collect()
}

fn value(values: &[(String, String)], wanted: &str) -> Option<String> {
    values
        .iter()
        .find(|(name, _)| name == wanted)
        .map(|(_, value)| value.clone())
}

/// The answer with the headers of the limit from another answer.
fn with_headers_of(call: &Call<'_>, response: &Response, other: &Response) -> Response {
    let all = &call.layer.contract.model.limit_headers;
    let is_own = |name: &str| all.iter().any(|(known, _)| known.eq_ignore_ascii_case(name));
    let mut response = response.clone();
    response.headers.retain(|(name, _)| !is_own(name));
    response
        .headers
        .extend(other.headers.iter().filter(|(name, _)| is_own(name)).cloned());
    response
}

/// The error response of an exhausted limit.
fn limited(call: &Call<'_>, limit: &Limit, response: &Response) -> Response {
    let (now, _) = call.limited.unwrap_or_default();
    let seconds = (length(limit) - now % length(limit)).div_ceil(1000);
    let error = call.layer.contract.error(Step::Limit);
    call.wrong(call.error_response(response, error, &[("seconds", seconds.to_string())]))
}

/// The limit counts the operation.
fn counted(of: &mut Catalogue<'_>) {
    of.add_limit(LIMIT, "operation", "is not counted", |call| {
        if !call.is_ours() || call.limited.is_none() {
            return call.pass();
        }
        let response = call.pass();
        let response = if call.is_error(&response, Step::Limit) {
            call.donor()
        } else {
            response
        };
        let none = Response {
            headers: Vec::new(),
            ..response.clone()
        };
        call.wrong(with_headers_of(call, &response, &none))
    });
    of.add_limit(
        LIMIT,
        "operation",
        "is counted, and let through when nothing is left",
        |call| {
            if !call.is_ours() {
                return call.pass();
            }
            let response = call.pass();
            if call.is_error(&response, Step::Limit) {
                with_headers_of(call, &call.donor(), &response)
            } else {
                response
            }
        },
    );
}

/// A window has exactly the declared number of requests for each caller.
fn exact(of: &mut Catalogue<'_>, limit: &'static Limit) {
    let name = limit.name.as_str();
    of.add_limit(LIMIT, name, "rejects the last request of a window", move |call| {
        let response = call.pass();
        let is_counted = is_counted_by(call.called, limit) && call.limited.is_some();
        let is_last =
            is_counted && value(&header_values(call, limit, &response), "remaining").is_some_and(|left| left == "0");
        if is_last && !call.is_error(&response, Step::Limit) {
            limited(call, limit, &response)
        } else {
            response
        }
    });
    of.add_limit(LIMIT, name, "lets one request more through", move |call| {
        let response = call.pass();
        match key(call, limit, 0).filter(|_| is_counted_by(call.called, limit) && call.is_error(&response, Step::Limit))
        {
            Some(key) if call.layer.count(&key, 1) == 1 => with_headers_of(call, &call.donor(), &response),
            _ => response,
        }
    });
}

/// A window ends at its declared end.
fn windows(of: &mut Catalogue<'_>, limit: &'static Limit) {
    let name = limit.name.as_str();
    of.add_limit(
        LIMIT,
        name,
        "rejects the first request of the next window",
        move |call| {
            let response = call.pass();
            let (Some(now), Some(before)) = (key(call, limit, 0), key(call, limit, 1)) else {
                return response;
            };
            if !is_counted_by(call.called, limit) {
                return response;
            }
            if call.is_error(&response, Step::Limit) {
                call.layer.count(&now, 1);
            } else if call.layer.count(&before, 0) > 0 {
                call.layer.count(&before, -1_000_000);
                return limited(call, limit, &response);
            }
            response
        },
    );
    of.add_limit(
        LIMIT,
        name,
        "lets everything through in the last second of a window",
        move |call| {
            let response = call.pass();
            let is_late = call
                .limited
                .is_some_and(|(now, _)| length(limit) - now % length(limit) <= 1000);
            if is_late && is_counted_by(call.called, limit) && call.is_error(&response, Step::Limit) {
                with_headers_of(call, &call.donor(), &response)
            } else {
                response
            }
        },
    );
}

/// The values that limits report.
fn wrong_headers(of: &mut Catalogue<'_>, limit: &'static Limit) {
    for (name, template) in &of.contract.model.limit_headers {
        let place = format!("{}: {name}", limit.name);
        let one = move |call: &Call<'_>, change: &dyn Fn(&mut Response)| {
            let mut response = call.pass();
            if call.limited.is_none() || !is_counted_by(call.called, limit) || response.header(name).is_none() {
                return response;
            }
            change(&mut response);
            call.wrong(response)
        };
        of.add_limit("header", &*place, "leaves it out", move |call| {
            one(call, &|response| without_header(response, name))
        });
        for placeholder in template.placeholders() {
            let sentence = format!("is off by one in {{{placeholder}}}");
            of.add_limit("header", &*place, sentence, move |call| {
                one(call, &|response| {
                    let found =
                        match_template(template, &[], response.header(name).unwrap_or_default()).unwrap_or_default();
                    let changed = |known: &str, value: &String| match known == placeholder {
                        true => another(value),
                        false => value.clone(),
                    };
                    let found = found
                        .iter()
                        .map(|(known, value)| (known.as_str(), changed(known, value)));
                    let values: Vec<_> = found.collect();
                    set_header(response, name, &fill_template(template, &values));
                })
            });
        }
    }
}

fn uncounted(of: &mut Catalogue<'_>) {
    for limit in of
        .contract
        .model
        .limits
        .iter()
        .filter(|limit| limit.counts != Counts::FailedCredentials)
    {
        let sentence = format!("is counted by {}", limit.name);
        of.add_limit(LIMIT, "operation", sentence, move |call| {
            let response = call.pass();
            let Some(key) = key(call, limit, 0).filter(|_| call.is_ours()) else {
                return response;
            };
            if call.layer.count(&key, 1) > i64::from(limit.max) {
                limited(call, limit, &response)
            } else {
                response
            }
        });
    }
}
