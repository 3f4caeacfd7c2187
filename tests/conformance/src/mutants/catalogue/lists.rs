//! Mutants of lists: order, filters, pages and totals, and the defaults of parameters.

use super::Catalogue;
use super::answers::edited;
use super::parameters::{query_parameter, with};
use super::values::is_right;
use crate::contract::Operation;
use crate::lists::description::{self, ShownKey};
use crate::mutants::json_path::JsonPath;
use crate::mutants::layer::{self, Call, is_success, with_json};
use crate::response_data;
use crate::types::{Member, Type};
use crate::world::{Request, Response};
use codegen::model::Nulls;
use serde_json::{Value as Json, json};

pub(super) fn add(of: &mut Catalogue<'_>) {
    for member in of.operation.query {
        parameter(of, member);
    }
    let Some(Type::List { .. }) = of.operation.data else {
        return;
    };
    order(of);
    rows(of);
    siblings(of);
}

fn order(of: &mut Catalogue<'_>) {
    let Some(orders) = &of.operation.declared.orders else {
        one_order(of, None, &description::shown(&of.operation.order));
        return;
    };
    for (name, keys) in &of.operation.orders {
        let chosen = Chosen {
            by: &orders.by,
            name,
            is_default: orders.all.first().is_some_and(|first| first.name == *name),
        };
        one_order(of, Some(chosen), &description::shown(keys));
    }
}

/// A value of the parameter that chooses an order.
#[derive(Clone, Copy)]
struct Chosen {
    by: &'static str,
    name: &'static str,
    is_default: bool,
}

impl Chosen {
    fn is_chosen(self, request: &Request) -> bool {
        match query_parameter(request, self.by) {
            Some(name) => name == self.name,
            None => self.is_default,
        }
    }
}

fn one_order(of: &mut Catalogue<'_>, chosen: Option<Chosen>, sort: &[ShownKey]) {
    let change = |of: &mut Catalogue<'_>, kind, member: &str, sentence: &str, change: Box<Change>| {
        let place = match chosen {
            Some(chosen) => format!("{} {}", chosen.name, member),
            None => member.to_owned(),
        };
        of_rows(of, kind, &place, sentence, move |request, rows| {
            if chosen.is_none_or(|chosen| chosen.is_chosen(request)) {
                change(rows);
            }
        });
    };
    for (at, key) in sort.iter().enumerate() {
        let name = key.member;
        let mut turned = sort.to_vec();
        turned[at].is_reversed ^= true;
        let sorting = sorted(turned);
        change(of, "order reversed", name, "sorts the other way by it", sorting);
        let keys = sort[..at].to_vec();
        let sentence = "does not sort by it, but the other way round";
        let sorting: Box<Change> = Box::new(move |rows| {
            rows.reverse();
            sorted(keys.clone())(rows);
        });
        change(of, "order reversed", name, sentence, sorting);
        let mut moved = sort.to_vec();
        moved[at].nulls = match key.nulls {
            Some(Nulls::First) => Some(Nulls::Last),
            Some(Nulls::Last) => Some(Nulls::First),
            None => continue,
        };
        change(of, "order of nulls", name, "has nulls at the other end", sorted(moved));
    }
}

type Change = dyn Fn(&mut Vec<Json>) + Send + Sync;

fn sorted(keys: Vec<ShownKey>) -> Box<Change> {
    Box::new(move |rows| rows.sort_by(|one, other| response_data::ordered(&keys, one, other)))
}

/// A list with changed items.
fn of_rows(
    of: &mut Catalogue<'_>,
    kind: &'static str,
    place: &str,
    sentence: &str,
    change: impl Fn(&Request, &mut Vec<Json>) + Send + Sync + 'static,
) {
    let data = JsonPath::of_data(of.operation);
    of.add(kind, place, sentence, move |call| {
        edited(call, |json| {
            data.values(json, &mut |rows| {
                if let Json::Array(rows) = rows {
                    change(call.request, rows);
                }
            });
        })
    });
}

fn rows(of: &mut Catalogue<'_>) {
    type Edit = fn(&mut Vec<Json>);
    let kinds: [(&str, Edit); 4] = [
        ("leaves the last row out", |rows| drop(rows.pop())),
        ("leaves the first row out", |rows| {
            if !rows.is_empty() {
                drop(rows.remove(0))
            }
        }),
        ("shows the last row twice", |rows| rows.extend(rows.last().cloned())),
        ("shows the first row in the place of the last", |rows| {
            if let (Some(first), Some(last)) = (rows.first().cloned(), rows.last_mut()) {
                *last = first;
            }
        }),
    ];
    for (sentence, change) in kinds {
        of_rows(of, "page", "rows", sentence, move |_, rows| change(rows));
    }
}

/// The members beside `data` that are totals: those that show no parameter.
pub(super) fn totals(of: &'static Operation) -> impl Iterator<Item = &'static str> {
    let shows = |name: &str| of.query(name).is_some();
    let siblings = of.declared.siblings.iter().map(String::as_str);
    siblings.filter(move |name| !shows(name))
}

fn siblings(of: &mut Catalogue<'_>) {
    for sibling in &of.operation.declared.siblings {
        let name = sibling.as_str();
        for by in [1, -1] {
            let sentence = format!("is off by {by}");
            of.add("total", name, sentence, move |call| {
                edited(call, |json| {
                    json[name] = json!((json[name].as_i64().unwrap_or_default() + by).max(0))
                })
            });
        }
        // Without pages, the number of items is the right total.
        if of.operation.declared.pages.is_none() {
            continue;
        }
        let place = JsonPath::of_data(of.operation);
        of.add("total", name, "is the number of rows shown", move |call| {
            edited(call, |json| {
                let mut rows = 0;
                place.values(json, &mut |value| rows = value.as_array().map_or(0, Vec::len));
                json[name] = json!(rows);
            })
        });
    }
}

/// The answer to another request in place of an accepted one; members that show a parameter stay.
fn answer_as(call: &Call<'_>, other: &Request) -> Response {
    let right = call.pass();
    if !is_success(&right) {
        return right;
    }
    let response = call.send(other);
    if !is_success(&response) {
        return right;
    }
    let body = layer::body_json(&right);
    let echoed = with_json(&response, |json| {
        let operation = call.operation;
        let shows = |name: &&String| operation.query(name).is_some();
        for name in operation.declared.siblings.iter().filter(shows) {
            json[name] = body[name].clone();
        }
    });
    let response = echoed.unwrap_or(response);
    if response.body == right.body {
        right
    } else {
        call.wrong(response)
    }
}

fn parameter(of: &mut Catalogue<'_>, member: &'static Member) {
    let feed = of.operation.declared.feed.as_ref();
    if feed.is_some_and(|feed| feed.wait.as_deref() == Some(member.name)) {
        // Another wait shows in time only.
        return;
    }
    let (name, place) = (member.name, format!("query: {}", member.name));
    let ignored = match member.default {
        Some(_) => "default ignored",
        None => "filter ignored",
    };
    of.add(ignored, &*place, "takes no notice of it", move |call| {
        if query_parameter(call.request, name).is_none() {
            call.pass()
        } else {
            answer_as(call, &with(call.request, name, None))
        }
    });
    if member.default.is_none() {
        nothing_found(of, member);
    }
    for (sentence, text) in others(member) {
        of.add("default changed", &*place, sentence, move |call| {
            if query_parameter(call.request, name).is_some() {
                call.pass()
            } else {
                answer_as(call, &with(call.request, name, Some(&text)))
            }
        });
    }
    if let Type::Integer { .. } = member.of {
        off_by_one(of, member);
    }
}

fn nothing_found(of: &mut Catalogue<'_>, member: &'static Member) {
    let data = JsonPath::of_data(of.operation);
    let place = format!("query: {}", member.name);
    of.add(
        "filter ignored",
        place,
        "finds nothing where it is given",
        move |call| {
            if query_parameter(call.request, member.name).is_none() {
                return call.pass();
            }
            edited(call, |json| {
                data.values(json, &mut |rows| *rows = json!([]));
                totals(call.operation).for_each(|total| json[total] = json!(0));
            })
        },
    );
}

fn off_by_one(of: &mut Catalogue<'_>, member: &'static Member) {
    for by in [1, -1] {
        let (place, sentence) = (format!("query: {}", member.name), format!("takes it for {by:+}"));
        of.add("page", place, sentence, move |call| {
            let text = query_parameter(call.request, member.name).or(member.default.map(str::to_owned));
            let number = text.and_then(|text| text.parse::<i64>().ok());
            let other = number.map(|number| json!(number + by));
            match other.filter(|other| is_right(other, member.of)) {
                Some(other) => answer_as(call, &with(call.request, member.name, Some(&other.to_string()))),
                None => call.pass(),
            }
        });
    }
}

/// Other values that a mutant uses as the default of a parameter.
fn others(member: &'static Member) -> Vec<(String, String)> {
    let default = member.default.map(|default| default.trim_matches('"'));
    let texts: Vec<String> = match (member.of, default) {
        (Type::Integer { .. }, Some(number)) => {
            let number: i64 = number.parse().unwrap_or_default();
            vec![number + 1, number - 1]
                .into_iter()
                .filter(|other| is_right(&json!(other), member.of))
                .map(|other| other.to_string())
                .collect()
        }
        (Type::Word(words), default) => words
            .iter()
            .copied()
            .filter(|word| Some(*word) != default)
            .map(str::to_owned)
            .collect(),
        (Type::Flag | Type::Boolean, default) => ["true", "false"]
            .into_iter()
            .filter(|word| Some(*word) != default)
            .map(str::to_owned)
            .collect(),
        _ => Vec::new(),
    };
    texts
        .into_iter()
        .map(|text| (format!("is {text} when it is not given"), text))
        .collect()
}
