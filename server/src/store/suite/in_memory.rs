//! An engine in memory, which stores nothing. It shows that the rules, the mirror and the suite need no sled.

mod webhooks;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard};

use contract::agent::{list_applications, list_conversations, list_messages, list_my_bounties, list_skills};
use contract::events::{Event, Recipient};
use contract::support::feed::{After, FeedPage, mint_event_id, occurrence};
use contract::support::text::fold;
use contract::support::{AnswerId, Done, Once, QuotaUse, Usage, near_names};
use contract::{
    Account, AccountId, AccountItem, ApiKey, ApiKeyId, ApiKeyItem, Application, ApplicationId, ApplicationReceived,
    ApplicationSent, ApplicationStatus, Bounty, BountyId, BountyList, BountyStatus, Conversation, ConversationId,
    ConversationItem, ConversationWorkerItem, Encoded, Human, HumanDetail, HumanId, HumanList, Message, MessageId,
    MessageItem, NewHuman, NewSkill, OfferedSkill, OfferedSkillId, OfferedSkillItem, OfferedSkillSeed, Page, Rows,
    Skill, Timestamp, Webhook, WebhookId, WebhookItem,
};
use contract::{agent, operator, quotas, worker};
use tempfile::TempDir;
use tokio::sync::{Notify, watch};

use super::TestEngine;
use crate::digest::Digest;
use crate::store::changed::ChangedAccounts;
use crate::store::events::Waiters;
use crate::store::mirror::{BountyVersion, Change, Mirror, Update};
use crate::store::rules::humans::{Draft, NamedSkill, named};
use crate::store::rules::webhooks as webhook_rules;
use crate::store::rules::{accounts, applications, bounties, conversations, humans};
use crate::store::{
    Absent, Actor, Admitted, AdmittedHuman, ApplyDenied, Author, BountyFilter, DeliveryState, DueStep, DueSteps,
    Engine, FeedRequest, HumanFilter, KeyDenied, MoveDenied, NewAccount, NewApplication, NewConversation, NewKey,
    NewMessage, NewStep, NewWebhook, NextEvent, Outcome, PageRequest, Party, Role, Sizes, Staleness, StepKey, Store,
    StoreError, StoreResult, UnknownCursor, WatchCommits, WebhookDenied,
};

/// The engine. `None` once it is closed; then it is not available.
pub(crate) struct InMemory(Mutex<Option<State>>);

#[derive(Default)]
struct State {
    accounts: Table<AccountId, Account>,
    keys: Table<ApiKeyId, ApiKey>,
    humans: Table<HumanId, Human>,
    skills: HashMap<Digest, i64>,
    last_skill: i64,
    bounties: Table<BountyId, Bounty>,
    applications: Table<ApplicationId, Application>,
    conversations: Table<ConversationId, Conversation>,
    messages: Table<MessageId, Message>,
    steps: Table<StepKey, (i64, String)>,
    webhooks: Table<WebhookId, Webhook>,
    deliveries: HashMap<WebhookId, DeliveryState>,
    changed: Arc<ChangedAccounts>,
    steps_changed: Arc<Notify>,
    /// With the time at which each expires.
    answers: BTreeMap<AnswerId, (Timestamp, Vec<u8>)>,
    mirror: Mirror,
    /// What was counted towards quotas with periods, and what the present write counts.
    usages: HashMap<(&'static str, i64), Usage>,
    counted: Vec<((&'static str, i64), Usage)>,
    feeds: HashMap<Recipient, Vec<(String, Timestamp, Event)>>,
    waiters: Waiters,
}

/// The records of a kind, and the last id that was assigned.
struct Table<I, R> {
    rows: BTreeMap<I, R>,
    last: i64,
}

impl<I, R> Default for Table<I, R> {
    fn default() -> Self {
        let (rows, last) = (BTreeMap::new(), 0);
        Self { rows, last }
    }
}

impl<I: Ord, R: Clone> Table<I, R> {
    fn get(&self, id: I) -> Option<R> {
        self.rows.get(&id).cloned()
    }

    /// The next id, which [`Self::create`] assigns.
    fn next(&self) -> i64 {
        self.last + 1
    }

    fn create(&mut self, id: I, record: &R) {
        self.last += 1;
        self.put(id, record);
    }

    fn put(&mut self, id: I, record: &R) {
        self.rows.insert(id, record.clone());
    }
}

impl State {
    /// The success for the outcome of a write, and stores what that says.
    fn done<S, T>(&mut self, once: &Once<S, T>, outcome: T) -> Done<S> {
        self.keep_counted();
        let (done, stored) = once.done(outcome);
        if let Some(stored) = stored {
            self.answers.retain(|_, (expires, _)| *expires > stored.now);
            self.answers.insert(stored.id, (stored.expires, stored.value));
        }
        done
    }

    fn keep_counted(&mut self) {
        let counted = std::mem::take(&mut self.counted);
        self.usages.extend(counted);
    }

    fn show(&mut self, changes: Vec<Change>) {
        let mut update = Update::from_changes(changes);
        for id in self.mirror.returning(&update) {
            update.add_bounty((&self.bounties.rows[&id]).into());
        }
        self.mirror.apply(update);
    }

    fn emit(&mut self, caused: Vec<(Recipient, Event)>, timestamp: Timestamp) {
        for (of, event) in caused {
            self.feeds
                .entry(of)
                .or_default()
                .push((mint_event_id(), timestamp, event));
            self.waiters.wake([of]);
            if let Recipient::Account(id) = of {
                self.changed.add(std::iter::once(id));
            }
        }
    }

    fn add_steps(&mut self, new: Vec<NewStep>) {
        self.steps_changed.notify_one();
        for step in new {
            let serial = self.steps.next();
            self.steps.last = serial;
            let (due, account) = (step.due, step.account);
            let key = StepKey { due, account, serial };
            self.steps.rows.insert(key, (step.about, step.step));
        }
    }

    fn authorize(&self, by: Actor) -> StoreResult<()> {
        let allowed = match by {
            Actor::Operator => Ok(()),
            Actor::Key(id) => {
                let account = self.keys.get(id).and_then(|key| self.accounts.get(key.account_id));
                accounts::authorize_key(account.as_ref())
            }
            Actor::Worker(id, token) => accounts::authorize_worker(self.humans.get(id).as_ref(), token),
        };
        allowed.map_err(StoreError::Unauthorized)
    }

    /// Counts what a write counts towards quotas with periods, once it is [done](Self::done).
    fn count(&mut self, by: &Author, new: Option<i64>) -> StoreResult<()> {
        for (QuotaUse { quota, owner, .. }, amount) in by.counted(new) {
            let key = (quota.name, *owner);
            let former = self.usages.get(&key).copied();
            if let Some(counted) = quota.count(former, amount, by.now.unix()) {
                self.counted.push((key, counted.map_err(StoreError::OverQuota)?));
            }
        }
        Ok(())
    }

    /// Rejects one more open bounty if there are as many as the quota allows.
    fn room(&self, by: &Author, account: AccountId) -> StoreResult<()> {
        let open = self.bounties.rows.values();
        let open = open.filter(|bounty| bounty.account_id == account && quotas::open_bounties(bounty));
        by.over(i64::try_from(open.count()).unwrap_or(i64::MAX))
            .map_err(StoreError::OverQuota)
    }

    fn put_account(&mut self, account: Account) {
        self.accounts.put(account.id, &account);
        if account.webhooks > 0 {
            self.changed.add(std::iter::once(account.id));
        }
        self.show(vec![Change::Account(account.into())]);
    }

    fn create_key(&mut self, key: ApiKey) {
        self.keys.create(key.id, &key);
        self.show(vec![Change::Key(key.into())]);
    }

    fn put_human(&mut self, human: Human) {
        self.humans.put(human.id, &human);
        let used = self.humans.rows.values().flat_map(|human| &human.skills);
        let used: HashSet<i64> = used.map(|skill| skill.id).collect();
        self.skills.retain(|_, id| used.contains(id));
        self.show(vec![Change::Human(human.into())]);
    }

    fn put_bounty(&mut self, bounty: Bounty) {
        self.bounties.put(bounty.id, &bounty);
        self.show(vec![Change::Bounty((&bounty).into())]);
    }

    fn applicants(&self, id: BountyId) -> Vec<HumanId> {
        let all = self.applications.rows.values();
        all.filter(|one| one.bounty_id == id).map(|one| one.human_id).collect()
    }

    fn with_ids(&mut self, skills: &[NamedSkill]) -> Vec<Skill> {
        let with_id = |skill: &NamedSkill| {
            let new = || {
                self.last_skill += 1;
                self.last_skill
            };
            skill.with_id(*self.skills.entry(skill.key).or_insert_with(new))
        };
        skills.iter().map(with_id).collect()
    }

    /// The conversations that `is_of` selects, latest message first.
    fn latest(
        &self,
        is_of: impl Fn(&Conversation) -> bool,
        window: PageRequest,
    ) -> impl Iterator<Item = &Conversation> {
        let mut latest: Vec<_> = self.conversations.rows.values().filter(|one| is_of(one)).collect();
        latest.sort_by(|a, b| list_conversations::order(a, b));
        window.of(latest.into_iter())
    }

    fn last_message(&self, conversation: &Conversation) -> &Message {
        &self.messages.rows[&conversation.last_message_id]
    }
}

impl Default for InMemory {
    fn default() -> Self {
        Self(Mutex::new(Some(State::default())))
    }
}

impl InMemory {
    fn state(&self) -> StoreResult<Open<'_>> {
        let state = self.0.lock().map_err(|_| StoreError::damaged("a test panicked"))?;
        state.is_some().then_some(Open(state)).ok_or(StoreError::Closed)
    }

    /// The state, for a write of this actor.
    fn state_for(&self, by: impl Into<Author>) -> StoreResult<Open<'_>> {
        let mut state = self.state()?;
        let by = by.into();
        state.authorize(by.actor)?;
        state.counted.clear();
        state.count(&by, None)?;
        Ok(state)
    }
}

/// The state of an engine that is open.
struct Open<'m>(MutexGuard<'m, Option<State>>);

impl std::ops::Deref for Open<'_> {
    type Target = State;

    fn deref(&self) -> &State {
        self.0.as_ref().expect("it is open")
    }
}

impl std::ops::DerefMut for Open<'_> {
    fn deref_mut(&mut self) -> &mut State {
        self.0.as_mut().expect("it is open")
    }
}

impl TestEngine for InMemory {
    type Store = Self;

    fn open(_: &TempDir) -> Self {
        Self::default()
    }

    async fn reopened(store: Self, _: &TempDir) -> Self {
        store
    }

    fn assert_indexed(store: &Self) {
        store.state().expect("it is open").mirror.humans.assert_indexed();
    }
}

impl Store for InMemory {
    fn is_available(&self) -> bool {
        self.state().is_ok()
    }

    async fn admit_key(&self, digest: Digest, now: Timestamp) -> StoreResult<Option<Admitted>> {
        Ok(self.state()?.mirror.admit_key(&digest, now))
    }

    async fn find_answer(&self, id: AnswerId, now: Timestamp) -> StoreResult<Option<Vec<u8>>> {
        let state = self.state()?;
        let found = state.answers.get(&id).filter(|(expires, _)| *expires > now);
        Ok(found.map(|(_, answer)| answer.clone()))
    }

    async fn admit_human(&self, digest: Digest) -> StoreResult<Option<AdmittedHuman>> {
        Ok(self.state()?.mirror.humans.admit(&digest))
    }

    async fn find_account(&self, id: AccountId) -> StoreResult<Option<Arc<Account>>> {
        Ok(self.state()?.accounts.get(id).map(Arc::new))
    }

    async fn find_api_key(&self, id: ApiKeyId) -> StoreResult<Option<Arc<ApiKey>>> {
        Ok(self.state()?.keys.get(id).map(Arc::new))
    }

    async fn find_human(&self, id: HumanId) -> StoreResult<Option<Arc<Human>>> {
        Ok(self.state()?.humans.get(id).map(Arc::new))
    }

    async fn show_human(&self, id: HumanId) -> StoreResult<Option<Encoded<HumanDetail>>> {
        Ok(self.state()?.mirror.humans.detail(id))
    }

    async fn find_bounty(&self, id: BountyId) -> StoreResult<Option<Arc<Bounty>>> {
        Ok(self.state()?.bounties.get(id).map(Arc::new))
    }

    async fn find_application(&self, id: ApplicationId) -> StoreResult<Option<Arc<Application>>> {
        Ok(self.state()?.applications.get(id).map(Arc::new))
    }

    async fn find_conversation(&self, id: ConversationId) -> StoreResult<Option<Arc<Conversation>>> {
        Ok(self.state()?.conversations.get(id).map(Arc::new))
    }

    async fn list_accounts(&self, window: PageRequest) -> StoreResult<Page<AccountItem>> {
        Ok(self.state()?.mirror.accounts(window))
    }

    async fn create_account<S: Send + 'static>(
        &self,
        account: NewAccount,
        key: NewKey,
        once: Once<S, (AccountId, ApiKeyId)>,
    ) -> StoreResult<Done<S>> {
        let mut state = self.state()?;
        let (id, key_id) = (AccountId::new(state.accounts.next()), ApiKeyId::new(state.keys.next()));
        let (account, key) = accounts::create(id, &account, key_id, &key);
        state.accounts.create(id, &account);
        state.show(vec![Change::Account(account.into())]);
        state.create_key(key);
        Ok(state.done(&once, (id, key_id)))
    }

    async fn update_account(
        &self,
        id: AccountId,
        change: impl Fn(&mut Account) + Send + 'static,
    ) -> Outcome<(), Absent> {
        let mut state = self.state()?;
        let account = accounts::update(state.accounts.get(id), change);
        Ok(account.map(|account| state.put_account(account)))
    }

    async fn list_keys(&self, account: AccountId) -> StoreResult<Rows<ApiKeyItem>> {
        Ok(self.state()?.mirror.keys.list(account))
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
        let mut state = self.state_for(by)?;
        let id = ApiKeyId::new(state.keys.next());
        let created = accounts::create_key(state.accounts.get(account), id, &key, max, recheck);
        Ok(created.map(|(account, key)| {
            state.put_account(account);
            state.create_key(key);
            state.done(&once, id)
        }))
    }

    async fn delete_key(&self, by: Actor, owner: AccountId, id: ApiKeyId) -> Outcome<(), Absent> {
        let mut state = self.state_for(by)?;
        let account = accounts::delete_key(state.accounts.get(owner), state.keys.get(id).as_ref());
        Ok(account.map(|account| {
            state.put_account(account);
            state.keys.rows.remove(&id);
            state.show(vec![Change::KeyRevoked(id)]);
        }))
    }

    async fn find_humans(&self, filter: HumanFilter, window: PageRequest) -> StoreResult<Page<HumanList>> {
        Ok(self.state()?.mirror.humans.of(filter.sandbox).find(&filter, window))
    }

    async fn create_humans<S: Send + 'static>(
        &self,
        humans: Vec<NewHuman>,
        sandbox: bool,
        once: Once<S, Vec<HumanId>>,
    ) -> StoreResult<Done<S>> {
        let mut state = self.state()?;
        let mut create = |human| {
            let (id, draft) = (HumanId::new(state.humans.next()), Draft::new(human, sandbox));
            let skills = state.with_ids(&draft.skills);
            state.humans.last += 1;
            state.put_human(humans::create(id, &draft, skills));
            id
        };
        let ids = humans.into_iter().map(&mut create).collect();
        Ok(state.done(&once, ids))
    }

    async fn update_human(
        &self,
        by: impl Into<Author> + Send,
        id: HumanId,
        skills: Option<Vec<NewSkill>>,
        change: impl Fn(&mut Human) + Send + 'static,
    ) -> Outcome<(), Absent> {
        let by = by.into();
        let mut state = self.state_for(by.clone())?;
        let former = state.skills.clone();
        let skills = skills.map(|skills| state.with_ids(&named(skills)));
        let new = i64::try_from(state.skills.len() - former.len()).expect("few skills");
        if let Err(error) = state.count(&by, Some(new)) {
            state.skills = former;
            return Err(error);
        }
        let human = humans::update(state.humans.get(id), skills, change);
        Ok(human.map(|human| {
            state.keep_counted();
            state.put_human(human);
        }))
    }

    async fn create_human_token(&self, id: HumanId, digest: Digest) -> Outcome<(), Absent> {
        let mut state = self.state()?;
        let human = humans::set_token(state.humans.get(id), &digest);
        Ok(human.map(|human| state.put_human(human)))
    }

    async fn find_bounties(&self, filter: BountyFilter, window: PageRequest) -> StoreResult<Page<BountyList>> {
        let state = self.state()?;
        let found = state.mirror.bounties.of(filter.sandbox).find(&filter, window);
        let row = |found: &BountyVersion| {
            let bounty = &state.bounties.rows[&found.id];
            bounty.list(&state.accounts.rows[&bounty.account_id])
        };
        Ok(Page {
            rows: found.rows.iter().map(row).collect(),
            total: found.total,
        })
    }

    async fn create_bounty<S: Send + 'static>(
        &self,
        by: impl Into<Author> + Send,
        draft: Bounty,
        steps: Vec<NewStep>,
        once: Once<S, BountyId>,
    ) -> StoreResult<Done<S>> {
        let by = by.into();
        let mut state = self.state_for(by.clone())?;
        state.room(&by, draft.account_id)?;
        let id = BountyId::new(state.bounties.next());
        state.bounties.last += 1;
        state.put_bounty(Bounty { id, ..draft });
        state.add_steps(NewStep::all_about(&steps, id.get()));
        Ok(state.done(&once, id))
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
        let mut state = self.state_for(by.clone())?;
        let former = state.bounties.get(id);
        let moved = bounties::set_status(former.as_ref(), owner, to);
        if let (Ok(Some(moved)), Some(former)) = (&moved, &former)
            && quotas::open_bounties(moved)
            && !quotas::open_bounties(former)
        {
            state.room(&by, owner)?;
        }
        let moved = moved.and_then(|moved| bounties::check_lock(former.as_ref()).map(|()| moved));
        Ok(moved.map(|moved| {
            if let Some(bounty) = moved {
                let applicants = state.applicants(id);
                state.emit(agent::update_bounty::events(&bounty, &applicants), now);
                state.put_bounty(bounty);
            }
        }))
    }

    async fn update_bounty(
        &self,
        id: BountyId,
        change: impl Fn(&mut Bounty) + Send + Sync + 'static,
        now: Timestamp,
    ) -> Outcome<(), Absent> {
        let mut state = self.state()?;
        let changed = bounties::update(state.bounties.get(id).as_ref(), change);
        Ok(changed.map(|changed| {
            if let Some(bounty) = changed {
                let applicants = state.applicants(id);
                state.emit(operator::update_bounty::events(&bounty, &applicants), now);
                state.put_bounty(bounty);
            }
        }))
    }

    async fn has_applied(&self, bounty: BountyId, human: HumanId) -> StoreResult<bool> {
        Ok(self.state()?.applicants(bounty).contains(&human))
    }

    async fn list_skills(&self, sandbox: bool, window: PageRequest) -> StoreResult<Page<OfferedSkillItem>> {
        let state = self.state()?;
        let mut rows: BTreeMap<i64, OfferedSkill> = BTreeMap::new();
        for human in state.humans.rows.values().filter(|human| human.sandbox == sandbox) {
            let mut counted = HashSet::new();
            for skill in &human.skills {
                let row = rows.entry(skill.id).or_insert_with(|| {
                    OfferedSkill::from(OfferedSkillSeed {
                        id: OfferedSkillId::new(skill.id),
                        name: skill.name.clone(),
                        category: skill.category.clone(),
                    })
                });
                row.workers += i64::from(counted.insert(skill.id));
                if (&skill.name, &skill.category) < (&row.name, &row.category) {
                    (row.name, row.category) = (skill.name.clone(), skill.category.clone());
                }
            }
        }
        let mut rows: Vec<_> = rows.into_values().collect();
        rows.sort_by(list_skills::order);
        let total = i64::try_from(rows.len()).expect("few skills");
        let rows = window.of(rows.iter()).map(OfferedSkill::item).collect();
        Ok(Page { rows, total })
    }

    async fn nearest_skills(&self, sandbox: bool, name: String) -> StoreResult<Vec<String>> {
        let state = self.state()?;
        let humans = state.humans.rows.values().filter(|human| human.sandbox == sandbox);
        let skills = humans.flat_map(|human| &human.skills);
        let names: BTreeSet<&str> = skills.map(|skill| skill.name.as_str()).collect();
        Ok(near_names::of_names(&name, fold, names))
    }

    async fn own_bounties(
        &self,
        account: AccountId,
        status: Option<BountyStatus>,
        window: PageRequest,
    ) -> StoreResult<Page<BountyList>> {
        let state = self.state()?;
        let query = list_my_bounties::Query {
            status,
            limit: 0,
            offset: 0,
        };
        let is_own = |one: &&Bounty| list_my_bounties::matches(one, account, &query);
        let mut own: Vec<_> = state.bounties.rows.values().filter(is_own).collect();
        own.sort_by(|a, b| list_my_bounties::order(a, b));
        let total = i64::try_from(own.len()).expect("few bounties");
        let row = |bounty: &Bounty| bounty.list(&state.accounts.rows[&account]);
        let rows = window.of(own.into_iter()).map(row).collect();
        Ok(Page { rows, total })
    }

    async fn received_applications(
        &self,
        bounty: BountyId,
        window: PageRequest,
    ) -> StoreResult<Rows<ApplicationReceived>> {
        let state = self.state()?;
        let mut received: Vec<_> = state
            .applications
            .rows
            .values()
            .filter(|one| list_applications::matches(one, list_applications::Path { id: bounty }))
            .collect();
        received.sort_by(|a, b| list_applications::order(a, b));
        let row = |application: &Application| {
            let human = &state.humans.rows[&application.human_id];
            application.received(human)
        };
        Ok(window.of(received.into_iter()).map(row).collect())
    }

    async fn sent_applications(&self, human: HumanId, window: PageRequest) -> StoreResult<Page<ApplicationSent>> {
        let state = self.state()?;
        let sent: Vec<_> = state
            .applications
            .rows
            .values()
            .filter(|one| worker::list_applications::matches(one, human))
            .collect();
        let row = |application: &Application| {
            let bounty = &state.bounties.rows[&application.bounty_id];
            application.sent(bounty)
        };
        let total = i64::try_from(sent.len()).expect("few applications");
        let rows = window.of(sent.into_iter()).map(row).collect();
        Ok(Page { rows, total })
    }

    async fn create_application<S: Send + 'static>(
        &self,
        by: impl Into<Author> + Send,
        new: NewApplication,
        once: Once<S, ApplicationId>,
    ) -> Outcome<Done<S>, ApplyDenied> {
        let mut state = self.state_for(by)?;
        let id = ApplicationId::new(state.applications.next());
        let exists = state.humans.get(new.human_id).is_some();
        let same = |one: &Application| (one.bounty_id, one.human_id) == (new.bounty_id, new.human_id);
        let applied = state.applications.rows.values().any(same);
        let bounty = state.bounties.get(new.bounty_id);
        let created = applications::create(id, &new, bounty.as_ref(), exists, applied);
        Ok(created.map(|(application, bounty)| {
            state.applications.create(id, &application);
            state.emit(
                worker::create_application::events(&application, &bounty),
                new.created_at,
            );
            state.put_bounty(bounty);
            state.done(&once, id)
        }))
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
        let mut state = self.state_for(by)?;
        let application = state.applications.get(id);
        let bounty = application.as_ref().and_then(|one| state.bounties.get(one.bounty_id));
        let decided = applications::decide(application, bounty.as_ref(), owner, to);
        Ok(decided.map(|decided| {
            if let Some(application) = decided {
                state.applications.put(id, &application);
                state.emit(agent::decide_application::events(&application), now);
                state.add_steps(steps);
            }
        }))
    }

    async fn agent_conversations(
        &self,
        account: AccountId,
        window: PageRequest,
    ) -> StoreResult<Rows<ConversationItem>> {
        let state = self.state()?;
        let row = |one: &Conversation| one.item(&state.humans.rows[&one.human_id], state.last_message(one));
        Ok(state
            .latest(|one| list_conversations::matches(one, account), window)
            .map(row)
            .collect())
    }

    async fn worker_conversations(
        &self,
        human: HumanId,
        window: PageRequest,
    ) -> StoreResult<Rows<ConversationWorkerItem>> {
        let state = self.state()?;
        let row = |one: &Conversation| one.worker_item(&state.accounts.rows[&one.account_id], state.last_message(one));
        Ok(state
            .latest(|one| worker::list_conversations::matches(one, human), window)
            .map(row)
            .collect())
    }

    async fn messages(&self, conversation: &Conversation) -> StoreResult<Rows<MessageItem>> {
        let state = self.state()?;
        let is_stated =
            |one: &&Message| one.conversation_id == conversation.id && one.id <= conversation.last_message_id;
        Ok(state
            .messages
            .rows
            .values()
            .filter(is_stated)
            .map(Message::item)
            .collect())
    }

    async fn latest_messages(
        &self,
        conversation: &Conversation,
        window: PageRequest,
    ) -> StoreResult<Rows<MessageItem>> {
        let state = self.state()?;
        let path = list_messages::Path { id: conversation.id };
        let is_of = |one: &&Message| list_messages::matches(one, path);
        let mut messages: Vec<_> = state.messages.rows.values().filter(is_of).collect();
        messages.sort_by(|a, b| list_messages::order(a, b));
        Ok(window.of(messages.into_iter()).map(Message::item).collect())
    }

    async fn create_conversation<S: Send + 'static>(
        &self,
        by: impl Into<Author> + Send,
        new: NewConversation,
        once: Once<S, (ConversationId, MessageId)>,
    ) -> Outcome<Done<S>, Absent> {
        let mut state = self.state_for(by)?;
        let id = ConversationId::new(state.conversations.next());
        let message_id = MessageId::new(state.messages.next());
        let exist = state.accounts.get(new.account_id).is_some() && state.humans.get(new.human_id).is_some();
        let created = conversations::create(id, message_id, &new, exist);
        Ok(created.map(|(conversation, message)| {
            state.conversations.create(id, &conversation);
            state.messages.create(message_id, &message);
            state.emit(agent::create_conversation::events(&conversation), new.created_at);
            state.add_steps(NewStep::all_about(&new.steps, id.get()));
            state.done(&once, (id, message_id))
        }))
    }

    async fn create_message<S: Send + 'static>(
        &self,
        by: impl Into<Author> + Send,
        new: NewMessage,
        once: Once<S, MessageId>,
    ) -> Outcome<Done<S>, Absent> {
        let mut state = self.state_for(by)?;
        let id = MessageId::new(state.messages.next());
        let conversation = state.conversations.get(new.conversation_id);
        let created = conversations::add_message(conversation.as_ref(), id, &new);
        Ok(created.map(|(conversation, message)| {
            state.conversations.put(conversation.id, &conversation);
            state.messages.create(id, &message);
            let caused = match new.sender {
                Party::Agent(_) => agent::create_message::events(&message, &conversation),
                Party::Human(_) => worker::create_message::events(&message, &conversation),
            };
            state.emit(caused, new.created_at);
            state.add_steps(new.steps);
            state.done(&once, id)
        }))
    }

    async fn steps_changed(&self) {
        let changed = self.state().map(|state| Arc::clone(&state.steps_changed));
        match changed {
            Ok(changed) => changed.notified().await,
            Err(_) => std::future::pending().await,
        }
    }

    async fn due_steps(&self, at: u64, most: usize) -> StoreResult<DueSteps> {
        let state = self.state()?;
        let mut found = DueSteps::default();
        for (key, step) in &state.steps.rows {
            if key.due > at || found.due.len() == most {
                found.next = Some(key.due);
                break;
            }
            let (key, (about, step)) = (*key, step.clone());
            found.due.push(DueStep { key, about, step });
        }
        Ok(found)
    }

    async fn replace_steps(&self, taken: Vec<StepKey>, new: Vec<NewStep>) -> StoreResult<()> {
        let mut state = self.state()?;
        for key in taken {
            state.steps.rows.remove(&key);
        }
        state.add_steps(new);
        Ok(())
    }

    async fn advance_steps(&self, account: AccountId, millis: u64) -> StoreResult<()> {
        let mut state = self.state()?;
        let steps = std::mem::take(&mut state.steps.rows).into_iter();
        state.steps.rows = steps
            .map(|(key, step)| {
                let earlier = if key.account == account { millis } else { 0 };
                let due = key.due.saturating_sub(earlier);
                (StepKey { due, ..key }, step)
            })
            .collect();
        Ok(())
    }

    async fn find_webhook(&self, id: WebhookId) -> StoreResult<Option<Arc<Webhook>>> {
        Ok(self.state()?.webhooks.get(id).map(Arc::new))
    }

    async fn list_webhooks(&self, account: AccountId) -> StoreResult<Rows<WebhookItem>> {
        Ok(self.state()?.mirror.webhooks.list(account))
    }

    async fn create_webhook<S: Send + 'static>(
        &self,
        by: Actor,
        account: AccountId,
        webhook: NewWebhook,
        max: i64,
        once: Once<S, WebhookId>,
    ) -> Outcome<Done<S>, WebhookDenied> {
        let mut state = self.state_for(by)?;
        let created = state.create_webhook(account, &webhook, max);
        Ok(created.map(|id| state.done(&once, id)))
    }

    async fn delete_webhook(&self, by: Actor, owner: AccountId, id: WebhookId) -> Outcome<(), Absent> {
        Ok(self.state_for(by)?.delete_webhook(owner, id))
    }

    async fn test_webhook(&self, by: Actor, owner: AccountId, id: WebhookId, now: Timestamp) -> Outcome<(), Absent> {
        let test = |webhook: &mut _, state: &mut _| webhook_rules::test(webhook, state, now);
        Ok(self.state_for(by)?.change_webhook(Some(owner), id, test))
    }

    async fn replay_webhook(&self, by: Actor, owner: AccountId, id: WebhookId, after: i64) -> Outcome<(), Absent> {
        let mut state = self.state_for(by)?;
        let newest = state.newest(owner);
        let replay = |_: &mut _, state: &mut _| webhook_rules::replay(state, after, newest);
        Ok(state.change_webhook(Some(owner), id, replay))
    }

    async fn events(&self, of: Recipient, request: FeedRequest) -> Outcome<FeedPage, UnknownCursor> {
        let state = self.state()?;
        let feed = state.feeds.get(&of).map_or(&[][..], Vec::as_slice);
        let last = i64::try_from(feed.len()).expect("few events");
        let after = match request.after {
            Some(After::Now) => last,
            Some(After::Event(after)) if after > last => return Ok(Err(UnknownCursor)),
            Some(After::Event(after)) => after,
            None => 0,
        };
        let mut listed = (1..).zip(feed).skip(usize::try_from(after).expect("a cursor"));
        let asked = |(_, (.., event)): &(i64, &(_, _, Event))| {
            let names = request.names.as_ref();
            names.is_none_or(|names| names.contains(&event.name()))
        };
        let events: Vec<_> = listed.by_ref().filter(asked).take(request.limit).collect();
        let has_more = listed.any(|event| asked(&event));
        let row = |(number, (id, timestamp, event)): &(i64, &(String, Timestamp, Event))| {
            occurrence((id, *number), event.name().as_str(), *timestamp, event)
        };
        Ok(Ok(FeedPage {
            cursor: events.last().filter(|_| has_more).map_or(last, |(number, _)| *number),
            events: events.iter().map(row).collect(),
            has_more,
            truncated: false,
        }))
    }

    fn next_event(&self, of: Recipient) -> NextEvent {
        self.state().expect("it is open").waiters.next(of)
    }
}

impl Engine for InMemory {
    fn role(&self) -> watch::Receiver<Role> {
        watch::channel(Role::Leader).1
    }

    fn staleness(&self) -> Option<Staleness> {
        None
    }

    fn is_writable(&self) -> bool {
        self.state().is_ok()
    }

    fn is_empty(&self) -> StoreResult<bool> {
        Ok(self.state()?.mirror.is_empty())
    }

    fn sizes(&self) -> StoreResult<Sizes> {
        Ok(self.state()?.mirror.sizes(0))
    }

    fn watch_commits(&self, _: Arc<dyn WatchCommits>) {}

    async fn close(&self) -> StoreResult<()> {
        self.0
            .lock()
            .map_err(|_| StoreError::damaged("a test panicked"))?
            .take();
        Ok(())
    }
}
