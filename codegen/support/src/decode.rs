//! Decodes a [`Value`] into a typed value within bounds, which the caller supplies. Each decoder takes JSON and the
//! text of a path or query alike, reports every error, and returns `None` exactly when it has reported one.

mod list;
mod number;
mod open;
mod text;

pub use list::{ListRule, at_most, list, unique};
pub use number::{IntegerRule, NumberRule, id, integer, number};
pub use open::open;
pub use text::{TextRule, choice, text};

use super::fault::{Code, Fault, shown};
use super::scalar::{Date, DateTime};
use super::validation_errors::ValidationErrors;
use super::value::Value;

/// `true` or `false`.
pub fn boolean(value: Value, errors: &mut ValidationErrors) -> Option<bool> {
    match &value {
        Value::Bool(boolean) => Some(*boolean),
        Value::Raw(text) if text == "true" => Some(true),
        Value::Raw(text) if text == "false" => Some(false),
        other => mismatch(errors, "true or false", other),
    }
}

/// `1` or `true`, `0` or `false`.
pub fn flag(value: Value, errors: &mut ValidationErrors) -> Option<bool> {
    match &value {
        Value::Bool(boolean) => Some(*boolean),
        Value::Raw(text) | Value::Number(text) if text == "1" => Some(true),
        Value::Raw(text) | Value::Number(text) if text == "0" => Some(false),
        Value::Raw(text) if text == "true" => Some(true),
        Value::Raw(text) if text == "false" => Some(false),
        other => mismatch(errors, "1 or true, 0 or false", other),
    }
}

/// A calendar date.
pub fn date(value: Value, errors: &mut ValidationErrors) -> Option<Date> {
    let fault = || Fault::new(Code::Date, "must be a day that there is, written YYYY-MM-DD");
    formatted(value, errors, ("a date", "date"), Date::parse, fault)
}

/// A point in time with an offset (RFC 3339).
pub fn date_time(value: Value, errors: &mut ValidationErrors) -> Option<DateTime> {
    let fault = || {
        let text = "must be a date and time with an offset, such as 2026-11-21T15:04:05+09:00";
        format("date_time", text)
    };
    formatted(value, errors, ("a date and time", "string"), DateTime::parse, fault)
}

/// An email address, in the form that browsers accept.
pub fn email(value: Value, errors: &mut ValidationErrors) -> Option<String> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || ".!#$%&'*+/=?^_`{|}~-".contains(c);
    let is_label = |label: &str| {
        let is_inner = |c: char| c.is_ascii_alphanumeric() || c == '-';
        matches!(label.len(), 1..64) && label.chars().all(is_inner) && label.trim_matches('-') == label
    };
    let parse = |text: &str| {
        let (name, host) = text.split_once('@')?;
        let is_right = !name.is_empty() && name.chars().all(is_name) && host.split('.').all(is_label);
        (is_right && text.len() < 255).then(|| text.to_owned())
    };
    let fault = || format("email", "must be an email address, such as ann@example.org");
    formatted(value, errors, ("an email address", "string"), parse, fault)
}

/// Maximum number of characters of a URI.
const MAX_URI: usize = 2 * 1_024;

/// A URI with a scheme (RFC 3986).
pub fn uri(value: Value, errors: &mut ValidationErrors) -> Option<String> {
    let parse = |text: &str| {
        let is_right = text.len() <= MAX_URI && fluent_uri::Uri::parse(text).is_ok();
        is_right.then(|| text.to_owned())
    };
    let fault = || format("uri", "must be a URI with a scheme, such as https://example.org/a");
    formatted(value, errors, ("a URI", "string"), parse, fault)
}

/// A UUID of any version, in lower case (RFC 9562).
pub fn uuid(value: Value, errors: &mut ValidationErrors) -> Option<String> {
    let parse = |text: &str| {
        let is_at_place = |(place, c): (usize, u8)| match place {
            8 | 13 | 18 | 23 => c == b'-',
            _ => c.is_ascii_hexdigit(),
        };
        let is_right = text.len() == 36 && text.bytes().enumerate().all(is_at_place);
        is_right.then(|| text.to_ascii_lowercase())
    };
    let fault = || format("uuid", "must be a UUID, such as 0190a6f2-7b1c-7def-8a01-23456789abcd");
    formatted(value, errors, ("a UUID", "string"), parse, fault)
}

/// A text without the format of this name.
fn format(name: &str, text: &'static str) -> Fault<'static> {
    Fault::new(Code::Format, text).with([name])
}

/// A text of a fixed form: what it is, with the name of its type, how it is read, and what is wrong with other texts.
fn formatted<T>(
    value: Value,
    errors: &mut ValidationErrors,
    (noun, of_type): (&str, &str),
    parse: impl Fn(&str) -> Option<T>,
    fault: impl Fn() -> Fault<'static>,
) -> Option<T> {
    let (Value::Text(text) | Value::Raw(text)) = &value else {
        return mismatched(errors, noun, of_type, &value);
    };
    let parsed = parse(text);
    if parsed.is_none() {
        errors.report(&fault());
    }
    parsed
}

fn mismatch<T>(errors: &mut ValidationErrors, expected: &str, value: &Value) -> Option<T> {
    let name = match expected.rsplit_once(' ') {
        Some((_, "false")) => "boolean",
        Some((_, name)) => name,
        None => expected,
    };
    mismatched(errors, expected, name, value)
}

/// The same with the name of the type.
fn mismatched<T>(errors: &mut ValidationErrors, expected: &str, of_type: &str, value: &Value) -> Option<T> {
    let text = match value {
        Value::Raw(text) if text.is_empty() => {
            errors.report(&empty());
            return None;
        }
        Value::Raw(_) => format!("must be {expected}"),
        Value::Number(_) if expected == "an integer" => "must be an integer, without point or exponent".to_owned(),
        other => format!("must be {expected}, not {}", other.kind()),
    };
    errors.report(&Fault::new(Code::Type, text).with([of_type]));
    None
}

pub(crate) fn empty() -> Fault<'static> {
    Fault::new(Code::Empty, "must not be empty")
}

/// A number of characters or items outside these bounds.
fn length(code: Code, (min, max): (usize, Option<usize>), count: usize) -> Fault<'static> {
    let (bounds, last) = match max {
        Some(max) if max == min => (format!("exactly {max}"), max),
        Some(max) if min == 0 => (format!("at most {max}"), max),
        Some(max) => (format!("{min} to {max}"), max),
        None => (format!("at least {min}"), min),
    };
    let unit = if code == Code::Items { "item" } else { "character" };
    let plural = if last == 1 { "" } else { "s" };
    let text = format!("must have {bounds} {unit}{plural}, this has {count}");
    Fault::new(code, text).with([min.to_string(), shown(max)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;
    use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
    use std::fmt::Debug;

    type TestDecoder<'a, T> = &'a dyn Fn(Value, &mut ValidationErrors) -> Option<T>;

    fn decoded<T>(value: Value, decode: TestDecoder<'_, T>) -> Result<T, String> {
        let mut errors = ValidationErrors::new();
        let decoded = decode(value, &mut errors);
        assert_eq!(decoded.is_none(), !errors.is_empty());
        decoded.ok_or_else(|| errors.text().replace("the body ", ""))
    }

    /// Shared by the tests of all decoders: decodes a JSON text.
    #[track_caller]
    pub(super) fn json<T: PartialEq + Debug>(json: &str, decode: TestDecoder<'_, T>, expected: Result<T, &str>) {
        let value = parse(json.as_bytes(), &mut ValidationErrors::new()).unwrap();
        assert_eq!(decoded(value, decode), expected.map_err(str::to_owned), "{json}");
    }

    /// The same for the text of a path segment or query parameter.
    #[track_caller]
    pub(super) fn raw<T: PartialEq + Debug>(raw: &str, decode: TestDecoder<'_, T>, expected: Result<T, &str>) {
        assert_eq!(
            decoded(Value::Raw(raw.to_owned()), decode),
            expected.map_err(str::to_owned),
            "{raw}"
        );
    }

    #[test]
    fn a_boolean_is_a_word_and_a_flag_may_be_a_digit() {
        json("true", &boolean, Ok(true));
        raw("false", &boolean, Ok(false));
        json("\"true\"", &boolean, Err("must be true or false, not a string"));
        json("1", &boolean, Err("must be true or false, not a number"));
        raw("1", &boolean, Err("must be true or false"));
        for (text, meant) in [("1", true), ("true", true), ("0", false), ("false", false)] {
            raw(text, &flag, Ok(meant));
            json(text, &flag, Ok(meant));
        }
        for wrong in ["yes", "TRUE", "2", "01"] {
            raw(wrong, &flag, Err("must be 1 or true, 0 or false"));
        }
        raw("", &flag, Err("must not be empty"));
    }

    #[test]
    fn a_date_must_exist() {
        let leap = Date::parse("2024-02-29").unwrap();
        json("\"2024-02-29\"", &date, Ok(leap));
        raw("2024-02-29", &date, Ok(leap));
        json(
            "\"2023-02-29\"",
            &date,
            Err("must be a day that there is, written YYYY-MM-DD"),
        );
        json("20240229", &date, Err("must be a date, not a number"));
    }

    #[test]
    fn every_decoder_says_what_is_wrong_or_gives_a_value() {
        let texts = TextRule {
            min: 1,
            max: Some(3),
            chars: None,
            bidi_controls: true,
        };
        let slug = TextRule {
            min: 1,
            max: Some(3),
            chars: Some("a-z0-9_-"),
            bidi_controls: true,
        };
        let integers = IntegerRule {
            min: Some(-5),
            max: None,
        };
        let numbers = NumberRule {
            min: None,
            exclusive_min: Some(0.0),
            max: Some(100.0),
            decimals: Some(2),
        };
        let lists = ListRule { min: 1, max: Some(2) };
        let mut random = StdRng::seed_from_u64(3);
        let alphabet: Vec<char> = "0123456789.-+eE \u{0}\u{3000}aé東😀_%".chars().collect();
        for _ in 0..20_000 {
            let length = random.random_range(0..30);
            let text_of: String = (0..length)
                .map(|_| alphabet[random.random_range(0..alphabet.len())])
                .collect();
            let nested = Value::Object(vec![("x".to_owned(), Value::Text(text_of.clone()))]);
            let values = [
                Value::Raw(text_of.clone()),
                Value::Number(text_of.clone()),
                Value::Text(text_of),
                Value::Null,
                nested,
            ];
            for value in values.iter().cloned().chain([Value::List(values.to_vec())]) {
                let _ = decoded(value.clone(), &|v, f| text(v, f, &texts));
                let _ = decoded(value.clone(), &|v, f| text(v, f, &slug));
                let _ = decoded(value.clone(), &|v, f| integer(v, f, &integers));
                let _ = decoded(value.clone(), &|v, f| number(v, f, &numbers));
                let _ = decoded(value.clone(), &|v, f| list(v, f, &lists, |v, f| text(v, f, &texts)));
                let _ = decoded(value.clone(), &|v, f| open(v, f, 50));
                let _ = decoded(value.clone(), &|v, f| choice(v, f, &["a", "b"]));
                let _ = decoded(value.clone(), &id);
                let _ = decoded(value.clone(), &date);
                let _ = decoded(value.clone(), &flag);
                let _ = decoded(value, &boolean);
            }
        }
    }
}
