//! Objects with free-form members.

use std::collections::HashSet;

use super::mismatch;
use crate::fault::{Code, Fault};
use crate::json;
use crate::scalar::OpenObject;
use crate::text;
use crate::validation_errors::ValidationErrors;
use crate::value::Value;

/// An object with free-form members, of at most `max_bytes` as JSON without white space. A repeated member at any
/// depth is rejected, since readers differ in which one they use.
pub fn open(value: Value, errors: &mut ValidationErrors, max_bytes: usize) -> Option<OpenObject> {
    let value = match value {
        Value::Object(_) => value,
        // Escaped text is at most six times as long as its content.
        Value::LongObject(text) if json::packed_len(&text) > 6 * max_bytes => {
            let length = json::packed_len(&text);
            errors.report(&too_long(max_bytes, length));
            return None;
        }
        Value::LongObject(text) => json::whole(&text),
        other => return mismatch(errors, "an object", &other),
    };
    if is_beyond_doubles(&value) {
        let text = "must not have a number beyond the range of an IEEE 754 double";
        errors.report(&Fault::new(Code::Double, text));
        return None;
    }
    let mut json = String::new();
    json::write(&value, &mut json);
    if json.len() > max_bytes {
        errors.report(&too_long(max_bytes, json.len()));
        return None;
    }
    if let Some(name) = repeated(&value) {
        let text = format!("must not have `{}` twice in one object", text::shortened(name));
        errors.report(&Fault::new(Code::Repeated, text));
        return None;
    }
    let open = OpenObject::from_json(json);
    if open.is_none() {
        errors.report(&Fault::new(Code::Type, "must be an object").with(["object"]));
    }
    open
}

fn too_long(max_bytes: usize, length: usize) -> Fault<'static> {
    let text = format!("must have at most {max_bytes} bytes, this has {length}");
    Fault::new(Code::Bytes, text).with([max_bytes])
}

fn is_beyond_doubles(value: &Value) -> bool {
    match value {
        Value::Number(literal) => literal.parse().is_ok_and(f64::is_infinite),
        Value::List(items) => items.iter().any(is_beyond_doubles),
        Value::Object(members) => members.iter().any(|(_, member)| is_beyond_doubles(member)),
        _ => false,
    }
}

fn repeated(value: &Value) -> Option<&str> {
    match value {
        Value::List(items) => items.iter().find_map(repeated),
        Value::Object(members) => {
            let mut seen = HashSet::with_capacity(members.len());
            let twice = members.iter().find(|(name, _)| !seen.insert(name.as_str()));
            twice
                .map(|(name, _)| name.as_str())
                .or_else(|| members.iter().find_map(|(_, member)| repeated(member)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{json as check, raw};
    use super::*;

    fn photo(value: Value, errors: &mut ValidationErrors) -> Option<String> {
        open(value, errors, 30).map(|open| open.json().to_owned())
    }

    #[test]
    fn an_open_object_is_returned_as_it_was_sent() {
        let sent = r#"{ "b" : 1.0, "a" : ["é", null] }"#;
        check(sent, &photo, Ok(r#"{"b":1,"a":["é",null]}"#.to_owned()));
        check("{}", &photo, Ok("{}".to_owned()));
    }

    #[test]
    fn an_open_object_is_bounded_and_unambiguous() {
        check(
            r#"{"a":"0123456789012345678901"}"#,
            &photo,
            Ok(r#"{"a":"0123456789012345678901"}"#.to_owned()),
        );
        check(
            r#"{"a":"01234567890123456789012"}"#,
            &photo,
            Err("must have at most 30 bytes, this has 31"),
        );
        check(
            r#"{"a":[{"b":1,"b":1}]}"#,
            &photo,
            Err("must not have `b` twice in one object"),
        );
        check("[]", &photo, Err("must be an object, not a list"));
        raw("{}", &photo, Err("must be an object"));
    }
}
