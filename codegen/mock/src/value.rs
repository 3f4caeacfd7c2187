//! JSON values: parsed strictly, and written without white space. An object keeps the order of its members and members
//! that are given twice; a number keeps its notation.

use codegen::model::{Ids, RecordId};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// A JSON value, or the text of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, in the notation in which it is written.
    Number(String),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// An object: its members in order.
    Object(Vec<(String, Value)>),
    /// The text of a parameter in a path or query. Its type decides what it means.
    Raw(String),
}

impl Value {
    /// An integer.
    pub(crate) fn integer(number: i64) -> Self {
        Self::Number(number.to_string())
    }

    /// An id.
    pub(crate) fn id(id: RecordId) -> Self {
        match id {
            RecordId::Number(number) => Self::integer(number),
            RecordId::Uuid(_) => Self::Text(id.to_string()),
        }
    }

    /// The id, if it is one.
    pub(crate) fn as_id(&self) -> Option<RecordId> {
        match self {
            Self::Number(_) => self.as_integer().map(RecordId::Number),
            Self::Text(text) => Ids::UuidV4.read(text),
            _ => None,
        }
    }

    /// A number with the value that it has: whole numbers without a fraction.
    pub(crate) fn number(number: f64) -> Self {
        const WHOLE: f64 = 9.2e18;
        // Adding 0 turns -0 into 0.
        let number = number + 0.0;
        Self::Number(if number.fract() == 0.0 && number.abs() < WHOLE {
            (number as i64).to_string()
        } else {
            serde_json::to_string(&number).unwrap_or_default()
        })
    }

    /// A text.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// The text, if it is one.
    pub(crate) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The integer, if it is one.
    pub(crate) fn as_integer(&self) -> Option<i64> {
        match self {
            Self::Number(literal) => literal.parse().ok(),
            _ => None,
        }
    }

    /// The number, if it is one.
    pub(crate) fn as_number(&self) -> Option<f64> {
        match self {
            Self::Number(literal) => literal.parse().ok(),
            _ => None,
        }
    }

    /// The items of a list; none of anything else.
    pub(crate) fn items(&self) -> &[Value] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    /// The member of an object.
    pub(crate) fn member(&self, name: &str) -> Option<&Value> {
        let Self::Object(members) = self else { return None };
        members.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// As a contract, a sentence or a header writes it: a text without quotes.
    pub(crate) fn written(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            other => other.to_string(),
        }
    }

    /// What kind of value it is, for the texts of validation errors.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) | Self::Raw(_) => "a string",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}

/// As JSON without white space.
impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => out.write_str("null"),
            Self::Bool(boolean) => boolean.fmt(out),
            Self::Number(literal) => out.write_str(literal),
            Self::Text(text) | Self::Raw(text) => write_text(text, out),
            Self::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    write!(out, "{}{item}", if index == 0 { "[" } else { "," })?;
                }
                out.write_str(if items.is_empty() { "[]" } else { "]" })
            }
            Self::Object(members) => {
                for (index, (name, member)) in members.iter().enumerate() {
                    out.write_str(if index == 0 { "{" } else { "," })?;
                    write_text(name, out)?;
                    write!(out, ":{member}")?;
                }
                out.write_str(if members.is_empty() { "{}" } else { "}" })
            }
        }
    }
}

fn write_text(text: &str, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    out.write_str(&serde_json::to_string(text).map_err(|_| fmt::Error)?)
}

/// Parses one JSON value (RFC 8259).
///
/// # Errors
/// What is wrong and where, as `serde_json` says it: also for lone surrogates, numbers beyond an `f64`, and more than
/// some 120 levels.
pub(crate) fn parse(bytes: &[u8]) -> Result<Value, String> {
    let checked = without_long_integers(bytes);
    serde_json::from_slice::<serde_json::Value>(&checked).map_err(|error| error.to_string())?;
    let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let raw: &RawValue = serde_json::from_str(text).map_err(|error| error.to_string())?;
    of_raw(raw).map_err(|error| error.to_string())
}

/// An integer of any length is JSON, so the check that follows does not see its digits. Positions stay.
fn without_long_integers(bytes: &[u8]) -> Vec<u8> {
    const SHORT: usize = 18;
    let mut out = bytes.to_vec();
    let (mut at, mut is_in_text) = (0, false);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => is_in_text = !is_in_text,
            b'\\' if is_in_text => at += 1,
            b'-' | b'0'..=b'9' if !is_in_text => {
                let is_part = |byte: &&u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
                let length = bytes[at..].iter().take_while(is_part).count();
                let digits = bytes[at..at + length]
                    .strip_prefix(b"-")
                    .unwrap_or(&bytes[at..at + length]);
                if digits.len() > SHORT && digits[0] != b'0' && digits.iter().all(u8::is_ascii_digit) {
                    out[at..at + length].fill(b' ');
                    out[at] = b'0';
                }
                at += length - 1;
            }
            _ => {}
        }
        at += 1;
    }
    out
}

fn of_raw(raw: &RawValue) -> serde_json::Result<Value> {
    let text = raw.get();
    Ok(match text.as_bytes().first() {
        Some(b'{') => {
            let Members(members) = serde_json::from_str(text)?;
            let members = members.into_iter().map(|(name, member)| Ok((name, of_raw(member)?)));
            Value::Object(members.collect::<serde_json::Result<_>>()?)
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(text)?;
            Value::List(items.into_iter().map(of_raw).collect::<serde_json::Result<_>>()?)
        }
        Some(b'"') => Value::Text(serde_json::from_str(text)?),
        Some(b't' | b'f') => Value::Bool(text == "true"),
        Some(b'n') => Value::Null,
        // As a number it is 0, and as an integer it is none.
        _ if text == "-0" => Value::Number("-0.0".to_owned()),
        _ => Value::Number(text.to_owned()),
    })
}

/// The members of an object, in order, with those that are given twice.
struct Members<'j>(Vec<(String, &'j RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Members<'de>;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let shown = parse(text.as_bytes()).map_or_else(|error| error, |value| value.to_string());
        assert_eq!(shown, expected);
    }

    #[test]
    fn members_and_notations_stay() {
        let long = "9".repeat(400);
        check(
            r#" {"b" : 1.0, "a": [1e2, -7], "b": "\u00e9\n"} "#,
            r#"{"b":1.0,"a":[1e2,-7],"b":"é\n"}"#,
        );
        check(&format!("[{long}]"), &format!("[{long}]"));
        check("{ }", "{}");
    }

    #[test]
    fn an_error_has_its_position() {
        check("{\n  \"a\": 1,\n}", "trailing comma at line 3 column 1");
        for broken in ["", "{} {}", "[01]", "NaN", "[1e999]", "\"\\ud800\"", "\"\0\""] {
            assert!(parse(broken.as_bytes()).is_err(), "{broken}");
        }
        assert!(parse(&b"[".repeat(100_000)).is_err());
        assert!(parse(b"\"\xff\"").is_err());
    }

    #[test]
    fn a_number_is_written_with_the_value_that_it_has() {
        for (number, text) in [
            (100.0, "100"),
            (49.99, "49.99"),
            (-0.0, "0"),
            (0.1 + 0.2, "0.30000000000000004"),
        ] {
            assert_eq!(Value::number(number).to_string(), text);
        }
    }
}
