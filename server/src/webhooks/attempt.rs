//! One attempt to deliver something: the request, and what its response means.

use std::time::Duration;

use bytes::Bytes;
use contract::support::mint;
use contract::{DeliveryResult, Timestamp};
use http::header::{CONTENT_TYPE, USER_AGENT};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde_json::{Value, json};

use super::sender::{NoResponse, Post, ReadBody, Received};
use super::signature::sign;
use super::target::{NoTarget, Target};
use crate::store::{Content, Delivery};

/// How many letters and digits a challenge has.
const CHALLENGE_CHARS: usize = 40;

/// What came of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attempted {
    pub(super) result: DeliveryResult,
    /// How long the receiver wants to be left alone.
    pub(super) retry_after: Option<Duration>,
}

impl Attempted {
    pub(super) fn of(result: DeliveryResult) -> Self {
        let retry_after = None;
        Self { result, retry_after }
    }
}

/// A request, with the challenge that its response must repeat.
struct Message {
    id: String,
    body: Bytes,
    challenge: Option<String>,
}

/// Makes an attempt.
pub(super) async fn attempt(post: &impl Post, delivery: &Delivery, now: Timestamp) -> Attempted {
    let target = match Target::parse(&delivery.url, post.reach()) {
        Ok(target) => target,
        Err(NoTarget::Invalid) => return Attempted::of(DeliveryResult::InvalidUrl),
        Err(NoTarget::Refused) => return Attempted::of(DeliveryResult::RefusedAddress),
    };
    let message = message(delivery, now);
    let Some(headers) = headers(delivery, &message, now) else {
        return Attempted::of(DeliveryResult::InvalidUrl);
    };
    let read = if message.challenge.is_some() {
        ReadBody::Yes
    } else {
        ReadBody::No
    };
    let response = post.post(delivery.account, &target, headers, message.body, read).await;
    let retry_after = response.as_ref().ok().and_then(|received| received.retry_after);
    let result = match response {
        Ok(received) => result_of(&received, message.challenge.as_deref()),
        Err(NoResponse::Unresolved) => DeliveryResult::Unresolved,
        Err(NoResponse::RefusedAddress) => DeliveryResult::RefusedAddress,
        Err(NoResponse::Connection) => DeliveryResult::Connection,
        Err(NoResponse::Tls) => DeliveryResult::Tls,
        Err(NoResponse::Timeout) => DeliveryResult::Timeout,
    };
    Attempted { result, retry_after }
}

fn message(delivery: &Delivery, now: Timestamp) -> Message {
    let id = delivery.webhook.get();
    match &delivery.content {
        Content::Challenge => {
            let challenge = mint("", CHALLENGE_CHARS);
            let body = json!({ "type": "verification", "challenge": challenge });
            Message {
                id: format!("verification_{id}_{}", now.unix()),
                body: body.to_string().into(),
                challenge: Some(challenge),
            }
        }
        Content::Test => {
            let event = format!("evt_test_{id}_{}", now.unix());
            let data = json!({ "webhook_id": id });
            let body =
                json!({ "eventId": event, "name": "webhook.test", "timestamp": now, "data": data, "cursor": null });
            Message {
                id: event,
                body: body.to_string().into(),
                challenge: None,
            }
        }
        Content::Event { id, json } => Message {
            id: id.clone(),
            body: json.clone().into(),
            challenge: None,
        },
    }
}

/// The headers of Standard Webhooks, and of MCP Events.
fn headers(delivery: &Delivery, message: &Message, now: Timestamp) -> Option<HeaderMap> {
    let signature = sign(&[delivery.secret.expose()], &message.id, now, &message.body);
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(
        USER_AGENT,
        HeaderValue::from_static(concat!("hitode/", env!("CARGO_PKG_VERSION"))),
    );
    for (name, value) in [
        ("webhook-id", message.id.clone()),
        ("webhook-timestamp", now.unix().to_string()),
        ("webhook-signature", signature),
        ("x-mcp-subscription-id", format!("whk_{}", delivery.webhook.get())),
    ] {
        headers.insert(HeaderName::from_static(name), value.parse().ok()?);
    }
    Some(headers)
}

fn result_of(received: &Received, challenge: Option<&str>) -> DeliveryResult {
    let status = received.status;
    match challenge {
        _ if status == StatusCode::GONE => DeliveryResult::Gone,
        _ if status.is_redirection() => DeliveryResult::Redirect,
        _ if status.is_client_error() => DeliveryResult::Http4xx,
        _ if !status.is_success() => DeliveryResult::Http5xx,
        Some(challenge) if !repeats(received.body.as_deref().unwrap_or_default(), challenge) => {
            DeliveryResult::WrongChallenge
        }
        Some(_) | None => DeliveryResult::Delivered,
    }
}

/// Whether a body is the challenge: as JSON, or alone.
fn repeats(body: &[u8], challenge: &str) -> bool {
    let json: Option<Value> = serde_json::from_slice(body).ok();
    let stated = json.as_ref().and_then(|json| json.get("challenge")?.as_str());
    stated == Some(challenge) || body.trim_ascii() == challenge.as_bytes()
}
