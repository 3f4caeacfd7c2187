//! Writes that are acknowledged, and not done as they were asked for.

use super::Catalogue;
use super::values::{is_right, right};
use crate::contract::{Operation, Step};
use crate::mutants::layer::{Call, Twins, data_name, is_success, parameters, with_json};
use crate::mutants::place::{Place, leaves};
use crate::types::{Member, Type};
use crate::world::{Request, Response};
use serde_json::{Value as Json, json};

const FORGOTTEN: &str = "write forgotten";

pub(super) fn add(of: &mut Catalogue<'_>) {
    let operation = of.operation;
    if operation.method == "GET" {
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
                    let twin = call.layer.of_twins(call.operation, call.request);
                    if twin.target == call.request.target && twin.headers == call.request.headers {
                        return call.pass();
                    }
                    let response = call
                        .layer
                        .told_of_originals(call.operation, call.request, call.send(&twin));
                    if is_success(&response) {
                        call.wrong(response)
                    } else {
                        response
                    }
                },
            );
            of.with_twins(Twins::Whole);
        }
    }
    secrets(of);
    let Some(Type::Object(members)) = operation.body else {
        return;
    };
    for member in *members {
        stored_otherwise(of, member);
    }
}

/// Where a success shows the id of what it made.
fn created(operation: &'static Operation) -> Option<(Place, &'static str)> {
    leaves(operation.data?, &Place::default())
        .into_iter()
        .find_map(|(place, of)| match of {
            Type::Id(resource) if operation.method == "POST" => Some((place, *resource)),
            _ => None,
        })
}

/// What was made is nowhere.
fn hidden(of: &mut Catalogue<'_>, place: &Place, resource: &'static str) {
    let (place, data) = (place.clone(), data_name(of.contract));
    let name = move |id: i64| format!("{resource} {id}");
    of.add_anywhere(
        FORGOTTEN,
        resource,
        "acknowledges one that is then nowhere",
        move |call| {
            let response = call.pass();
            if call.is_ours() && is_success(&response) {
                let json: Json = serde_json::from_slice(&response.body).unwrap_or_default();
                place.values(&mut json[data].clone(), &mut |id| {
                    if let Some(id) = id.as_i64() {
                        call.layer.count(&name(id), 1);
                    }
                });
                return response;
            }
            let Some(called) = call.called.filter(|_| is_success(&response)) else {
                return response;
            };
            let is_hidden = |id: i64| call.layer.count(&name(id), 0) > 0;
            if let Some((noun, id)) = named(called, call.request, resource).filter(|(_, id)| is_hidden(*id)) {
                let values = [("noun", noun.to_owned()), ("id", id.to_string())];
                return call.wrong(call.refusal(&response, call.layer.contract.row(Step::Exists), &values));
            }
            let Some(of) = called.data else { return response };
            let changed = with_json(&response, |json| {
                let mut gone = 0;
                without(&mut json[data], of, resource, &is_hidden, &mut gone);
                for sibling in called
                    .siblings
                    .iter()
                    .filter(|one| called.query.iter().all(|member| member.name != **one))
                {
                    json[*sibling] = json!(json[*sibling].as_i64().unwrap_or_default() - gone);
                }
            });
            changed.map_or(response, |changed| call.wrong(changed))
        },
    );
}

/// What a request names of this kind.
fn named(called: &'static Operation, request: &Request, resource: &str) -> Option<(&'static str, i64)> {
    let exists = called.exists.iter().find(|exists| exists.resource == resource)?;
    let in_path = parameters(called, request)
        .into_iter()
        .find(|(name, _)| *name == exists.id);
    let id = in_path.and_then(|(_, text)| text.parse().ok()).or_else(|| {
        let body: Json = serde_json::from_slice(request.body.as_deref()?).ok()?;
        body[exists.id].as_i64()
    });
    Some((exists.noun, id?))
}

/// Takes out of all lists what begins with such an id.
fn without(json: &mut Json, of: &'static Type, resource: &str, is_hidden: &dyn Fn(i64) -> bool, gone: &mut i64) {
    match (of, json) {
        (Type::List { of, .. }, Json::Array(items)) => {
            let id = match of {
                Type::Object(members) => members.iter().find(|member| matches!(member.of, Type::Id(_))),
                _ => None,
            };
            if let Some(id) = id.filter(|member| matches!(member.of, Type::Id(of) if *of == resource)) {
                let before = items.len();
                items.retain(|item| !item[id.name].as_i64().is_some_and(is_hidden));
                *gone += i64::try_from(before - items.len()).unwrap_or_default();
            }
            items
                .iter_mut()
                .for_each(|item| without(item, of, resource, is_hidden, gone));
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

/// Credentials that were shown once, and open nothing.
fn secrets(of: &mut Catalogue<'_>) {
    let Some(data) = of.operation.data else { return };
    let root = Place::default().member(data_name(of.contract));
    for (place, _) in leaves(data, &root)
        .into_iter()
        .filter(|(_, of)| matches!(of, Type::Secret))
    {
        let row = of.contract.row(Step::Credential);
        of.add_anywhere(
            FORGOTTEN,
            place.to_string(),
            "shows a credential that opens nothing",
            move |call| {
                let response = call.pass();
                if call.is_ours() && is_success(&response) {
                    let mut json: Json = serde_json::from_slice(&response.body).unwrap_or_default();
                    place.values(&mut json, &mut |secret| {
                        if let Some(secret) = secret.as_str() {
                            call.layer.count(secret, 1);
                        }
                    });
                    return response;
                }
                let Some(kind) = call.called.and_then(|called| called.credential) else {
                    return response;
                };
                let is_dead = call
                    .request
                    .headers
                    .iter()
                    .any(|(name, secret)| name == kind.header && call.layer.count(secret, 0) > 0);
                if !is_dead || call.is_row(&response, Step::Credential) {
                    return response;
                }
                call.wrong(call.refusal(&response, row, &[("header", kind.header.to_owned())]))
            },
        );
    }
}

/// A member of the body that is taken for another value than was given, or than it is when it is not given.
fn stored_otherwise(of: &mut Catalogue<'_>, member: &'static Member) {
    let moved = of
        .operation
        .transitions
        .as_ref()
        .is_some_and(|moves| moves.member == member.name);
    let place = format!("body: {}", member.name);
    if !matches!(member.of, Type::Id(_)) && !moved {
        of.add("member not stored", &*place, "stores another value", move |call| {
            done_with(call, |members| {
                let given = members.get(member.name).filter(|given| is_right(given, member.of))?;
                Some((member.name, other(given, member.of)?))
            })
        });
    }
    if !member.required && !moved {
        if !of.operation.partial {
            of.add("member not stored", &*place, "leaves it out", move |call| {
                let Some(mut json) = body(call.request)
                    .filter(|json| json.get(member.name).is_some_and(|given| is_right(given, member.of)))
                else {
                    return call.pass();
                };
                json.as_object_mut().and_then(|members| members.remove(member.name));
                sent(call, &json)
            });
        }
        of.add(
            "default changed",
            &*place,
            "stores a value when it is not given",
            move |call| {
                done_with(call, |members| {
                    let value = right(member.of);
                    let value = other(&value, member.of).unwrap_or(value);
                    (!members.contains_key(member.name)).then_some((member.name, value))
                })
            },
        );
    }
}

fn body(request: &Request) -> Option<Json> {
    serde_json::from_slice(request.body.as_deref()?).ok()
}

fn sent(call: &Call<'_>, json: &Json) -> Response {
    let request = Request {
        body: Some(json.to_string().into_bytes()),
        ..call.request.clone()
    };
    let response = call.send(&request);
    if is_success(&response) {
        call.wrong(response)
    } else {
        response
    }
}

fn done_with(
    call: &Call<'_>,
    change: impl Fn(&serde_json::Map<String, Json>) -> Option<(&'static str, Json)>,
) -> Response {
    // What stands twice is not ours to mend.
    let json = call
        .request
        .body
        .as_deref()
        .and_then(|body| crate::json::parse(body).ok());
    let Some(Json::Object(mut members)) =
        json.filter(|json| json.as_object().is_some_and(|members| !members.is_empty()))
    else {
        return call.pass();
    };
    let Some((name, value)) = change(&members) else {
        return call.pass();
    };
    members.insert(name.to_owned(), value);
    sent(call, &Json::Object(members))
}

/// Another value of the type, if there is one near.
pub(super) fn other(value: &Json, of: &'static Type) -> Option<Json> {
    let candidates: Vec<Json> = match (of, value) {
        (Type::Word(words), _) => words.iter().map(|word| json!(word)).collect(),
        (Type::Text { .. }, Json::String(text)) => {
            let shorter: String = text.chars().skip(1).collect();
            let first = text.chars().next().map(String::from).unwrap_or_default();
            let b = right(of).as_str().unwrap_or_default().to_owned();
            vec![
                json!(format!("{text}{first}")),
                json!(shorter),
                json!(b),
                json!(b.replace('0', "1")),
                json!(b.replace('s', "z")),
            ]
        }
        (Type::Boolean, Json::Bool(is)) => vec![json!(!is)],
        (Type::Integer { .. }, _) => vec![json!(value.as_i64()? + 1), json!(value.as_i64()? - 1)],
        (Type::Number { .. }, _) => [0, 1, 2, 3].into_iter().map(|number| json!(number)).collect(),
        (Type::Date, _) => vec![json!("2026-01-30"), json!("2026-01-31")],
        (Type::List { .. }, Json::Array(items)) if items.is_empty() => vec![json!([]), right(of)],
        (Type::List { of, .. }, Json::Array(items)) => {
            let shorter = vec![items[1..].to_vec(), items[..1].to_vec()];
            let changed = other(&items[0], of).map(|first| [vec![first], items[1..].to_vec()].concat());
            shorter.into_iter().chain(changed).map(Json::from).collect()
        }
        (Type::FreeForm { .. }, _) => vec![json!({}), json!({ "a": 2 })],
        (Type::Object(members), Json::Object(given)) => {
            let changed = members.iter().filter_map(|member| {
                let mut one = given.clone();
                one.insert(member.name.to_owned(), other(given.get(member.name)?, member.of)?);
                Some(Json::Object(one))
            });
            changed.collect()
        }
        _ => Vec::new(),
    };
    candidates.into_iter().find(|one| one != value && is_right(one, of))
}
