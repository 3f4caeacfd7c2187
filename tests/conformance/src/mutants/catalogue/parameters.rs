//! Mutants of reading parameters of queries and paths.

use super::Catalogue;
use super::bodies::{admitted, rejected};
use super::values::{Rule, right, rules};
use crate::mutants::layer::{Call, with_parameter};
use crate::query::{decoded, encoded};
use crate::types::{Member, Type};
use crate::world::{Request, Response};
use codegen::step::Step;
use serde_json::{Value as Json, json};

pub(super) fn add(of: &mut Catalogue<'_>) {
    let query = of.operation.query;
    of.add(
        "unknown name let through",
        "query",
        "takes parameters that it does not know",
        move |call| {
            let known = pairs(call.request)
                .into_iter()
                .filter(|(name, _)| query.iter().any(|member| member.name == name))
                .collect::<Vec<_>>();
            changed(call, known)
        },
    );
    for member in query {
        presence(of, member);
        for rule in rules(member.of) {
            of_rule(of, member, rule);
        }
        if let Type::Flag = member.of {
            for word in ["1", "true", "0", "false"] {
                let sentence = format!("rejects {word}");
                of.add("word", format!("query: {}", member.name), sentence, move |call| {
                    when(call, member, |text| text == word)
                });
            }
        }
    }
    for (lower, upper) in &of.operation.declared.constraints {
        constraint(of, lower, upper);
    }
    for parameter in of.operation.parameters {
        if let Type::Id(resource) = parameter.of {
            in_path(of, parameter.name, resource);
        }
    }
}

/// An id in the path that is not an integer.
fn in_path(of: &mut Catalogue<'_>, name: &'static str, resource: &'static str) {
    let (place, sentence) = (format!("path: {name}"), "takes what is no integer");
    of.add("wrong value let through", place, sentence, move |call| {
        let response = call.pass();
        if !call.is_error(&response, Step::Decode) {
            return response;
        }
        let id = call.layer.registry.last(resource, None).unwrap_or(1).to_string();
        admitted(call, &with_parameter(call.operation, call.request, name, &id))
    });
}

/// The parameters, undecoded.
fn pairs(request: &Request) -> Vec<(String, String)> {
    let query = request.target.split_once('?').map_or("", |(_, query)| query);
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .map(|(name, text)| (name.to_owned(), text.to_owned()))
        .collect()
}

/// The request with these parameters.
pub(super) fn with_pairs(request: &Request, pairs: &[(String, String)]) -> Request {
    let path = request.target.split('?').next().unwrap_or_default();
    let query: Vec<_> = pairs.iter().map(|(name, text)| format!("{name}={text}")).collect();
    let mark = if query.is_empty() { "" } else { "?" };
    Request {
        target: format!("{path}{mark}{}", query.join("&")),
        ..request.clone()
    }
}

/// The value of a parameter that is given once and can be decoded.
pub(super) fn query_parameter(request: &Request, name: &str) -> Option<String> {
    let pairs = pairs(request);
    let mut found = pairs.iter().filter(|(known, _)| known == name);
    match (found.next(), found.next()) {
        (Some((_, text)), None) => decoded(text),
        _ => None,
    }
}

/// The request with this parameter, or without it.
pub(super) fn with(request: &Request, name: &str, text: Option<&str>) -> Request {
    let others = pairs(request).into_iter().filter(|(known, _)| known != name);
    let own = text.map(|text| (name.to_owned(), encoded(text)));
    with_pairs(request, &others.chain(own).collect::<Vec<_>>())
}

fn changed(call: &Call<'_>, known: Vec<(String, String)>) -> Response {
    if known.len() == pairs(call.request).len() {
        return call.pass();
    }
    admitted(call, &with_pairs(call.request, &known))
}

/// A parameter with such a value is rejected.
fn when(call: &Call<'_>, member: &Member, is_such: impl Fn(&str) -> bool) -> Response {
    match query_parameter(call.request, member.name) {
        Some(text) if is_such(&text) => rejected(call, member.name),
        _ => call.pass(),
    }
}

fn presence(of: &mut Catalogue<'_>, member: &'static Member) {
    let (name, place) = (member.name, format!("query: {}", member.name));
    of.add("given twice", &*place, "takes it twice", move |call| {
        let mut seen = false;
        let once = pairs(call.request)
            .into_iter()
            .filter(|(known, _)| known != name || !std::mem::replace(&mut seen, true))
            .collect();
        changed(call, once)
    });
    type IsSuch = fn(&str) -> bool;
    let dropped: [(&str, IsSuch); 2] = [
        ("takes it empty, as if it was not there", str::is_empty),
        ("takes it badly encoded, as if it was not there", |text| {
            decoded(text).is_none()
        }),
    ];
    for (sentence, is_such) in dropped {
        of.add("wrong value let through", &*place, sentence, move |call| {
            let mut kept = pairs(call.request);
            kept.retain(|(known, text)| known != name || !is_such(text));
            changed(call, kept)
        });
    }
    need(of, member);
}

/// Whether the parameter is required.
fn need(of: &mut Catalogue<'_>, member: &'static Member) {
    let (name, place) = (member.name, format!("query: {}", member.name));
    if member.required && member.default.is_none() {
        of.add("presence", place, "does without it", move |call| {
            let text = right(member.of).to_string();
            if query_parameter(call.request, name).is_some() {
                call.pass()
            } else {
                admitted(call, &with(call.request, name, Some(&text)))
            }
        });
    } else {
        of.add("presence", place, "demands it", move |call| {
            if pairs(call.request).iter().any(|(known, _)| known == name) {
                call.pass()
            } else {
                rejected(call, name)
            }
        });
    }
}

/// The text as a value of the type, or as a text if it is not one.
fn read(text: &str, of: &Type) -> Json {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || b"-.".contains(&byte));
    match of {
        Type::Integer { .. } | Type::Id(_) => text.parse::<i64>().ok().filter(|_| plain).map_or_else(
            || {
                text.parse::<f64>()
                    .ok()
                    .filter(|_| plain && text.contains('.'))
                    .map_or(json!(text), |number| json!(number))
            },
            |number| json!(number),
        ),
        Type::Number { .. } => serde_json::from_str(text)
            .ok()
            .filter(|_| plain)
            .unwrap_or_else(|| json!(text)),
        Type::Boolean => text.parse::<bool>().map_or(json!(text), |is| json!(is)),
        Type::Flag => match text {
            "1" | "true" => json!(true),
            "0" | "false" => json!(false),
            _ => json!(text),
        },
        _ => json!(text),
    }
}

fn of_rule(of: &mut Catalogue<'_>, member: &'static Member, rule: Rule) {
    let Rule {
        kind,
        sentence,
        is_such,
        mended,
    } = rule;
    let is_text = matches!(member.of, Type::Text { .. } | Type::Word(_) | Type::Format(_));
    // A query has only texts, and an empty one is no value.
    let none = [
        ("takes a value of another type", is_text),
        ("takes 0 characters", true),
        ("rejects line breaks", true),
    ];
    if none.iter().any(|(known, is_none)| sentence == *known && *is_none) {
        return;
    }
    of.add(kind, format!("query: {}", member.name), sentence, move |call| {
        let Some(text) = query_parameter(call.request, member.name).filter(|text| is_such(&read(text, member.of)))
        else {
            return call.pass();
        };
        let Some(mended) = &mended else {
            return rejected(call, member.name);
        };
        let mended = match mended(&read(&text, member.of)) {
            Json::String(text) => text,
            other => other.to_string(),
        };
        admitted(call, &with(call.request, member.name, Some(&mended)))
    });
}

fn constraint(of: &mut Catalogue<'_>, lower: &'static str, upper: &'static str) {
    let both = move |call: &Call<'_>| {
        let number = |name| query_parameter(call.request, name)?.parse::<f64>().ok();
        Some((number(lower)?, number(upper)?))
    };
    let place = format!("query: {lower} <= {upper}");
    of.add(
        "constraint",
        &*place,
        "takes the one above the other",
        move |call| match both(call) {
            Some((low, high)) if low > high => admitted(call, &with(call.request, lower, None)),
            _ => call.pass(),
        },
    );
    of.add("constraint", &*place, "rejects both alike", move |call| {
        match both(call) {
            #[expect(clippy::float_cmp, reason = "both are read from the same text")]
            Some((low, high)) if low == high => rejected(call, lower),
            _ => call.pass(),
        }
    });
    of.add(
        "constraint",
        &*place,
        "rejects the one below the other",
        move |call| match both(call) {
            Some((low, high)) if low < high => rejected(call, lower),
            _ => call.pass(),
        },
    );
}
