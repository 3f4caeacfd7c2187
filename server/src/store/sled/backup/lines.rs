//! The lines of a backup: a record as it is stored, and for everything else a form that does not depend on the engine.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use codegen_store::Tree;
use contract::events::Recipient;
use contract::support::{AnswerId, Usage};
use contract::{AccountId, HumanId, Timestamp, WebhookId};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::store::sled::feeds::{Span, StoredEvent};
use crate::store::sled::keys::{self, Id as _};
use crate::store::sled::record::decode;
use crate::store::sled::{answers, steps, usage};
use crate::store::tables;
use crate::store::{DeliveryState, DueStep, StepKey};

/// Whose feed it is, such as `{"account":1}`.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Owner {
    Account(i64),
    Human(i64),
}

impl From<Recipient> for Owner {
    fn from(of: Recipient) -> Self {
        match of {
            Recipient::Account(id) => Self::Account(id.get()),
            Recipient::Human(id) => Self::Human(id.get()),
        }
    }
}

impl From<Owner> for Recipient {
    fn from(of: Owner) -> Self {
        match of {
            Owner::Account(id) => Self::Account(AccountId::from_number(id)),
            Owner::Human(id) => Self::Human(HumanId::from_number(id)),
        }
    }
}

/// A feed, with the numbers of its first and its last event.
#[derive(Serialize, Deserialize)]
pub(super) struct FeedLine {
    pub(super) of: Owner,
    pub(super) first: i64,
    pub(super) last: i64,
}

/// An event in a feed.
#[derive(Serialize, Deserialize)]
pub(super) struct EventLine {
    pub(super) of: Owner,
    pub(super) number: i64,
    /// As it is stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<String>,
    pub(super) timestamp: Timestamp,
    pub(super) name: String,
    pub(super) data: Box<RawValue>,
}

/// What is stored for an idempotency key. The id is the digest of the caller and the key; it and the answer are base64.
#[derive(Serialize, Deserialize)]
pub(super) struct AnswerLine {
    pub(super) id: String,
    pub(super) expires: Timestamp,
    pub(super) answer: String,
}

/// A step of a simulated worker.
#[derive(Serialize, Deserialize)]
pub(super) struct StepLine {
    due: u64,
    account: i64,
    serial: i64,
    about: i64,
    step: String,
}

/// What was counted towards a quota with periods.
#[derive(Serialize, Deserialize)]
pub(super) struct UsageLine {
    pub(super) owner: i64,
    pub(super) quota: String,
    pub(super) period: i64,
    pub(super) count: i64,
}

/// The state of the deliveries of a webhook.
#[derive(Serialize, Deserialize)]
pub(super) struct DeliveryLine {
    pub(super) webhook: WebhookId,
    pub(super) state: DeliveryState,
}

/// What a backup holds for an entry. `None` if the entry is malformed.
pub(in crate::store::sled) fn line_of<'v>(tree: Tree, key: &[u8], value: &'v [u8]) -> Option<Cow<'v, [u8]>> {
    let line = match tree {
        tables::FEEDS => {
            let (of, Span { first, last }) = (keys::recipient_of(key)?.into(), Span::decode(value)?);
            serde_json::to_vec(&FeedLine { of, first, last })
        }
        tables::EVENTS => {
            let (of, number) = key.split_at_checked(9)?;
            let event: StoredEvent = decode(value).ok()?;
            serde_json::to_vec(&EventLine {
                of: keys::recipient_of(of)?.into(),
                number: keys::number(number)?,
                id: event.id,
                timestamp: event.timestamp,
                name: event.name,
                data: event.data,
            })
        }
        tables::ANSWERS => {
            let (expires, answer) = answers::decode(value)?;
            serde_json::to_vec(&AnswerLine {
                id: STANDARD.encode(key),
                expires,
                answer: STANDARD.encode(answer),
            })
        }
        tables::STEPS => {
            let DueStep { key, about, step } = steps::step_of(key, value)?;
            serde_json::to_vec(&StepLine {
                due: key.due,
                account: key.account.get(),
                serial: key.serial,
                about,
                step,
            })
        }
        tables::QUOTA_USAGE => {
            let ((owner, quota), Usage { period, count }) = (usage::owner_of(key)?, usage::usage_of(value)?);
            let quota = quota.to_owned();
            serde_json::to_vec(&UsageLine {
                owner,
                quota,
                period,
                count,
            })
        }
        tables::DELIVERIES => serde_json::to_vec(&DeliveryLine {
            webhook: keys::last(key)?,
            state: decode(value).ok()?,
        }),
        _ => return Some(Cow::Borrowed(value)),
    };
    line.ok().map(Cow::Owned)
}

impl AnswerLine {
    /// The id and the answer. `None` if they are malformed.
    pub(super) fn decoded(&self) -> Option<(AnswerId, Vec<u8>)> {
        let id = STANDARD.decode(&self.id).ok()?;
        Some((id.try_into().ok()?, STANDARD.decode(&self.answer).ok()?))
    }
}

impl From<StepLine> for DueStep {
    fn from(line: StepLine) -> Self {
        let account = AccountId::from_number(line.account);
        Self {
            key: StepKey {
                due: line.due,
                account,
                serial: line.serial,
            },
            about: line.about,
            step: line.step,
        }
    }
}
