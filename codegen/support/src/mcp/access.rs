//! Who may send a request: method, origin and credential.

use super::refusal::Refusal;
use super::{Calls, Mount};
use crate::body::BodyBounds;
use crate::exchange::Exchange;
use crate::secret::bearer;
use http::header::{ALLOW, AUTHORIZATION, ORIGIN};
use http::uri::Uri;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};

/// The maximum bytes of a request without a credential: enough for all methods that need none.
const UNKNOWN_BYTES: usize = 16 << 10;

/// # Errors
/// If it is no POST, is sent by a page of another site, or has no JSON.
pub(super) fn check(exchange: &mut Exchange) -> Result<(), Refusal> {
    if exchange.headers.get_all(ORIGIN).iter().any(|origin| !is_local(origin)) {
        return Err(Refusal::of_http(
            StatusCode::FORBIDDEN,
            "pages of other sites may not call this server",
        ));
    }
    if exchange.method != Method::POST {
        exchange.reply_constant(ALLOW, HeaderValue::from_static("POST"));
        return Err(Refusal::of_http(
            StatusCode::METHOD_NOT_ALLOWED,
            "only POST is served here: there are no streams and no sessions",
        ));
    }
    if !exchange.has_json_body() {
        return Err(Refusal::of_http(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "the header Content-Type must be application/json, and there must be no Content-Encoding",
        ));
    }
    Ok(())
}

/// Whether a page was loaded from this computer. Others could reach a local server through a rebound name.
fn is_local(origin: &HeaderValue) -> bool {
    let uri = Uri::try_from(origin.as_bytes()).ok();
    let host = uri.as_ref().and_then(Uri::host);
    host.is_some_and(|host| ["localhost", "127.0.0.1", "[::1]"].contains(&host))
}

/// When the credential of a request is checked.
pub(super) enum Check {
    /// Never here: there is none. The operation of a tool rejects the request if it needs one.
    Never,
    /// Once the body was read, unless it calls a tool: the operation checks the credential then.
    AfterBody,
    /// It was checked.
    Done,
}

/// Prepares the check of the credential, and returns the bounds of the body. Before a long body the credential is checked.
pub(super) async fn enter(
    mount: &Mount,
    calls: &impl Calls,
    exchange: &mut Exchange,
) -> Result<(BodyBounds, Check), Refusal> {
    let Some(name) = mount.credential else {
        return Ok((mount.body, Check::Never));
    };
    take_bearer(&mut exchange.headers, name);
    let max_bytes = mount.body.max_bytes.min(UNKNOWN_BYTES);
    let short = BodyBounds {
        max_bytes,
        ..mount.body
    };
    if !exchange.headers.contains_key(name) {
        return Ok((short, Check::Never));
    }
    let declared = exchange
        .declared_length()
        .and_then(|length| usize::try_from(length).ok());
    if declared.is_some_and(|length| length <= max_bytes) {
        return Ok((short, Check::AfterBody));
    }
    admit(mount, calls, exchange).await?;
    Ok((mount.body, Check::Done))
}

/// Checks the credential of a request.
pub(super) async fn admit(mount: &Mount, calls: &impl Calls, exchange: &mut Exchange) -> Result<(), Refusal> {
    let admitted = calls.admit(exchange).await;
    admitted.map_err(|error| super::outcome::refusal(mount, exchange, &error))
}

/// Makes `Authorization: Bearer …` the credential, unless the request has the credential's own header.
fn take_bearer(headers: &mut HeaderMap, name: &'static str) {
    if name == AUTHORIZATION.as_str() || headers.contains_key(name) {
        return;
    }
    if let Some(mut value) = bearer(headers).and_then(|token| HeaderValue::from_str(token).ok()) {
        value.set_sensitive(true);
        headers.insert(HeaderName::from_static(name), value);
    }
}
