//! One attempt to deliver something: the request, and what its response means.

use std::time::Duration;

use bytes::Bytes;
use contract::support::mint;
use contract::{DeliveryResult, Timestamp};
use http::header::{CONTENT_TYPE, USER_AGENT};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep_until};

use super::sender::{NoResponse, Post, RESOLVE_DEADLINE, ReadBody, Received};
use super::signature::sign;
use super::target::{NoTarget, Target};
use crate::store::{Content, Delivery};

/// How many letters and digits a challenge has.
const CHALLENGE_CHARS: usize = 40;

/// The member of a challenge that its answer does not have, so that a receiver that returns what it gets is no answer.
const TYPE: &str = "type";

/// What came of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attempted {
    pub(super) result: DeliveryResult,
    /// How long the receiver wants to be left alone.
    pub(super) retry_after: Option<Duration>,
}

impl Attempted {
    pub(super) fn from_result(result: DeliveryResult) -> Self {
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

/// Makes an attempt. The result that there is no address to connect to comes after one time, whatever the reason, so that
/// it does not show which names a private network has.
pub(super) async fn attempt(post: &impl Post, delivery: &Delivery, now: Timestamp) -> Attempted {
    let end = Instant::now() + RESOLVE_DEADLINE;
    let attempted = send(post, delivery, now).await;
    if attempted.result == DeliveryResult::Unresolved {
        sleep_until(end).await;
    }
    attempted
}

async fn send(post: &impl Post, delivery: &Delivery, now: Timestamp) -> Attempted {
    let target = match Target::parse(&delivery.url, post.reach()) {
        Ok(target) => target,
        Err(NoTarget::Invalid) => return Attempted::from_result(DeliveryResult::InvalidUrl),
        Err(NoTarget::Refused) => return Attempted::from_result(DeliveryResult::Unresolved),
    };
    let message = message(delivery, now);
    let Some(headers) = headers(delivery, &message, now) else {
        return Attempted::from_result(DeliveryResult::InvalidUrl);
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
        Err(NoResponse::Unresolved | NoResponse::RefusedAddress) => DeliveryResult::Unresolved,
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
            let body = json!({ (TYPE): "verification", "challenge": challenge });
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

/// Whether a body is the challenge: as JSON, or alone. The body of the request is not.
fn repeats(body: &[u8], challenge: &str) -> bool {
    let json: Option<Value> = serde_json::from_slice(body).ok();
    let answer = json.as_ref().filter(|json| json.get(TYPE).is_none());
    let stated = answer.and_then(|answer| answer.get("challenge")?.as_str());
    stated == Some(challenge) || body.trim_ascii() == challenge.as_bytes()
}

#[cfg(test)]
mod tests {
    use contract::{AccountId, Webhook};

    use super::*;
    use crate::market::tests::{Writes, app, new_account, new_key, plain_webhook};
    use crate::store::{Actor, NextDelivery, in_memory_store};
    use crate::webhooks::Deliveries;
    use crate::webhooks::target::Reach;

    fn now() -> Timestamp {
        Timestamp::from_unix(1_800_000_000)
    }

    /// Finds no receiver.
    struct Fails(NoResponse);

    impl Post for Fails {
        fn reach(&self) -> Reach {
            Reach::Public
        }

        async fn post(
            &self,
            _: AccountId,
            _: &Target,
            _: HeaderMap,
            _: Bytes,
            _: ReadBody,
        ) -> Result<Received, NoResponse> {
            Err(self.0)
        }
    }

    /// The challenge of a new webhook with this URL.
    async fn challenge(url: &str) -> Delivery {
        let app = app(in_memory_store(None));
        let account = app
            .store()
            .create_account(new_account("a"), new_key(AccountId::new(0), "key"));
        let webhook = Webhook {
            url: url.to_owned(),
            ..plain_webhook(account.await.expect("an account").0)
        };
        let created = app.store().create_webhook(Actor::Operator, webhook).await;
        let id = created.expect("a write").expect("a webhook");
        match app.next_delivery(id, now()).await.expect("an answer") {
            NextDelivery::Now(delivery) => *delivery,
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test(start_paused = true)]
    async fn names_without_an_address_and_with_private_ones_are_alike() {
        let named = "https://hooks.example.com/";
        for (url, error) in [
            (named, NoResponse::Unresolved),
            (named, NoResponse::RefusedAddress),
            ("https://127.0.0.1/", NoResponse::Connection),
            ("https://printer.local/", NoResponse::Connection),
        ] {
            let delivery = challenge(url).await;
            let begun = Instant::now();
            let attempted = attempt(&Fails(error), &delivery, now()).await;
            let expected = Attempted::from_result(DeliveryResult::Unresolved);
            assert_eq!(
                (attempted, begun.elapsed()),
                (expected, RESOLVE_DEADLINE),
                "{url} {error:?}"
            );
        }
    }

    #[test]
    fn a_challenge_is_repeated_by_what_is_no_echo() {
        for (body, expected) in [
            (r#"{"challenge":"abc"}"#, true),
            (r#"{"ok":true,"challenge":"abc"}"#, true),
            (" abc\n", true),
            (r#"{"type":"verification","challenge":"abc"}"#, false),
            (r#"{"challenge":"abc","type":"verification"}"#, false),
            (r#"[{"challenge":"abc"}]"#, false),
            (r#"{"challenge":"abd"}"#, false),
            ("", false),
        ] {
            assert_eq!(repeats(body.as_bytes(), "abc"), expected, "{body}");
        }
    }
}
