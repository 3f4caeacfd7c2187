//! The headers that successes declare: their values follow from the data and from the path of the request.

use crate::answer::Answer;
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

impl Answer {
    /// Checks each declared header.
    #[track_caller]
    pub(crate) fn expect_declared_headers(&self, wanted: &str) {
        let headers = &self.operation.declared.headers;
        if headers.is_empty() {
            return;
        }
        let data = self.data();
        for header in headers {
            let all = self.response.headers.iter();
            let all = all.filter(|(name, _)| name.eq_ignore_ascii_case(&header.name));
            let came: Vec<&str> = all.map(|(_, value)| value.as_str()).collect();
            let part = format!("header {}", header.name);
            if header.is_total() {
                let rows = data.as_array().map_or(0, Vec::len);
                let total = came.first().and_then(|value| value.parse::<usize>().ok());
                if came.len() != 1 || total.is_none_or(|total| total < rows) {
                    self.fail_part(&part, came.first(), wanted, &format!(", not a number from {rows}"));
                }
                continue;
            }
            let right = value(header, &data, |name| self.sent_parameter(name));
            if came != right.as_deref().into_iter().collect::<Vec<_>>() {
                let right = right.map_or("left out".to_owned(), |right| format!("`{right}`"));
                self.fail_part(&part, came.first(), wanted, &format!(", not {right}"));
            }
        }
    }

    /// The value of a parameter in the path of its request.
    fn sent_parameter(&self, name: &str) -> Option<String> {
        let path = self.request.target.split('?').next().unwrap_or_default();
        let mut segments = self.operation.path.split('/').zip(path.split('/'));
        let found = segments.find(|(declared, _)| declared.strip_prefix(':') == Some(name));
        found.map(|(_, sent)| sent.to_owned())
    }
}
