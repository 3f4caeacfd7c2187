//! Headers that an operation declares for its success: their values are taken from the body that is sent, and from the
//! path of the request. Must not know any header of a contract.

use super::exchange::Answer;
use super::id::AnyId;
use http::{HeaderName, HeaderValue};
use serde_json::value::RawValue;
use std::collections::HashMap;

/// A declared header: a constant of the contract.
#[derive(Debug)]
pub struct DeclaredHeader {
    /// Its name, in lower case.
    pub name: &'static str,
    /// Its value: these, one after the other.
    pub parts: &'static [HeaderPart],
}

/// A part of the value of a header.
#[derive(Debug)]
pub enum HeaderPart {
    /// This text.
    Text(&'static str),
    /// The member of the data.
    Member(&'static str),
    /// The id in the path of the request: its place among the numbers of the path, counted from 0.
    Id(usize),
    /// The UUID in the path of the request: the place of its first half.
    Uuid(usize),
    /// The number of rows on all pages.
    Total,
}

/// The declared headers of an operation.
#[derive(Debug)]
pub struct DeclaredHeaders {
    /// The headers.
    pub all: &'static [DeclaredHeader],
    /// The member of the body that holds the data. `None`: the body is the data.
    pub data: Option<&'static str>,
}

/// The headers of one answer.
pub type ReplyHeaders = Vec<(HeaderName, HeaderValue)>;

impl DeclaredHeaders {
    /// The headers of an answer. `ids` are those in the path of the request: one number for each id, two for a UUID. A header without
    /// a value is left out, and so is one whose value a header cannot have: a value never ends its line.
    pub fn of_answer(&self, answer: &Answer, ids: &[i64]) -> ReplyHeaders {
        let parts = || self.all.iter().flat_map(|header| header.parts);
        let needs_body = parts().any(|part| matches!(part, HeaderPart::Member(_)));
        let body = if needs_body {
            answer.body.known_text()
        } else {
            Vec::new()
        };
        let members = members(&body, self.data).unwrap_or_default();
        let text = |part: &HeaderPart| match part {
            HeaderPart::Text(text) => Some((*text).to_owned()),
            HeaderPart::Member(name) => members.get(*name).and_then(|value| scalar(value)),
            HeaderPart::Id(place) => ids.get(*place).map(i64::to_string),
            HeaderPart::Uuid(place) => {
                let halves = ids.get(*place..)?.first_chunk()?;
                Some(AnyId::Uuid(*halves).to_string())
            }
            HeaderPart::Total => answer.total.map(|total| total.to_string()),
        };
        let header = |header: &DeclaredHeader| {
            let value: Option<String> = header.parts.iter().map(text).collect();
            let is_visible = |value: &String| value.bytes().all(|byte| (b' '..=b'~').contains(&byte));
            let value = HeaderValue::from_str(&value.filter(is_visible)?).ok()?;
            Some((HeaderName::from_static(header.name), value))
        };
        self.all.iter().filter_map(header).collect()
    }
}

/// The members of the data in a body, each as JSON text.
fn members<'b>(body: &'b [u8], data: Option<&str>) -> Option<HashMap<String, &'b RawValue>> {
    let mut members: HashMap<String, &RawValue> = serde_json::from_slice(body).ok()?;
    match data {
        None => Some(members),
        Some(name) => serde_json::from_str(members.remove(name)?.get()).ok(),
    }
}

/// A text without its quotes, a number or a boolean as it is. `None` for null, lists and objects.
fn scalar(value: &RawValue) -> Option<String> {
    match serde_json::from_str(value.get()).ok()? {
        serde_json::Value::String(text) => Some(text),
        serde_json::Value::Number(_) | serde_json::Value::Bool(_) => Some(value.get().to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunks::Chunks;

    const HEADERS: &[DeclaredHeader] = &[
        DeclaredHeader {
            name: "location",
            parts: &[
                HeaderPart::Text("/v1/owners/"),
                HeaderPart::Id(0),
                HeaderPart::Text("/pets/"),
                HeaderPart::Member("id"),
            ],
        },
        DeclaredHeader {
            name: "x-name",
            parts: &[HeaderPart::Member("name")],
        },
        DeclaredHeader {
            name: "x-total",
            parts: &[HeaderPart::Total],
        },
    ];

    #[track_caller]
    fn check(body: &str, data: Option<&'static str>, total: Option<i64>, expected: &[(&str, &str)]) {
        let answer = Answer {
            status: 200,
            body: Chunks::from(body.as_bytes().to_vec()),
            total,
        };
        let headers = DeclaredHeaders { all: HEADERS, data }.of_answer(&answer, &[7]);
        let headers = headers
            .iter()
            .map(|(name, value)| (name.as_str(), value.to_str().expect("visible")));
        assert_eq!(headers.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn values_come_from_the_data_and_the_path() {
        let all = [("location", "/v1/owners/7/pets/9"), ("x-name", "Leo")];
        check(r#"{"id":9,"name":"Leo"}"#, None, None, &all);
        check(r#"{"ok":true,"data":{"name":"Leo","id":9}}"#, Some("data"), None, &all);
        check("[]", None, Some(3), &[("x-total", "3")]);
    }

    #[test]
    fn a_uuid_in_the_path_takes_two_numbers() {
        const OF_UUID: &[DeclaredHeader] = &[DeclaredHeader {
            name: "location",
            parts: &[HeaderPart::Id(0), HeaderPart::Text("/"), HeaderPart::Uuid(1)],
        }];
        let headers = DeclaredHeaders {
            all: OF_UUID,
            data: None,
        };
        let headers = headers.of_answer(&Answer::without_body(204), &[7, 0x0190_a6f2_7b1c_7def, i64::MIN]);
        assert_eq!(headers[0].1, "7/0190a6f2-7b1c-7def-8000-000000000000");
    }

    #[test]
    fn what_is_null_or_no_value_of_a_header_is_left_out() {
        let location = [("location", "/v1/owners/7/pets/9")];
        for name in [
            "null",
            "[]",
            "{}",
            r#""a\r\nb""#,
            r#""a\nSet-Cookie: b""#,
            r#""\u00e9""#,
            r#""\u0000""#,
        ] {
            check(&format!(r#"{{"id":9,"name":{name}}}"#), None, None, &location);
        }
        check("", None, None, &[]);
    }
}
