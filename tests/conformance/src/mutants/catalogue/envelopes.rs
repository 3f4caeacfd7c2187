//! Mutants of envelopes: members, status and headers.

use super::answers::edited;
use super::{Catalogue, answers};
use crate::contract::meaning;
use crate::mutants::json_path::JsonPath;
use crate::mutants::layer::{Call, is_success, with_json};
use crate::types::Type;
use crate::world::Response;
use codegen::model::{EnvelopeValue, SuccessBody};
use serde_json::{Value as Json, json};

static COUNT: Type = Type::Integer { min: None, max: None };

pub(super) fn add(of: &mut Catalogue<'_>) {
    match of.operation.declared.success_body() {
        SuccessBody::File => {}
        SuccessBody::Nothing => {
            status(of);
            no_body(of);
            let one = |call: &Call<'_>, change: &dyn Fn(&mut Response)| of_one(call, is_success, change);
            headers(of, "success", one, &[]);
            limit_headers(of, "success", one);
        }
        body => {
            if body == SuccessBody::Envelope {
                success(of);
            } else {
                in_envelope(of);
            }
            status(of);
            around(of, "success", is_success);
        }
    }
    error(of);
    around(of, "error", |response| !is_success(response));
}

fn success(of: &mut Catalogue<'_>) {
    let operation = of.operation;
    for (name, part) in &of.contract.model.success {
        let place = JsonPath::default().member(name);
        match (part, meaning(part)) {
            (EnvelopeValue::Literal(_), _) => answers::member_of(of, &place, &COUNT, false),
            (_, "siblings") => {
                for sibling in &operation.declared.siblings {
                    answers::member_of(of, &JsonPath::default().member(sibling), &COUNT, false);
                }
            }
            (_, "data") => match operation.data {
                Some(data) => answers::member_of(of, &place, data, false),
                None => extra(of, name),
            },
            _ => match operation.declared.message {
                Some(_) => {
                    answers::member_of(of, &place, &Type::Stored, false);
                    of.add("text changed", name.as_str(), "says something else", move |call| {
                        edited(call, |json| json[name.as_str()] = json!("done"))
                    });
                }
                None => extra(of, name),
            },
        }
    }
    extra(of, "no_such_member");
    whole(of);
}

/// The defects of a whole success.
fn whole(of: &mut Catalogue<'_>) {
    let data = of.operation.data_name();
    of.add(
        "body outside the envelope",
        "success",
        "shows `data` alone",
        move |call| edited(call, |json| *json = json.get(data).cloned().unwrap_or_default()),
    );
}

/// The defects of data without an envelope.
fn in_envelope(of: &mut Catalogue<'_>) {
    of.add("body in an envelope", "success", "shows it as a member", |call| {
        edited(call, |json| *json = json!({ "data": json.take() }))
    });
    if let Some(Type::List { .. }) = of.operation.data {
        of.add("body in an envelope", "success", "shows the first item alone", |call| {
            edited(call, |json| *json = json.get(0).cloned().unwrap_or_default())
        });
    }
}

/// The defects of a success without a body.
fn no_body(of: &mut Catalogue<'_>) {
    let with = |call: &Call<'_>, body: &'static str| {
        of_one(call, is_success, &|response| {
            response.body = body.into();
            response.headers.retain(|(name, _)| name != "content-length");
        })
    };
    of.add(
        "body added",
        "success",
        "has an empty object as its body",
        move |call| with(call, "{}"),
    );
    of.add("body added", "success", "has null as its body", move |call| {
        with(call, "null")
    });
    of.add("body added", "success", "names a media type without a body", |call| {
        let json = ("content-type".to_owned(), "application/json".to_owned());
        of_one(call, is_success, &|response| response.headers.push(json.clone()))
    });
}

fn status(of: &mut Catalogue<'_>) {
    let other = if of.operation.declared.status == 200 { 201 } else { 200 };
    let sentence = format!("answers {other}");
    of.add("status changed", "success", sentence, move |call| {
        let response = call.pass();
        if is_success(&response) {
            call.wrong(Response {
                status: other,
                ..response
            })
        } else {
            response
        }
    });
}

/// A member of the envelope that this operation's successes do not have.
fn extra(of: &mut Catalogue<'_>, name: &'static str) {
    of.add(
        "member added",
        name,
        "shows it, where the envelope has none",
        move |call| edited(call, |json| json[name] = json!({})),
    );
}

fn error(of: &mut Catalogue<'_>) {
    for (name, _) in &of.contract.model.error {
        let label = format!("error: {name}");
        of.add("member dropped", &*label, "leaves it out", move |call| {
            of_errors(call, |json| {
                drop(json.as_object_mut().and_then(|members| members.remove(name.as_str())))
            })
        });
        of.add("member renamed", &*label, "calls it otherwise", move |call| {
            of_errors(call, |json| {
                if let Some(members) = json.as_object_mut()
                    && let Some(value) = members.remove(name.as_str())
                {
                    members.insert(format!("{name}_"), value);
                }
            })
        });
        of.add(
            "member retyped",
            &*label,
            "shows a value of another type",
            move |call| {
                of_errors(call, |json| {
                    json[name.as_str()] = answers::retyped(&json[name.as_str()], &COUNT)
                })
            },
        );
    }
    of.add("member added", "error", "shows a member that is not declared", |call| {
        of_errors(call, |json| json["no_such_member"] = json!(1))
    });
    of.add("body outside the envelope", "error", "says it in plain text", |call| {
        of_errors(call, |json| *json = json!("something is wrong"))
    });
}

/// The error response, changed; a success stays.
fn of_errors(call: &Call<'_>, change: impl FnOnce(&mut Json)) -> Response {
    let response = call.pass();
    if is_success(&response) {
        return response;
    }
    match with_json(&response, change) {
        Some(changed) => call.wrong(changed),
        None => response,
    }
}

/// The defects of these answers, for any content.
fn around(of: &mut Catalogue<'_>, place: &'static str, is_one: fn(&Response) -> bool) {
    let one = move |call: &Call<'_>, change: &dyn Fn(&mut Response)| of_one(call, is_one, change);
    headers(of, place, one, &["content-type"]);
    let label = format!("{place}: content-type");
    of.add("header", label, "says text/plain", move |call| {
        one(call, &|response| set_header(response, "content-type", "text/plain"))
    });
    limit_headers(of, place, one);
    bodies(of, place, one);
}

/// An answer of this kind, changed; another one stays.
pub(super) fn of_one(call: &Call<'_>, is_one: fn(&Response) -> bool, change: &dyn Fn(&mut Response)) -> Response {
    let right = call.pass();
    let mut response = right.clone();
    if is_one(&response) {
        change(&mut response);
    }
    match (&response.headers, &response.body) == (&right.headers, &right.body) {
        true => right,
        false => call.wrong(response),
    }
}

/// Changes the selected answers.
trait Changed: Fn(&Call<'_>, &dyn Fn(&mut Response)) -> Response + Copy + Send + Sync + 'static {}

impl<C: Fn(&Call<'_>, &dyn Fn(&mut Response)) -> Response + Copy + Send + Sync + 'static> Changed for C {}

/// The headers of all answers, and `others`.
fn headers(of: &mut Catalogue<'_>, place: &'static str, one: impl Changed, others: &[&'static str]) {
    let headers = of.contract.model.headers.iter().map(|(name, _)| name.as_str());
    for name in headers.chain(others.iter().copied()) {
        let label = format!("{place}: {name}");
        of.add("header", &*label, "leaves it out", move |call| {
            one(call, &|response| without_header(response, name))
        });
        of.add("header", &*label, "gives it twice", move |call| {
            one(call, &|response| {
                let mut headers = response.headers.iter();
                let again = headers.find(|(known, _)| known.eq_ignore_ascii_case(name)).cloned();
                response.headers.extend(again);
            })
        });
        of.add("header", &*label, "leaves it empty", move |call| {
            one(call, &|response| set_header(response, name, ""))
        });
    }
}

fn limit_headers(of: &mut Catalogue<'_>, place: &'static str, one: impl Changed) {
    for (name, _) in &of.contract.model.limit_headers {
        let label = format!("{place}: {name}");
        of.add("header", label, "gives it where no limit counts", move |call| {
            if call.limited.is_some() {
                return call.pass();
            }
            one(call, &|response| {
                response.headers.push((name.to_lowercase(), "1".to_owned()))
            })
        });
    }
}

fn bodies(of: &mut Catalogue<'_>, place: &'static str, one: impl Changed) {
    of.add("body outside the envelope", place, "gives no body", move |call| {
        one(call, &|response| response.body.clear())
    });
    of.add(
        "body outside the envelope",
        place,
        "gives its body twice",
        move |call| one(call, &|response| response.body.extend(response.body.clone())),
    );
    of.add(
        "body outside the envelope",
        place,
        "gives a member twice",
        move |call| {
            one(call, &|response| {
                let open = response.body.iter().position(|byte| *byte == b'{');
                if let Some((before, rest)) = open.map(|open| response.body.split_at(open + 1)) {
                    let first = rest
                        .iter()
                        .position(|byte| *byte == b',')
                        .map_or(rest, |end| &rest[..end]);
                    response.body = [before, first, b",", rest].concat();
                }
            })
        },
    );
}

/// Removes a header.
pub(super) fn without_header(response: &mut Response, name: &str) {
    response.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
}

/// Sets a header to another value.
pub(super) fn set_header(response: &mut Response, name: &str, value: &str) {
    for (_, old) in response
        .headers
        .iter_mut()
        .filter(|(known, _)| known.eq_ignore_ascii_case(name))
    {
        value.clone_into(old);
    }
}
