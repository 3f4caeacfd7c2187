//! Routes each method of the store to memory, to the trees, or to the committer.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, RwLock};

use contract::{
    Account, AccountId, AccountItem, ApiKey, ApiKeyId, ApiKeyItem, Application, ApplicationId, ApplicationReceived,
    ApplicationSent, ApplicationStatus, Bounty, BountyId, BountyList, BountyStatus, Conversation, ConversationId,
    ConversationItem, ConversationWorkerItem, Encoded, Human, HumanDetail, HumanId, HumanList, MessageId, MessageItem,
    NewHuman, NewSkill, OfferedSkillItem, Page, Rows, Timestamp,
};

use super::trees::{Tree, Trees};
use super::{SledStore, blocking, lists, torn, writes};
use crate::digest::Digest;
use crate::store::mirror::Mirror;
use crate::store::rules::humans::{Draft, named};
use crate::store::{
    Absent, Actor, Admitted, ApplyDenied, BountyFilter, Engine, HumanFilter, KeyDenied, MoveDenied, NewAccount,
    NewApplication, NewConversation, NewKey, NewMessage, Outcome, PageRequest, Sizes, Store, StoreError, StoreResult,
    WatchCommits,
};

/// Up to this many rows, a search takes about a millisecond at most, so that the thread of the request may run it.
const MAX_ROWS_INLINE: usize = 100_000;

impl Store for SledStore {
    async fn admit_key(&self, digest: Digest, now: Timestamp) -> StoreResult<Option<Admitted>> {
        self.read_mirror(|mirror| mirror.admit_key(&digest, now))
    }

    async fn admit_human(&self, digest: Digest) -> StoreResult<Option<HumanId>> {
        self.read_mirror(|mirror| mirror.humans.admit(&digest))
    }

    async fn find_account(&self, id: AccountId) -> StoreResult<Option<Arc<Account>>> {
        self.read_mirror(|mirror| mirror.account(id).cloned())
    }

    async fn find_api_key(&self, id: ApiKeyId) -> StoreResult<Option<Arc<ApiKey>>> {
        self.read_mirror(|mirror| mirror.keys.get(id).cloned())
    }

    async fn find_human(&self, id: HumanId) -> StoreResult<Option<Arc<Human>>> {
        self.read_mirror(|mirror| mirror.humans.get(id))
    }

    async fn show_human(&self, id: HumanId) -> StoreResult<Option<Encoded<HumanDetail>>> {
        self.read_mirror(|mirror| mirror.humans.detail(id))
    }

    async fn find_bounty(&self, id: BountyId) -> StoreResult<Option<Arc<Bounty>>> {
        match self.read_mirror(|mirror| mirror.bounties.get(id).cloned())? {
            Some(open) => Ok(Some(open)),
            None => self.read(move |trees, _| Ok(trees.get(id)?.map(Arc::new))).await,
        }
    }

    async fn find_application(&self, id: ApplicationId) -> StoreResult<Option<Arc<Application>>> {
        self.read(move |trees, _| Ok(trees.get(id)?.map(Arc::new))).await
    }

    async fn find_conversation(&self, id: ConversationId) -> StoreResult<Option<Arc<Conversation>>> {
        self.read(move |trees, _| Ok(trees.get(id)?.map(Arc::new))).await
    }

    async fn list_accounts(&self, window: PageRequest) -> StoreResult<Page<AccountItem>> {
        self.read_mirror(|mirror| mirror.accounts(window))
    }

    async fn create_account(&self, account: NewAccount, key: NewKey) -> StoreResult<(AccountId, ApiKeyId)> {
        self.commit_infallible(Actor::Operator, move |tx| writes::create_account(tx, &account, &key))
            .await
    }

    async fn update_account(
        &self,
        id: AccountId,
        change: impl Fn(&mut Account) + Send + 'static,
    ) -> Outcome<(), Absent> {
        self.write(Actor::Operator, move |tx| writes::update_account(tx, id, &change))
            .await
    }

    async fn list_keys(&self, account: AccountId) -> StoreResult<Rows<ApiKeyItem>> {
        self.read_mirror(|mirror| mirror.keys.list(account))
    }

    async fn create_key<E: Send + 'static>(
        &self,
        by: Actor,
        account: AccountId,
        key: NewKey,
        max: i64,
        recheck: impl Fn(&Account) -> Result<(), E> + Send + 'static,
    ) -> Outcome<ApiKeyId, KeyDenied<E>> {
        self.write(by, move |tx| writes::create_key(tx, account, &key, max, &recheck))
            .await
    }

    async fn delete_key(&self, by: Actor, owner: AccountId, id: ApiKeyId) -> Outcome<(), Absent> {
        self.write(by, move |tx| writes::delete_key(tx, owner, id)).await
    }

    async fn find_humans(&self, filter: HumanFilter, window: PageRequest) -> StoreResult<Page<HumanList>> {
        self.read_mirror(|mirror| mirror.humans.find(&filter, window))
    }

    async fn create_humans(&self, humans: Vec<NewHuman>) -> StoreResult<Vec<HumanId>> {
        let drafts = blocking(|| Ok(humans.into_iter().map(Draft::new).collect::<Vec<_>>())).await?;
        self.commit_infallible(Actor::Operator, move |tx| writes::create_humans(tx, &drafts))
            .await
    }

    async fn update_human(
        &self,
        by: Actor,
        id: HumanId,
        skills: Option<Vec<NewSkill>>,
        change: impl Fn(&mut Human) + Send + 'static,
    ) -> Outcome<(), Absent> {
        let skills = skills.map(named);
        self.write(by, move |tx| writes::update_human(tx, id, skills.as_deref(), &change))
            .await
    }

    async fn create_human_token(&self, id: HumanId, digest: Digest) -> Outcome<(), Absent> {
        self.write(Actor::Operator, move |tx| writes::set_token(tx, id, &digest))
            .await
    }

    async fn find_bounties(&self, filter: BountyFilter, window: PageRequest) -> StoreResult<Page<BountyList>> {
        if self.read_mirror(|mirror| mirror.bounties.len())? <= MAX_ROWS_INLINE {
            self.read_mirror(|mirror| mirror.bounties.find(&filter, window))
        } else {
            self.search(move |mirror| mirror.bounties.find(&filter, window)).await
        }
    }

    async fn create_bounty(&self, by: Actor, draft: Bounty) -> StoreResult<BountyId> {
        self.commit_infallible(by, move |tx| writes::create_bounty(tx, &draft))
            .await
    }

    async fn move_bounty(
        &self,
        by: Actor,
        owner: AccountId,
        id: BountyId,
        to: BountyStatus,
    ) -> Outcome<(), MoveDenied<BountyStatus>> {
        self.write(by, move |tx| writes::move_bounty(tx, owner, id, to)).await
    }

    async fn list_skills(&self, window: PageRequest) -> StoreResult<Page<OfferedSkillItem>> {
        self.read_mirror(|mirror| mirror.humans.skills(window))
    }

    async fn own_bounties(
        &self,
        account: AccountId,
        status: Option<BountyStatus>,
        window: PageRequest,
    ) -> StoreResult<Page<BountyList>> {
        let (ids, total) = self.read_mirror(|mirror| mirror.bounties.owned(account, status, window))?;
        let rows = self.rows(lists::rows_of_own(ids)).await?;
        Ok(Page { rows, total })
    }

    async fn received_applications(
        &self,
        bounty: BountyId,
        window: PageRequest,
    ) -> StoreResult<Rows<ApplicationReceived>> {
        let ids = self
            .read(move |trees, _| lists::received(trees, bounty, window))
            .await?;
        self.rows(lists::rows_of_received(ids)).await
    }

    async fn sent_applications(&self, human: HumanId, window: PageRequest) -> StoreResult<Page<ApplicationSent>> {
        let (ids, total) = self.read(move |trees, _| lists::sent(trees, human, window)).await?;
        let rows = self.rows(lists::rows_of_sent(ids)).await?;
        Ok(Page { rows, total })
    }

    async fn create_application(&self, by: Actor, application: NewApplication) -> Outcome<ApplicationId, ApplyDenied> {
        self.write(by, move |tx| writes::create_application(tx, &application))
            .await
    }

    async fn decide_application(
        &self,
        by: Actor,
        owner: AccountId,
        id: ApplicationId,
        to: ApplicationStatus,
    ) -> Outcome<(), MoveDenied<ApplicationStatus>> {
        self.write(by, move |tx| writes::decide_application(tx, owner, id, to))
            .await
    }

    async fn agent_conversations(
        &self,
        account: AccountId,
        window: PageRequest,
    ) -> StoreResult<Rows<ConversationItem>> {
        let latest = move |trees: &Trees, _: &RwLock<Mirror>| lists::latest(trees, Tree::AgentInbox, account, window);
        self.rows(lists::rows_of_agent(self.read(latest).await?)).await
    }

    async fn worker_conversations(
        &self,
        human: HumanId,
        window: PageRequest,
    ) -> StoreResult<Rows<ConversationWorkerItem>> {
        let latest = move |trees: &Trees, _: &RwLock<Mirror>| lists::latest(trees, Tree::WorkerInbox, human, window);
        self.rows(lists::rows_of_worker(self.read(latest).await?)).await
    }

    async fn messages(&self, conversation: &Conversation) -> StoreResult<Rows<MessageItem>> {
        self.rows(lists::rows_of_messages(conversation)).await
    }

    async fn latest_messages(
        &self,
        conversation: &Conversation,
        window: PageRequest,
    ) -> StoreResult<Rows<MessageItem>> {
        let conversation = conversation.clone();
        let read = move |trees: &Trees, _: &RwLock<Mirror>| lists::latest_messages(trees, &conversation, window);
        let ids = self.read(read).await?;
        self.rows(lists::rows_of_ids(ids)).await
    }

    async fn create_conversation(
        &self,
        by: Actor,
        conversation: NewConversation,
    ) -> Outcome<(ConversationId, MessageId), Absent> {
        self.write(by, move |tx| writes::create_conversation(tx, &conversation))
            .await
    }

    async fn create_message(&self, by: Actor, message: NewMessage) -> Outcome<MessageId, Absent> {
        self.write(by, move |tx| writes::create_message(tx, &message)).await
    }
}

impl Engine for SledStore {
    fn is_writable(&self) -> bool {
        self.writable.load(Ordering::Relaxed) && !self.mirror.is_poisoned() && self.log.check_place().is_ok()
    }

    fn is_empty(&self) -> StoreResult<bool> {
        self.read_mirror(Mirror::is_empty)
    }

    fn sizes(&self) -> StoreResult<Sizes> {
        let disk_bytes = self.trees.upgrade().ok_or(StoreError::Closed)?.disk_bytes()?;
        self.read_mirror(|mirror| mirror.sizes(disk_bytes))
    }

    fn watch_commits(&self, watch: Arc<dyn WatchCommits>) {
        let _ = self.watch.set(watch);
    }

    async fn close(&self) -> StoreResult<()> {
        self.writable.store(false, Ordering::Relaxed);
        let work = std::mem::take(&mut *self.work.lock().map_err(torn)?);
        blocking(move || Self::stop(&Mutex::new(work))).await
    }
}
