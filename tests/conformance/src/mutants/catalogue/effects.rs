//! Mutants of writes that are acknowledged, but not done as requested.

use super::Catalogue;
use super::lists::totals;
use super::values::{is_right, other, right};
use crate::contract::Operation;
use crate::json;
use crate::mutants::json_path::{JsonPath, leaves};
use crate::mutants::layer::{Call, Shadows, body_json, id_of, is_success, json_of, with_json, with_json_body};
use crate::types::{Member, Type};
use crate::value::another_text;
use crate::world::Response;
use codegen::step::Step;
use serde_json::{Map, Value as Json, json};

const FORGOTTEN: &str = "write forgotten";
const NOT_STORED: &str = "member not stored";

pub(super) fn add(of: &mut Catalogue<'_>) {
    let operation = of.operation;
    if operation.declared.method == "GET" {
        return;
    }
    match created(operation) {
        Some((place, resource)) => hidden(of, &place, resource),
        None => {
            of.add(
                FORGOTTEN,
                "write",
                "acknowledges it, and does it to something else",
                |call| {
                    let shadow = call.layer.for_shadows(call.operation, call.request);
                    if shadow.target == call.request.target && shadow.headers == call.request.headers {
                        return call.pass();
                    }
                    let response = call
                        .layer
                        .for_originals(call.operation, call.request, call.send(&shadow));
                    if is_success(&response) {
                        call.wrong(response)
                    } else {
                        response
                    }
                },
            )
            .shadows = Shadows::Whole;
        }
    }
    for member in operation.members() {
        stored_otherwise(of, member);
    }
}

/// The place of a new resource's id in a success.
fn created(operation: &'static Operation) -> Option<(JsonPath, &'static str)> {
    leaves(operation.data?, &JsonPath::of_data(operation))
        .into_iter()
        .find_map(|(place, of)| match of {
            Type::Id(resource) if operation.declared.method == "POST" => Some((place, *resource)),
            _ => None,
        })
}

/// The new resource is not shown.
fn hidden(of: &mut Catalogue<'_>, place: &JsonPath, resource: &'static str) {
    let place = place.clone();
    let sentence = "acknowledges one that is then nowhere";
    of.add_anywhere(FORGOTTEN, resource, sentence, move |call| {
        let response = call.pass();
        if call.is_ours() && is_success(&response) {
            place.values(&mut body_json(&response), &mut |id| {
                call.layer.count(&format!("{resource} {id}"), 1);
            });
            return response;
        }
        match call.called.filter(|_| is_success(&response)) {
            Some(called) => without_hidden(call, called, response, resource),
            None => response,
        }
    });
}

/// The answer without the hidden resources.
fn without_hidden(call: &Call<'_>, called: &'static Operation, response: Response, resource: &str) -> Response {
    let is_hidden = |id: i64| call.layer.count(&format!("{resource} {id}"), 0) > 0;
    let named = called.exists.iter().find(|exists| exists.resource.name == resource);
    let named = named.and_then(|exists| Some((&exists.resource.noun, id_of(called, call.request, exists)?)));
    if let Some((noun, id)) = named.filter(|(_, id)| is_hidden(*id)) {
        let values = [("noun", noun.clone()), ("id", id.to_string())];
        return call.wrong(call.error_response(&response, call.layer.contract.error(Step::Exists), &values));
    }
    let Some(of) = called.data else { return response };
    let data = JsonPath::of_data(called);
    let changed = with_json(&response, |json| {
        let mut removed = 0;
        data.values(json, &mut |data| without(data, of, resource, &is_hidden, &mut removed));
        for total in totals(called) {
            json[total] = json!(json[total].as_i64().unwrap_or_default() - removed);
        }
    });
    changed.map_or(response, |changed| call.wrong(changed))
}

/// Removes items with such an id from all lists.
fn without(json: &mut Json, of: &'static Type, resource: &str, is_hidden: &dyn Fn(i64) -> bool, removed: &mut i64) {
    match (of, json) {
        (Type::List { of, .. }, Json::Array(items)) => {
            let id = match of {
                Type::Object(members) => members.iter().find(|member| matches!(member.of, Type::Id(_))),
                _ => None,
            };
            if let Some(id) = id.filter(|member| matches!(member.of, Type::Id(of) if *of == resource)) {
                let before = items.len();
                items.retain(|item| !item[id.name].as_i64().is_some_and(is_hidden));
                *removed += i64::try_from(before - items.len()).unwrap_or_default();
            }
            items
                .iter_mut()
                .for_each(|item| without(item, of, resource, is_hidden, removed));
        }
        (Type::Object(members), Json::Object(object)) => {
            for member in *members {
                if let Some(value) = object.get_mut(member.name) {
                    without(value, member.of, resource, is_hidden, &mut 0);
                }
            }
        }
        _ => {}
    }
}

/// A member of the body is stored with another value than the given or the default one.
fn stored_otherwise(of: &mut Catalogue<'_>, member: &'static Member) {
    let moves = of.operation.transitions.as_ref();
    if moves.is_some_and(|moves| moves.member == member.name) {
        return;
    }
    let place = format!("body: {}", member.name);
    if !matches!(member.of, Type::Id(_)) {
        of.add(NOT_STORED, &*place, "stores another value", move |call| {
            with_changed_member(call, |members| {
                let sent = members.get(member.name).filter(|sent| is_right(sent, member.of))?;
                Some((member.name, other(sent, member.of)?))
            })
        });
    }
    if member.required {
        return;
    }
    if !of.operation.is_partial() {
        of.add(NOT_STORED, &*place, "leaves it out", move |call| {
            let is_sent = |json: &Json| json.get(member.name).is_some_and(|sent| is_right(sent, member.of));
            let Some(mut json) = json_of(call.request).filter(is_sent) else {
                return call.pass();
            };
            json.as_object_mut().and_then(|members| members.remove(member.name));
            answer_to_body(call, &json)
        });
    }
    let sentence = "stores a value when it is not given";
    of.add("default changed", &*place, sentence, move |call| {
        with_changed_member(call, |members| {
            let value = right(member.of);
            let value = other(&value, member.of).unwrap_or(value);
            let mut unique = call.operation.unique_texts();
            let is_unique = unique.any(|given| given.each.is_none() && given.member == member.name);
            let another = value.as_str().filter(|_| is_unique);
            let another = another.and_then(|text| another_text(member.of, text, true));
            let value = another.map_or(value, Json::from);
            (!members.contains_key(member.name)).then_some((member.name, value))
        })
    });
}

/// The answer to this body in place of the one that was sent.
fn answer_to_body(call: &Call<'_>, json: &Json) -> Response {
    let response = call.send(&with_json_body(call.request, json));
    if is_success(&response) {
        call.wrong(response)
    } else {
        response
    }
}

/// The answer when a member of the body has another value, if it has one.
fn with_changed_member(
    call: &Call<'_>,
    change: impl Fn(&Map<String, Json>) -> Option<(&'static str, Json)>,
) -> Response {
    // A body with a duplicate member stays as it is.
    let json = call.request.body.as_deref().map(json::parse);
    let Some(Ok(Json::Object(mut members))) = json else {
        return call.pass();
    };
    match change(&members).filter(|_| !members.is_empty()) {
        Some((name, value)) => {
            members.insert(name.to_owned(), value);
            answer_to_body(call, &Json::Object(members))
        }
        None => call.pass(),
    }
}
