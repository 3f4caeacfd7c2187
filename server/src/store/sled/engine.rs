//! Routes each method of the store to memory, to the trees, or to the committer.

use std::convert::Infallible;
use std::sync::atomic::Ordering;
use std::sync::{Arc, RwLock};
use std::time::Duration;

use codegen_store::SledEngine;
use codegen_store::commit_log::Lease;
use contract::events::Recipient;
use contract::support::feed::FeedPage;
use contract::support::{AnswerId, Done, Once};
use contract::{
    Account, AccountId, AccountItem, ApiKey, ApiKeyId, ApiKeyItem, Application, ApplicationId, ApplicationReceived,
    ApplicationSent, ApplicationStatus, Bounty, BountyId, BountyList, BountyStatus, Conversation, ConversationId,
    ConversationItem, ConversationWorkerItem, Encoded, Human, HumanDetail, HumanId, HumanList, MessageId, MessageItem,
    NewHuman, NewSkill, OfferedSkillItem, Page, Rows, Timestamp, Webhook, WebhookId, WebhookItem,
};
use tokio::sync::oneshot;
use tokio::sync::watch::{self, Receiver};

use super::job::Message;
use super::transaction::Tx;
use super::trees::Trees;
use super::{SledStore, answers, blocking, feeds, keys, lists, steps, webhooks, writes};
use crate::digest::Digest;
use crate::store::events::Retention;
use crate::store::mirror::{BountyPage, Mirror};
use crate::store::rules::humans::{Draft, named};
use crate::store::tables;
use crate::store::{
    Absent, Actor, Admitted, AdmittedHuman, ApplyDenied, Author, BountyFilter, DueSteps, Engine, FeedRequest,
    HumanFilter, KeyDenied, MoveDenied, NewAccount, NewApplication, NewConversation, NewKey, NewMessage, NewStep,
    NewWebhook, NextEvent, Outcome, PageRequest, Role, Sizes, Staleness, StepKey, Store, StoreError, StoreResult,
    UnknownCursor, WatchCommits, WebhookDenied,
};

/// How long a catch-up waits after the log could not be read.
const CATCH_UP_AGAIN: Duration = Duration::from_millis(50);

/// Up to this many rows, a search takes about a millisecond at most, so that the thread of the request may run it.
const MAX_ROWS_INLINE: usize = 100_000;

impl Store for SledStore {
    fn is_available(&self) -> bool {
        self.lease.as_ref().is_none_or(Lease::is_held)
    }

    async fn admit_key(&self, digest: Digest, now: Timestamp) -> StoreResult<Option<Admitted>> {
        let admitted = self.read_mirror(|mirror| mirror.admit_key(&digest, now))?;
        if let Some(admitted) = &admitted
            && admitted.is_new_use
        {
            self.save_use(admitted.key, now).await;
        }
        Ok(admitted)
    }

    async fn find_answer(&self, id: AnswerId, now: Timestamp) -> StoreResult<Option<Vec<u8>>> {
        let found = self.read(move |trees, _| answers::find(trees, id, now)).await?;
        if found.is_some() && self.lease.is_some() {
            // Who gets it relies on the commit that stored it.
            self.confirm().await?;
        }
        Ok(found)
    }

    async fn admit_human(&self, digest: Digest) -> StoreResult<Option<AdmittedHuman>> {
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
        self.read(move |trees, _| Ok(trees.shown_bounty(id)?.map(Arc::new)))
            .await
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

    async fn create_account<S: Send + 'static>(
        &self,
        account: NewAccount,
        key: NewKey,
        once: Once<S, (AccountId, ApiKeyId)>,
    ) -> StoreResult<Done<S>> {
        let create = move |tx: &mut Tx<'_>| writes::create_account::<Infallible>(tx, &account, &key);
        let Ok(done) = self.write_credential_once(Actor::Operator, once, create).await?;
        Ok(done)
    }

    async fn update_account(
        &self,
        id: AccountId,
        change: impl Fn(&mut Account) + Send + 'static,
    ) -> Outcome<(), Absent> {
        self.write_right(Actor::Operator, move |tx| writes::update_account(tx, id, &change))
            .await
    }

    async fn list_keys(&self, account: AccountId) -> StoreResult<Rows<ApiKeyItem>> {
        self.read_mirror(|mirror| mirror.keys.list(account))
    }

    async fn create_key<S: Send + 'static, E: Send + 'static>(
        &self,
        by: Actor,
        account: AccountId,
        key: NewKey,
        max: i64,
        recheck: impl Fn(&Account) -> Result<(), E> + Send + 'static,
        once: Once<S, ApiKeyId>,
    ) -> Outcome<Done<S>, KeyDenied<E>> {
        let create = move |tx: &mut Tx<'_>| writes::create_key(tx, account, &key, max, &recheck);
        self.write_credential_once(by, once, create).await
    }

    async fn delete_key(&self, by: Actor, owner: AccountId, id: ApiKeyId) -> Outcome<(), Absent> {
        self.write_right(by, move |tx| writes::delete_key(tx, owner, id)).await
    }

    async fn find_humans(&self, filter: HumanFilter, window: PageRequest) -> StoreResult<Page<HumanList>> {
        self.read_mirror(|mirror| mirror.humans.of(filter.sandbox).find(&filter, window))
    }

    async fn create_humans<S: Send + 'static>(
        &self,
        humans: Vec<NewHuman>,
        sandbox: bool,
        once: Once<S, Vec<HumanId>>,
    ) -> StoreResult<Done<S>> {
        let drafts = humans.into_iter().map(move |human| Draft::new(human, sandbox));
        let drafts = blocking(|| Ok(drafts.collect::<Vec<_>>())).await?;
        let create = move |tx: &mut Tx<'_>| writes::create_humans(tx, &drafts);
        self.commit_infallible(Actor::Operator, once, create).await
    }

    async fn update_human(
        &self,
        by: impl Into<Author> + Send,
        id: HumanId,
        skills: Option<Vec<NewSkill>>,
        change: impl Fn(&mut Human) + Send + 'static,
    ) -> Outcome<(), Absent> {
        let (skills, by) = (skills.map(named), by.into());
        let author = by.clone();
        self.write(by, move |tx| {
            writes::update_human(tx, &author, id, skills.as_deref(), &change)
        })
        .await
    }

    async fn create_human_token(&self, id: HumanId, digest: Digest) -> Outcome<(), Absent> {
        self.write_right(Actor::Operator, move |tx| writes::set_token(tx, id, &digest))
            .await
    }

    async fn find_bounties(&self, filter: BountyFilter, window: PageRequest) -> StoreResult<Page<BountyList>> {
        let (wanted, sandbox) = (filter.clone(), filter.sandbox);
        let find = move |mirror: &Mirror| mirror.bounties.of(sandbox).find(&wanted, window);
        let page = match self.read_mirror(|mirror| mirror.bounties.of(sandbox).len())? <= MAX_ROWS_INLINE {
            true => self.read_mirror(find)?,
            false => self.search(find).await?,
        };
        let cache = Arc::clone(&self.bounty_rows);
        let (page, first) = match cache.page(&page.rows) {
            Some(all) => (page, all),
            None => {
                let choose =
                    move |trees: &Trees, mirror: &RwLock<Mirror>| cache.choose(trees, mirror, &filter, window, page);
                self.read(choose).await?
            }
        };
        let BountyPage { rows, total } = page;
        let rows = self.rows_at_hand(self.bounty_rows.rest(rows, first))?;
        Ok(Page { rows, total })
    }

    async fn create_bounty<S: Send + 'static>(
        &self,
        by: impl Into<Author> + Send,
        draft: Bounty,
        steps: Vec<NewStep>,
        once: Once<S, BountyId>,
    ) -> StoreResult<Done<S>> {
        let by = by.into();
        let author = by.clone();
        self.commit_infallible(by, once, move |tx| writes::create_bounty(tx, &author, &draft, &steps))
            .await
    }

    async fn move_bounty(
        &self,
        by: impl Into<Author> + Send,
        owner: AccountId,
        id: BountyId,
        to: BountyStatus,
        now: Timestamp,
    ) -> Outcome<(), MoveDenied<BountyStatus>> {
        let by = by.into();
        let author = by.clone();
        self.write(by, move |tx| writes::move_bounty(tx, owner, id, to, &author, now))
            .await
    }

    async fn update_bounty(
        &self,
        id: BountyId,
        change: impl Fn(&mut Bounty) + Send + Sync + 'static,
        now: Timestamp,
    ) -> Outcome<(), Absent> {
        self.write(Actor::Operator, move |tx| writes::update_bounty(tx, id, &change, now))
            .await
    }

    async fn has_applied(&self, bounty: BountyId, human: HumanId) -> StoreResult<bool> {
        self.read(move |trees, _| {
            let found = trees.value(tables::APPLIED, &keys::pair(bounty, human))?;
            Ok(found.is_some())
        })
        .await
    }

    async fn list_skills(&self, sandbox: bool, window: PageRequest) -> StoreResult<Page<OfferedSkillItem>> {
        self.read_mirror(|mirror| mirror.humans.of(sandbox).skills(window))
    }

    async fn nearest_skills(&self, sandbox: bool, name: String) -> StoreResult<Vec<String>> {
        self.read_mirror(|mirror| mirror.humans.of(sandbox).nearest_skills(&name))
    }

    async fn own_bounties(
        &self,
        account: AccountId,
        status: Option<BountyStatus>,
        window: PageRequest,
    ) -> StoreResult<Page<BountyList>> {
        let (ids, total) = self.read_mirror(|mirror| mirror.own_bounties(account, status, window))?;
        let rows = self.rows(self.bounty_rows.own(ids)).await?;
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

    async fn create_application<S: Send + 'static>(
        &self,
        by: impl Into<Author> + Send,
        application: NewApplication,
        once: Once<S, ApplicationId>,
    ) -> Outcome<Done<S>, ApplyDenied> {
        self.write_once(by, once, move |tx| writes::create_application(tx, &application))
            .await
    }

    async fn decide_application(
        &self,
        by: Actor,
        owner: AccountId,
        id: ApplicationId,
        to: ApplicationStatus,
        now: Timestamp,
        steps: Vec<NewStep>,
    ) -> Outcome<(), MoveDenied<ApplicationStatus>> {
        let decide = move |tx: &mut Tx<'_>| writes::decide_application(tx, owner, id, to, (now, &steps));
        self.write(by, decide).await
    }

    async fn agent_conversations(
        &self,
        account: AccountId,
        window: PageRequest,
    ) -> StoreResult<Rows<ConversationItem>> {
        let latest =
            move |trees: &Trees, _: &RwLock<Mirror>| lists::latest(trees, tables::AGENT_INBOX, account, window);
        self.rows(lists::rows_of_agent(self.read(latest).await?)).await
    }

    async fn worker_conversations(
        &self,
        human: HumanId,
        window: PageRequest,
    ) -> StoreResult<Rows<ConversationWorkerItem>> {
        let latest = move |trees: &Trees, _: &RwLock<Mirror>| lists::latest(trees, tables::WORKER_INBOX, human, window);
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

    async fn create_conversation<S: Send + 'static>(
        &self,
        by: impl Into<Author> + Send,
        conversation: NewConversation,
        once: Once<S, (ConversationId, MessageId)>,
    ) -> Outcome<Done<S>, Absent> {
        self.write_once(by, once, move |tx| writes::create_conversation(tx, &conversation))
            .await
    }

    async fn create_message<S: Send + 'static>(
        &self,
        by: impl Into<Author> + Send,
        message: NewMessage,
        once: Once<S, MessageId>,
    ) -> Outcome<Done<S>, Absent> {
        self.write_once(by, once, move |tx| writes::create_message(tx, &message))
            .await
    }

    async fn steps_changed(&self) {
        self.steps.notified().await;
    }

    async fn due_steps(&self, at: u64, most: usize) -> StoreResult<DueSteps> {
        self.read(move |trees, _| steps::due(trees, at, most)).await
    }

    async fn replace_steps(&self, taken: Vec<StepKey>, new: Vec<NewStep>) -> StoreResult<()> {
        let replace = move |tx: &mut Tx<'_>| steps::replace(tx, &taken, &new);
        let Ok(()) = self.write(Actor::Operator, replace).await?;
        Ok(())
    }

    async fn advance_steps(&self, account: AccountId, millis: u64) -> StoreResult<()> {
        let found = self.read(move |trees, _| steps::of_account(trees, account)).await?;
        let advance = move |tx: &mut Tx<'_>| steps::advance(tx, &found, millis);
        let Ok(()) = self.write(Actor::Operator, advance).await?;
        Ok(())
    }

    async fn find_webhook(&self, id: WebhookId) -> StoreResult<Option<Arc<Webhook>>> {
        self.read_mirror(|mirror| mirror.webhooks.get(id).map(|(webhook, _)| webhook))
    }

    async fn list_webhooks(&self, account: AccountId) -> StoreResult<Rows<WebhookItem>> {
        self.read_mirror(|mirror| mirror.webhooks.list(account))
    }

    async fn create_webhook<S: Send + 'static>(
        &self,
        by: Actor,
        account: AccountId,
        webhook: NewWebhook,
        max: i64,
        once: Once<S, WebhookId>,
    ) -> Outcome<Done<S>, WebhookDenied> {
        self.write_once(by, once, move |tx| webhooks::create(tx, account, &webhook, max))
            .await
    }

    async fn delete_webhook(&self, by: Actor, owner: AccountId, id: WebhookId) -> Outcome<(), Absent> {
        self.write(by, move |tx| webhooks::delete(tx, owner, id)).await
    }

    async fn test_webhook(&self, by: Actor, owner: AccountId, id: WebhookId, now: Timestamp) -> Outcome<(), Absent> {
        self.write(by, move |tx| webhooks::test(tx, owner, id, now)).await
    }

    async fn replay_webhook(&self, by: Actor, owner: AccountId, id: WebhookId, after: i64) -> Outcome<(), Absent> {
        self.write(by, move |tx| webhooks::replay(tx, owner, id, after)).await
    }

    async fn events(&self, of: Recipient, request: FeedRequest) -> Outcome<FeedPage, UnknownCursor> {
        let page = || {
            // Before the feed is read: what is on disk stays in it.
            let (durable, request) = (self.durable.load(Ordering::Acquire), request.clone());
            self.read(move |trees, _| feeds::page(trees, durable, of, &request, Retention::DECLARED))
        };
        let found = page().await?;
        if found.is_err() && self.lease.is_some() {
            // The cursor may be of an event that another process has shown already.
            self.catch_up().await;
            return page().await;
        }
        Ok(found)
    }

    fn next_event(&self, of: Recipient) -> NextEvent {
        self.waiters.next(of)
    }
}

impl Engine for SledStore {
    fn role(&self) -> Receiver<Role> {
        match &self.lease {
            Some(lease) => lease.role(),
            // It stays what it is without a sender.
            None => watch::channel(Role::Leader).1,
        }
    }

    fn staleness(&self) -> Option<Staleness> {
        let staleness = self.lease.as_ref()?.staleness();
        Some(staleness.map_or(Staleness::Unknown, Staleness::AtMost))
    }

    async fn catch_up(&self) {
        let Some(lease) = &self.lease else { return };
        while lease.is_held() {
            let (waiting, caught_up) = oneshot::channel();
            if self.send(Message::CatchUp(waiting)).is_err() || caught_up.await.is_ok() {
                return;
            }
            tokio::time::sleep(CATCH_UP_AGAIN).await;
        }
    }

    fn is_writable(&self) -> bool {
        self.writable.load(Ordering::Relaxed)
            && self.check_lease().is_ok()
            && !self.mirror.is_poisoned()
            && self.trees.upgrade().is_some_and(|trees| {
                trees
                    .directory()
                    .is_none_or(|directory| directory.check_place().is_ok())
            })
    }

    fn is_empty(&self) -> StoreResult<bool> {
        self.read_mirror(Mirror::is_empty)
    }

    fn sizes(&self) -> StoreResult<Sizes> {
        let disk_bytes = self.trees.upgrade().ok_or(StoreError::Closed)?;
        let disk_bytes = disk_bytes.directory().map_or(Ok(0), SledEngine::disk_bytes)?;
        self.read_mirror(|mirror| mirror.sizes(disk_bytes))
    }

    fn watch_commits(&self, watch: Arc<dyn WatchCommits>) {
        let _ = self.watch.set(watch);
    }

    async fn close(&self) -> StoreResult<()> {
        self.writable.store(false, Ordering::Relaxed);
        self.end().await
    }
}
