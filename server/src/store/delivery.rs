//! What is known of the deliveries of a webhook beside what its owner sees: its secret, the events that wait for
//! another attempt, and how far it has got. The rules about it are in `market::deliveries`.

use std::fmt;
use std::time::Duration;

use contract::support::mint;
use contract::{AccountId, DeliveryResult, Timestamp, Webhook, WebhookId};
use serde::de::IntoDeserializer;
use serde::{Deserialize, Deserializer, Serialize};

/// A secret that signs deliveries. It is stored as it is, because signing needs it, and is never displayed.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct SigningSecret(String);

impl SigningSecret {
    /// What the text begins with, as Standard Webhooks prescribes.
    pub(crate) const PREFIX: &str = "whsec_";
    /// How many random letters and digits follow: the base64 of 33 bytes.
    const RANDOM_CHARS: usize = 44;

    /// A new one.
    pub(crate) fn mint() -> Self {
        Self(mint(Self::PREFIX, Self::RANDOM_CHARS))
    }

    /// Its text, for signing.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SigningSecret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("SigningSecret")
    }
}

/// The state of the deliveries of one webhook, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryState {
    /// What signs the deliveries.
    pub(crate) secret: SigningSecret,
    /// The number of the last event that was attempted, or that is older than the webhook. Later ones follow.
    pub(crate) cursor: i64,
    /// What waits for its time, in no order.
    pub(crate) waiting: Vec<Waiting>,
    /// The first failure after the latest success.
    pub(crate) failing_since: Option<Timestamp>,
    /// The latest attempt.
    pub(crate) last: Option<LastAttempt>,
    /// How long the latest attempt took.
    pub(crate) pace: Pace,
    /// How often events were requested again. An attempt from before such a request does not move the cursor.
    pub(crate) replays: u32,
}

impl DeliveryState {
    /// Of a new webhook. Events after this number are sent.
    pub(crate) fn new(secret: SigningSecret, newest: i64) -> Self {
        Self {
            secret,
            cursor: newest,
            waiting: Vec::new(),
            failing_since: None,
            last: None,
            pace: Pace::New,
            replays: 0,
        }
    }

    /// How the receiver answered the latest attempt.
    fn lane(&self) -> Lane {
        let result = self.last.map(|last| last.result);
        match self.pace {
            Pace::New => Lane::New,
            Pace::Fast => Lane::Fast,
            Pace::Slow if result.is_some_and(is_no_response) => Lane::Silent,
            Pace::Slow => Lane::Slow,
        }
    }

    /// Raises the numbers of all events by `gap`, for a feed whose numbers are raised.
    pub(crate) fn raise_numbers(&mut self, gap: i64) {
        self.cursor = self.cursor.saturating_add(gap);
        for waiting in &mut self.waiting {
            if let DeliveryItem::Event(number) = &mut waiting.item {
                *number = number.saturating_add(gap);
            }
        }
    }
}

/// Receivers that are alike: how they answered the latest attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Nothing was sent to them yet.
    New,
    /// It did not take long, whatever the result.
    Fast,
    /// After a long time.
    Slow,
    /// Not at all, for a long time.
    Silent,
}

/// How long a receiver takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Pace {
    /// Nothing was sent to it yet.
    New,
    /// Not long.
    Fast,
    /// Long, or it did not answer at all.
    Slow,
}

/// Something to send, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Waiting {
    pub(crate) item: DeliveryItem,
    /// The attempts so far.
    pub(crate) attempts: u32,
    pub(crate) due: Timestamp,
}

/// Something to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DeliveryItem {
    /// The question whether the owner of the webhook also owns the URL.
    Challenge,
    /// An event that nothing caused.
    Test,
    /// The event with this number in the feed of the account.
    Event(i64),
}

/// Reads a result. One that the contract has no more is the one that has taken its place.
fn read_result<'de, D: Deserializer<'de>>(deserializer: D) -> Result<DeliveryResult, D::Error> {
    let stored = String::deserialize(deserializer)?;
    let current = match stored.as_str() {
        "refused_address" => DeliveryResult::Unresolved.as_str(),
        other => other,
    };
    DeliveryResult::deserialize(current.into_deserializer())
}

fn is_no_response(result: DeliveryResult) -> bool {
    use DeliveryResult::{Connection, Timeout, Tls, Unresolved};
    matches!(result, Unresolved | Connection | Tls | Timeout)
}

/// The latest attempt, for the owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LastAttempt {
    #[serde(deserialize_with = "read_result")]
    pub(crate) result: DeliveryResult,
    pub(crate) at: Timestamp,
}

/// What a webhook has to send at present.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NextDelivery {
    /// Nothing, until something changes.
    Idle,
    /// Nothing before this time.
    Wait(Timestamp),
    /// This.
    Now(Box<Delivery>),
}

/// An attempt to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Delivery {
    /// The webhook.
    pub(crate) webhook: WebhookId,
    /// Its owner.
    pub(crate) account: AccountId,
    /// Where to send it.
    pub(crate) url: String,
    /// What signs it.
    pub(crate) secret: SigningSecret,
    /// How the receiver answered the latest attempt.
    pub(crate) lane: Lane,
    /// What is sent.
    pub(crate) content: Content,
    /// Identifies the attempt.
    pub(crate) ticket: Ticket,
}

/// What is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// The question whether the owner of the webhook also owns the URL.
    Challenge,
    /// An event that nothing caused.
    Test,
    /// An event.
    Event {
        /// Its id.
        id: String,
        /// The whole event, as its feed shows it.
        json: String,
    },
}

impl Delivery {
    /// An attempt to send this item, which has this content.
    pub(crate) fn new(webhook: &Webhook, state: &DeliveryState, item: DeliveryItem, content: Content) -> Self {
        Self {
            webhook: webhook.id,
            account: webhook.account_id,
            url: webhook.url.clone(),
            secret: state.secret.clone(),
            lane: state.lane(),
            content,
            ticket: Ticket {
                item,
                replays: state.replays,
            },
        }
    }
}

/// Identifies an attempt when its result is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ticket {
    /// What is sent.
    pub(crate) item: DeliveryItem,
    pub(crate) replays: u32,
}

/// The result of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DeliveryReport {
    /// What came of it.
    pub(crate) result: DeliveryResult,
    /// How long the receiver wants to be left alone.
    pub(crate) retry_after: Option<Duration>,
    /// How long it took.
    pub(crate) pace: Pace,
    /// When it ended.
    pub(crate) at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_that_the_contract_no_longer_has_are_read() {
        let read = |result: &str| {
            let stored = format!(r#"{{"result":"{result}","at":"2026-11-21T09:30:00"}}"#);
            serde_json::from_str(&stored).map(|last: LastAttempt| last.result).ok()
        };
        assert_eq!(read("refused_address"), Some(DeliveryResult::Unresolved));
        assert_eq!(read("http_5xx"), Some(DeliveryResult::Http5xx));
        assert_eq!(read("lost"), None);
    }
}
