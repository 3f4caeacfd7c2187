//! What stands between a request and what it asks for, left open: a refusal becomes a success.

mod bodies;
mod existence;
mod moves;

use super::{Catalogue, concerns};
use crate::contract::{Row, Step};
use crate::mutants::layer::Call;
use crate::world::{Request, Response};

const KIND: &str = "guard skipped";

pub(super) fn add(of: &mut Catalogue<'_>) {
    for row in of.rows() {
        // What is malformed is let through piece by piece, by its place.
        if !matches!(row.step, Step::Decode | Step::Limit | Step::Quota) {
            of.add_anywhere(KIND, row.name, "lets everything through", skip(row, |_, _| true));
        }
    }
    credential(of);
    elsewhere(of);
    bodies::add(of);
    existence::add(of);
    moves::add(of);
}

/// Where this row refuses such a request, a success is given.
fn skip(row: &'static Row, is_such: impl Fn(&Call<'_>, &Response) -> bool) -> impl Fn(&Call<'_>) -> Response {
    move |call| {
        let response = call.pass();
        let is_it = concerns(call, row.step) && call.row(&response).is_some_and(|came| std::ptr::eq(came, row));
        if is_it && is_such(call, &response) {
            call.donor()
        } else {
            response
        }
    }
}

fn header<'r>(request: &'r Request, wanted: &str) -> Vec<&'r str> {
    let all = request
        .headers
        .iter()
        .filter(|(name, _)| name.eq_ignore_ascii_case(wanted));
    all.map(|(_, value)| value.as_str()).collect()
}

fn credential(of: &mut Catalogue<'_>) {
    let Some(kind) = of.operation.credential else { return };
    let row = of.contract.row(Step::Credential);
    let sent = move |call: &Call<'_>| {
        header(call.request, kind.header)
            .iter()
            .map(|secret| (*secret).to_owned())
            .collect::<Vec<_>>()
    };
    of.add(
        KIND,
        row.name,
        "lets who sends no credential through",
        skip(row, move |call, _| sent(call).is_empty()),
    );
    of.add(
        KIND,
        row.name,
        "lets a credential that stands twice through",
        skip(row, move |call, _| sent(call).len() > 1),
    );
    of.add(
        KIND,
        row.name,
        "lets an empty credential through",
        skip(row, move |call, _| sent(call) == [""]),
    );
    of.add(
        KIND,
        row.name,
        "lets a credential through that only begins like one",
        skip(row, move |call, _| {
            sent(call).iter().any(|secret| {
                call.layer.made.is_like(secret, kind.name, |known, came| {
                    came.len() > known.len() && came.starts_with(known)
                })
            })
        }),
    );
    of.add(
        KIND,
        row.name,
        "lets a credential in another case through",
        skip(row, move |call, _| {
            sent(call).iter().any(|secret| {
                call.layer.made.is_like(secret, kind.name, |known, came| {
                    known != came && known.eq_ignore_ascii_case(came)
                })
            })
        }),
    );
    if of.contract.credentials.len() > 1 {
        of.add(
            KIND,
            row.name,
            "lets credentials of another kind through",
            skip(row, move |call, _| {
                sent(call)
                    .iter()
                    .any(|secret| call.layer.made.kind_of(secret).is_some_and(|other| other != kind.name))
            }),
        );
    }
}

fn elsewhere(of: &mut Catalogue<'_>) {
    let row = of.contract.row(Step::Method);
    for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] {
        if !of.operation.allow.contains(&method) {
            let sentence = format!("serves {method} too");
            of.add_anywhere(
                KIND,
                row.name,
                sentence,
                skip(row, move |call, _| call.request.method == method),
            );
        }
    }
    let row = of.contract.row(Step::Route);
    of.add_anywhere(
        KIND,
        row.name,
        "serves the path with a slash behind it",
        skip(row, |call, _| {
            call.request.target.ends_with('/') && !call.request.target.ends_with("//")
        }),
    );
    of.add_anywhere(
        KIND,
        row.name,
        "serves longer paths",
        skip(row, |call, _| !call.request.target.ends_with('/')),
    );
}
