//! Mutants with a missing guard: an error response becomes a success.

mod bodies;
mod existence;
mod moves;

use super::{Catalogue, concerns};
use crate::mutants::layer::{Call, headers};
use crate::world::Response;
use codegen::model::{Credential, ErrorEntry};
use codegen::step::Step;

const KIND: &str = "guard skipped";

pub(super) fn add(of: &mut Catalogue<'_>) {
    for error in of.errors() {
        // Malformed requests are accepted one place at a time, by other modules.
        if !matches!(error.step, Step::Decode | Step::Limit | Step::Quota) {
            of.add_anywhere(KIND, &*error.name, "lets everything through", skip(error, |_, _| true));
        }
    }
    credential(of);
    elsewhere(of);
    bodies::add(of);
    existence::add(of);
    moves::add(of);
}

/// Where this error rejects such a request, the answer is a success.
fn skip(error: &'static ErrorEntry, is_such: impl Fn(&Call<'_>, &Response) -> bool) -> impl Fn(&Call<'_>) -> Response {
    move |call| {
        let response = call.pass();
        let is_it = concerns(call, error.step) && call.error(&response).is_some_and(|came| std::ptr::eq(came, error));
        if is_it && is_such(call, &response) {
            call.donor()
        } else {
            response
        }
    }
}

fn credential(of: &mut Catalogue<'_>) {
    let Some(kind) = of.operation.credential else { return };
    let error = of.contract.error(Step::Credential);
    type IsSuch = fn(&[String], &Call<'_>, &Credential) -> bool;
    let mut forms: Vec<(&str, IsSuch)> = vec![
        ("lets who sends no credential through", |sent, _, _| sent.is_empty()),
        ("lets a credential that stands twice through", |sent, _, _| {
            sent.len() > 1
        }),
        ("lets an empty credential through", |sent, _, _| sent == [""]),
        (
            "lets a credential through that only begins like one",
            |sent, call, kind| {
                is_like(sent, call, kind, |known, came| {
                    came.len() > known.len() && came.starts_with(known)
                })
            },
        ),
        ("lets a credential in another case through", |sent, call, kind| {
            is_like(sent, call, kind, |known, came| {
                known != came && known.eq_ignore_ascii_case(came)
            })
        }),
    ];
    if of.contract.model.credentials.len() > 1 {
        forms.push(("lets credentials of another kind through", |sent, call, kind| {
            let mut kinds = sent.iter().filter_map(|secret| call.layer.registry.kind_of(secret));
            kinds.any(|other| other != kind.name)
        }));
    }
    for (sentence, is_such) in forms {
        let is_such = move |call: &Call<'_>, _: &Response| is_such(&headers(call.request, &kind.header), call, kind);
        of.add(KIND, &*error.name, sentence, skip(error, is_such));
    }
}

/// Whether a sent credential resembles one of a caller of this kind.
fn is_like(sent: &[String], call: &Call<'_>, kind: &Credential, is_like: fn(&str, &str) -> bool) -> bool {
    let registry = &call.layer.registry;
    sent.iter().any(|secret| registry.is_like(secret, &kind.name, is_like))
}

fn elsewhere(of: &mut Catalogue<'_>) {
    let error = of.contract.error(Step::Method);
    for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] {
        if !of.operation.allow.contains(&method) {
            let sentence = format!("serves {method} too");
            of.add_anywhere(
                KIND,
                &error.name,
                sentence,
                skip(error, move |call, _| call.request.method == method),
            );
        }
    }
    let error = of.contract.error(Step::Route);
    of.add_anywhere(
        KIND,
        &error.name,
        "serves the path with a slash behind it",
        skip(error, |call, _| {
            call.request.target.ends_with('/') && !call.request.target.ends_with("//")
        }),
    );
    of.add_anywhere(
        KIND,
        &error.name,
        "serves longer paths",
        skip(error, |call, _| !call.request.target.ends_with('/')),
    );
}
