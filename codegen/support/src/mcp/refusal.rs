//! Errors of the protocol, as JSON-RPC writes them.

use crate::body::{BodyBounds, BodyError};
use http::StatusCode;

pub(super) const PARSE_ERROR: i64 = -32700;
pub(super) const INVALID_REQUEST: i64 = -32600;
pub(super) const METHOD_NOT_FOUND: i64 = -32601;
pub(super) const INVALID_PARAMS: i64 = -32602;
pub(super) const HEADER_MISMATCH: i64 = -32020;
pub(super) const UNSUPPORTED_VERSION: i64 = -32022;

/// A request that gets an error.
#[derive(Debug)]
pub(super) struct Refusal {
    /// The status of HTTP.
    pub(super) status: StatusCode,
    code: i64,
    message: String,
    /// More about it, as JSON.
    data: Option<String>,
    /// The id of the request, as JSON.
    id: Option<String>,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, code: i64, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            data: None,
            id: None,
        }
    }

    /// An error that JSON-RPC has no code for. Its code is the status.
    pub(super) fn of_http(status: StatusCode, message: impl Into<String>) -> Self {
        Self::new(status, status.as_u16().into(), message)
    }

    pub(super) fn of_body(error: BodyError, bounds: BodyBounds) -> Self {
        let BodyBounds {
            max_bytes, max_seconds, ..
        } = bounds;
        match error {
            BodyError::TooLarge => Self::of_http(
                StatusCode::PAYLOAD_TOO_LARGE,
                format!("a request may have at most {max_bytes} bytes here"),
            ),
            BodyError::TooSlow => Self::of_http(
                StatusCode::REQUEST_TIMEOUT,
                format!("the request was not complete in time, at most {max_seconds} seconds"),
            ),
            BodyError::Broken => Self::new(StatusCode::BAD_REQUEST, PARSE_ERROR, "the body broke off"),
        }
    }

    pub(super) fn with_data(self, json: String) -> Self {
        Self {
            data: Some(json),
            ..self
        }
    }

    /// The answer to the request with this id.
    pub(super) fn to(self, id: &str) -> Self {
        Self {
            id: Some(id.to_owned()),
            ..self
        }
    }

    pub(super) fn json(&self) -> Vec<u8> {
        let id = self.id.as_deref().unwrap_or("null");
        let message = text(&self.message);
        let data = self.data.as_ref().map(|data| format!(r#","data":{data}"#));
        let data = data.unwrap_or_default();
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{},"message":{message}{data}}}}}"#,
            self.code
        )
        .into_bytes()
    }
}

/// A text as JSON.
pub(super) fn text(text: &str) -> String {
    serde_json::to_string(text).expect("every text can be written as JSON")
}
