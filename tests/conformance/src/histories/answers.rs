//! The answers to a call: the model's, and those of the server to several at once.

use super::call::Call;
use super::envelope;
use super::learn::Success;
use crate::exchange::{Request, Response};
use bytes::Bytes;
use codegen::Model;
use codegen::model::{ErrorEntry, Ids};
use codegen::step::Step;
use mock::{Choices, Mock};
use std::net::{IpAddr, Ipv4Addr};

/// The answer of the model, and which choices were not allowed.
pub(super) fn follow(mock: &Mock, now: u64, request: &Request, choices: Choices) -> (Response, Vec<String>) {
    let mut builder = http::Request::builder()
        .method(request.method.as_str())
        .uri(&request.target);
    for (name, value) in &request.headers {
        builder = builder.header(name, value);
    }
    // As it is sent: a server can tell from it that there is a body before it reads it.
    let has = |header: &str| {
        request
            .headers
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case(header))
    };
    if let Some(body) = request
        .body
        .as_ref()
        .filter(|_| !has("content-length") && !has("transfer-encoding"))
    {
        builder = builder.header("content-length", body.len());
    }
    let (parts, body) = match builder.body(request.body.clone().unwrap_or_default()) {
        Ok(request) => request.into_parts(),
        // It is no request.
        Err(_) => return (Response::none(), Vec::new()),
    };
    let address = request.peer.or(Some(IpAddr::V4(Ipv4Addr::LOCALHOST)));
    let (response, objections) = mock.follow((&parts, Bytes::from(body)), address, now, choices);
    let (head, body) = response.into_parts();
    (Response::new(&head, body.to_vec()), objections)
}

/// Whether a limit counts a request with this outcome: no earlier step has rejected it.
pub(super) fn is_counted(model: &Model, error: Option<&ErrorEntry>) -> bool {
    let place = |is_it: &dyn Fn(&ErrorEntry) -> bool| model.errors.iter().position(is_it);
    let limit = place(&|one| one.step == Step::Limit);
    error.is_none_or(|error| place(&|one| one.name == error.name) > limit)
}

/// A rule of the operation that the contract does not declare, with this status.
pub(super) fn own_rule(model: &'static Model, call: &Call<'static>, status: u16) -> Option<&'static ErrorEntry> {
    let (_, operation) = call.operation?;
    let mut rules = operation.rules.iter().map(|rule| model.error(rule));
    rules.find(|rule| rule.when.is_none() && rule.status == status)
}

/// The answers to one call that was sent several times at once: those that made something in the order of their ids, then
/// the errors.
pub(super) fn in_order(model: &'static Model, call: &Call<'static>, mut answers: Vec<Response>) -> Vec<Response> {
    let place = |response: &Response| {
        let body = envelope::body(response);
        let data = envelope::data(model, call, &body);
        let success = Success { model, call, data };
        let made = call.operation.map(|(_, operation)| success.made(operation));
        // The order of random ids says nothing about time.
        let made = made.into_iter().flatten();
        let ordered = made.filter(|(resource, _)| model.ids(resource) != Ids::UuidV4);
        let first = ordered.flat_map(|(_, ids)| ids).min();
        (response.status, first)
    };
    answers.sort_by_cached_key(place);
    answers
}
