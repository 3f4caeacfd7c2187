//! Mutants of precedence: with two errors in one request, the lower one answers.

use super::{Catalogue, concerns};
use crate::contract::Operation;
use crate::mutants::layer::{
    Call, Shadows, headers, id_of, idempotency_keys, is_success, json_of, parameters, with_json_body, with_parameter,
};
use crate::world::{Request, Response};
use codegen::model::ErrorEntry;
use codegen::step::Step;

pub(super) fn add(of: &mut Catalogue<'_>) {
    let errors = of.errors();
    for (index, upper) in errors.iter().enumerate() {
        for lower in &errors[index + 1..] {
            if is_observable(of, upper.step, lower.step) {
                swapped(of, upper, lower);
            }
        }
    }
}

/// Whether a layer can correct the upper error and send a request with only the lower one.
fn is_observable(of: &Catalogue<'_>, upper: Step, lower: Step) -> bool {
    let last = of.operation.exists.last();
    let absent_is_owned = last.is_some_and(|exists| of.operation.owns(exists.resource));
    match (upper, lower) {
        // An unknown path has no methods.
        (Step::Route, Step::Method) => false,
        (Step::Exists, Step::Owner) => !absent_is_owned,
        // The twin of a caller with an exhausted limit has requests left.
        (Step::Suspended, Step::Limit) => false,
        (Step::Quota | Step::Transition, _) => false,
        (_, Step::Method) => false,
        // A key is known with the same request or with another one, and another id makes another request.
        (Step::KeyReused, Step::KeySecret) | (Step::KeySecret, Step::Exists) => false,
        (Step::Rule, Step::Rule) => false,
        _ => true,
    }
}

fn swapped(of: &mut Catalogue<'_>, upper: &'static ErrorEntry, lower: &'static ErrorEntry) {
    // A request that is rejected before decoding has no effect and can be sent itself; any other is sent for twins.
    let is_early = matches!(
        lower.step,
        Step::Credential | Step::Suspended | Step::Limit | Step::MediaType | Step::BodySize | Step::Decode
    ) && upper.step != Step::Suspended;
    let sentence = format!("{} answers before it", lower.name);
    let mutant = of.add_anywhere("precedence", &*upper.name, sentence, move |call| {
        let response = call.pass();
        let fills = match lower.step {
            Step::Quota | Step::Transition => true,
            Step::KeyReused | Step::KeySecret => idempotency_keys(call.operation, &mut call.request.clone())
                .next()
                .is_some(),
            _ => false,
        };
        if fills && call.is_ours() && is_success(&response) {
            call.send(&call.layer.for_shadows(call.operation, call.request));
        }
        let is_it = concerns(call, upper.step) && call.error(&response).is_some_and(|came| std::ptr::eq(came, upper));
        if !is_it || (lower.step == Step::Exists && !names_what_is_absent(call)) {
            return response;
        }
        match without_error(call, upper.step, is_early) {
            Some(other) if call.error(&other).is_some_and(|came| std::ptr::eq(came, lower)) => call.wrong(other),
            _ => response,
        }
    });
    mutant.shadows = match upper.step {
        _ if is_early => Shadows::None,
        step @ (Step::Plan | Step::Suspended) => Shadows::Without(step),
        Step::Rule => Shadows::WithoutRule(&upper.name),
        _ => Shadows::Whole,
    };
}

/// The answer to the request without the error of this step: sent itself, or for its twin.
fn without_error(call: &Call<'_>, step: Step, is_itself: bool) -> Option<Response> {
    let mended = mended(call, step)?;
    if is_itself {
        return Some(answer_to(call, step, &mended));
    }
    let shadow = call.layer.for_shadows(call.operation, &mended);
    let answer = answer_to(call, step, &shadow);
    Some(call.layer.for_originals(call.operation, &mended, answer))
}

fn answer_to(call: &Call<'_>, upper: Step, request: &Request) -> Response {
    if upper == Step::Limit {
        call.layer.world.call(request)
    } else {
        call.send(request)
    }
}

/// Whether the request names a resource that does not exist, or exists under another parent.
fn names_what_is_absent(call: &Call<'_>) -> bool {
    let operation = call.operation;
    operation.exists.iter().any(|exists| {
        let id = id_of(operation, call.request, exists);
        id.is_none_or(|id| call.layer.registry.owner(&exists.resource.name, id).is_none())
    })
}

/// The request without the error that this step rejects.
fn mended(call: &Call<'_>, step: Step) -> Option<Request> {
    let (operation, mut request) = (call.operation, call.request.clone());
    match step {
        Step::Route | Step::Method => request = called(operation, request),
        Step::Credential => {
            let kind = operation.credential?;
            let sent = headers(&request, &kind.header).into_iter().next();
            let known = sent.filter(|secret| call.layer.registry.kind_of(secret) == Some(&kind.name));
            let secret = known
                .or_else(|| owner(call))
                .or_else(|| Some(call.layer.registry.last_caller(&kind.name)?.secret))?;
            request = with_header(request, &kind.header, &secret);
        }
        Step::MediaType => request = with_header(request, "Content-Type", "application/json"),
        Step::BodySize => request.body = request.body.map(|body| body.trim_ascii_end().to_vec()),
        Step::Decode => request = with_known_parameters(operation, request),
        Step::Exists => request = with_ids_of_body(call, with_ids_of_path(call, request)?),
        Step::Owner => {
            let kind = operation.credential?;
            let secret = owner(call)?;
            for (_, sent) in request.headers.iter_mut().filter(|(name, _)| *name == kind.header) {
                sent.clone_from(&secret);
            }
        }
        Step::KeyReused | Step::KeySecret => {
            let keys = operation.contract.model.idempotency.as_ref()?;
            request
                .headers
                .retain(|(name, _)| !name.eq_ignore_ascii_case(&keys.header));
        }
        Step::Suspended | Step::Limit | Step::Plan | Step::Rule => {}
        Step::CredentialLimit
        | Step::Available
        | Step::ResponseBytes
        | Step::InFlight
        | Step::Busy
        | Step::BodyTime
        | Step::KeyInProgress
        | Step::Quota
        | Step::Transition
        | Step::Write
        | Step::Outcome
        | Step::Internal => return None,
    }
    Some(request)
}

/// The request with the operation's own path and method.
fn called(operation: &Operation, mut request: Request) -> Request {
    operation.declared.method.text.clone_into(&mut request.method);
    let length = operation.path.split('/').count();
    let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
    let path: Vec<_> = path.split('/').take(length).collect();
    let mark = if query.is_empty() { "" } else { "?" };
    request.target = format!("{}{mark}{query}", path.join("/"));
    request
}

/// The request with a single header of this name.
fn with_header(mut request: Request, name: &str, value: &str) -> Request {
    request.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
    request.headers.push((name.to_owned(), value.to_owned()));
    request
}

/// The request without undeclared query parameters.
fn with_known_parameters(operation: &Operation, mut request: Request) -> Request {
    let is_known = |pair: &&str| {
        operation
            .query
            .iter()
            .any(|one| pair.split('=').next() == Some(one.name))
    };
    let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
    let known: Vec<_> = query.split('&').filter(is_known).collect();
    let mark = if known.is_empty() { "" } else { "?" };
    request.target = format!("{path}{mark}{}", known.join("&"));
    request
}

/// The request with existing ids in its path.
fn with_ids_of_path(call: &Call<'_>, mut request: Request) -> Option<Request> {
    let operation = call.operation;
    for exists in operation.exists.iter().filter(|exists| exists.is_in_path()) {
        let within = exists.within.and_then(|(parent, _)| {
            let parent = operation.exists.iter().find(|one| one.resource.name == parent)?;
            let (_, text) = parameters(operation, &request)
                .into_iter()
                .find(|(name, _)| *name == parent.id_name())?;
            Some((parent.resource.name.as_str(), text.parse::<i64>().ok()?))
        });
        let (_, text) = parameters(operation, &request)
            .into_iter()
            .find(|(name, _)| *name == exists.id_name())?;
        let is_made = text
            .parse::<i64>()
            .is_ok_and(|id| call.layer.registry.owner(&exists.resource.name, id).is_some());
        if !is_made {
            let id = call.layer.registry.last(&exists.resource.name, within)?;
            request = with_parameter(operation, &request, exists.id_name(), &id.to_string());
        }
    }
    Some(request)
}

fn with_ids_of_body(call: &Call<'_>, request: Request) -> Request {
    let of_body = call.operation.exists.iter().filter(|exists| !exists.is_in_path());
    let Some(mut json) = json_of(&request) else {
        return request;
    };
    let before = json.clone();
    for exists in of_body {
        let is_made = json[exists.id_name()]
            .as_i64()
            .is_some_and(|id| call.layer.registry.owner(&exists.resource.name, id).is_some());
        if let (false, Some(id)) = (is_made, call.layer.registry.last(&exists.resource.name, None)) {
            json[exists.id_name()] = id.into();
        }
    }
    if json == before {
        request
    } else {
        with_json_body(&request, &json)
    }
}

/// The credential of the owner of the resource in the path.
fn owner(call: &Call<'_>) -> Option<String> {
    let operation = call.operation;
    let named = parameters(operation, call.request)
        .into_iter()
        .filter_map(|(name, text)| {
            let resource = operation.resource_at(name)?;
            call.layer.registry.owner(resource, text.parse().ok()?)
        });
    named
        .filter(|caller| operation.credential.is_some_and(|kind| kind.name == caller.kind))
        .map(|caller| caller.secret)
        .last()
}
