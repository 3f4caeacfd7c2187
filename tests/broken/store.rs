//! A store with a defect, around one without.

use super::defect::{Defect, List, Single};
use super::memory::{self, Memory};
use Single::*;
use contract::events::Recipient;
use contract::support::feed::{After, FeedPage};
use contract::support::{AnswerId, Done, Once};
use contract::{
    Account, AccountId, AccountItem, ApiKey, ApiKeyId, ApiKeyItem, Application, ApplicationId, ApplicationReceived,
    ApplicationSent, ApplicationStatus, Bounty, BountyId, BountyList, BountyStatus, Conversation, ConversationId,
    ConversationItem, ConversationWorkerItem, Encoded, Human, HumanDetail, HumanId, HumanList, MessageId, MessageItem,
    NewHuman, NewSkill, OfferedSkillItem, Page, Rows, Timestamp, Webhook, WebhookId, WebhookItem,
};
use hitode::digest::Digest;
use hitode::store::{
    Absent, Actor, Admitted, AdmittedHuman, ApplyDenied, Author, BountyFilter, DueSteps, FeedRequest, HumanFilter,
    KeyDenied, MoveDenied, NewAccount, NewApplication, NewConversation, NewKey, NewMessage, NewStep, NewWebhook,
    NextEvent, Outcome, PageRequest, StepKey, Store, StoreResult, UnknownCursor, WebhookDenied, WithoutKeys,
};
use std::sync::{Arc, OnceLock};

/// The store.
pub(super) struct BrokenStore<S> {
    pub(super) store: S,
    pub(super) defect: Defect,
    pub(super) memory: Memory,
}

impl<S> BrokenStore<S> {
    pub(super) fn has(&self, single: Single) -> bool {
        self.defect == Defect::Of(single)
    }

    /// Who is authorized where a write commits.
    fn actor(&self, by: Actor) -> Actor {
        if self.has(ActorUnchecked) { Actor::Operator } else { by }
    }

    /// The author of a write, with what it counts.
    fn author(&self, by: impl Into<Author>) -> Author {
        let by = by.into();
        Author {
            actor: self.actor(by.actor),
            uses: match self.has(QuotasUncounted) {
                true => Vec::new(),
                false => by.uses,
            },
            ..by
        }
    }

    fn rows<V: 'static>(&self, list: List, rows: Rows<V>) -> StoreResult<Rows<V>> {
        match self.defect {
            Defect::In(of, fault) if of == list => self.memory.rows("row", fault, rows),
            _ => Ok(rows),
        }
    }

    fn page<V: 'static>(&self, list: List, page: Page<V>) -> StoreResult<Page<V>> {
        match self.defect {
            Defect::In(of, fault) if of == list => self.memory.page("row", fault, page),
            _ => Ok(page),
        }
    }

    /// What was found, or what was found at the first read if the store has this defect.
    fn read<T: Clone + Send + 'static>(&self, stale: Single, id: i64, found: Option<T>) -> Option<T> {
        match self.has(stale) {
            true => found.map(|found| self.memory.first(id.to_string(), found)),
            false => found,
        }
    }
}

impl<S: Store> Store for BrokenStore<S> {
    async fn steps_changed(&self) {
        self.store.steps_changed().await
    }

    async fn admit_key(&self, digest: Digest, now: Timestamp) -> StoreResult<Option<Admitted>> {
        let of = digest.to_hex();
        let now = if self.has(LastUseStuck) {
            self.memory.first(of.clone(), now)
        } else {
            now
        };
        let admitted = self.store.admit_key(digest, now).await?;
        Ok(match self.defect {
            Defect::Of(RevokedKeyAccepted) => self.memory.last(&of, admitted),
            Defect::Of(AccessOfFirstRequest) => admitted.map(|admitted| self.memory.first(of, admitted)),
            _ => admitted,
        })
    }

    async fn find_answer(&self, id: AnswerId, now: Timestamp) -> StoreResult<Option<Vec<u8>>> {
        let found = self.store.find_answer(id, now).await?;
        let of = format!("answer {id:?}");
        Ok(match self.defect {
            Defect::Of(AnswersForgotten) => None,
            Defect::Of(AnswerForgottenOnceFound) if found.is_some() && self.memory.count(&of) > 1 => None,
            Defect::Of(AnswerOfFormerKey) => self.memory.last("answer", found),
            Defect::Of(AnswerCut) => found.map(|answer| answer[..answer.len() / 2].to_vec()),
            _ => found,
        })
    }

    async fn admit_human(&self, digest: Digest) -> StoreResult<Option<AdmittedHuman>> {
        let admitted = self.store.admit_human(digest).await?;
        Ok(match self.has(FormerTokenAccepted) {
            true => self.memory.last(&digest.to_hex(), admitted),
            false => admitted,
        })
    }

    async fn find_account(&self, id: AccountId) -> StoreResult<Option<Arc<Account>>> {
        self.store.find_account(id).await
    }

    async fn find_api_key(&self, id: ApiKeyId) -> StoreResult<Option<Arc<ApiKey>>> {
        self.store.find_api_key(id).await
    }

    async fn find_human(&self, id: HumanId) -> StoreResult<Option<Arc<Human>>> {
        let found = self.store.find_human(id).await?;
        if self.has(AbsenceRemembered) {
            return Ok(self
                .memory
                .first(id.get().to_string(), found.is_some())
                .then_some(found)
                .flatten());
        }
        Ok(self.read(HumanOfFirstRead, id.get(), found))
    }

    async fn show_human(&self, id: HumanId) -> StoreResult<Option<Encoded<HumanDetail>>> {
        Ok(self.read(ProfileOfFirstRead, id.get(), self.store.show_human(id).await?))
    }

    async fn find_bounty(&self, id: BountyId) -> StoreResult<Option<Arc<Bounty>>> {
        Ok(self.read(BountyOfFirstRead, id.get(), self.store.find_bounty(id).await?))
    }

    async fn find_application(&self, id: ApplicationId) -> StoreResult<Option<Arc<Application>>> {
        self.store.find_application(id).await
    }

    async fn find_conversation(&self, id: ConversationId) -> StoreResult<Option<Arc<Conversation>>> {
        Ok(self.read(
            ConversationOfFirstRead,
            id.get(),
            self.store.find_conversation(id).await?,
        ))
    }

    async fn list_accounts(&self, window: PageRequest) -> StoreResult<Page<AccountItem>> {
        self.page(List::Accounts, self.store.list_accounts(window).await?)
    }

    async fn create_account<T: Send + 'static>(
        &self,
        account: NewAccount,
        key: NewKey,
        once: Once<T, (AccountId, ApiKeyId)>,
    ) -> StoreResult<Done<T>> {
        let (once, outcome) = watched(once);
        let (account, key) = (self.new_account(account), self.new_key(key));
        let created = self.store.create_account(account, key, once).await?;
        if let Some((id, _)) = outcome.get() {
            self.memory.count(&format!("keys of {}", id.get()));
        }
        Ok(created)
    }

    async fn update_account(
        &self,
        id: AccountId,
        change: impl Fn(&mut Account) + Send + 'static,
    ) -> Outcome<(), Absent> {
        if self.has(SecondAccountChangeLost) && self.memory.is_repeated("changed", id.get()) {
            return Ok(Ok(()));
        }
        let is_neighbour = self.has(NeighbourChanged) && id.get() > 1;
        let id = AccountId::new(id.get() - i64::from(is_neighbour));
        let ends_suspension = self.has(ChangeEndsSuspension);
        let change = move |account: &mut Account| {
            let was_suspended = account.suspended;
            change(account);
            account.suspended &= !(ends_suspension && was_suspended);
        };
        self.store.update_account(id, change).await
    }

    async fn list_keys(&self, account: AccountId) -> StoreResult<Rows<ApiKeyItem>> {
        self.rows(List::Keys, self.store.list_keys(account).await?)
    }

    async fn create_key<T: Send + 'static, E: Send + 'static>(
        &self,
        by: Actor,
        account: AccountId,
        key: NewKey,
        max: i64,
        recheck: impl Fn(&Account) -> Result<(), E> + Send + 'static,
        once: Once<T, ApiKeyId>,
    ) -> Outcome<Done<T>, KeyDenied<E>> {
        let is_rechecked = !self.has(RecheckDropped);
        let recheck = move |account: &Account| if is_rechecked { recheck(account) } else { Ok(()) };
        let made = self.memory.last::<i64>(&format!("keys of {}", account.get()), None);
        if self.has(RevokedKeysCount) && made.unwrap_or(0) >= max {
            return Ok(Err(KeyDenied::Quota));
        }
        let max = max + i64::from(self.has(QuotaOffByOne));
        let created = self
            .store
            .create_key(self.actor(by), account, self.new_key(key), max, recheck, once)
            .await?;
        if created.is_ok() {
            self.memory.count(&format!("keys of {}", account.get()));
        }
        Ok(created)
    }

    async fn delete_key(&self, by: Actor, owner: AccountId, id: ApiKeyId) -> Outcome<(), Absent> {
        if self.has(RevocationForgotten) {
            return Ok(Ok(()));
        }
        let before = ApiKeyId::new(id.get() - 1);
        if self.has(NeighbourRevoked) && self.store.delete_key(by, owner, before).await?.is_ok() {
            return Ok(Ok(()));
        }
        self.store.delete_key(self.actor(by), owner, id).await
    }

    async fn find_humans(&self, filter: HumanFilter, window: PageRequest) -> StoreResult<Page<HumanList>> {
        let mut page = self.store.find_humans(self.human_filter(filter), window).await?;
        if self.has(TotalOfAllHumans) {
            page.total = self.store.find_humans(HumanFilter::default(), window).await?.total;
        }
        self.page(List::Humans, page)
    }

    async fn create_humans<T: Send + 'static>(
        &self,
        humans: Vec<NewHuman>,
        sandbox: bool,
        once: Once<T, Vec<HumanId>>,
    ) -> StoreResult<Done<T>> {
        let are_several = humans.len() > 1;
        if self.has(ImportTwice) && are_several {
            self.store.unkeyed().create_humans(humans.clone(), sandbox).await?;
        }
        let is_reversed = self.has(ImportReversed);
        let once = once.map(move |mut ids: Vec<HumanId>| {
            if is_reversed {
                ids.reverse();
            }
            ids
        });
        self.store.create_humans(self.new_humans(humans), sandbox, once).await
    }

    async fn update_human(
        &self,
        by: impl Into<Author> + Send,
        id: HumanId,
        skills: Option<Vec<NewSkill>>,
        change: impl Fn(&mut Human) + Send + 'static,
    ) -> Outcome<(), Absent> {
        if self.has(SecondHumanChangeLost) && self.memory.is_repeated("changed", id.get()) {
            return Ok(Ok(()));
        }
        let by = self.author(by);
        let change = self.human_change(by.actor, skills.is_some(), change);
        let skills = self.skills(id, skills).await?;
        self.store.update_human(by, id, skills, change).await
    }

    async fn create_human_token(&self, id: HumanId, digest: Digest) -> Outcome<(), Absent> {
        if self.has(SecondTokenIgnored) && self.memory.count(&id.get().to_string()) > 1 {
            return Ok(Ok(()));
        }
        self.store.create_human_token(id, digest).await
    }

    async fn find_bounties(&self, filter: BountyFilter, window: PageRequest) -> StoreResult<Page<BountyList>> {
        let of = format!("{filter:?}");
        let mut page = self.store.find_bounties(self.bounty_filter(filter), window).await?;
        if self.has(BountyTotalStuck) {
            page.total = self.memory.first(of, page.total);
        }
        self.page(List::Bounties, page)
    }

    async fn create_bounty<T: Send + 'static>(
        &self,
        by: impl Into<Author> + Send,
        draft: Bounty,
        steps: Vec<NewStep>,
        once: Once<T, BountyId>,
    ) -> StoreResult<Done<T>> {
        let by = self.author(by);
        if self.has(BountyTwice) {
            self.store.unkeyed().create_bounty(by.actor, draft.clone()).await?;
        }
        let draft = self.new_bounty(draft);
        self.store.create_bounty(by, draft, steps, once).await
    }

    async fn move_bounty(
        &self,
        by: impl Into<Author> + Send,
        owner: AccountId,
        id: BountyId,
        to: BountyStatus,
        now: Timestamp,
    ) -> Outcome<(), MoveDenied<BountyStatus>> {
        let to = match to {
            BountyStatus::Open if self.has(NeverReopened) => return Ok(Ok(())),
            BountyStatus::Completed if self.has(CompletedIsCancelled) => BountyStatus::Cancelled,
            to => to,
        };
        self.store.move_bounty(self.author(by), owner, id, to, now).await
    }

    async fn update_bounty(
        &self,
        id: BountyId,
        change: impl Fn(&mut Bounty) + Send + Sync + 'static,
        now: Timestamp,
    ) -> Outcome<(), Absent> {
        self.store.update_bounty(id, change, now).await
    }

    async fn has_applied(&self, bounty: BountyId, human: HumanId) -> StoreResult<bool> {
        self.store.has_applied(bounty, human).await
    }

    async fn received_applications(
        &self,
        bounty: BountyId,
        window: PageRequest,
    ) -> StoreResult<Rows<ApplicationReceived>> {
        let rows = self.store.received_applications(bounty, window).await?;
        match self.has(RejectedHidden) {
            true => memory::retain(rows, |row| row["status"] != "rejected"),
            false => self.rows(List::Received, rows),
        }
    }

    async fn sent_applications(&self, human: HumanId, window: PageRequest) -> StoreResult<Page<ApplicationSent>> {
        self.page(List::Sent, self.store.sent_applications(human, window).await?)
    }

    async fn create_application<T: Send + 'static>(
        &self,
        by: impl Into<Author> + Send,
        new: NewApplication,
        once: Once<T, ApplicationId>,
    ) -> Outcome<Done<T>, ApplyDenied> {
        let created = self
            .store
            .create_application(self.author(by), self.new_application(new), once)
            .await?;
        Ok(created.map_err(|denied| match denied {
            ApplyDenied::NotOpen if self.has(NotOpenIsApplied) => ApplyDenied::AlreadyApplied,
            denied => denied,
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
        if self.has(SecondDecisionIgnored) && self.memory.count(&id.get().to_string()) > 1 {
            return Ok(Ok(()));
        }
        if self.has(OthersRejected) && to == ApplicationStatus::Accepted {
            self.reject_others(by, owner, id, now).await?;
        }
        self.store
            .decide_application(self.actor(by), owner, id, to, now, steps)
            .await
    }

    async fn agent_conversations(
        &self,
        account: AccountId,
        mut window: PageRequest,
    ) -> StoreResult<Rows<ConversationItem>> {
        window.limit += usize::from(self.has(LimitPlusOne));
        self.rows(List::OfAgent, self.store.agent_conversations(account, window).await?)
    }

    async fn worker_conversations(
        &self,
        human: HumanId,
        mut window: PageRequest,
    ) -> StoreResult<Rows<ConversationWorkerItem>> {
        window.limit -= usize::from(self.has(LimitMinusOne));
        self.rows(List::OfWorker, self.store.worker_conversations(human, window).await?)
    }

    async fn latest_messages(
        &self,
        conversation: &Conversation,
        window: PageRequest,
    ) -> StoreResult<Rows<MessageItem>> {
        self.store.latest_messages(conversation, window).await
    }

    async fn list_skills(&self, sandbox: bool, window: PageRequest) -> StoreResult<Page<OfferedSkillItem>> {
        self.page(List::Skills, self.store.list_skills(sandbox, window).await?)
    }

    async fn nearest_skills(&self, sandbox: bool, name: String) -> StoreResult<Vec<String>> {
        self.store.nearest_skills(sandbox, name).await
    }

    async fn own_bounties(
        &self,
        account: AccountId,
        status: Option<BountyStatus>,
        window: PageRequest,
    ) -> StoreResult<Page<BountyList>> {
        self.store.own_bounties(account, status, window).await
    }

    async fn messages(&self, conversation: &Conversation) -> StoreResult<Rows<MessageItem>> {
        let rows = self.store.messages(conversation).await?;
        match self.has(MessagesCut) {
            true => memory::first(rows, 20),
            false => self.rows(List::Messages, rows),
        }
    }

    async fn create_conversation<T: Send + 'static>(
        &self,
        by: impl Into<Author> + Send,
        new: NewConversation,
        once: Once<T, (ConversationId, MessageId)>,
    ) -> Outcome<Done<T>, Absent> {
        let by = self.author(by);
        if self.has(ConversationReused)
            && let Some(reused) = self.reuse(by.actor, &new).await?
        {
            return Ok(reused.map(|reused| once.done(reused).0));
        }
        let between = between(&new);
        let is_swapped = self.has(IdsSwapped);
        let swapped =
            |(id, message): (ConversationId, MessageId)| (ConversationId::new(message.get()), MessageId::new(id.get()));
        let once = once.map(move |ids| if is_swapped { swapped(ids) } else { ids });
        let (once, outcome) = watched(once);
        let created = self.store.create_conversation(by, new, once).await?;
        if let (true, Some((id, _))) = (created.is_ok(), outcome.get()) {
            self.memory.former(&between, *id);
        }
        Ok(created)
    }

    async fn create_message<T: Send + 'static>(
        &self,
        by: impl Into<Author> + Send,
        message: NewMessage,
        once: Once<T, MessageId>,
    ) -> Outcome<Done<T>, Absent> {
        let by = self.author(by);
        if self.has(MessageTwice) {
            let _ = self.store.unkeyed().create_message(by.actor, message.clone()).await?;
        }
        let message = self.new_message(message).await?;
        self.store.create_message(by, message, once).await
    }

    async fn due_steps(&self, at: u64, most: usize) -> StoreResult<DueSteps> {
        self.store.due_steps(at, most).await
    }

    async fn replace_steps(&self, taken: Vec<StepKey>, new: Vec<NewStep>) -> StoreResult<()> {
        self.store.replace_steps(taken, new).await
    }

    async fn advance_steps(&self, account: AccountId, millis: u64) -> StoreResult<()> {
        self.store.advance_steps(account, millis).await
    }

    async fn find_webhook(&self, id: WebhookId) -> StoreResult<Option<Arc<Webhook>>> {
        self.store.find_webhook(id).await
    }

    async fn list_webhooks(&self, account: AccountId) -> StoreResult<Rows<WebhookItem>> {
        self.rows(List::Webhooks, self.store.list_webhooks(account).await?)
    }

    async fn create_webhook<T: Send + 'static>(
        &self,
        by: Actor,
        account: AccountId,
        mut new: NewWebhook,
        max: i64,
        once: Once<T, WebhookId>,
    ) -> Outcome<Done<T>, WebhookDenied> {
        if self.has(WebhookEventsDropped) {
            new.events.clear();
        }
        let max = max + 2 * i64::from(self.has(WebhookQuotaRaised));
        self.store.create_webhook(self.actor(by), account, new, max, once).await
    }

    async fn delete_webhook(&self, by: Actor, owner: AccountId, id: WebhookId) -> Outcome<(), Absent> {
        match self.has(WebhookStays) {
            true => Ok(Ok(())),
            false => self.store.delete_webhook(self.actor(by), owner, id).await,
        }
    }

    async fn test_webhook(&self, by: Actor, owner: AccountId, id: WebhookId, now: Timestamp) -> Outcome<(), Absent> {
        self.store.test_webhook(self.actor(by), owner, id, now).await
    }

    async fn replay_webhook(&self, by: Actor, owner: AccountId, id: WebhookId, after: i64) -> Outcome<(), Absent> {
        self.store.replay_webhook(self.actor(by), owner, id, after).await
    }

    async fn events(&self, of: Recipient, mut request: FeedRequest) -> Outcome<FeedPage, UnknownCursor> {
        let of = match of {
            Recipient::Human(id) if self.has(EventsOfNeighbour) => Recipient::Account(AccountId::new(id.get())),
            of => of,
        };
        match &mut request.after {
            Some(After::Event(after)) if self.has(EventTwice) => *after = (*after - 1).max(0),
            _ => {}
        }
        if self.has(EventNamesDropped) {
            request.names = None;
        }
        let mut page = match self.store.events(of, request).await? {
            Ok(page) => page,
            unknown => return Ok(unknown),
        };
        if self.has(EventLost) {
            page.events.retain(|event| !event.as_str().ends_with("3\"}"));
        }
        if self.has(EventsReversed) {
            page.events.reverse();
        }
        Ok(Ok(page))
    }

    fn next_event(&self, of: Recipient) -> NextEvent {
        self.store.next_event(of)
    }
}

/// The same, which notes the outcome of the write.
fn watched<T: 'static, O: Copy + Send + Sync + 'static>(once: Once<T, O>) -> (Once<T, O>, Arc<OnceLock<O>>) {
    let outcome = Arc::new(OnceLock::new());
    let noted = Arc::clone(&outcome);
    let once = once.map(move |outcome| *noted.get_or_init(|| outcome));
    (once, outcome)
}

/// The parties of a conversation.
pub(super) fn between(new: &NewConversation) -> String {
    format!("{} and {}", new.account_id.get(), new.human_id.get())
}
