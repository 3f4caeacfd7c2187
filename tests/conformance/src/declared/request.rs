//! A valid request of an operation, with other texts each time.

use super::DeclaredWorld;
use crate::contract::Operation;
use crate::query::{encoded, path};
use crate::sample::{sample, sample_object};
use crate::types::{Member, Type, named};
use crate::value::{Value, nth_text, raw, word};
use crate::world::{Caller, Request, RequestedResources};
use serde_json::Value as Json;
use std::sync::atomic::Ordering;

impl DeclaredWorld {
    /// A valid body with these members, and the ids of what was found.
    pub(super) fn body(
        &self,
        operation: &Operation,
        found: &RequestedResources,
        of: &Type,
        members: &[(String, Json)],
    ) -> Value {
        let is_given = |member: &Member| members.iter().any(|(name, _)| name == member.name);
        let is_found = |member: &Member| {
            let guard = operation.optional_guard(member.name);
            guard.is_some_and(|exists| found.has(&exists.resource.name))
        };
        let needed = of
            .members()
            .iter()
            .filter(|member| (member.required || is_found(member)) && !is_given(member));
        let any = of
            .members()
            .iter()
            .filter(|_| operation.is_partial() && members.is_empty())
            .take(1);
        let mut body = sample_object(needed.chain(any));
        vary(&mut body, of, self.values.fetch_add(1, Ordering::Relaxed));
        operation.renew_texts(&mut body, None);
        for (name, value) in members {
            body.put(of, name, raw(&value.to_string()));
        }
        body
    }
}

/// The request of this caller for these resources.
pub(super) fn request(
    operation: &'static Operation,
    caller: &Caller,
    found: &RequestedResources,
    body: Option<&Value>,
) -> Request {
    let id = |resource: &str| found.id(resource).to_string();
    let value = |name: &str| match operation.found_by(name) {
        Some(resource) => id(resource),
        None => {
            let of = named(operation.parameters, name).map(|parameter| sample(parameter.of));
            encoded(&of.unwrap_or_else(|| word(name)).as_parameter(&id))
        }
    };
    let credential = operation
        .credential
        .map(|kind| (kind.header.clone(), caller.secret.clone()));
    let file = operation.file_sample();
    let media_type = file
        .map(|(media_type, _)| media_type)
        .or(body.map(|_| "application/json"));
    let content_type = media_type.map(|media_type| ("Content-Type".to_owned(), media_type.to_owned()));
    Request {
        method: operation.declared.method.text.clone(),
        target: path(&operation.surface.base, &operation.declared.segments, value),
        headers: credential.into_iter().chain(content_type).collect(),
        body: body
            .map(|body| body.render(&id).into_bytes())
            .or_else(|| file.map(|(_, text)| text.as_bytes().to_vec())),
        peer: None,
    }
}

/// Replaces texts by others of the same types, so that records differ.
fn vary(value: &mut Value, of: &Type, nth: usize) {
    /// The first texts are those that tests send.
    const FIRST: usize = 50;
    match (value, of) {
        (Value::Object(members), of) => {
            for (name, value) in members {
                if let Some(member) = of.member(name) {
                    vary(value, member.of, nth);
                }
            }
        }
        (Value::List(items), Type::List { of, .. }) => {
            if let [only] = items.as_mut_slice() {
                vary(only, of, nth);
            }
        }
        (Value::Text(text), Type::Text { max, .. }) => {
            let other = nth_text(Some(of), FIRST + nth);
            let surplus = max.map_or(0, |max| other.chars().count().saturating_sub(max));
            *text = other.chars().skip(surplus).collect();
        }
        _ => {}
    }
}
