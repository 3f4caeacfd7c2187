//! Mutants of the limit on failed credentials.

use super::{LIMIT, length};
use crate::mutants::catalogue::Catalogue;
use crate::mutants::layer::Call;
use crate::world::{Request, Response};
use codegen::model::Limit;
use codegen::step::Step;
use std::net::{IpAddr, Ipv4Addr};

pub(super) fn add(of: &mut Catalogue<'_>) {
    if let Some(limit) = of.contract.failed_credentials() {
        exact(of, limit);
        others(of, limit);
    }
}

/// The failing address and the window.
fn whose(call: &Call<'_>, limit: &Limit) -> Option<String> {
    let (now, service) = call.limited?;
    Some(format!("{service} {} {:?}", now / length(limit), call.request.peer))
}

/// The error response for a credential in place of an answer.
fn rejected(call: &Call<'_>, response: &Response) -> Response {
    let kind = call.called.and_then(|called| called.credential);
    let header = kind.map_or("", |kind| &kind.header).to_owned();
    let error = call.layer.contract.error(Step::Credential);
    call.wrong(call.error_response(response, error, &[("header", header)]))
}

/// The error response for guessing in place of an answer.
fn guessing(call: &Call<'_>, response: &Response) -> Response {
    let error = call.layer.contract.error(Step::CredentialLimit);
    call.wrong(call.error_response(response, error, &[("seconds", "1".to_owned())]))
}

/// The number of failures is exact.
fn exact(of: &mut Catalogue<'_>, limit: &'static Limit) {
    of.add_limit(LIMIT, &*limit.name, "lets one guess more through", move |call| {
        let response = call.pass();
        match whose(call, limit).filter(|_| call.is_error(&response, Step::CredentialLimit)) {
            Some(whose) if call.layer.count(&whose, 1) == 1 => rejected(call, &response),
            _ => response,
        }
    });
    of.add_limit(LIMIT, &*limit.name, "rejects the last guess", move |call| {
        let response = call.pass();
        match whose(call, limit).filter(|_| call.is_error(&response, Step::Credential)) {
            Some(whose) if call.layer.count(&whose, 1) >= i64::from(limit.max) => guessing(call, &response),
            _ => response,
        }
    });
    of.add_limit(LIMIT, &*limit.name, "is not there", move |call| {
        let response = call.pass();
        match call.is_error(&response, Step::CredentialLimit) {
            true => rejected(call, &response),
            false => response,
        }
    });
}

/// Only the guessing address is rejected.
fn others(of: &mut Catalogue<'_>, limit: &'static Limit) {
    let sentence = "rejects the right credential after too many guesses";
    of.add_limit(LIMIT, &*limit.name, sentence, move |call| {
        let response = call.pass();
        let Some(whose) = whose(call, limit) else {
            return response;
        };
        if call.is_error(&response, Step::CredentialLimit) {
            call.layer.count(&whose, 1);
        } else if call.layer.count(&whose, 0) > 0 {
            return guessing(call, &response);
        }
        response
    });
    of.add_limit(LIMIT, &*limit.name, "counts all addresses together", move |call| {
        if call.limited.is_none() || call.request.peer.is_none() {
            return call.pass();
        }
        call.wrong(call.send(&Request {
            peer: Some(IpAddr::V4(Ipv4Addr::LOCALHOST)),
            ..call.request.clone()
        }))
    });
}
