//! Reads a request by the contract: the called operation, the named ids, its headers and its JSON.

use crate::contract::{Exists, Operation};
use crate::world::Request;
use serde_json::Value as Json;

/// The operation that a request calls. Literal paths come before those with parameters in the same places.
pub(crate) fn called(operations: &[&'static Operation], request: &Request) -> Option<&'static Operation> {
    let path = path_of(request);
    let matching = operations
        .iter()
        .filter(|one| one.declared.method == request.method && segments(one.path, path) == Some(0));
    matching.min_by_key(|one| one.path.matches(':').count()).copied()
}

/// Whether the path is the operation's, or a longer one.
pub(super) fn is_near(operation: &Operation, request: &Request) -> bool {
    segments(operation.path, path_of(request)).is_some()
}

/// The parameters of the operation's path, as in the request.
pub(crate) fn parameters(operation: &Operation, request: &Request) -> Vec<(&'static str, String)> {
    let pairs = operation.path.split('/').zip(path_of(request).split('/'));
    pairs
        .filter_map(|(wanted, came)| Some((wanted.strip_prefix(':')?, came.to_owned())))
        .collect()
}

/// The request with this parameter of its path.
pub(crate) fn with_parameter(operation: &Operation, request: &Request, name: &str, value: &str) -> Request {
    let (path, rest) = request.target.split_at(path_of(request).len());
    let wanted: Vec<&str> = operation.path.split('/').collect();
    let came = path.split('/').enumerate().map(|(at, came)| {
        let is_it = wanted.get(at).and_then(|wanted| wanted.strip_prefix(':')) == Some(name);
        if is_it { value } else { came }
    });
    Request {
        target: format!("{}{rest}", came.collect::<Vec<_>>().join("/")),
        ..request.clone()
    }
}

/// The id of a required resource in the request; `None` if it is not an integer.
pub(crate) fn id_of(operation: &Operation, request: &Request, exists: &Exists) -> Option<i64> {
    if exists.is_in_path() {
        let mut parameters = parameters(operation, request).into_iter();
        return parameters.find(|(name, _)| *name == exists.id_name())?.1.parse().ok();
    }
    json_of(request)?.get(exists.id_name())?.as_i64()
}

/// The values of a header.
pub(crate) fn headers(request: &Request, wanted: &str) -> Vec<String> {
    let all = request.headers.iter();
    all.filter(|(name, _)| name.eq_ignore_ascii_case(wanted))
        .map(|(_, value)| value.clone())
        .collect()
}

/// The idempotency keys of the request, as they were sent.
pub(crate) fn idempotency_keys<'r>(
    operation: &'static Operation,
    request: &'r mut Request,
) -> impl Iterator<Item = &'r mut String> {
    let header = operation.contract.model.idempotency.as_ref().map(|keys| &keys.header);
    let all = request.headers.iter_mut();
    all.filter_map(move |(name, key)| {
        header
            .is_some_and(|header| name.eq_ignore_ascii_case(header))
            .then_some(key)
    })
}

/// The body as JSON, with the last one of duplicate members.
pub(crate) fn json_of(request: &Request) -> Option<Json> {
    serde_json::from_slice(request.body.as_deref()?).ok()
}

/// The request with this body.
pub(crate) fn with_json_body(request: &Request, json: &Json) -> Request {
    Request {
        body: Some(json.to_string().into_bytes()),
        ..request.clone()
    }
}

fn path_of(request: &Request) -> &str {
    request.target.split('?').next().unwrap_or_default()
}

/// The number of segments behind those of the template; `None` if it does not match.
fn segments(template: &str, path: &str) -> Option<usize> {
    let mut came = path.split('/');
    for wanted in template.split('/') {
        let came = came.next()?;
        let fits = if wanted.starts_with(':') {
            !came.is_empty()
        } else {
            wanted == came
        };
        if !fits {
            return None;
        }
    }
    Some(came.count())
}
