//! The versions of the protocol. Since 2026-07-28 each request states its version in `_meta` and in headers.

use super::message::Message;
use super::refusal::{HEADER_MISMATCH, INVALID_PARAMS, Refusal, UNSUPPORTED_VERSION, text};
use crate::text::{listed, shortened};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderName, StatusCode};
use std::borrow::Cow;

/// The version whose requests state it.
pub(super) const STATED: &str = "2026-07-28";
/// The versions that are agreed on by `initialize`, the newest first.
const INITIALIZED: [&str; 2] = ["2025-11-25", "2025-06-18"];

static VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
static METHOD: HeaderName = HeaderName::from_static("mcp-method");
static NAME: HeaderName = HeaderName::from_static("mcp-name");

/// How requests of a version look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Era {
    /// Each request states its version, and there is no `initialize`.
    Stated,
    /// A client begins with `initialize`. Nothing of it is kept.
    Initialized,
}

/// The version that `initialize` is answered with: the one that the client proposes, or the newest.
pub(super) fn agreed(proposed: Option<&str>) -> &'static str {
    let known = INITIALIZED.into_iter().find(|known| Some(*known) == proposed);
    known.unwrap_or(INITIALIZED[0])
}

/// All versions, the newest first.
fn known() -> impl Iterator<Item = &'static str> {
    [STATED].into_iter().chain(INITIALIZED)
}

/// Its data list what a request can state, as `server/discover` does; its message also names the versions of `initialize`.
fn unsupported(version: &str) -> Refusal {
    let known: Vec<&str> = known().collect();
    let what = format!(
        "the version `{}` of the protocol is not supported, known are {}",
        shortened(version),
        listed(&known)
    );
    let data = format!(r#"{{"supported":["{STATED}"],"requested":{}}}"#, text(version));
    Refusal::new(StatusCode::BAD_REQUEST, UNSUPPORTED_VERSION, what).with_data(data)
}

/// # Errors
/// If the request states no version, another one than its headers, or one that is not supported.
pub(super) fn from_request(headers: &HeaderMap, message: &Message<'_>) -> Result<Era, Refusal> {
    let header = header(headers, &VERSION);
    let meta = message.params.meta.as_ref();
    let version = meta.and_then(|meta| meta.version.as_deref());
    if version.is_none() && header.is_none_or(|version| INITIALIZED.contains(&version)) {
        return Ok(Era::Initialized);
    }
    if version.is_none()
        && let Some(unknown) = header.filter(|version| !known().any(|known| known == *version))
    {
        return Err(unsupported(unknown));
    }
    let has_capabilities = meta.is_some_and(|meta| meta.capabilities.is_some());
    let (Some(version), true) = (version, has_capabilities) else {
        let what =
            "`_meta` needs `io.modelcontextprotocol/protocolVersion` and `io.modelcontextprotocol/clientCapabilities`";
        return Err(Refusal::new(StatusCode::BAD_REQUEST, INVALID_PARAMS, what));
    };
    agree("MCP-Protocol-Version", header, version)?;
    agree("Mcp-Method", self::header(headers, &METHOD), &message.method)?;
    if message.method == "tools/call" {
        let named = self::header(headers, &NAME).and_then(decoded);
        agree(
            "Mcp-Name",
            named.as_deref(),
            message.params.name.as_deref().unwrap_or_default(),
        )?;
    }
    if version != STATED {
        return Err(unsupported(version));
    }
    Ok(Era::Stated)
}

fn agree(name: &str, header: Option<&str>, stated: &str) -> Result<(), Refusal> {
    if header == Some(stated) {
        return Ok(());
    }
    let what = format!("the header `{name}` must be there once, and say the same as the body");
    Err(Refusal::new(StatusCode::BAD_REQUEST, HEADER_MISMATCH, what))
}

/// The only value of a header.
fn header<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    crate::headers::single_header(headers, name).map(str::trim)
}

/// The value of a header that may be written as `=?base64?…?=`.
fn decoded(value: &str) -> Option<Cow<'_, str>> {
    let Some(encoded) = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) else {
        return Some(value.into());
    };
    let bytes = STANDARD.decode(encoded).ok()?;
    String::from_utf8(bytes).ok().map(Cow::Owned)
}
