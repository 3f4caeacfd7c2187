//! The headers that successes declare: their values follow from the data and from the path of the request.

use codegen::model::{HeaderPart, ResponseHeader};
use serde_json::Value as Json;

/// The value that a header must have beside this data; `None`: the header must be absent. A total is not known from one page.
pub(crate) fn value(
    header: &ResponseHeader,
    data: &Json,
    parameter: impl Fn(&str) -> Option<String>,
) -> Option<String> {
    let part = |part: &HeaderPart| match part {
        HeaderPart::Text(text) => Some(text.clone()),
        HeaderPart::Member(name, _) => match &data[name.as_str()] {
            Json::String(text) => Some(text.clone()),
            shown @ (Json::Number(_) | Json::Bool(_)) => Some(shown.to_string()),
            _ => None,
        },
        HeaderPart::Parameter(name) => parameter(name),
        HeaderPart::Total => None,
    };
    header.parts.iter().map(part).collect()
}
