//! What goes into a write and what it can be rejected for. An error response is a value, decided where the write commits.

use std::sync::Arc;

use contract::{
    Account, AccountId, ApiKeyId, ApplicationStatus, Bounty, BountyId, BountyStatus, ConversationId, Human, HumanId,
    Plan, Timestamp,
};

use crate::digest::Digest;

/// Who asks for a write. Decided again where it commits, because the credential may have ended since it was checked.
#[derive(Clone, Copy, Debug)]
pub enum Actor {
    /// The operator, whose token lasts as long as the process, or the server itself.
    Operator,
    /// An account, by this key.
    Key(ApiKeyId),
    /// A worker, by the token with this digest.
    Worker(HumanId, Digest),
}

/// Why an actor may not write any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unauthorized {
    /// The key was revoked, or the token replaced.
    Ended,
    /// The account was suspended.
    Suspended,
}

/// Whom a key admits.
#[derive(Clone, Debug)]
pub struct Admitted {
    /// The key that was shown.
    pub key: ApiKeyId,
    /// The account that it speaks for.
    pub account: Arc<Account>,
}

/// An account to be made.
#[derive(Clone, Debug)]
pub struct NewAccount {
    /// Its name, which its bounties show.
    pub name: String,
    /// Its plan.
    pub plan: Plan,
    /// Now.
    pub created_at: Timestamp,
}

/// A key to be made. The key itself never comes here.
#[derive(Clone, Debug)]
pub struct NewKey {
    /// The label that its owner gives it.
    pub name: String,
    /// As much of the key as may be shown.
    pub prefix: String,
    /// The digest of the key.
    pub digest: Digest,
    /// Now.
    pub created_at: Timestamp,
}

/// An application to be made.
#[derive(Clone, Debug)]
pub struct NewApplication {
    /// To which bounty.
    pub bounty_id: BountyId,
    /// By whom.
    pub human_id: HumanId,
    /// What the worker writes.
    pub message: String,
    /// Now.
    pub created_at: Timestamp,
}

/// A conversation to be made, with its first message.
#[derive(Clone, Debug)]
pub struct NewConversation {
    /// Who writes.
    pub account_id: AccountId,
    /// To whom.
    pub human_id: HumanId,
    /// The first message.
    pub message: String,
    /// Now.
    pub created_at: Timestamp,
}

/// Who speaks in a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Party {
    /// The agent of this account.
    Agent(AccountId),
    /// This worker.
    Human(HumanId),
}

/// A message to be made.
#[derive(Clone, Debug)]
pub struct NewMessage {
    /// Where.
    pub conversation_id: ConversationId,
    /// By whom: it must be one of the conversation's two.
    pub sender: Party,
    /// The text.
    pub content: String,
    /// Now.
    pub created_at: Timestamp,
}

/// What was named is not there, or not for the one who named it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Absent;

/// Why a key was not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyDenied<E> {
    /// There is no such account.
    Absent,
    /// It has as many as it may have.
    Quota,
    /// The check that came with the request rejected it.
    Rejected(E),
}

/// Why a status was not set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveDenied<S> {
    /// There is no such thing.
    Absent,
    /// It is another account's.
    NotOwner,
    /// The contract knows no such move.
    Forbidden {
        /// What it is.
        from: S,
        /// What it was to become.
        to: S,
    },
}

/// Why an application was not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApplyDenied {
    /// There is no such bounty or worker.
    Absent,
    /// The bounty takes no applications.
    NotOpen,
    /// This worker has applied to it before.
    AlreadyApplied,
}

/// Whether the bounty may become `to` by the hand of `owner`.
pub(super) fn check_bounty_move(
    bounty: &Bounty,
    owner: AccountId,
    to: BountyStatus,
) -> Result<(), MoveDenied<BountyStatus>> {
    let from = bounty.status;
    if bounty.account_id != owner {
        Err(MoveDenied::NotOwner)
    } else if from.may_become(to) {
        Ok(())
    } else {
        Err(MoveDenied::Forbidden { from, to })
    }
}

/// Whether an application may go from one status to the other.
pub(super) fn check_decision(
    from: ApplicationStatus,
    to: ApplicationStatus,
) -> Result<(), MoveDenied<ApplicationStatus>> {
    if from.may_become(to) {
        Ok(())
    } else {
        Err(MoveDenied::Forbidden { from, to })
    }
}

/// Whether the account of a key may write; there is none once the key is revoked.
pub(super) fn check_account(account: Option<&Account>) -> Result<(), Unauthorized> {
    match account {
        None => Err(Unauthorized::Ended),
        Some(account) if account.suspended => Err(Unauthorized::Suspended),
        Some(_) => Ok(()),
    }
}

/// Whether a worker whose token has this digest may write.
pub(super) fn check_worker(worker: Option<&Human>, token: Digest) -> Result<(), Unauthorized> {
    let digest = worker.and_then(|worker| worker.token_digest.as_deref());
    match digest.and_then(Digest::from_hex) {
        Some(digest) if digest == token => Ok(()),
        _ => Err(Unauthorized::Ended),
    }
}

/// Whether an account may have one key more.
pub(super) fn check_new_key<E>(
    account: &Account,
    max: i64,
    recheck: impl Fn(&Account) -> Result<(), E>,
) -> Result<(), KeyDenied<E>> {
    recheck(account).map_err(KeyDenied::Rejected)?;
    if account.active_keys < max {
        Ok(())
    } else {
        Err(KeyDenied::Quota)
    }
}

/// Whether a bounty takes applications.
pub(super) fn takes_applications(bounty: &Bounty) -> bool {
    bounty.status == BountyStatus::Open
}
