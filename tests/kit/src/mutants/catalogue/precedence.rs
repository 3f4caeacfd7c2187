//! Of two faults in one request, the lower row answers.

use super::{Catalogue, concerns};
use crate::contract::{Row, Step};
use crate::mutants::layer::{Call, Twins, parameters, with_parameter};
use crate::types::Type;
use crate::world::{Request, Response};

pub(super) fn add(of: &mut Catalogue<'_>) {
    let rows = of.rows();
    for (index, upper) in rows.iter().enumerate() {
        for lower in &rows[index + 1..] {
            if can_be_told(of, upper.step, lower.step) {
                swapped(of, upper, lower);
            }
        }
    }
}

/// Whether a layer can mend the upper fault, and ask for the lower one.
fn can_be_told(of: &Catalogue<'_>, upper: Step, lower: Step) -> bool {
    let last = of.operation.exists.last();
    let absent_is_owned = last.is_some_and(|exists| of.operation.owned.contains(&exists.resource));
    match (upper, lower) {
        // A path that is nobody's has no methods.
        (Step::Route, Step::Method) => false,
        (Step::Exists, Step::Owner) => !absent_is_owned,
        // A caller who has used up its limit has no twin who has.
        (Step::Suspended, Step::Limit) => false,
        (Step::Quota | Step::Transition, _) => false,
        (_, Step::Method) => false,
        (Step::Rule(_), Step::Rule(_)) => false,
        _ => true,
    }
}

fn swapped(of: &mut Catalogue<'_>, upper: &'static Row, lower: &'static Row) {
    // What is refused before it is decoded is refused without doing anything; else it is asked of twins.
    let is_early = matches!(
        lower.step,
        Step::Credential | Step::Suspended | Step::Limit | Step::MediaType | Step::BodySize | Step::Decode
    ) && upper.step != Step::Suspended;
    let sentence = format!("{} answers before it", lower.name);
    of.add_anywhere("precedence", upper.name, sentence, move |call| {
        let response = call.pass();
        let fills = matches!(lower.step, Step::Quota | Step::Transition);
        if fills && call.is_ours() && response.status < 400 {
            call.send(&call.layer.of_twins(call.operation, call.request));
        }
        let is_it = concerns(call, upper.step) && call.row(&response).is_some_and(|came| std::ptr::eq(came, upper));
        if !is_it || (lower.step == Step::Exists && !names_what_is_absent(call)) {
            return response;
        }
        let Some(mended) = mended(call, upper.step) else {
            return response;
        };
        let other = if is_early {
            asked(call, upper.step, &mended)
        } else {
            let twin = call.layer.of_twins(call.operation, &mended);
            let answer = asked(call, upper.step, &twin);
            call.layer.told_of_originals(call.operation, &mended, answer)
        };
        if call.row(&other).is_some_and(|came| std::ptr::eq(came, lower)) {
            call.wrong(other)
        } else {
            response
        }
    });
    of.with_twins(match upper.step {
        _ if is_early => Twins::None,
        step @ (Step::Plan | Step::Suspended | Step::Rule(_)) => Twins::Without(step),
        _ => Twins::Whole,
    });
    if [upper.step, lower.step].contains(&Step::Limit)
        && let Some(mutant) = of.mutants.last_mut()
    {
        mutant.tests = crate::mutants::Asked::Operation;
    }
}

fn asked(call: &Call<'_>, upper: Step, request: &Request) -> Response {
    if upper == Step::Limit {
        call.layer.world.call(request)
    } else {
        call.send(request)
    }
}

/// Whether the request names what nobody has made, or has made elsewhere.
fn names_what_is_absent(call: &Call<'_>) -> bool {
    let operation = call.operation;
    let body: serde_json::Value = call
        .request
        .body
        .as_deref()
        .and_then(|body| serde_json::from_slice(body).ok())
        .unwrap_or_default();
    operation.exists.iter().any(|exists| {
        let in_path = parameters(operation, call.request)
            .into_iter()
            .find(|(name, _)| *name == exists.id);
        let id = in_path
            .and_then(|(_, text)| text.parse().ok())
            .or_else(|| body[exists.id].as_i64());
        id.is_none_or(|id| call.layer.made.owner(exists.resource, id).is_none())
    })
}

/// The request without what this step refuses.
fn mended(call: &Call<'_>, step: Step) -> Option<Request> {
    let (operation, mut request) = (call.operation, call.request.clone());
    match step {
        Step::Route | Step::Method => {
            operation.method.clone_into(&mut request.method);
            let length = operation.path.split('/').count();
            let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
            let path: Vec<_> = path.split('/').take(length).collect();
            let mark = if query.is_empty() { "" } else { "?" };
            request.target = format!("{}{mark}{query}", path.join("/"));
        }
        Step::Credential => {
            let kind = operation.credential?;
            let sent = request
                .headers
                .iter()
                .find(|(name, _)| name == kind.header)
                .map(|(_, secret)| secret.clone());
            let known = sent.filter(|secret| call.layer.made.kind_of(secret) == Some(kind.name));
            let secret = known
                .or_else(|| owner(call))
                .or_else(|| Some(call.layer.made.last_caller(kind.name)?.secret))?;
            request.headers.retain(|(name, _)| name != kind.header);
            request.headers.push((kind.header.to_owned(), secret));
        }
        Step::MediaType => {
            request
                .headers
                .retain(|(name, _)| !name.eq_ignore_ascii_case("content-type"));
            request
                .headers
                .push(("Content-Type".to_owned(), "application/json".to_owned()));
        }
        Step::BodySize => request.body = request.body.map(|body| body.trim_ascii_end().to_vec()),
        Step::Decode => {
            let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
            let known = query.split('&').filter(|pair| {
                operation
                    .query
                    .iter()
                    .any(|member| pair.split('=').next() == Some(member.name))
            });
            let known: Vec<_> = known.collect();
            let mark = if known.is_empty() { "" } else { "?" };
            request.target = format!("{path}{mark}{}", known.join("&"));
        }
        Step::Exists => request = with_ids_of_body(call, with_ids_of_path(call, request)?),
        Step::Owner => {
            let kind = operation.credential?;
            let secret = owner(call)?;
            for (_, sent) in request.headers.iter_mut().filter(|(name, _)| name == kind.header) {
                sent.clone_from(&secret);
            }
        }
        Step::Suspended | Step::Limit | Step::Plan | Step::Rule(_) => {}
        _ => return None,
    }
    Some(request)
}

/// The request with ids in its path that are somebody's.
fn with_ids_of_path(call: &Call<'_>, mut request: Request) -> Option<Request> {
    let operation = call.operation;
    for exists in operation.exists.iter().filter(|exists| exists.in_path) {
        let within = exists.within.and_then(|parent| {
            let parent = operation.exists.iter().find(|one| one.resource == parent)?;
            let (_, text) = parameters(operation, &request)
                .into_iter()
                .find(|(name, _)| *name == parent.id)?;
            Some((parent.resource, text.parse::<i64>().ok()?))
        });
        let (_, text) = parameters(operation, &request)
            .into_iter()
            .find(|(name, _)| *name == exists.id)?;
        let is_made = text
            .parse::<i64>()
            .is_ok_and(|id| call.layer.made.owner(exists.resource, id).is_some());
        if !is_made {
            let id = call.layer.made.last(exists.resource, within)?;
            request = with_parameter(operation, &request, exists.id, &id.to_string());
        }
    }
    Some(request)
}

fn with_ids_of_body(call: &Call<'_>, request: Request) -> Request {
    let of_body = call.operation.exists.iter().filter(|exists| !exists.in_path);
    let Some(mut json) = request
        .body
        .as_deref()
        .and_then(|body| serde_json::from_slice::<serde_json::Value>(body).ok())
    else {
        return request;
    };
    let before = json.clone();
    for exists in of_body {
        let is_made = json[exists.id]
            .as_i64()
            .is_some_and(|id| call.layer.made.owner(exists.resource, id).is_some());
        if let (false, Some(id)) = (is_made, call.layer.made.last(exists.resource, None)) {
            json[exists.id] = id.into();
        }
    }
    if json == before {
        request
    } else {
        Request {
            body: Some(json.to_string().into_bytes()),
            ..request
        }
    }
}

/// The credential of whoever owns what the path names.
fn owner(call: &Call<'_>) -> Option<String> {
    let operation = call.operation;
    let named = parameters(operation, call.request)
        .into_iter()
        .filter_map(|(name, text)| {
            let of = operation.parameters.iter().find(|one| one.name == name)?.of;
            let Type::Id(resource) = of else { return None };
            call.layer.made.owner(resource, text.parse().ok()?)
        });
    named
        .filter(|caller| operation.credential.is_some_and(|kind| kind.name == caller.kind))
        .map(|caller| caller.secret)
        .last()
}
