//! The store: the trait [`Store`], its errors ([`StoreError`]) and its outcomes, which are values. Takes and returns
//! records; must not know HTTP, nor any number or text of the contract.
//!
//! ```text
//! rules    pure functions: what a write changes, or why it is rejected; called in the transaction that commits
//! mirror   the records in memory that answer reads; fed with the changes of each commit
//! sled     the embedded engine: transactions, the committer, start and verification
//! suite    the tests that every engine must pass
//! ```

pub mod backup;
mod changed;
mod delivery;
mod error;
mod events;
mod filter;
mod mirror;
mod next_delivery;
mod outcome;
#[cfg(feature = "postgres")]
pub mod postgres;
mod rules;
#[cfg_attr(
    not(feature = "postgres"),
    allow(dead_code, reason = "only the engine over PostgreSQL has a log of commits")
)]
pub mod sled;
#[cfg(test)]
mod suite;
pub(crate) mod tables;
mod unkeyed;
mod watch;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

pub use codegen_store::commit_log::Role;
use contract::events::Recipient;
use contract::support::feed::FeedPage;
use contract::support::{AnswerId, Done, Once};
use contract::{
    Account, AccountId, AccountItem, ApiKey, ApiKeyId, ApiKeyItem, Application, ApplicationId, ApplicationReceived,
    ApplicationSent, ApplicationStatus, Bounty, BountyId, BountyList, BountyStatus, Conversation, ConversationId,
    ConversationItem, ConversationWorkerItem, Encoded, Human, HumanDetail, HumanId, HumanList, MessageId, MessageItem,
    NewHuman, NewSkill, OfferedSkillItem, Page, Rows, Timestamp, Webhook, WebhookId, WebhookItem,
};

use crate::digest::Digest;

pub use delivery::{
    Content, Deliveries, Delivery, DeliveryItem, DeliveryReport, DeliveryState, Lane, NextDelivery, Pace,
    SigningSecret, Ticket,
};
pub use error::StoreError;
pub use events::{FeedRequest, NextEvent, UnknownCursor};
pub use filter::{BountyFilter, HumanFilter, PageRequest};
pub use outcome::{
    Absent, Actor, Admitted, AdmittedHuman, ApplyDenied, Author, DueStep, DueSteps, KeyDenied, MoveDenied, NewAccount,
    NewApplication, NewConversation, NewKey, NewMessage, NewStep, NewWebhook, Party, StepKey, Unauthorized,
    WebhookDenied,
};
#[cfg(test)]
pub(crate) use suite::new_human;
pub use unkeyed::Unkeyed;
pub use watch::{CommitReport, WatchCommits};

/// The result of a store method that no rule can reject.
pub type StoreResult<T> = Result<T, StoreError>;

/// The result of a store method that a rule can reject. The inner result is the decision, the outer error a failure of
/// the store.
pub type Outcome<T, D> = Result<Result<T, D>, StoreError>;

/// How much the store holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sizes {
    /// Accounts, including suspended ones.
    pub accounts: usize,
    /// Keys that are not revoked.
    pub active_keys: usize,
    /// Workers.
    pub humans: usize,
    /// Bounties that take applications, including those of suspended accounts.
    pub open_bounties: usize,
    /// Bytes of the records on disk.
    pub disk_bytes: u64,
}

/// The storage of the service.
///
/// A write that returns `Ok(Ok(_))` is on disk. A rejected write has changed nothing. Each write first checks, where
/// it commits, whether its [`Actor`] may still write. One that takes a [`Once`] stores, in the same transaction, what
/// that says, and returns what it makes of the outcome. Closures passed to a write may run more than once, so they must
/// not read clocks or random numbers.
pub trait Store: Deliveries {
    /// Whether reads and writes can succeed at present. Neither waits nor is slow: it is asked before each request.
    fn is_available(&self) -> bool {
        true
    }

    /// The account of the key with this digest. Saves `now` as the key's last use, if the saved one is older than the
    /// contract allows.
    fn admit_key(&self, digest: Digest, now: Timestamp) -> impl Future<Output = StoreResult<Option<Admitted>>> + Send;
    /// What is stored for the idempotency key with this id, unless it had expired at `now`.
    fn find_answer(&self, id: AnswerId, now: Timestamp) -> impl Future<Output = StoreResult<Option<Vec<u8>>>> + Send;
    /// The worker of the token with this digest.
    fn admit_human(&self, digest: Digest) -> impl Future<Output = StoreResult<Option<AdmittedHuman>>> + Send;

    /// One account.
    fn find_account(&self, id: AccountId) -> impl Future<Output = StoreResult<Option<Arc<Account>>>> + Send;
    /// One active key.
    fn find_api_key(&self, id: ApiKeyId) -> impl Future<Output = StoreResult<Option<Arc<ApiKey>>>> + Send;
    /// One worker.
    fn find_human(&self, id: HumanId) -> impl Future<Output = StoreResult<Option<Arc<Human>>>> + Send;
    /// One worker, in the view for agents.
    fn show_human(&self, id: HumanId) -> impl Future<Output = StoreResult<Option<Encoded<HumanDetail>>>> + Send;
    /// One bounty, of any status.
    fn find_bounty(&self, id: BountyId) -> impl Future<Output = StoreResult<Option<Arc<Bounty>>>> + Send;
    /// One application.
    fn find_application(&self, id: ApplicationId)
    -> impl Future<Output = StoreResult<Option<Arc<Application>>>> + Send;
    /// One conversation, without its messages.
    fn find_conversation(
        &self,
        id: ConversationId,
    ) -> impl Future<Output = StoreResult<Option<Arc<Conversation>>>> + Send;

    /// A page of all accounts, in the contract's order.
    fn list_accounts(&self, window: PageRequest) -> impl Future<Output = StoreResult<Page<AccountItem>>> + Send;
    /// Creates an account with its first key.
    fn create_account<S: Send + 'static>(
        &self,
        account: NewAccount,
        key: NewKey,
        once: Once<S, (AccountId, ApiKeyId)>,
    ) -> impl Future<Output = StoreResult<Done<S>>> + Send;
    /// Changes an account. Changes that `change` makes to its id or its number of keys are ignored.
    fn update_account(
        &self,
        id: AccountId,
        change: impl Fn(&mut Account) + Send + 'static,
    ) -> impl Future<Output = Outcome<(), Absent>> + Send;

    /// The active keys of an account, in the contract's order, each with its last saved use.
    fn list_keys(&self, account: AccountId) -> impl Future<Output = StoreResult<Rows<ApiKeyItem>>> + Send;
    /// Creates a key, if `recheck` accepts the account and the account has fewer than `max` keys.
    fn create_key<S: Send + 'static, E: Send + 'static>(
        &self,
        by: Actor,
        account: AccountId,
        key: NewKey,
        max: i64,
        recheck: impl Fn(&Account) -> Result<(), E> + Send + 'static,
        once: Once<S, ApiKeyId>,
    ) -> impl Future<Output = Outcome<Done<S>, KeyDenied<E>>> + Send;
    /// Revokes a key of this account. The key is rejected from the moment this returns.
    fn delete_key(&self, by: Actor, owner: AccountId, id: ApiKeyId)
    -> impl Future<Output = Outcome<(), Absent>> + Send;

    /// The matching workers, in the contract's order, and their total number.
    fn find_humans(
        &self,
        filter: HumanFilter,
        window: PageRequest,
    ) -> impl Future<Output = StoreResult<Page<HumanList>>> + Send;
    /// The skills that workers of this realm have, in the contract's order, and their total number.
    fn list_skills(
        &self,
        sandbox: bool,
        window: PageRequest,
    ) -> impl Future<Output = StoreResult<Page<OfferedSkillItem>>> + Send;
    /// The names of skills nearest to this one, which no worker of this realm has; none if a worker has it.
    fn nearest_skills(&self, sandbox: bool, name: String) -> impl Future<Output = StoreResult<Vec<String>>> + Send;
    /// Creates workers, live or simulated ones, all or none, with ids in the given order.
    fn create_humans<S: Send + 'static>(
        &self,
        humans: Vec<NewHuman>,
        sandbox: bool,
        once: Once<S, Vec<HumanId>>,
    ) -> impl Future<Output = StoreResult<Done<S>>> + Send;
    /// Changes a worker. `skills`, if present, replace the worker's skills. Changes that `change` makes to the id or
    /// the token are ignored.
    fn update_human(
        &self,
        by: impl Into<Author> + Send,
        id: HumanId,
        skills: Option<Vec<NewSkill>>,
        change: impl Fn(&mut Human) + Send + 'static,
    ) -> impl Future<Output = Outcome<(), Absent>> + Send;
    /// Gives a worker the token with this digest. The previous token ends.
    fn create_human_token(&self, id: HumanId, digest: Digest) -> impl Future<Output = Outcome<(), Absent>> + Send;

    /// The matching open bounties of accounts that are not suspended, in the contract's order, and their total number.
    fn find_bounties(
        &self,
        filter: BountyFilter,
        window: PageRequest,
    ) -> impl Future<Output = StoreResult<Page<BountyList>>> + Send;
    /// Creates a bounty. The id of `draft` is replaced by a new one. `steps` are what simulated workers will do about it.
    fn create_bounty<S: Send + 'static>(
        &self,
        by: impl Into<Author> + Send,
        draft: Bounty,
        steps: Vec<NewStep>,
        once: Once<S, BountyId>,
    ) -> impl Future<Output = StoreResult<Done<S>>> + Send;
    /// Sets the status of a bounty of this account, if the contract allows the transition.
    fn move_bounty(
        &self,
        by: impl Into<Author> + Send,
        owner: AccountId,
        id: BountyId,
        to: BountyStatus,
        now: Timestamp,
    ) -> impl Future<Output = Outcome<(), MoveDenied<BountyStatus>>> + Send;

    /// Changes a bounty for the operator: `change` may not affect its id and its owner.
    fn update_bounty(
        &self,
        id: BountyId,
        change: impl Fn(&mut Bounty) + Send + Sync + 'static,
        now: Timestamp,
    ) -> impl Future<Output = Outcome<(), Absent>> + Send;
    /// Whether a worker has applied to a bounty.
    fn has_applied(&self, bounty: BountyId, human: HumanId) -> impl Future<Output = StoreResult<bool>> + Send;

    /// The bounties of an account in this status, or in any, in the contract's order, and their total number.
    fn own_bounties(
        &self,
        account: AccountId,
        status: Option<BountyStatus>,
        window: PageRequest,
    ) -> impl Future<Output = StoreResult<Page<BountyList>>> + Send;

    /// The applications to a bounty, in the contract's order, with the current state of their workers.
    fn received_applications(
        &self,
        bounty: BountyId,
        window: PageRequest,
    ) -> impl Future<Output = StoreResult<Rows<ApplicationReceived>>> + Send;
    /// A worker's own applications, by id.
    fn sent_applications(
        &self,
        human: HumanId,
        window: PageRequest,
    ) -> impl Future<Output = StoreResult<Page<ApplicationSent>>> + Send;
    /// Creates an application to an open bounty, at most one for each worker and bounty.
    fn create_application<S: Send + 'static>(
        &self,
        by: impl Into<Author> + Send,
        application: NewApplication,
        once: Once<S, ApplicationId>,
    ) -> impl Future<Output = Outcome<Done<S>, ApplyDenied>> + Send;
    /// Accepts or rejects an application to a bounty of this account. If its status changes, `steps` are stored: what
    /// simulated workers will do.
    fn decide_application(
        &self,
        by: Actor,
        owner: AccountId,
        id: ApplicationId,
        to: ApplicationStatus,
        now: Timestamp,
        steps: Vec<NewStep>,
    ) -> impl Future<Output = Outcome<(), MoveDenied<ApplicationStatus>>> + Send;

    /// An account's conversations, latest message first.
    fn agent_conversations(
        &self,
        account: AccountId,
        window: PageRequest,
    ) -> impl Future<Output = StoreResult<Rows<ConversationItem>>> + Send;
    /// A worker's conversations, latest message first.
    fn worker_conversations(
        &self,
        human: HumanId,
        window: PageRequest,
    ) -> impl Future<Output = StoreResult<Rows<ConversationWorkerItem>>> + Send;
    /// The messages of a conversation by id, up to the last one that `conversation` states.
    fn messages(&self, conversation: &Conversation) -> impl Future<Output = StoreResult<Rows<MessageItem>>> + Send;
    /// The messages of a conversation, in the contract's order for lists of messages.
    fn latest_messages(
        &self,
        conversation: &Conversation,
        window: PageRequest,
    ) -> impl Future<Output = StoreResult<Rows<MessageItem>>> + Send;
    /// Creates a conversation with its first message, which is from the account.
    fn create_conversation<S: Send + 'static>(
        &self,
        by: impl Into<Author> + Send,
        conversation: NewConversation,
        once: Once<S, (ConversationId, MessageId)>,
    ) -> impl Future<Output = Outcome<Done<S>, Absent>> + Send;
    /// Creates a message in a conversation. Its sender must be a party of the conversation.
    fn create_message<S: Send + 'static>(
        &self,
        by: impl Into<Author> + Send,
        message: NewMessage,
        once: Once<S, MessageId>,
    ) -> impl Future<Output = Outcome<Done<S>, Absent>> + Send;

    /// Waits until steps of simulated workers were added or are due earlier. For one waiter.
    fn steps_changed(&self) -> impl Future<Output = ()> + Send;
    /// At most so many of the steps of simulated workers that are due at this time, the earliest first.
    fn due_steps(&self, at: u64, most: usize) -> impl Future<Output = StoreResult<DueSteps>> + Send;
    /// Removes the steps that were taken and adds others, in one write.
    fn replace_steps(&self, taken: Vec<StepKey>, new: Vec<NewStep>) -> impl Future<Output = StoreResult<()>> + Send;
    /// Makes all steps for this account due earlier by so many milliseconds.
    fn advance_steps(&self, account: AccountId, millis: u64) -> impl Future<Output = StoreResult<()>> + Send;
    /// One webhook.
    fn find_webhook(&self, id: WebhookId) -> impl Future<Output = StoreResult<Option<Arc<Webhook>>>> + Send;
    /// The webhooks of an account, in the contract's order, each with its latest result.
    fn list_webhooks(&self, account: AccountId) -> impl Future<Output = StoreResult<Rows<WebhookItem>>> + Send;
    /// Creates a webhook, if the account has fewer than `max`. It is due to be asked for the challenge.
    fn create_webhook<S: Send + 'static>(
        &self,
        by: Actor,
        account: AccountId,
        webhook: NewWebhook,
        max: i64,
        once: Once<S, WebhookId>,
    ) -> impl Future<Output = Outcome<Done<S>, WebhookDenied>> + Send;
    /// Deletes a webhook of this account.
    fn delete_webhook(
        &self,
        by: Actor,
        owner: AccountId,
        id: WebhookId,
    ) -> impl Future<Output = Outcome<(), Absent>> + Send;
    /// A test of a webhook of this account is due, or the challenge if it is not active.
    fn test_webhook(
        &self,
        by: Actor,
        owner: AccountId,
        id: WebhookId,
        now: Timestamp,
    ) -> impl Future<Output = Outcome<(), Absent>> + Send;
    /// All events after this number are due to be sent again to a webhook of this account.
    fn replay_webhook(
        &self,
        by: Actor,
        owner: AccountId,
        id: WebhookId,
        after: i64,
    ) -> impl Future<Output = Outcome<(), Absent>> + Send;

    /// A part of the feed of a recipient. Each write that causes events stores them in the same transaction. They are
    /// numbered from 1 for each recipient, without gaps, and shown once they are on disk.
    fn events(
        &self,
        of: Recipient,
        request: FeedRequest,
    ) -> impl Future<Output = Outcome<FeedPage, UnknownCursor>> + Send;
    /// Waits for events that are committed from now on. Call it before [`Self::events`], so that none is missed.
    fn next_event(&self, of: Recipient) -> NextEvent;
}

/// Writes without an idempotency key.
pub trait WithoutKeys: Store + Sized {
    /// This store, for writes that return their outcomes.
    fn unkeyed(&self) -> Unkeyed<'_, Self> {
        Unkeyed(self)
    }
}

impl<S: Store> WithoutKeys for S {}

/// How far reads may be behind what others have written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Staleness {
    /// At most so far.
    AtMost(Duration),
    /// It is not known, and nothing is read.
    Unknown,
}

/// A store that this process opened: its state, and its end.
pub trait Engine: Store {
    /// The role of this process, now and later.
    fn role(&self) -> tokio::sync::watch::Receiver<Role>;
    /// How far reads may be behind what other processes have written: `None` if nobody else writes.
    fn staleness(&self) -> Option<Staleness>;
    /// Waits until reads show all that other processes had written when this was called, or until nothing can be read.
    fn catch_up(&self) -> impl Future<Output = ()> + Send {
        std::future::ready(())
    }
    /// Whether writes can succeed: no commit has failed, and the store is open.
    fn is_writable(&self) -> bool;
    /// Whether the store has never held a record.
    fn is_empty(&self) -> StoreResult<bool>;
    /// How many records of each kind there are. Asks the operating system for the sizes of some files; does not wait
    /// for writes.
    fn sizes(&self) -> StoreResult<Sizes>;
    /// Calls `watch` for every commit from now on. Only the first observer is used.
    fn watch_commits(&self, watch: Arc<dyn WatchCommits>);
    /// Finishes the waiting writes and releases the files. Every later call fails.
    fn close(&self) -> impl Future<Output = StoreResult<()>> + Send;
}
