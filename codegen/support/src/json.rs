//! JSON text to [`Value`] and back. `serde_json` parses; unlike its own `Value`, this one keeps repeated members and
//! the difference between `1.0` and `1`.

use super::fault::{Code, Fault};
use super::validation_errors::ValidationErrors;
use super::value::Value;
use bytes::Bytes;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// Parses one JSON value (RFC 8259) with optional white space around it. Otherwise reports one error with its
/// position. Invalid UTF-8, lone surrogates, numbers beyond the range of an `f64` and more than some 120 levels are
/// errors too.
pub fn parse(bytes: &[u8], errors: &mut ValidationErrors) -> Option<Value> {
    let large = LargeIntegers::find(bytes);
    let read = match large {
        None => serde_json::from_slice(bytes),
        Some(large) => large.read(),
    };
    match read {
        Ok(value) => Some(value),
        Err(error) => {
            errors.report_bare(&not_json(&error));
            None
        }
    }
}

fn not_json(error: &serde_json::Error) -> Fault<'static> {
    Fault::new(Code::Json, format!("the body is not valid JSON: {error}"))
}

/// A document in which each integer that may not fit 64 bits is replaced by 0, because `serde_json` would keep only
/// some of its digits.
struct LargeIntegers {
    document: Vec<u8>,
    /// The index of each of them among the numbers, and its notation.
    sent: Vec<(usize, String)>,
}

impl LargeIntegers {
    /// The minimum number of digits of an integer that does not fit.
    const DIGITS: usize = 19;

    /// Finds those of a document; `None` if there are none.
    fn find(bytes: &[u8]) -> Option<Self> {
        let mut runs = bytes.split(|byte| !byte.is_ascii_digit());
        runs.find(|run| run.len() >= Self::DIGITS)?;
        let (mut document, mut sent) = (bytes.to_vec(), Vec::new());
        let (mut at, mut numbers, mut is_in_text) = (0, 0, false);
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'"' => is_in_text = !is_in_text,
                b'\\' if is_in_text => at += 1,
                b'-' | b'0'..=b'9' if !is_in_text => {
                    let rest = bytes[at..].iter();
                    let length = rest.take_while(|byte| is_of_number(**byte)).count();
                    let end = at + length;
                    if is_large(&bytes[at..end]) {
                        sent.push((numbers, String::from_utf8_lossy(&bytes[at..end]).into_owned()));
                        // Padded to the former length, so that later errors keep their positions.
                        document[at..end].fill(b' ');
                        document[at] = b'0';
                    }
                    numbers += 1;
                    at = end - 1;
                }
                _ => {}
            }
            at += 1;
        }
        Some(Self { document, sent })
    }

    fn read(self) -> serde_json::Result<Value> {
        let mut value = serde_json::from_slice(&self.document)?;
        let (mut numbers, mut sent) = (0, self.sent.into_iter().peekable());
        each_number(&mut value, &mut |literal| {
            if let Some((_, as_sent)) = sent.next_if(|(number, _)| *number == numbers) {
                *literal = as_sent;
            }
            numbers += 1;
        });
        Ok(value)
    }
}

fn is_of_number(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E')
}

fn is_large(number: &[u8]) -> bool {
    let digits = number.strip_prefix(b"-").unwrap_or(number);
    digits.len() >= LargeIntegers::DIGITS && digits[0] != b'0' && digits.iter().all(u8::is_ascii_digit)
}

/// Visits the numbers of a document in the order in which they were sent.
fn each_number(value: &mut Value, visit: &mut impl FnMut(&mut String)) {
    match value {
        Value::Number(literal) => visit(literal),
        Value::List(items) => items.iter_mut().for_each(|item| each_number(item, visit)),
        Value::Object(members) => members.iter_mut().for_each(|(_, member)| each_number(member, visit)),
        Value::Null | Value::Bool(_) | Value::Text(_) | Value::Raw(_) | Value::LongList(_) | Value::LongObject(_) => {}
    }
}

/// The same for a long body: its long lists and objects stay text until they are decoded item by item, because values
/// can take forty times as much memory.
pub fn parse_long(bytes: &Bytes, errors: &mut ValidationErrors) -> Option<Value> {
    if bytes.len() <= LONG {
        return parse(bytes, errors);
    }
    let checked = serde_json::from_slice::<Checked>(bytes).map(drop);
    match checked.and_then(|()| serde_json::from_slice(bytes)) {
        Ok(json) => Some(part(bytes, json)),
        Err(error) => {
            errors.report_bare(&not_json(&error));
            None
        }
    }
}

/// The longest list or object, as JSON text, that is parsed as a whole.
const LONG: usize = 16 << 10;

/// A part of a validated text.
fn part(text: &Bytes, json: &RawValue) -> Value {
    let json = json.get().as_bytes();
    if json.len() > LONG && json.starts_with(b"[") {
        Value::LongList(text.slice_ref(json))
    } else if json.len() > LONG && json.starts_with(b"{") {
        Value::LongObject(text.slice_ref(json))
    } else {
        whole(json)
    }
}

/// Parses a validated text completely.
pub(super) fn whole(json: &[u8]) -> Value {
    serde_json::from_slice(json).expect("it was checked")
}

/// Passes the items of a long list to `take`, at most `most`. Returns the number of all items.
pub(super) fn each_item(list: &Bytes, most: usize, mut take: impl FnMut(Value)) -> usize {
    let mut count = 0;
    each(list, |_, item| {
        if count < most {
            take(part(list, item));
        }
        count += 1;
    });
    count
}

/// Passes each member of a long object to `take`.
pub(super) fn each_member(object: &Bytes, mut take: impl FnMut(String, Value)) {
    each(object, |name, member| take(name, part(object, member)));
}

fn each<'j>(json: &'j [u8], take: impl FnMut(String, &'j RawValue)) {
    serde_json::Deserializer::from_slice(json)
        .deserialize_any(Parts(take))
        .expect("it was checked");
}

/// The length of a text without the white space around its values.
pub(super) fn packed_len(json: &[u8]) -> usize {
    let (mut in_text, mut escaped) = (false, false);
    let counts = |byte: &&u8| {
        let was_in_text = in_text;
        in_text = in_text != (**byte == b'"' && !escaped);
        escaped = was_in_text && **byte == b'\\' && !escaped;
        was_in_text || !byte.is_ascii_whitespace()
    };
    json.iter().filter(counts).count()
}

/// Passes on the items of a list, or the members of an object.
struct Parts<F>(F);

impl<'de, F: FnMut(String, &'de RawValue)> Visitor<'de> for Parts<F> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a list or an object")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        while let Some(item) = items.next_element()? {
            (self.0)(String::new(), item);
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<(), A::Error> {
        while let Some((name, member)) = members.next_entry()? {
            (self.0)(name, member);
        }
        Ok(())
    }
}

/// Validates JSON without keeping it.
struct Checked;

impl<'de> Deserialize<'de> for Checked {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Checked)
    }
}

impl<'de> Visitor<'de> for Checked {
    type Value = Checked;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        Reader.expecting(out)
    }

    fn visit_unit<E>(self) -> Result<Checked, E> {
        Ok(self)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Checked, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Checked, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Checked, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Checked, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Checked, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Checked, A::Error> {
        while items.next_element::<Checked>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Checked, A::Error> {
        while members.next_entry::<Checked, Checked>()?.is_some() {}
        Ok(self)
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, boolean: bool) -> Result<Value, E> {
        Ok(Value::Bool(boolean))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Number(number.to_string()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number.to_string()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Number(format!("{number:?}")))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Vec::new();
        while let Some(member) = members.next_entry()? {
            object.push(member);
        }
        Ok(Value::Object(object))
    }
}

/// Writes the value as JSON without white space: members in order, whole numbers without a fraction, and those beyond
/// 64 bits as the nearest double.
pub(super) fn write(value: &Value, into: &mut String) {
    match value {
        Value::Null => into.push_str("null"),
        Value::Bool(boolean) => into.push_str(if *boolean { "true" } else { "false" }),
        Value::Number(literal) => match literal.parse() {
            Ok(number) if is_beyond_64_bits(number) => into.push_str(&format!("{number:.0}")),
            _ => into.push_str(literal.strip_suffix(".0").unwrap_or(literal)),
        },
        Value::Text(text) | Value::Raw(text) => write_text(text, into),
        Value::LongList(text) | Value::LongObject(text) => write(&whole(text), into),
        Value::List(items) => {
            into.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    into.push(',');
                }
                write(item, into);
            }
            into.push(']');
        }
        Value::Object(members) => {
            into.push('{');
            for (index, (name, member)) in members.iter().enumerate() {
                if index > 0 {
                    into.push(',');
                }
                write_text(name, into);
                into.push(':');
                write(member, into);
            }
            into.push('}');
        }
    }
}

fn is_beyond_64_bits(number: f64) -> bool {
    number.is_finite() && number.fract() == 0.0 && number.abs() >= 9.3e18
}

fn write_text(text: &str, into: &mut String) {
    into.push_str(&serde_json::to_string(text).expect("every str can be written as JSON"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Value, String> {
        let mut errors = ValidationErrors::new();
        parse(text.as_bytes(), &mut errors).ok_or_else(|| errors.text())
    }

    #[track_caller]
    fn comes_back_as(text: &str, expected: &str) {
        let mut out = String::new();
        write(&parsed(text).unwrap(), &mut out);
        assert_eq!(out, expected);
    }

    #[test]
    fn order_duplicates_and_values_stay() {
        comes_back_as(
            r#" {"b" : 1.0, "a": [100.0, -7, 49.99], "b": {}} "#,
            r#"{"b":1,"a":[100,-7,49.99],"b":{}}"#,
        );
        comes_back_as(
            r#"["\u00e9\n\ud83d\ude00",true,false,null,[]]"#,
            r#"["é\n😀",true,false,null,[]]"#,
        );
        comes_back_as("123456789012345678901", "123456789012345683968");
    }

    /// Parses the parts of a value that were left as text.
    fn opened(value: Value) -> Value {
        match value {
            Value::LongList(text) => {
                let mut items = Vec::new();
                let count = each_item(&text, usize::MAX, |item| items.push(opened(item)));
                assert_eq!((count, each_item(&text, 0, drop)), (items.len(), items.len()));
                Value::List(items)
            }
            Value::LongObject(text) => {
                let mut members = Vec::new();
                each_member(&text, |name, member| members.push((name, opened(member))));
                Value::Object(members)
            }
            Value::List(items) => Value::List(items.into_iter().map(opened).collect()),
            other => other,
        }
    }

    #[test]
    fn a_long_body_says_what_it_would_say_as_a_whole() {
        let texts = vec![r#" "é\u00e9\n\"]}" "#; 2_000].join(",");
        let numbers = vec!["0, 1.0 ,-7e2"; 5_000].join(" , ");
        let long = format!(
            r#" {{ "a" : [{texts}], "b":{{"x":[[{numbers}],[]],"x":1}}, "a":null, "c": "{}" }} "#,
            "y".repeat(LONG)
        );
        let body = Bytes::from(long.clone());
        let read = parse_long(&body, &mut ValidationErrors::new()).expect("JSON");
        assert!(matches!(read, Value::LongObject(_)));
        assert_eq!(Ok(opened(read)), parsed(&long));
        let list = Bytes::from(format!("[{numbers}]"));
        let read = parse_long(&list, &mut ValidationErrors::new()).expect("JSON");
        assert_eq!(read.kind(), "a list");
        assert_eq!(
            packed_len(br#" { "a \" } b" : [ 1 , 2 ] } "#),
            r#"{"a \" } b":[1,2]}"#.len()
        );
    }

    #[test]
    fn an_error_in_a_long_body_is_the_same() {
        for broken in ["1e999", "\"\\ud800\"", "{\"a\" 1}", "01", "\"\u{0}\"", "\u{feff}"] {
            let text = format!("[{}{broken}]", "0,".repeat(LONG));
            let mut errors = ValidationErrors::new();
            assert_eq!(parse_long(&Bytes::from(text.clone()), &mut errors), None);
            assert_eq!(Err(errors.text()), parsed(&text), "{broken}");
        }
    }

    #[test]
    fn an_integer_of_any_size_keeps_its_digits() {
        let (nines, long) = ("9".repeat(23), format!("-1{}", "0".repeat(10_000)));
        let document = format!(r#"{{"9\"{nines}": 1.5, "a": [{nines}, 1e25, "{nines}", -7], "b": {long} }}"#);
        let mut numbers = Vec::new();
        each_number(&mut parsed(&document).unwrap(), &mut |literal| {
            numbers.push(literal.clone())
        });
        assert_eq!(numbers, ["1.5", &nines, "1e25", "-7", &long]);
        let broken = [
            format!("[0{nines}]"),
            format!("[{nines}x]"),
            format!("[-{nines}-]"),
            format!("[--{nines}]"),
            format!("[{nines} 1]"),
        ];
        for broken in broken {
            assert!(parsed(&broken).is_err(), "{broken}");
        }
        let mistake = parsed(&format!("[{nines},\n{nines},]"));
        assert_eq!(
            mistake,
            Err("the body is not valid JSON: trailing comma at line 2 column 25".to_owned())
        );
    }

    #[test]
    fn an_error_is_named_with_its_position() {
        assert_eq!(
            parsed("{\n  \"a\": 1,\n}"),
            Err("the body is not valid JSON: trailing comma at line 3 column 1".to_owned())
        );
        for broken in [
            "",
            "{} {}",
            "[01]",
            "NaN",
            "[1e999]",
            "\"\\ud800\"",
            "\"\0\"",
            &"[".repeat(1_000_000),
        ] {
            assert!(parsed(broken).is_err(), "{broken:.20}");
        }
    }
}
