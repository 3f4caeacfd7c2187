//! Limits and quotas that count otherwise than the contract says.

use super::Catalogue;
use super::envelopes::set_header;
use super::rows::{another, placeholders};
use crate::contract::{Counts, Limit, Operation, Step};
use crate::mutants::Asked;
use crate::mutants::layer::{Call, is_success};
use crate::template::{filled, holds};
use crate::world::Response;

const LIMIT: &str = "limit";
const QUOTA: &str = "quota";

pub(super) fn add(of: &mut Catalogue<'_>) {
    match of.operation.limit {
        Some(limit) => {
            counted(of);
            if of.is_first(|one| one.limit.is_some_and(|own| own.name == limit.name)) {
                exact(of, limit);
                headers(of, limit);
            }
        }
        None => uncounted(of),
    }
    if of
        .operations
        .iter()
        .find(|one| one.credential.is_some())
        .is_some_and(|first| std::ptr::eq(*first, of.operation))
    {
        failed(of);
    }
    quota(of);
}

fn is_counted_by(operation: Option<&'static Operation>, limit: &'static Limit) -> bool {
    operation.is_some_and(|one| one.limit.is_some_and(|own| own.name == limit.name))
}

/// Whom the limit counts, in which window.
fn key(call: &Call<'_>, limit: &Limit, back: u64) -> Option<String> {
    let (now, front) = call.limited?;
    let window = now / (u64::from(limit.window_seconds) * 1000);
    let secret = call.called?.credential.and_then(|kind| {
        let mut headers = call.request.headers.iter();
        headers
            .find(|(name, _)| name == kind.header)
            .map(|(_, secret)| secret.clone())
    });
    Some(format!(
        "{front} {} {secret:?} {:?}",
        window.checked_sub(back)?,
        call.request.peer
    ))
}

/// What the placeholders of the limit's headers stand for in an answer.
fn told(call: &Call<'_>, limit: &Limit, response: &Response) -> Vec<(String, String)> {
    let known = [
        ("limit", limit.name.to_owned()),
        ("max", limit.max.to_string()),
        ("window_seconds", limit.window_seconds.to_string()),
    ];
    let headers = call.layer.contract.limit_headers.iter();
    headers
        .filter_map(|(name, template)| holds(template, &known, response.header(name)?))
        .flatten()
        .collect()
}

fn value(told: &[(String, String)], wanted: &str) -> Option<String> {
    told.iter()
        .find(|(name, _)| name == wanted)
        .map(|(_, value)| value.clone())
}

/// The answer with the headers of the limit as another one has them.
fn with_headers_of(call: &Call<'_>, response: &Response, other: &Response) -> Response {
    let is_own = |name: &str| {
        call.layer
            .contract
            .limit_headers
            .iter()
            .any(|(known, _)| known.eq_ignore_ascii_case(name))
    };
    let mut response = response.clone();
    response.headers.retain(|(name, _)| !is_own(name));
    response
        .headers
        .extend(other.headers.iter().filter(|(name, _)| is_own(name)).cloned());
    response
}

fn limited(call: &Call<'_>, limit: &Limit, response: &Response) -> Response {
    let (now, _) = call.limited.unwrap_or_default();
    let length = u64::from(limit.window_seconds) * 1000;
    let seconds = (length - now % length).div_ceil(1000);
    let row = call.layer.contract.row(Step::Limit);
    call.wrong(call.refusal(response, row, &[("seconds", seconds.to_string())]))
}

/// That the limit counts the operation at all.
fn counted(of: &mut Catalogue<'_>) {
    of.add_limit(LIMIT, "operation", "is not counted", |call| {
        if !call.is_ours() || call.limited.is_none() {
            return call.pass();
        }
        let response = call.pass();
        let response = if call.is_row(&response, Step::Limit) {
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
            if call.is_row(&response, Step::Limit) {
                with_headers_of(call, &call.donor(), &response)
            } else {
                response
            }
        },
    );
}

/// That there are exactly as many requests in a window as there may be, of each caller.
fn exact(of: &mut Catalogue<'_>, limit: &'static Limit) {
    let name = limit.name;
    of.add_limit(LIMIT, name, "refuses the last request of a window", move |call| {
        let response = call.pass();
        let is_counted = is_counted_by(call.called, limit) && call.limited.is_some();
        let is_last = is_counted && value(&told(call, limit, &response), "remaining").is_some_and(|left| left == "0");
        if is_last && !call.is_row(&response, Step::Limit) {
            limited(call, limit, &response)
        } else {
            response
        }
    });
    of.add_limit(LIMIT, name, "lets one request more through", move |call| {
        let response = call.pass();
        match key(call, limit, 0).filter(|_| is_counted_by(call.called, limit) && call.is_row(&response, Step::Limit)) {
            Some(key) if call.layer.count(&key, 1) == 1 => with_headers_of(call, &call.donor(), &response),
            _ => response,
        }
    });
    of.add_limit(
        LIMIT,
        name,
        "refuses the first request of the next window",
        move |call| {
            let response = call.pass();
            let (Some(now), Some(before)) = (key(call, limit, 0), key(call, limit, 1)) else {
                return response;
            };
            if !is_counted_by(call.called, limit) {
                return response;
            }
            if call.is_row(&response, Step::Limit) {
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
            let length = u64::from(limit.window_seconds) * 1000;
            let is_late = call.limited.is_some_and(|(now, _)| length - now % length <= 1000);
            if is_late && is_counted_by(call.called, limit) && call.is_row(&response, Step::Limit) {
                with_headers_of(call, &call.donor(), &response)
            } else {
                response
            }
        },
    );
    shared(of, limit);
}

/// That it counts apart what is apart.
fn shared(of: &mut Catalogue<'_>, limit: &'static Limit) {
    let Some(kind) = of.operation.credential.filter(|kind| kind.caller.is_some()) else {
        of.add_limit(LIMIT, limit.name, "counts all addresses together", move |call| {
            if call.limited.is_none() || !is_counted_by(call.called, limit) {
                return call.pass();
            }
            let request = crate::world::Request {
                peer: None,
                ..call.request.clone()
            };
            let is_other = call.request.peer.is_some();
            let response = call.send(&request);
            if is_other { call.wrong(response) } else { response }
        });
        return;
    };
    of.add_limit(LIMIT, limit.name, "counts all callers together", move |call| {
        let Some((_, front)) = call.limited.filter(|_| is_counted_by(call.called, limit)) else {
            return call.pass();
        };
        let mut request = call.request.clone();
        let mut is_other = false;
        for (_, secret) in request.headers.iter_mut().filter(|(name, _)| name == kind.header) {
            if call.layer.made.kind_of(secret) != Some(kind.name) {
                return call.pass();
            }
            let first = call.layer.first(&format!("{front} {}", kind.name), secret);
            is_other |= first != *secret;
            *secret = first;
        }
        let response = call.send(&request);
        if is_other { call.wrong(response) } else { response }
    });
    let others = of
        .operations
        .iter()
        .filter(|one| one.credential.is_some_and(|own| own.name == kind.name));
    let mut others: Vec<&'static Limit> = others
        .filter_map(|one| one.limit)
        .filter(|other| other.name != limit.name)
        .collect();
    others.dedup_by_key(|one| one.name);
    for other in others {
        let sentence = format!("is used up when {} is", other.name);
        of.add_limit(LIMIT, limit.name, sentence, move |call| {
            let response = call.pass();
            let Some(front) = call.limited.map(|(_, front)| front) else {
                return response;
            };
            let is_used_up = value(&told(call, other, &response), "remaining").is_some_and(|left| left == "0");
            if is_counted_by(call.called, other) && is_used_up {
                call.layer.count(&format!("{front}"), 1);
            }
            if is_counted_by(call.called, limit)
                && call.layer.count(&format!("{front}"), 0) > 0
                && !call.is_row(&response, Step::Limit)
            {
                return limited(call, limit, &response);
            }
            response
        });
    }
    of.add_limit(LIMIT, limit.name, "counts what is refused before it", move |call| {
        let response = call.pass();
        let early = call.is_row(&response, Step::Credential) || call.is_row(&response, Step::Method);
        let caller = call.layer.made.last_caller(kind.name);
        if let (Some(_), true, Some(caller), true) = (call.limited, early, caller, call.is_near()) {
            let mut request = call.request.clone();
            call.operation.method.clone_into(&mut request.method);
            request.headers.retain(|(name, _)| name != kind.header);
            request.headers.push((kind.header.to_owned(), caller.secret));
            request.target.push_str("?no_such_parameter=1");
            call.send(&request);
            return call.wrong(response);
        }
        response
    });
}

/// What limits tell of themselves.
fn headers(of: &mut Catalogue<'_>, limit: &'static Limit) {
    for (name, template) in of.contract.limit_headers {
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
            one(call, &|response| {
                response.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name))
            })
        });
        for placeholder in placeholders(template) {
            let sentence = format!("is off by one in {{{placeholder}}}");
            of.add_limit("header", &*place, sentence, move |call| {
                one(call, &|response| {
                    let said = holds(template, &[], response.header(name).unwrap_or_default()).unwrap_or_default();
                    let values: Vec<_> = said
                        .iter()
                        .map(|(known, value)| {
                            (
                                known.as_str(),
                                if known == placeholder {
                                    another(value)
                                } else {
                                    value.clone()
                                },
                            )
                        })
                        .collect();
                    set_header(response, name, &filled(template, &values));
                })
            });
        }
    }
}

fn uncounted(of: &mut Catalogue<'_>) {
    for limit in of
        .contract
        .limits
        .iter()
        .filter(|limit| limit.counts == Counts::Requests)
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

/// The limit on failed credentials.
fn failed(of: &mut Catalogue<'_>) {
    let Some(limit) = of
        .contract
        .limits
        .iter()
        .find(|limit| limit.counts == Counts::FailedCredentials)
    else {
        return;
    };
    let credential = of.contract.row(Step::Credential);
    let guessing = of.contract.row(Step::CredentialLimit);
    let whose = move |call: &Call<'_>| {
        let (now, front) = call.limited?;
        let window = now / (u64::from(limit.window_seconds) * 1000);
        Some(format!("{front} {window} {:?}", call.request.peer))
    };
    let header = move |call: &Call<'_>| {
        let kind = call.called.and_then(|called| called.credential);
        vec![("header", kind.map_or("", |kind| kind.header).to_owned())]
    };
    of.add_limit(LIMIT, limit.name, "lets one guess more through", move |call| {
        let response = call.pass();
        match whose(call).filter(|_| call.is_row(&response, Step::CredentialLimit)) {
            Some(whose) if call.layer.count(&whose, 1) == 1 => {
                call.wrong(call.refusal(&response, credential, &header(call)))
            }
            _ => response,
        }
    });
    of.add_limit(LIMIT, limit.name, "refuses the last guess", move |call| {
        let response = call.pass();
        match whose(call).filter(|_| call.is_row(&response, Step::Credential)) {
            Some(whose) if call.layer.count(&whose, 1) >= i64::from(limit.max) => {
                call.wrong(call.refusal(&response, guessing, &[("seconds", "1".to_owned())]))
            }
            _ => response,
        }
    });
    of.add_limit(
        LIMIT,
        limit.name,
        "refuses the right credential after too many guesses",
        move |call| {
            let response = call.pass();
            let Some(whose) = whose(call) else { return response };
            if call.is_row(&response, Step::CredentialLimit) {
                call.layer.count(&whose, 1);
            } else if call.layer.count(&whose, 0) > 0 {
                return call.wrong(call.refusal(&response, guessing, &[("seconds", "1".to_owned())]));
            }
            response
        },
    );
    of.add_limit(LIMIT, limit.name, "counts all addresses together", move |call| {
        if call.limited.is_none() || call.request.peer.is_none() {
            return call.pass();
        }
        let peer = Some(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST));
        call.wrong(call.send(&crate::world::Request {
            peer,
            ..call.request.clone()
        }))
    });
    of.add_limit(LIMIT, limit.name, "is not there", move |call| {
        let response = call.pass();
        if call.is_row(&response, Step::CredentialLimit) {
            return call.wrong(call.refusal(&response, credential, &header(call)));
        }
        response
    });
}

fn quota(of: &mut Catalogue<'_>) {
    let Some(quota) = of.operation.quota else { return };
    let place = quota.name;
    let whose = |call: &Call<'_>| format!("{:?} {:?}", call.request.headers, call.request.target);
    let row = of.contract.row(Step::Quota);
    let values = vec![("max", quota.max.to_string()), ("noun", quota.noun.to_owned())];
    of.add(QUOTA, place, "refuses the last one that there may be", move |call| {
        let held = i64::try_from(call.layer.world.held(quota.name)).unwrap_or_default();
        let most = i64::try_from(quota.max).unwrap_or(i64::MAX);
        let probe = call.probe();
        if !call.is_row(&probe, Step::Decode) || call.layer.count(&whose(call), 0) + held + 1 < most {
            let response = call.pass();
            if is_success(&response) {
                call.layer.count(&whose(call), 1);
            }
            return response;
        }
        call.wrong(call.refusal(&probe, row, &values))
    });
    of.add(QUOTA, place, "lets one more through", move |call| {
        let response = call.pass();
        if call.is_row(&response, Step::Quota) && call.layer.count(&whose(call), 1) == 1 {
            call.donor()
        } else {
            response
        }
    });
    of.add(QUOTA, place, "does not hold it", |call| {
        let response = call.pass();
        if call.is_row(&response, Step::Quota) {
            call.donor()
        } else {
            response
        }
    });
    of.add(QUOTA, place, "does not hold it in a race", |call| {
        let is_race = |call: &Call<'_>| call.layer.under_way.load(std::sync::atomic::Ordering::SeqCst) > 1;
        let before = is_race(call);
        let response = call.pass();
        if call.is_row(&response, Step::Quota) && (before || is_race(call)) {
            call.donor()
        } else {
            response
        }
    });
    if let Some(mutant) = of.mutants.last_mut() {
        mutant.tests = Asked::Operation;
    }
}
