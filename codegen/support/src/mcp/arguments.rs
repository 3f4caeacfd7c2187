//! The arguments of a tool become path, query and body of the request to its operation. Their values are checked there.

use super::refusal::{INVALID_PARAMS, Refusal};
use super::{PathPart, Tool};
use crate::exchange::{Exchange, KEY_ARGUMENT};
use crate::fault::{Code, Fault};
use crate::text::proposal;
use crate::validation_errors::ValidationErrors;
use bytes::Bytes;
use http::StatusCode;
use http::uri::PathAndQuery;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// The page that a call selects: the maximum number of rows, if it is known, and the number of rows before the page.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SelectedPage {
    pub(super) size: Option<i64>,
    pub(super) offset: i64,
}

/// Makes of `exchange` the request that a call with these arguments stands for.
pub(super) fn apply(
    tool: &'static Tool,
    arguments: Option<&RawValue>,
    exchange: &mut Exchange,
) -> Result<SelectedPage, Refusal> {
    let invalid = |what: &str| Refusal::new(StatusCode::OK, INVALID_PARAMS, what);
    let arguments = arguments
        .map(|json| serde_json::from_str::<Arguments>(json.get()))
        .transpose();
    let arguments = arguments
        .map_err(|_| invalid("`arguments` must be an object"))?
        .unwrap_or_default();
    let mut errors = ValidationErrors::new();
    report_unknown(tool, &arguments, &mut errors);
    let target = target(tool, &arguments, &mut errors);
    let target = PathAndQuery::try_from(target).map_err(|_| invalid("`arguments` are too long"))?;
    let body = tool.body.map(|known| Bytes::from(body(known, &arguments)));
    let keys = keys(tool, &arguments, &mut errors);
    exchange.become_request(tool.method.clone(), target, body, keys, errors);
    Ok(page(tool, &arguments))
}

fn target(tool: &'static Tool, arguments: &Arguments<'_>, errors: &mut ValidationErrors) -> String {
    let mut target = String::with_capacity(64);
    for part in tool.path {
        target.push('/');
        match part {
            PathPart::Text(text) => target.push_str(text),
            PathPart::Argument(name) => {
                let mut given = arguments.named(name);
                if let Some(value) = given.next().and_then(|json| scalar(name, json, errors)) {
                    target.extend(encoded(&value));
                }
                if given.next().is_some() {
                    errors.report_member(name, &Fault::new(Code::Repeated, "must be given once"));
                }
            }
        }
    }
    let mut mark = '?';
    for (name, json) in arguments.0.iter().filter(|(name, _)| tool.query.contains(&&**name)) {
        let value = if tool.lists.contains(&&**name) {
            names(name, json, errors)
        } else {
            scalar(name, json, errors)
        };
        if let Some(value) = value {
            target.push(mark);
            target.extend(encoded(name));
            target.push('=');
            target.extend(encoded(&value));
            mark = '&';
        }
    }
    let absent = |(name, _): &&(&str, &str)| arguments.named(name).all(|json| json.get() == "null");
    for (name, value) in tool.defaults.iter().filter(absent) {
        target.push(mark);
        target.push_str(name);
        target.push('=');
        target.push_str(value);
        mark = '&';
    }
    target
}

/// Reports the arguments that the tool does not have.
fn report_unknown(tool: &Tool, arguments: &Arguments<'_>, errors: &mut ValidationErrors) {
    let known: Vec<&str> = tool.arguments().collect();
    for (name, _) in arguments.0.iter().filter(|(name, _)| !known.contains(&&**name)) {
        let text = format!("is not known here{}", proposal(name, &known));
        errors.report_member(name, &Fault::new(Code::Unknown, text));
    }
}

/// The arguments that are members of the body, as they were sent.
fn body(known: &[&str], arguments: &Arguments<'_>) -> String {
    let members = arguments.0.iter().filter(|(name, _)| known.contains(&&**name));
    let mut body = String::from("{");
    for (name, json) in members {
        if body.len() > 1 {
            body.push(',');
        }
        body += &super::refusal::text(name);
        body.push(':');
        body += json.get();
    }
    body.push('}');
    body
}

/// The idempotency keys that were sent. Null is none.
fn keys(tool: &Tool, arguments: &Arguments<'_>, errors: &mut ValidationErrors) -> Vec<Vec<u8>> {
    if !tool.takes_key {
        return Vec::new();
    }
    let sent = arguments.named(KEY_ARGUMENT);
    let texts = sent.filter_map(|json| scalar(KEY_ARGUMENT, json, errors));
    texts.map(|text| text.into_owned().into_bytes()).collect()
}

fn page(tool: &Tool, arguments: &Arguments<'_>) -> SelectedPage {
    let Some(pages) = &tool.pages else {
        return SelectedPage::default();
    };
    let number = |(name, default): (&str, Option<i64>)| {
        let given = arguments.named(name).next();
        given
            .and_then(|json| json.get().trim_matches('"').parse().ok())
            .or(default)
    };
    SelectedPage {
        size: number(pages.size),
        offset: pages.offset.and_then(number).unwrap_or(0),
    }
}

/// Names as a query has them: separated by commas.
fn names<'j>(name: &str, json: &'j RawValue, errors: &mut ValidationErrors) -> Option<Cow<'j, str>> {
    match serde_json::from_str::<Vec<Text<'j>>>(json.get()) {
        Ok(names) => {
            let names: Vec<Cow<'_, str>> = names.into_iter().map(|Text(name)| name).collect();
            Some(names.join(",").into())
        }
        Err(_) => scalar(name, json, errors),
    }
}

/// The text of a value in a path or a query; `None` if it is absent.
fn scalar<'j>(name: &str, json: &'j RawValue, errors: &mut ValidationErrors) -> Option<Cow<'j, str>> {
    let text = json.get();
    match text.as_bytes().first() {
        Some(b'n') => None,
        Some(b'"') => match serde_json::from_str::<Text<'j>>(text) {
            Ok(Text(text)) => Some(text),
            Err(_) => {
                errors.report_member(name, &Fault::new(Code::Encoding, "must be valid Unicode"));
                None
            }
        },
        Some(b'[' | b'{') => {
            errors.report_member(name, &Fault::new(Code::Type, "must be a single value"));
            None
        }
        _ => Some(text.into()),
    }
}

#[derive(Deserialize)]
struct Text<'j>(#[serde(borrow)] Cow<'j, str>);

fn encoded(text: &str) -> impl Iterator<Item = &str> {
    utf8_percent_encode(text, NON_ALPHANUMERIC)
}

impl Tool {
    /// The names of its arguments.
    fn arguments(&self) -> impl Iterator<Item = &'static str> {
        let of_path = self.path.iter().filter_map(|part| match part {
            PathPart::Argument(name) => Some(*name),
            PathPart::Text(_) => None,
        });
        let others = self.query.iter().chain(self.body.unwrap_or_default()).copied();
        of_path.chain(others).chain(self.takes_key.then_some(KEY_ARGUMENT))
    }
}

/// Arguments in the order in which they were sent, including duplicates.
#[derive(Default)]
struct Arguments<'j>(Vec<(Cow<'j, str>, &'j RawValue)>);

impl<'j> Arguments<'j> {
    fn named(&self, name: &str) -> impl Iterator<Item = &'j RawValue> {
        self.0
            .iter()
            .filter(move |(known, _)| known == name)
            .map(|(_, json)| *json)
    }
}

impl<'de> Deserialize<'de> for Arguments<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;

        impl<'de> Visitor<'de> for Members {
            type Value = Arguments<'de>;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((Text(name), json)) = map.next_entry()? {
                    members.push((name, json));
                }
                Ok(Arguments(members))
            }
        }

        deserializer.deserialize_map(Members)
    }
}
