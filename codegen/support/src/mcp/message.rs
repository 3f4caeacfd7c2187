//! One message of JSON-RPC.

use super::refusal::{INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR, Refusal};
use crate::text::shortened;
use http::StatusCode;
use serde::{Deserialize, Deserializer};
use serde_json::error::Category;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// A request or a notification, with what all methods read of its parameters.
pub(super) struct Message<'b> {
    pub(super) method: Cow<'b, str>,
    pub(super) params: Params<'b>,
    id: Option<&'b str>,
}

#[derive(Deserialize)]
struct Envelope<'b> {
    #[serde(borrow)]
    jsonrpc: Option<Cow<'b, str>>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'b RawValue>,
    #[serde(borrow)]
    method: Option<Cow<'b, str>>,
    #[serde(borrow)]
    params: Option<&'b RawValue>,
}

/// A member that is there, also if it is null: a request with this id would pass for a notification.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// The members of `params` that the methods read.
#[derive(Default, Deserialize)]
pub(super) struct Params<'b> {
    #[serde(borrow, rename = "_meta")]
    pub(super) meta: Option<Meta<'b>>,
    #[serde(borrow)]
    pub(super) name: Option<Cow<'b, str>>,
    #[serde(borrow)]
    pub(super) arguments: Option<&'b RawValue>,
    #[serde(borrow, rename = "protocolVersion")]
    pub(super) version: Option<Cow<'b, str>>,
}

/// What each request since 2026-07-28 states of its client.
#[derive(Deserialize)]
pub(super) struct Meta<'b> {
    #[serde(borrow, rename = "io.modelcontextprotocol/protocolVersion")]
    pub(super) version: Option<Cow<'b, str>>,
    #[serde(borrow, rename = "io.modelcontextprotocol/clientCapabilities")]
    pub(super) capabilities: Option<&'b RawValue>,
}

impl<'b> Message<'b> {
    /// Parses the parameters last, and so finds what to say of each error.
    ///
    /// # Errors
    /// If it is no JSON, a batch, or no request or notification.
    pub(super) fn parse(bytes: &'b [u8]) -> Result<Self, Refusal> {
        const NO_MESSAGE: &str =
            "the body must be one JSON-RPC request or notification, an object; batches are not supported";
        let envelope = serde_json::from_slice::<Envelope<'b>>(bytes).map_err(|error| match error.classify() {
            Category::Data => invalid(NO_MESSAGE),
            _ => Refusal::new(
                StatusCode::BAD_REQUEST,
                PARSE_ERROR,
                format!("the body is not valid JSON: {error}"),
            ),
        })?;
        // A list of the right length is read as an object.
        if !bytes.trim_ascii_start().starts_with(b"{") {
            return Err(invalid(NO_MESSAGE));
        }
        let id = envelope.id.map(RawValue::get);
        let identified = |refusal: Refusal| match id {
            Some(id) if is_id(id) => refusal.to(id),
            _ => refusal,
        };
        if envelope.jsonrpc.as_deref() != Some("2.0") {
            return Err(identified(invalid("`jsonrpc` must be \"2.0\"")));
        }
        let Some(method) = envelope.method else {
            return Err(identified(invalid("`method` is missing")));
        };
        if id.is_some_and(|id| !is_id(id)) {
            return Err(invalid("`id` must be a text or a number; only a notification has none"));
        }
        let malformed = |what: String| identified(Refusal::new(StatusCode::OK, INVALID_PARAMS, what));
        let params = match envelope.params.map(RawValue::get) {
            None => Params::default(),
            Some(params) if params.starts_with('{') => serde_json::from_str(params)
                .map_err(|error| malformed(format!("`params` are not those of `{}`: {error}", shortened(&method))))?,
            Some(_) => return Err(malformed("`params` must be an object".to_owned())),
        };
        Ok(Self { method, params, id })
    }

    /// Its id as JSON; `None` for a notification.
    pub(super) fn id(&self) -> Option<&'b str> {
        self.id
    }
}

fn invalid(message: &str) -> Refusal {
    Refusal::new(StatusCode::BAD_REQUEST, INVALID_REQUEST, message)
}

fn is_id(json: &str) -> bool {
    json.starts_with(|first: char| first == '"' || first == '-' || first.is_ascii_digit())
}
