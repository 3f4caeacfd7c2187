//! What the server stores, in terms of its domain.
//!
//! Owns the trait [`Store`], its errors ([`StoreError`]) and its outcomes, which are values. An implementation checks every rule
//! again where it commits, and returns from a write only when the write is on disk. Knows records and outcomes; must not know
//! HTTP, nor any number or text of the contract.

mod error;
mod filter;
mod memory;
mod outcome;
pub mod sled;
mod watch;

use std::future::Future;
use std::sync::Arc;

use contract::{
    Account, AccountId, AccountItem, ApiKey, ApiKeyId, ApiKeyItem, Application, ApplicationId, ApplicationReceived,
    ApplicationSent, ApplicationStatus, Bounty, BountyId, BountyList, BountyStatus, Conversation, ConversationId,
    ConversationItem, ConversationWorkerItem, Encoded, Human, HumanDetail, HumanId, HumanList, MessageId, MessageItem,
    NewHuman, NewSkill, Page, Rows, Timestamp,
};

use crate::digest::Digest;

pub use error::StoreError;
pub use filter::{BountyFilter, HumanFilter, PageRequest};
pub use outcome::{
    Absent, Actor, Admitted, ApplyDenied, KeyDenied, MoveDenied, NewAccount, NewApplication, NewConversation, NewKey,
    NewMessage, Party, Unauthorized,
};
pub use watch::{Commit, WatchCommits};

/// What a store method that cannot be rejected gives.
pub type StoreResult<T> = Result<T, StoreError>;

/// What a store method gives that may be rejected: the inner result is the store's answer, the outer one its failure.
pub type Outcome<T, D> = Result<Result<T, D>, StoreError>;

/// How much the store holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sizes {
    /// Accounts, suspended ones too.
    pub accounts: usize,
    /// Keys that are not revoked.
    pub active_keys: usize,
    /// Workers.
    pub humans: usize,
    /// Bounties that take applications, those of suspended accounts too.
    pub open_bounties: usize,
    /// Bytes that the records take on the disk.
    pub disk_bytes: u64,
}

/// Everything that the service remembers.
///
/// A write that returns `Ok(Ok(_))` is on the disk. A rejected one has written nothing. Whether its [`Actor`] still may write is
/// decided where it commits, before anything else. Closures given to a write may run
/// more than once, so they must not look at clocks or dice.
pub trait Store: Send + Sync + 'static {
    /// The account that a key with this digest speaks for; notes `now` as the key's last use.
    fn admit_key(&self, digest: Digest, now: Timestamp) -> impl Future<Output = StoreResult<Option<Admitted>>> + Send;
    /// The worker whom a token with this digest speaks for.
    fn admit_human(&self, digest: Digest) -> impl Future<Output = StoreResult<Option<HumanId>>> + Send;

    /// One account.
    fn find_account(&self, id: AccountId) -> impl Future<Output = StoreResult<Option<Arc<Account>>>> + Send;
    /// One active key.
    fn find_api_key(&self, id: ApiKeyId) -> impl Future<Output = StoreResult<Option<Arc<ApiKey>>>> + Send;
    /// One worker.
    fn find_human(&self, id: HumanId) -> impl Future<Output = StoreResult<Option<Arc<Human>>>> + Send;
    /// One worker, as agents see it.
    fn show_human(&self, id: HumanId) -> impl Future<Output = StoreResult<Option<Encoded<HumanDetail>>>> + Send;
    /// One bounty, whatever its status.
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
    /// A new account with its first key.
    fn create_account(
        &self,
        account: NewAccount,
        key: NewKey,
    ) -> impl Future<Output = StoreResult<(AccountId, ApiKeyId)>> + Send;
    /// Changes an account. What `change` does to its id or its number of keys is undone.
    fn update_account(
        &self,
        id: AccountId,
        change: impl Fn(&mut Account) + Send + 'static,
    ) -> impl Future<Output = Outcome<(), Absent>> + Send;

    /// The active keys of an account, in the contract's order, each with its last use as of now.
    fn list_keys(&self, account: AccountId) -> impl Future<Output = StoreResult<Rows<ApiKeyItem>>> + Send;
    /// One key more, if `recheck` still lets the account have one and it has fewer than `max`.
    fn create_key<E: Send + 'static>(
        &self,
        by: Actor,
        account: AccountId,
        key: NewKey,
        max: i64,
        recheck: impl Fn(&Account) -> Result<(), E> + Send + 'static,
    ) -> impl Future<Output = Outcome<ApiKeyId, KeyDenied<E>>> + Send;
    /// Revokes a key of this account. When it returns, the key opens nothing any more.
    fn delete_key(&self, by: Actor, owner: AccountId, id: ApiKeyId)
    -> impl Future<Output = Outcome<(), Absent>> + Send;

    /// The workers that match, in the contract's order, and how many there are in all.
    fn find_humans(
        &self,
        filter: HumanFilter,
        window: PageRequest,
    ) -> impl Future<Output = StoreResult<Page<HumanList>>> + Send;
    /// New workers, all or none, with ids in the order given.
    fn create_humans(&self, humans: Vec<NewHuman>) -> impl Future<Output = StoreResult<Vec<HumanId>>> + Send;
    /// Changes a worker. `skills`, when given, take the place of those that the worker had. What `change` does to the
    /// id or the token is undone.
    fn update_human(
        &self,
        by: Actor,
        id: HumanId,
        skills: Option<Vec<NewSkill>>,
        change: impl Fn(&mut Human) + Send + 'static,
    ) -> impl Future<Output = Outcome<(), Absent>> + Send;
    /// Gives a worker the token with this digest; the former one ends.
    fn create_human_token(&self, id: HumanId, digest: Digest) -> impl Future<Output = Outcome<(), Absent>> + Send;

    /// The open bounties of accounts in good standing that match, in the contract's order, and how many in all.
    fn find_bounties(
        &self,
        filter: BountyFilter,
        window: PageRequest,
    ) -> impl Future<Output = StoreResult<Page<BountyList>>> + Send;
    /// A new bounty; `draft` makes it for the id that it gets.
    fn create_bounty(
        &self,
        by: Actor,
        draft: impl Fn(BountyId) -> Bounty + Send + 'static,
    ) -> impl Future<Output = StoreResult<BountyId>> + Send;
    /// Sets the status of a bounty of this account, if the contract lets it become that.
    fn move_bounty(
        &self,
        by: Actor,
        owner: AccountId,
        id: BountyId,
        to: BountyStatus,
    ) -> impl Future<Output = Outcome<(), MoveDenied<BountyStatus>>> + Send;

    /// All applications to a bounty, in the contract's order, with their workers as they are now.
    fn received_applications(
        &self,
        bounty: BountyId,
    ) -> impl Future<Output = StoreResult<Rows<ApplicationReceived>>> + Send;
    /// A worker's own applications, by id.
    fn sent_applications(
        &self,
        human: HumanId,
        window: PageRequest,
    ) -> impl Future<Output = StoreResult<Page<ApplicationSent>>> + Send;
    /// A worker's application to an open bounty, one a worker and bounty.
    fn create_application(
        &self,
        by: Actor,
        application: NewApplication,
    ) -> impl Future<Output = Outcome<ApplicationId, ApplyDenied>> + Send;
    /// Accepts or rejects an application to a bounty of this account.
    fn decide_application(
        &self,
        by: Actor,
        owner: AccountId,
        id: ApplicationId,
        to: ApplicationStatus,
    ) -> impl Future<Output = Outcome<(), MoveDenied<ApplicationStatus>>> + Send;

    /// An account's conversations, the one with the latest message first.
    fn agent_conversations(
        &self,
        account: AccountId,
        limit: i64,
    ) -> impl Future<Output = StoreResult<Rows<ConversationItem>>> + Send;
    /// A worker's conversations, the one with the latest message first.
    fn worker_conversations(
        &self,
        human: HumanId,
        limit: i64,
    ) -> impl Future<Output = StoreResult<Rows<ConversationWorkerItem>>> + Send;
    /// The messages of a conversation up to the last one that it names, by id.
    fn messages(&self, conversation: &Conversation) -> impl Future<Output = StoreResult<Rows<MessageItem>>> + Send;
    /// A new conversation with its first message, which is the account's.
    fn create_conversation(
        &self,
        by: Actor,
        conversation: NewConversation,
    ) -> impl Future<Output = Outcome<(ConversationId, MessageId), Absent>> + Send;
    /// A message in a conversation that its sender takes part in.
    fn create_message(&self, by: Actor, message: NewMessage)
    -> impl Future<Output = Outcome<MessageId, Absent>> + Send;

    /// Whether writes can succeed: no commit has failed, and the store is open.
    fn is_writable(&self) -> bool;
    /// Whether nothing was ever entered.
    fn is_empty(&self) -> impl Future<Output = StoreResult<bool>> + Send;
    /// How much there is of each kind now. Asks the operating system for the sizes of some files, and waits for no write.
    fn sizes(&self) -> StoreResult<Sizes>;
    /// Finishes the writes that wait, and lets go of the disk. Every later call fails.
    fn close(&self) -> impl Future<Output = StoreResult<()>> + Send;
}
