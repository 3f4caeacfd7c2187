//! Mutants of limits that share counts which the contract separates, or count requests that they must not count.

use super::{LIMIT, header_values, is_counted_by, key, limited, value, with_headers_of};
use crate::contract::Operation;
use crate::mutants::catalogue::Catalogue;
use crate::mutants::catalogue::envelopes::set_header;
use crate::template::fill_template;
use crate::world::Request;
use codegen::model::{Credential, Limit};
use codegen::step::Step;

pub(super) fn add(of: &mut Catalogue<'_>, limit: &'static Limit) {
    match of.operation.credential.filter(|kind| kind.caller.is_some()) {
        Some(kind) => {
            callers(of, limit, kind);
            if limit.owner_max.is_some() && of.contract.model.has_other_credentials(kind) {
                owners(of, limit);
            }
            other_limits(of, limit, kind);
            early_rejections(of, limit, kind);
        }
        None => addresses(of, limit),
    }
}

fn addresses(of: &mut Catalogue<'_>, limit: &'static Limit) {
    of.add_limit(LIMIT, &*limit.name, "counts all addresses together", move |call| {
        if call.limited.is_none() || !is_counted_by(call.called, limit) {
            return call.pass();
        }
        let request = Request {
            peer: None,
            ..call.request.clone()
        };
        let is_other = call.request.peer.is_some();
        let response = call.send(&request);
        if is_other { call.wrong(response) } else { response }
    });
}

fn callers(of: &mut Catalogue<'_>, limit: &'static Limit, kind: &'static Credential) {
    of.add_limit(LIMIT, &*limit.name, "counts all callers together", move |call| {
        let Some((_, service)) = call.limited.filter(|_| is_counted_by(call.called, limit)) else {
            return call.pass();
        };
        let mut request = call.request.clone();
        let mut is_other = false;
        for (_, secret) in request.headers.iter_mut().filter(|(name, _)| *name == kind.header) {
            if call.layer.registry.kind_of(secret) != Some(&kind.name) {
                return call.pass();
            }
            let first = call.layer.first(&format!("{service} {}", kind.name), secret);
            is_other |= first != *secret;
            *secret = first;
        }
        let response = call.send(&request);
        if is_other { call.wrong(response) } else { response }
    });
}

fn owners(of: &mut Catalogue<'_>, limit: &'static Limit) {
    of.add_limit(
        LIMIT,
        &*limit.name,
        "counts each credential for itself alone",
        move |call| {
            let response = call.pass();
            let Some(key) = key(call, limit, 0).filter(|_| is_counted_by(call.called, limit)) else {
                return response;
            };
            let is_rejected = call.is_error(&response, Step::Limit);
            let counted = call.layer.count(&key, i64::from(!is_rejected));
            if is_rejected && counted < i64::from(limit.max) {
                with_headers_of(call, &call.donor(), &response)
            } else {
                response
            }
        },
    );
    of.add_limit(
        LIMIT,
        &*limit.name,
        "reports its own rate where the owner's has less left",
        move |call| {
            let response = call.pass();
            let Some(key) = key(call, limit, 0).filter(|_| is_counted_by(call.called, limit)) else {
                return response;
            };
            let counted = call
                .layer
                .count(&key, i64::from(!call.is_error(&response, Step::Limit)));
            let left = i64::from(limit.max) - counted;
            let reported = header_values(call, limit, &response);
            let remaining = value(&reported, "remaining").and_then(|left| left.parse().ok());
            if remaining.is_none_or(|remaining: i64| remaining >= left) {
                return response;
            }
            let own = |(name, value): (String, String)| match name.as_str() {
                "remaining" => (name, left.to_string()),
                _ => (name, value),
            };
            let reported: Vec<_> = reported.into_iter().map(own).collect();
            let values: Vec<_> = reported
                .iter()
                .map(|(name, value)| (name.as_str(), value.clone()))
                .collect();
            let known = [
                ("limit", limit.name.to_owned()),
                ("max", limit.max.to_string()),
                ("window_seconds", limit.window_seconds.to_string()),
            ];
            let mut response = response;
            for (name, template) in &call.layer.contract.model.limit_headers {
                set_header(
                    &mut response,
                    name,
                    &fill_template(template, &[&values, &known[..]].concat()),
                );
            }
            call.wrong(response)
        },
    );
}

fn other_limits(of: &mut Catalogue<'_>, limit: &'static Limit, kind: &'static Credential) {
    let is_of_kind = |one: &&&Operation| one.credential.is_some_and(|own| own.name == kind.name);
    let limits = of
        .contract
        .operations()
        .iter()
        .filter(is_of_kind)
        .filter_map(|one| one.limit);
    let mut others: Vec<&'static Limit> = limits.filter(|other| other.name != limit.name).collect();
    others.sort_by_key(|one| &one.name);
    others.dedup_by_key(|one| &one.name);
    for other in others {
        let sentence = format!("is used up when {} is", other.name);
        of.add_limit(LIMIT, &*limit.name, sentence, move |call| {
            let response = call.pass();
            let Some(service) = call.limited.map(|(_, service)| service.to_string()) else {
                return response;
            };
            let is_used_up = value(&header_values(call, other, &response), "remaining").is_some_and(|left| left == "0");
            if is_counted_by(call.called, other) && is_used_up {
                call.layer.count(&service, 1);
            }
            let is_rejected = is_counted_by(call.called, limit) && call.layer.count(&service, 0) > 0;
            if is_rejected && !call.is_error(&response, Step::Limit) {
                return limited(call, limit, &response);
            }
            response
        });
    }
}

fn early_rejections(of: &mut Catalogue<'_>, limit: &'static Limit, kind: &'static Credential) {
    of.add_limit(LIMIT, &*limit.name, "counts what is rejected before it", move |call| {
        let response = call.pass();
        let early = call.is_error(&response, Step::Credential) || call.is_error(&response, Step::Method);
        let caller = call.layer.registry.last_caller(&kind.name);
        if let (Some(_), true, Some(caller), true) = (call.limited, early, caller, call.is_near()) {
            let mut request = call.request.clone();
            call.operation.declared.method.text.clone_into(&mut request.method);
            request.headers.retain(|(name, _)| *name != kind.header);
            request.headers.push((kind.header.to_owned(), caller.secret));
            request.target.push_str("?no_such_parameter=1");
            call.send(&request);
            return call.wrong(response);
        }
        response
    });
}
