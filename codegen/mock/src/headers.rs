//! The headers that an operation declares for its success.

use crate::exchange::Exchange;
use crate::outcome::Answered;
use crate::value::Value;
use codegen::model::{HeaderPart, Operation};

/// The declared headers of a success, without those that have no value.
pub(crate) fn declared(exchange: &Exchange, answered: &Answered) -> Vec<(String, String)> {
    let value = |part: &HeaderPart| match part {
        HeaderPart::Text(text) => Some(text.clone()),
        HeaderPart::Member(name, _) => shown(answered.data.as_ref()?.member(name)?),
        HeaderPart::Parameter(name) => shown(exchange.input.path(name)?),
        HeaderPart::Total => Some(answered.total.to_string()),
    };
    let headers = exchange.operation.headers.iter().filter_map(|header| {
        let value: Option<String> = header.parts.iter().map(value).collect();
        Some((header.name.clone(), value?))
    });
    headers.collect()
}

/// The headers that are kept with an answer, as a value of the store.
pub(crate) fn kept(operation: &Operation, response: &http::HeaderMap) -> Value {
    let headers = operation.headers.iter().filter_map(|header| {
        let value = response.get(header.name.as_str())?.to_str().ok()?;
        Some((header.name.clone(), Value::text(value)))
    });
    Value::Object(headers.collect())
}

/// Kept headers.
pub(crate) fn read(kept: Option<&Value>) -> Vec<(String, String)> {
    let Some(Value::Object(headers)) = kept else {
        return Vec::new();
    };
    let pairs = headers
        .iter()
        .filter_map(|(name, value)| Some((name.clone(), value.as_text()?.to_owned())));
    pairs.collect()
}

fn shown(value: &Value) -> Option<String> {
    match value {
        Value::Null | Value::List(_) | Value::Object(_) => None,
        value => Some(value.written()),
    }
}
