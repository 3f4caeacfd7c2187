//! The inputs of writes, and the reasons for which a rule rejects them. A rejection is a value, decided where the
//! write commits.

use std::sync::Arc;

use contract::support::{Amount, OverQuota, QuotaUse};
use contract::{Account, AccountId, ApiKeyId, BountyId, ConversationId, HumanId, Plan, Timestamp, WebhookEvent};

use super::SigningSecret;
use crate::digest::Digest;

/// Who makes a write. Checked again where the write commits, because the credential may have ended meanwhile.
#[derive(Clone, Copy, Debug)]
pub enum Actor {
    /// The operator, whose token is valid as long as the process runs, or the server itself.
    Operator,
    /// An account, with this key.
    Key(ApiKeyId),
    /// A worker, with the token that has this digest.
    Worker(HumanId, Digest),
}

/// Who makes a write, and what the write counts towards quotas.
#[derive(Clone, Debug)]
pub struct Author {
    /// Who makes it.
    pub actor: Actor,
    /// What it counts. Nothing for the operator and the server itself.
    pub uses: Vec<QuotaUse>,
    /// The present time, which decides the period of a quota.
    pub now: Timestamp,
}

impl Actor {
    /// As the author of a write that counts this at this time.
    pub fn counting(self, uses: Vec<QuotaUse>, now: Timestamp) -> Author {
        let actor = self;
        Author { actor, uses, now }
    }
}

impl From<Actor> for Author {
    fn from(actor: Actor) -> Self {
        actor.counting(Vec::new(), Timestamp::from_unix(0))
    }
}

impl Author {
    /// What the write counts towards quotas with periods that the transaction knows: the number of `new` items that no
    /// record had, in place of its own.
    pub(super) fn counted(&self, new: Option<i64>) -> impl Iterator<Item = (&QuotaUse, i64)> {
        self.uses.iter().filter_map(move |used| match (used.amount, new) {
            (Amount::Of(amount), None) => Some((used, amount)),
            (Amount::NewItems, Some(new)) => Some((used, new)),
            _ => None,
        })
    }

    /// The quota on the number of records that there are, which the write would exceed with one more than `present`.
    pub(super) fn over(&self, present: i64) -> Result<(), OverQuota> {
        let mut quotas = self.uses.iter().map(|used| used.quota);
        match quotas.find(|quota| quota.seconds.is_none() && present >= quota.max) {
            Some(quota) => Err(OverQuota(quota)),
            None => Ok(()),
        }
    }
}

/// Why an actor may no longer write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unauthorized {
    /// The key was revoked, or the token replaced.
    Ended,
    /// The account was suspended.
    Suspended,
}

/// The account and key of a valid credential.
#[derive(Clone, Debug)]
pub struct Admitted {
    /// The key that was presented.
    pub key: ApiKeyId,
    /// Whether this use is to be saved.
    pub is_new_use: bool,
    /// The account of the key.
    pub account: Arc<Account>,
}

/// The worker of a valid token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AdmittedHuman {
    /// The worker.
    pub id: HumanId,
    /// Whether the worker is simulated.
    pub sandbox: bool,
}

/// The input of a new account.
#[derive(Clone, Debug)]
pub struct NewAccount {
    /// Its name, which its bounties show.
    pub name: String,
    /// Its plan.
    pub plan: Plan,
    /// Whether it is in the sandbox.
    pub sandbox: bool,
    /// The present time.
    pub created_at: Timestamp,
}

/// The input of a new key. It does not contain the key itself.
#[derive(Clone, Debug)]
pub struct NewKey {
    /// The label that its owner gives it.
    pub name: String,
    /// The prefix of the key that may be displayed.
    pub prefix: String,
    /// The digest of the key.
    pub digest: Digest,
    /// The present time.
    pub created_at: Timestamp,
}

/// The input of a new application.
#[derive(Clone, Debug)]
pub struct NewApplication {
    /// The bounty.
    pub bounty_id: BountyId,
    /// The worker.
    pub human_id: HumanId,
    /// The worker's message.
    pub message: String,
    /// The present time.
    pub created_at: Timestamp,
}

/// The input of a new conversation with its first message.
#[derive(Clone, Debug)]
pub struct NewConversation {
    /// The account that writes.
    pub account_id: AccountId,
    /// The worker who receives the message.
    pub human_id: HumanId,
    /// The first message.
    pub message: String,
    /// The present time.
    pub created_at: Timestamp,
    /// What simulated workers will do.
    pub steps: Vec<NewStep>,
}

/// The input of a new webhook.
#[derive(Clone, Debug)]
pub struct NewWebhook {
    /// Where events are sent.
    pub url: String,
    /// The kinds of events; none means all.
    pub events: Vec<WebhookEvent>,
    /// What signs them.
    pub secret: SigningSecret,
    /// The present time.
    pub created_at: Timestamp,
}

/// The sender of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Party {
    /// The agent of this account.
    Agent(AccountId),
    /// This worker.
    Human(HumanId),
}

/// The input of a new message.
#[derive(Clone, Debug)]
pub struct NewMessage {
    /// The conversation.
    pub conversation_id: ConversationId,
    /// The sender. It must be one of the two parties of the conversation.
    pub sender: Party,
    /// The text.
    pub content: String,
    /// The present time.
    pub created_at: Timestamp,
    /// What simulated workers will do.
    pub steps: Vec<NewStep>,
}

/// The record does not exist, or the actor may not see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Absent;

/// Why a key was not created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyDenied<E> {
    /// There is no such account.
    Absent,
    /// The account has the maximum number of keys.
    Quota,
    /// The `recheck` of the request rejected it.
    Rejected(E),
}

/// Why a webhook was not created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WebhookDenied {
    /// There is no such account.
    Absent,
    /// The account has the maximum number of webhooks.
    Quota,
}

/// Why a status was not set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveDenied<S> {
    /// There is no such record.
    Absent,
    /// It belongs to another account.
    NotOwner,
    /// The contract does not allow this transition.
    Forbidden {
        /// The present status.
        from: S,
        /// The requested status.
        to: S,
    },
    /// The operator has locked the status.
    Locked,
}

/// Why an application was not created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApplyDenied {
    /// There is no such bounty or worker.
    Absent,
    /// The bounty does not take applications.
    NotOpen,
    /// This worker has already applied to it.
    AlreadyApplied,
}

/// A step that a simulated worker will take for an account in the sandbox.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewStep {
    /// When it is due, in milliseconds since the beginning of 1970, UTC.
    pub due: u64,
    /// The account.
    pub account: AccountId,
    /// The id of the bounty or the conversation. A write that creates it sets it.
    pub about: i64,
    /// What is to be done, in a form that only the simulation reads.
    pub step: String,
}

impl NewStep {
    /// The same steps about a record that was just created.
    pub(super) fn all_about(steps: &[Self], about: i64) -> Vec<Self> {
        let of = |step: &Self| Self { about, ..step.clone() };
        steps.iter().map(of).collect()
    }
}

/// A stored step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DueStep {
    /// Its key.
    pub key: StepKey,
    /// The id of the bounty or the conversation.
    pub about: i64,
    /// What is to be done.
    pub step: String,
}

/// The key of a step. Steps are ordered by it: by time, then by account, then as they were stored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct StepKey {
    /// When it is due.
    pub due: u64,
    /// The account.
    pub account: AccountId,
    /// A number that no other step has.
    pub serial: i64,
}

/// The steps that are due, the earliest first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DueSteps {
    /// The steps.
    pub due: Vec<DueStep>,
    /// When the next step after these is due.
    pub next: Option<u64>,
}
