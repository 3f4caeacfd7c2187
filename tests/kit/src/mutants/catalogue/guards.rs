//! What stands between a request and what it asks for, left open: a refusal becomes a success.

use super::{Catalogue, concerns};
use crate::contract::{Row, Step};
use crate::mutants::layer::{Call, error_member, parameters};
use crate::suite::Test;
use crate::template::holds;
use crate::types::Type;
use crate::world::{Request, Response};
use serde_json::Value as Json;

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
    media_types(of);
    sizes(of);
    existence(of);
    moves(of);
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

fn media_types(of: &mut Catalogue<'_>) {
    if of.operation.body.is_none() {
        return ignored_body(of);
    }
    let row = of.contract.row(Step::MediaType);
    let types = |call: &Call<'_>| {
        header(call.request, "content-type")
            .iter()
            .map(|one| (*one).to_owned())
            .collect::<Vec<_>>()
    };
    of.add(
        KIND,
        row.name,
        "lets a body of no type through",
        skip(row, move |call, _| types(call).is_empty()),
    );
    of.add(
        KIND,
        row.name,
        "lets a type that stands twice through",
        skip(row, move |call, _| types(call).len() > 1),
    );
    of.add(
        KIND,
        row.name,
        "lets another charset through",
        skip(row, move |call, _| {
            types(call).iter().any(|one| one.contains("charset"))
        }),
    );
    of.add(
        KIND,
        row.name,
        "lets whatever begins like JSON through",
        skip(row, move |call, _| {
            types(call).iter().any(|one| one.starts_with("application/json"))
        }),
    );
    type IsSuch = fn(&str) -> bool;
    let forms: [(&str, IsSuch); 2] = [
        ("in capitals", |declared| {
            declared != declared.to_lowercase() && !declared.contains("charset")
        }),
        ("with its charset", |declared| declared.contains("charset")),
    ];
    for (form, is_it) in forms {
        let sentence = format!("refuses the media type {form}");
        of.add("accepted form refused", row.name, sentence, move |call| {
            if !types(call).iter().any(|declared| is_it(declared)) {
                return call.pass();
            }
            let probe = call.probe();
            let row = call.layer.contract.row(Step::MediaType);
            if call.is_row(&probe, Step::Decode) {
                call.wrong(call.refusal(&probe, row, &[]))
            } else {
                call.pass()
            }
        });
    }
}

fn ignored_body(of: &mut Catalogue<'_>) {
    of.add(
        "accepted form refused",
        "body",
        "reads a body that it does not take",
        |call| {
            if call.request.body.as_ref().is_none_or(Vec::is_empty) {
                return call.pass();
            }
            let probe = call.probe();
            if call.is_row(&probe, Step::Decode) {
                call.wrong(probe)
            } else {
                call.pass()
            }
        },
    );
}

fn sizes(of: &mut Catalogue<'_>) {
    if of.operation.body.is_none() {
        return;
    }
    let most = of.operation.max_bytes;
    let length = |call: &Call<'_>| call.request.body.as_ref().map_or(0, Vec::len);
    let row = of.contract.row(Step::BodySize);
    of.add("bound moved", "body", "takes a byte more", move |call| {
        let trimmed = call.request.body.as_ref().map(|body| body.trim_ascii_end().to_vec());
        let response = call.pass();
        if length(call) != most + 1 || !call.is_row(&response, Step::BodySize) {
            return response;
        }
        let request = Request {
            body: trimmed,
            ..call.request.clone()
        };
        call.wrong(call.send(&request))
    });
    of.add(
        "bound moved",
        "body",
        "refuses one of the most bytes that there may be",
        move |call| {
            if length(call) != most {
                return call.pass();
            }
            let probe = call.probe();
            if call.is_row(&probe, Step::Decode) {
                call.wrong(call.refusal(&probe, row, &[("max_bytes", most.to_string())]))
            } else {
                call.pass()
            }
        },
    );
}

fn existence(of: &mut Catalogue<'_>) {
    let row = of.contract.row(if of.operation.exists.is_empty() {
        Step::Decode
    } else {
        Step::Exists
    });
    for exists in of.operation.exists {
        let about = move |response: &Response| {
            let text = String::from_utf8_lossy(&response.body).into_owned();
            row.text.contains("{noun}") && text.contains(exists.noun) || !row.text.contains("{noun}")
        };
        let id = move |call: &Call<'_>| {
            let found = parameters(call.operation, call.request)
                .into_iter()
                .find(|(name, _)| *name == exists.id);
            found
                .and_then(|(_, id)| id.parse::<i64>().ok())
                .filter(|_| exists.in_path)
                .or_else(|| {
                    let body: serde_json::Value = serde_json::from_slice(call.request.body.as_deref()?).ok()?;
                    body.get(exists.id)?.as_i64()
                })
        };
        let is_made =
            move |call: &Call<'_>| id(call).is_some_and(|id| call.layer.made.owner(exists.resource, id).is_some());
        of.add(
            KIND,
            exists.resource,
            "finds what does not exist",
            skip(row, move |call, response| about(response) && !is_made(call)),
        );
        of.add(
            KIND,
            exists.resource,
            "finds what does not exist, of an id below 1",
            skip(row, move |call, response| {
                about(response) && id(call).is_some_and(|id| id < 1)
            }),
        );
        if exists.in_path {
            of.add(
                KIND,
                exists.resource,
                "takes an integer that is too long for malformed",
                move |call| {
                    let response = call.pass();
                    if !call.is_row(&response, Step::Exists) || id(call).is_some() {
                        return response;
                    }
                    let faults = format!("`{}` is no integer", exists.id);
                    call.wrong(call.refusal(&response, call.layer.contract.row(Step::Decode), &[("faults", faults)]))
                },
            );
        }
        if exists.within.is_some() || (exists.private && of.operation.owned.contains(&exists.resource)) {
            of.add(
                KIND,
                exists.resource,
                "finds what is another one's",
                skip(row, move |call, response| about(response) && is_made(call)),
            );
        }
    }
}

fn moves(of: &mut Catalogue<'_>) {
    let (Some(moves), Some(Type::Object(members))) = (&of.operation.transitions, of.operation.body) else {
        return;
    };
    let words = members.iter().find(|one| one.name == moves.member).map(|one| one.of);
    let row = of.contract.rows.iter().find(|row| row.step == Step::Transition);
    let (Some(Type::Word(words)), Some(row)) = (words, row) else {
        return;
    };
    for to in *words {
        // Where every move there is allowed there is none to let through.
        let is_refused = |test: &Test| test.name.starts_with("no_move_") && test.name.ends_with(&format!("_to_{to}"));
        if of.tests.iter().any(is_refused) {
            move_let_through(of, row, to);
        }
        let place = format!("{} {to}", row.name);
        of.add(
            "accepted form refused",
            place,
            "refuses to move there, and to stay",
            move |call| {
                let body = call.request.body.as_deref();
                let body: Json = body
                    .and_then(|body| serde_json::from_slice(body).ok())
                    .unwrap_or_default();
                let probe = call.probe();
                if body[moves.member] != *to || !call.is_row(&probe, Step::Decode) {
                    return call.pass();
                }
                call.wrong(call.refusal(&probe, row, &super::rows::values(call, Step::Transition)))
            },
        );
    }
}

fn move_let_through(of: &mut Catalogue<'_>, row: &'static Row, to: &'static str) {
    let text = error_member(of.contract, "text").unwrap_or_default();
    let goes_there = move |_: &Call<'_>, response: &Response| {
        let json: Json = serde_json::from_slice(&response.body).unwrap_or_default();
        let said = holds(row.text, &[], json[text].as_str().unwrap_or_default()).unwrap_or_default();
        said.iter().any(|(name, value)| name == "to" && value == to)
    };
    let place = format!("{} {to}", row.name);
    of.add(KIND, place, "lets every move to it through", skip(row, goes_there));
}
