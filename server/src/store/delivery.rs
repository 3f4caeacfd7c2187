//! What is known of the deliveries of a webhook beside what its owner sees: its secret, the events that wait for
//! another attempt, and how far it has got. The rules about it are in `rules::webhooks`.

use std::fmt;
use std::future::Future;
use std::time::Duration;

use contract::support::mint;
use contract::{AccountId, DeliveryResult, Timestamp, Webhook, WebhookId};
use serde::de::IntoDeserializer;
use serde::{Deserialize, Deserializer, Serialize};

use super::StoreResult;

/// A secret that signs deliveries. It is stored as it is, because signing needs it, and is never displayed.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SigningSecret(String);

impl SigningSecret {
    /// What the text begins with, as Standard Webhooks prescribes.
    pub const PREFIX: &str = "whsec_";
    /// How many random letters and digits follow: the base64 of 33 bytes.
    const RANDOM_CHARS: usize = 44;

    /// A new one.
    pub fn mint() -> Self {
        Self(mint(Self::PREFIX, Self::RANDOM_CHARS))
    }

    /// The secret with this text.
    pub fn new(text: String) -> Self {
        Self(text)
    }

    /// Its text, for signing.
    pub fn expose(&self) -> &str {
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
    pub(super) secret: SigningSecret,
    /// The number of the last event that was attempted, or that is older than the webhook. Later ones follow.
    pub(super) cursor: i64,
    /// What waits for its time, in no order.
    pub(super) waiting: Vec<Waiting>,
    /// The first failure after the latest success.
    pub(super) failing_since: Option<Timestamp>,
    /// The latest attempt.
    pub(super) last: Option<LastAttempt>,
    /// How long the latest attempt took.
    pub(super) pace: Pace,
    /// How often events were requested again. An attempt from before such a request does not move the cursor.
    pub(super) replays: u32,
}

impl DeliveryState {
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
    pub(super) fn raise_numbers(&mut self, gap: i64) {
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
pub enum Lane {
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
pub enum Pace {
    /// Nothing was sent to it yet.
    New,
    /// Not long.
    Fast,
    /// Long, or it did not answer at all.
    Slow,
}

/// Something to send, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Waiting {
    pub(super) item: DeliveryItem,
    /// The attempts so far.
    pub(super) attempts: u32,
    pub(super) due: Timestamp,
}

/// Something to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryItem {
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
pub(super) struct LastAttempt {
    #[serde(deserialize_with = "read_result")]
    pub(super) result: DeliveryResult,
    pub(super) at: Timestamp,
}

/// What a webhook has to send at present.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextDelivery {
    /// Nothing, until something changes.
    Idle,
    /// Nothing before this time.
    Wait(Timestamp),
    /// This.
    Now(Box<Delivery>),
}

/// An attempt to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The webhook.
    pub webhook: WebhookId,
    /// Its owner.
    pub account: AccountId,
    /// Where to send it.
    pub url: String,
    /// What signs it.
    pub secret: SigningSecret,
    /// How the receiver answered the latest attempt.
    pub lane: Lane,
    /// What is sent.
    pub content: Content,
    /// Identifies the attempt.
    pub ticket: Ticket,
}

/// What is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
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
    pub(super) fn new(webhook: &Webhook, state: &DeliveryState, item: DeliveryItem, content: Content) -> Self {
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
pub struct Ticket {
    /// What is sent.
    pub item: DeliveryItem,
    pub(super) replays: u32,
}

/// The result of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeliveryReport {
    /// What came of it.
    pub result: DeliveryResult,
    /// How long the receiver wants to be left alone.
    pub retry_after: Option<Duration>,
    /// How long it took.
    pub pace: Pace,
    /// When it ended.
    pub at: Timestamp,
}

/// The part of the store that sends events to webhooks.
pub trait Deliveries: Send + Sync + 'static {
    /// The webhooks of an account, or all.
    fn webhooks(&self, account: Option<AccountId>) -> StoreResult<Vec<WebhookId>>;
    /// What this webhook has to send at this time. Idle if it does not exist, or its account is suspended.
    fn next_delivery(
        &self,
        webhook: WebhookId,
        now: Timestamp,
    ) -> impl Future<Output = StoreResult<NextDelivery>> + Send;
    /// Stores the result of an attempt, if the webhook still exists.
    fn settle_delivery(
        &self,
        webhook: WebhookId,
        ticket: Ticket,
        report: DeliveryReport,
    ) -> impl Future<Output = StoreResult<()>> + Send;
    /// Waits until something has changed, and returns the accounts whose webhooks may have something to send. For one
    /// caller.
    fn changed(&self) -> impl Future<Output = Vec<AccountId>> + Send;
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
