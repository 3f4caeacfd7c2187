//! Mutants of reading bodies: bounds, words and types of values, and missing or additional members.

use super::Catalogue;
use super::values::{Rule, right, rules};
use crate::contract::Operation;
use crate::json::parse;
use crate::mutants::json_path::{self, JsonPath, leaves, members, objects};
use crate::mutants::layer::{Call, body_json, is_success, json_of, with_json_body};
use crate::types::{Member, Type};
use crate::value::another_text;
use crate::world::{Request, Response};
use codegen::step::Step;
use serde_json::{Value as Json, json};

pub(super) fn add(of: &mut Catalogue<'_>) {
    let Some(body) = of.operation.body else { return };
    let root = JsonPath::default();
    for (place, kind) in leaves(body, &root) {
        for rule in rules(kind) {
            of_rule(of, &place, rule);
        }
        if matches!(place.0.last(), Some(json_path::PathSegment::Each)) {
            admit(of, "nullability", &place, "takes null", Json::is_null, move |_| {
                right(kind)
            });
        }
    }
    for (place, member) in members(body, &root) {
        presence(of, &place, member);
    }
    for (place, known) in objects(body, &root) {
        unknown(of, &place, known);
    }
    whole(of, body);
}

fn of_rule(of: &mut Catalogue<'_>, place: &JsonPath, rule: Rule) {
    let Rule {
        kind,
        sentence,
        is_such,
        mended,
    } = rule;
    match mended {
        Some(mended) => admit(of, kind, place, &sentence, is_such, mended),
        None => reject(of, kind, place, &sentence, move |json, place| place.any(json, &is_such)),
    }
}

/// A malformed request gets the answer of this one, if that is accepted.
pub(super) fn admitted(call: &Call<'_>, mended: &Request) -> Response {
    let response = call.pass();
    if !call.is_error(&response, Step::Decode) {
        return response;
    }
    let admitted = call.send(&with_other_texts(call.operation, mended));
    if is_success(&admitted) {
        call.wrong(admitted)
    } else {
        response
    }
}

/// The request with other texts where there is one only of each: what is mended has often the same one.
fn with_other_texts(operation: &'static Operation, request: &Request) -> Request {
    let Some((mut json, of)) = json_of(request).zip(operation.body) else {
        return request.clone();
    };
    for given in operation.unique_texts() {
        let list = given
            .each
            .and_then(|each| of.member(each))
            .and_then(|list| list.of.item());
        let member = list.unwrap_or(of).member(given.member);
        let renew = |object: &mut Json| {
            if let (Some(Json::String(text)), Some(member)) = (object.get_mut(given.member), member)
                && let Some(other) = another_text(member.of, text, true)
            {
                *text = other;
            }
        };
        match given.each {
            Some(each) => json[each].as_array_mut().into_iter().flatten().for_each(renew),
            None => renew(&mut json),
        }
    }
    match operation.unique_texts().next() {
        Some(_) => with_json_body(request, &json),
        None => request.clone(),
    }
}

/// A request that reaches decoding is rejected as malformed, for this name and its other errors.
pub(super) fn rejected(call: &Call<'_>, name: &str) -> Response {
    let probe = call.probe();
    if !call.is_error(&probe, Step::Decode) {
        return call.pass();
    }
    let text = call.layer.contract.error_member("text").unwrap_or_default();
    let message = body_json(&probe)[text].take();
    let faults = format!("{}; `{name}` is not taken", message.as_str().unwrap_or_default());
    call.wrong(call.error_response(&probe, call.layer.contract.error(Step::Decode), &[("faults", faults)]))
}

fn admit(
    of: &mut Catalogue<'_>,
    kind: &'static str,
    place: &JsonPath,
    sentence: &str,
    is_such: impl Fn(&Json) -> bool + Send + Sync + 'static,
    mended: impl Fn(&Json) -> Json + Send + Sync + 'static,
) {
    let at = place.clone();
    let resource = id_at(of, place);
    of.add(kind, format!("body: {place}"), sentence, move |call| {
        let Some(mut json) = json_of(call.request).filter(|json| at.any(json, &is_such)) else {
            return call.pass();
        };
        at.values(&mut json, &mut |value| {
            if is_such(value) {
                *value = match resource {
                    Some(resource) => call.layer.registry.last(resource, None).into(),
                    None => mended(value),
                };
            }
        });
        admitted(call, &with_json_body(call.request, &json))
    });
}

/// The resource of the id at this place.
fn id_at(of: &Catalogue<'_>, place: &JsonPath) -> Option<&'static str> {
    let mut leaves = leaves(of.operation.body?, &JsonPath::default()).into_iter();
    leaves.find_map(|(known, kind)| match kind {
        Type::Id(resource) if known.to_string() == place.to_string() => Some(*resource),
        _ => None,
    })
}

fn reject(
    of: &mut Catalogue<'_>,
    kind: &'static str,
    place: &JsonPath,
    sentence: &str,
    is_such: impl Fn(&Json, &JsonPath) -> bool + Send + Sync + 'static,
) {
    let at = place.clone();
    of.add(kind, format!("body: {place}"), sentence, move |call| {
        match json_of(call.request) {
            Some(json) if is_such(&json, &at) => rejected(call, at.last()),
            _ => call.pass(),
        }
    });
}

/// Whether any object that could have the member lacks it.
fn is_absent(json: &Json, place: &JsonPath) -> bool {
    let mut found = false;
    place.holders(&mut json.clone(), &mut |object| {
        found |= !object.contains_key(place.last())
    });
    found
}

fn presence(of: &mut Catalogue<'_>, place: &JsonPath, member: &'static Member) {
    let (kind, name) = (member.of, member.name);
    if let Type::Object(_) = kind {
        for rule in rules(kind) {
            of_rule(of, place, rule);
        }
    }
    if member.nullable {
        reject(of, "nullability", place, "rejects null", |json, place| {
            place.any(json, Json::is_null)
        });
    } else {
        admit(of, "nullability", place, "takes null", Json::is_null, move |_| {
            right(kind)
        });
    }
    if member.required {
        required(of, place, member);
    } else {
        reject(of, "presence", place, "demands it", is_absent);
    }
    of.add("given twice", format!("body: {place}"), "takes it twice", move |call| {
        let twice = format!("`{name}` stands twice");
        let is_twice = call
            .request
            .body
            .as_deref()
            .is_some_and(|body| parse(body).is_err_and(|error| error.contains(&twice)));
        match json_of(call.request).filter(|_| is_twice) {
            Some(json) => admitted(call, &with_json_body(call.request, &json)),
            None => call.pass(),
        }
    });
}

fn required(of: &mut Catalogue<'_>, place: &JsonPath, member: &'static Member) {
    let (at, place) = (place.clone(), format!("body: {place}"));
    of.add("presence", place, "does without it", move |call| {
        let Some(mut json) = json_of(call.request).filter(|json| is_absent(json, &at)) else {
            return call.pass();
        };
        at.holders(&mut json, &mut |object| {
            object.entry(member.name).or_insert_with(|| match member.of {
                Type::Id(resource) => call.layer.registry.last(resource, None).into(),
                of => right(of),
            });
        });
        admitted(call, &with_json_body(call.request, &json))
    });
}

fn unknown(of: &mut Catalogue<'_>, place: &JsonPath, known: &'static [Member]) {
    let at = place.clone();
    of.add(
        "unknown name let through",
        format!("body: {place}"),
        "takes members that it does not know",
        move |call| {
            let Some(mut json) = json_of(call.request) else {
                return call.pass();
            };
            let mut found = false;
            at.values(&mut json, &mut |value| {
                if let Json::Object(members) = value {
                    let before = members.len();
                    members.retain(|name, _| known.iter().any(|member| member.name == name));
                    found |= members.len() < before;
                }
            });
            if found {
                admitted(call, &with_json_body(call.request, &json))
            } else {
                call.pass()
            }
        },
    );
}

fn whole(of: &mut Catalogue<'_>, body: &'static Type) {
    type IsSuch = fn(&Request) -> bool;
    let kinds: [(&str, IsSuch); 2] = [
        ("takes what is not JSON", |request| json_of(request).is_none()),
        ("takes JSON that is no object", |request| {
            json_of(request).is_some_and(|json| !json.is_object())
        }),
    ];
    for (sentence, is_such) in kinds {
        of.add("wrong value let through", "body", sentence, move |call| {
            if !is_such(call.request) {
                return call.pass();
            }
            let response = call.pass();
            if call.is_error(&response, Step::Decode) {
                call.donor()
            } else {
                response
            }
        });
    }
    if let (true, [first, ..]) = (of.operation.is_partial(), body.members()) {
        of.add("presence", "body", "takes one without members", move |call| {
            if json_of(call.request).is_none_or(|json| json.as_object().is_none_or(|object| !object.is_empty())) {
                return call.pass();
            }
            let first = json!({ first.name: right(first.of) });
            admitted(call, &with_json_body(call.request, &first))
        });
    }
}
