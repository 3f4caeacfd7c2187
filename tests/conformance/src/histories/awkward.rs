//! Requests in awkward forms: valid ones in other spellings, and ones that are just not JSON, a query, a path or a head.

use super::call::Call;
use super::random::Random;
use crate::query::encoded;
use codegen::Model;
use serde_json::Value;

/// The first ones have a clear meaning.
const QUERIES: [&str; 12] = [
    "unknown",
    "a=b=c",
    "Limit=1",
    "%E6%9D%B1=1",
    "=1",
    "&",
    "%zz",
    "%",
    "%FF=1",
    "unknown=%C3",
    "unknown=%00",
    "a;b=1",
];
const PLAIN_QUERIES: usize = 4;
/// The first ones have a clear meaning.
const MEDIA_TYPES: [&str; 9] = [
    "APPLICATION/JSON",
    "application/json; charset=utf-8",
    "application/problem+json",
    "application/jsonx",
    "application/json;charset=latin1",
    "application/json; a=\"b;c\"",
    "application/json,text/plain",
    " application/json ",
    "",
];
const PLAIN_TYPES: usize = 4;
const BODIES: [&str; 17] = [
    "",
    " ",
    "null",
    "[]",
    "\"x\"",
    "1",
    "{",
    "{}",
    "{} {}",
    "{\"a\":1,}",
    "{'a':1}",
    "\u{feff}{}",
    "{\"a\":\"\\ud800\"}",
    "{\"a\":01}",
    "{\"a\":NaN}",
    "{\"\":1}",
    "{\"a\" 1}",
];

/// Changes the form of a call.
///
/// What a correct server may do in another way, as it is only implied, is sent only if `is_strict`.
pub(super) fn change(call: &mut Call, model: &Model, random: &mut Random, is_strict: bool) {
    match random.below(6) {
        0 => query(call, random, is_strict),
        1 if call.has_json() => {
            let types = if is_strict {
                &MEDIA_TYPES[..]
            } else {
                &MEDIA_TYPES[..PLAIN_TYPES]
            };
            call.media_type = Some(random.word(types));
        }
        2 if call.has_json() => {
            call.body = Some(random.word(&BODIES).to_owned());
            call.json = Value::Null;
        }
        3 => body(call, random),
        4 => head(call, model, random),
        _ if is_strict => path(call),
        _ => {}
    }
}

fn query(call: &mut Call, random: &mut Random, is_strict: bool) {
    let known = call.query.first().cloned();
    match (random.below(5), known) {
        (0, Some(known)) => call.query.push(known.to_uppercase()),
        (1, Some(known)) => call.query[0] = known.replace("%20", "+"),
        (2, Some(known)) => call.query[0] = known.split('=').next().unwrap_or_default().to_owned(),
        (3, Some(known)) if is_strict => call.query[0] = known + "%",
        _ => {
            let queries = if is_strict {
                &QUERIES[..]
            } else {
                &QUERIES[..PLAIN_QUERIES]
            };
            let at = random.below(call.query.len() + 1);
            call.query.insert(at, random.word(queries).to_owned());
        }
    }
}

/// Other spellings of a body, and long or deep ones.
fn body(call: &mut Call, random: &mut Random) {
    const LONG: usize = 10_001;
    let Some(text) = call.body.clone() else { return };
    let largest = call.operation.map_or(0, |(_, operation)| operation.max_bytes);
    let text = match random.below(7) {
        0 => format!(" \r\n\t{text}\n"),
        1 => text.replacen(':', " : ", 1).replacen("e\":", "\\u0065\":", 1),
        2 => text.replacen(":\"", &format!(":\"{}", "x".repeat(LONG - random.below(3))), 1),
        3 => text.replacen('}', &format!(",\"deep\":{}{}}}", "[".repeat(200), "]".repeat(200)), 1),
        4 if largest < 1 << 20 => format!("{text}{}", " ".repeat(largest as usize + random.below(2) - text.len())),
        5 => text.replacen(":1", ":1.0", 1).replacen(":2", ":2e0", 1),
        _ => text.replacen(":\"", ":\"\\u0000", 1),
    };
    call.json = serde_json::from_str(&text).unwrap_or(Value::Null);
    call.body = Some(text);
}

/// A second credential.
fn head(call: &mut Call, model: &Model, random: &mut Random) {
    let credential = random.of(&model.credentials);
    call.other_secret = credential.map(|one| {
        let secret = random.word(&["", "x", "x y", "\u{e9}", ","]);
        (one.header.clone(), secret.to_owned())
    });
}

/// The same path with an encoded digit.
fn path(call: &mut Call) {
    let target = call.target();
    let path = target.split('?').next().unwrap_or_default();
    if let Some(last) = path.chars().last().filter(char::is_ascii_digit) {
        let digit = u32::from(last);
        call.other_path = Some(format!("{}%{digit:X}", &path[..path.len() - 1]));
    } else {
        call.query.push(encoded(path));
    }
}
