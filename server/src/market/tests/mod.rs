//! The market over a store: what its writes make of what is stored, at once and after a restart. What callers see of each
//! operation is tested over HTTP.

mod accounts;
mod actors;
mod answers;
mod applications;
mod bounties;
mod conversations;
mod days;
mod erasure;
mod events;
mod files;
mod humans;
mod quotas;
mod reviews;
mod search;
mod steps;
mod webhooks;

use std::convert::Infallible;

use contract::support::{Bytes, IdempotencyKey, KeyedRequest, Once};
use contract::{
    Account, AccountId, AccountSeed, ApiKey, ApiKeyId, ApiKeySeed, Application, ApplicationId, ApplicationSeed,
    ApplicationStatus, Bounty, BountyId, BountyList, BountySeed, BountyStatus, Clock, Conversation, ConversationId,
    ConversationSeed, Encoded, Failure, FindBounty, Gender, Human, HumanId, MessageId, NewHuman, NewSkill, Number,
    Page, Plan, Rows, Sender, Timestamp, Webhook, WebhookId, WebhookSeed, agent, worker,
};
use tempfile::TempDir;

use super::conversations::message;
use crate::app::Hitode;
use crate::digest::Digest;
use crate::operator_token::OperatorToken;
#[cfg(feature = "postgres")]
use crate::store::postgres;
use crate::store::{
    Actor, Author, BountyFilter, Durability, HumanFilter, Outcome, PageRequest, SigningSecret, Store, StoreResult,
    named,
};

/// A store in a directory that is removed after it, and the market over it.
pub(crate) struct TestStore {
    pub(crate) app: Hitode,
    pub(crate) dir: TempDir,
    open: fn(&TempDir) -> Store,
}

impl TestStore {
    /// A new data directory.
    pub(crate) fn new() -> Self {
        Self::opened_by(|dir| Store::open(dir.path(), Durability::Synced).expect("the directory opens"))
    }

    /// A new PostgreSQL database, which belongs to the directory.
    #[cfg(feature = "postgres")]
    pub(crate) fn over_postgres() -> Self {
        Self::opened_by(postgres::tests::open)
    }

    fn opened_by(open: fn(&TempDir) -> Store) -> Self {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let app = app(open(&dir));
        Self { app, dir, open }
    }

    /// A store that is open, in its directory.
    pub(crate) fn over(store: Store, dir: TempDir) -> Self {
        let open = |dir: &TempDir| Store::open(dir.path(), Durability::Synced).expect("the directory opens");
        let app = app(store);
        Self { app, dir, open }
    }

    pub(crate) fn store(&self) -> &Store {
        self.app.store()
    }

    /// The open store and its directory.
    pub(crate) fn into_parts(self) -> (Store, TempDir) {
        (self.app.into_store(), self.dir)
    }

    /// Closes the store and opens it again.
    pub(crate) async fn reopened(self) -> Self {
        let Self { app: closed, dir, open } = self;
        let store = closed.into_store();
        store.close().await.expect("the store closes");
        drop(store);
        let app = app(open(&dir));
        Self { app, dir, open }
    }

    /// Compares the search index with the workers.
    pub(crate) fn assert_indexed(&self) {
        let checked = self.store().look(|mirror| mirror.humans.assert_indexed());
        checked.expect("the mirror is read");
    }

    pub(crate) async fn account(&self, name: &str) -> AccountId {
        self.account_with_key(name, name).await.0
    }

    pub(crate) async fn account_with_key(&self, name: &str, key: &str) -> (AccountId, ApiKeyId) {
        let created = self
            .store()
            .create_account(new_account(name), new_key(AccountId::new(0), key));
        created.await.expect("an account is made")
    }

    pub(crate) async fn human(&self, name: &str) -> HumanId {
        let created = self.store().create_humans(vec![new_human(name)], false);
        created.await.expect("a worker is entered")[0]
    }

    pub(crate) async fn bounty(&self, account: AccountId, title: &str) -> BountyId {
        let draft = Bounty {
            title: title.to_owned(),
            ..plain_bounty(account)
        };
        let created = self.store().create_bounty(Actor::Operator, draft);
        created.await.expect("a bounty is made")
    }

    /// The account of this key, for a request at this time.
    pub(crate) async fn admits_at(&self, key: &str, unix: i64) -> Option<AccountId> {
        self.app
            .admit(Digest::from_secret(key), at(unix))
            .await
            .expect("an answer")
            .map(|caller| caller.id)
    }

    pub(crate) async fn admits(&self, key: &str) -> Option<AccountId> {
        self.admits_at(key, 0).await
    }

    pub(crate) async fn bounty_record(&self, id: BountyId) -> Bounty {
        let found = self.app.find_bounty(id).await.expect("an answer");
        Bounty::clone(&found.expect("it is there"))
    }

    pub(crate) async fn open_page(&self) -> Page<BountyList> {
        let page = self.app.search_bounties(BountyFilter::default(), all());
        page.await.expect("a page")
    }

    pub(crate) async fn open_titles(&self) -> Vec<String> {
        let page = self.open_page().await;
        let rows = whole(page.rows);
        assert_eq!(usize::try_from(page.total), Ok(rows.len()));
        rows.iter().map(|row| text_of(row, "title")).collect()
    }

    pub(crate) async fn names(&self, filter: HumanFilter) -> Vec<String> {
        let page = self
            .store()
            .look(|mirror| mirror.humans.of(filter.sandbox).find(&filter, all()));
        let page = page.expect("a page");
        let rows = whole(page.rows);
        assert_eq!(usize::try_from(page.total), Ok(rows.len()));
        rows.iter().map(|row| text_of(row, "name")).collect()
    }

    pub(crate) async fn apply(&self, bounty: BountyId, human: HumanId) -> ApplicationId {
        let applied = self.store().create_application(Actor::Operator, bounty, human);
        applied.await.expect("a write").expect("an application")
    }

    /// A conversation that the account begins at this time.
    pub(crate) async fn talk(&self, account: AccountId, human: HumanId, text: &str, unix: i64) -> ConversationId {
        let begun = self
            .store()
            .create_conversation(Actor::Operator, (account, human), text, at(unix));
        begun.await.expect("a write").0
    }

    pub(crate) async fn say(&self, conversation: ConversationId, sender: Sender, text: &str, unix: i64) -> MessageId {
        let said = self
            .store()
            .create_message(Actor::Operator, conversation, sender, text, at(unix));
        said.await.expect("a write")
    }

    pub(crate) async fn new_webhook(&self, account: AccountId) -> WebhookId {
        let created = self
            .store()
            .create_webhook(Actor::Operator, plain_webhook(account))
            .await;
        created.expect("a write").expect("a webhook")
    }
}

pub(crate) fn app(store: Store) -> Hitode {
    Hitode::new(store, OperatorToken::from_text("operator"), Clock::manual(1_000))
}

/// What no rule of the market rejects.
fn certain<T>(outcome: Outcome<T, Infallible>) -> StoreResult<T> {
    outcome.map(|Ok(done)| done)
}

/// The writes of the market, without steps of simulated workers and without idempotency keys.
pub(crate) trait Writes {
    fn of(&self) -> &Store;

    async fn create_account(&self, account: Account, key: ApiKey) -> StoreResult<(AccountId, ApiKeyId)> {
        let created = self
            .of()
            .write(Actor::Operator, move |tx| super::accounts::create(tx, &account, &key));
        certain(created.await)
    }

    async fn update_account(&self, id: AccountId, change: impl Fn(&mut Account) + Send + 'static) -> StoreResult<()> {
        let changed = self.of().write(Actor::Operator, move |tx| {
            let mut account: Account = tx.existing(id)?;
            change(&mut account);
            tx.await_everywhere();
            Ok(tx.put(&account)?)
        });
        certain(changed.await)
    }

    async fn create_key(&self, by: Actor, key: ApiKey) -> Outcome<ApiKeyId, agent::create_key::Error> {
        use agent::create_key::Error::Quota;
        use agent::create_key::recheck;
        self.of()
            .write(by, move |tx| super::keys::create(tx, &key, Quota, &recheck))
            .await
    }

    async fn delete_key(&self, by: Actor, id: ApiKeyId) -> Outcome<(), agent::delete_key::Error> {
        self.of().write(by, move |tx| super::keys::delete(tx, id)).await
    }

    async fn create_humans(&self, humans: Vec<NewHuman>, sandbox: bool) -> StoreResult<Vec<HumanId>> {
        let drafts = super::humans::drafts(humans, sandbox);
        let created = self.of().write(Actor::Operator, move |tx| {
            super::humans::create(tx, &drafts, Failure::Internal)
        });
        let created = created.await?;
        Ok(created.expect("each `external_id` is another one"))
    }

    async fn update_human(
        &self,
        by: impl Into<Author>,
        id: HumanId,
        skills: Option<Vec<NewSkill>>,
        change: impl Fn(&mut Human) + Send + 'static,
    ) -> StoreResult<()> {
        let skills = skills.map(named);
        let changed = self.of().write(by, move |tx| {
            let former = tx.existing(id)?;
            super::humans::update(tx, &former, super::humans::changed(&former, &change), skills.as_deref())
        });
        certain(changed.await)
    }

    async fn set_token(&self, id: HumanId, token: &str) -> StoreResult<()> {
        let digest = Digest::from_secret(token);
        let changed = self
            .of()
            .write(Actor::Operator, move |tx| super::humans::set_token(tx, id, &digest));
        certain(changed.await)
    }

    async fn create_bounty(&self, by: impl Into<Author>, draft: Bounty) -> StoreResult<BountyId> {
        let created = self.of().write(by, move |tx| super::bounties::create(tx, &draft, &[]));
        certain(created.await)
    }

    /// The same for a request with an idempotency key.
    async fn create_bounty_once(&self, draft: Bounty, once: Once<BountyId>) -> StoreResult<BountyId> {
        let create = move |tx: &mut crate::store::Tx<'_>| super::bounties::create(tx, &draft, &[]);
        let created = self.of().write_once(Actor::Operator, once, create);
        certain(created.await).map(contract::support::Done::into_inner)
    }

    async fn set_status(
        &self,
        by: impl Into<Author>,
        id: BountyId,
        to: BountyStatus,
    ) -> Outcome<(), agent::update_bounty::Error> {
        self.of()
            .write(by, move |tx| super::bounties::set_status(tx, id, to, at(1)))
            .await
    }

    async fn update_bounty(&self, id: BountyId, change: impl Fn(&mut Bounty) + Send + 'static) -> StoreResult<()> {
        let changed = self.of().write(Actor::Operator, move |tx| {
            let former: Bounty = tx.existing(id)?;
            let mut bounty = former.clone();
            change(&mut bounty);
            Ok(tx.replace(&former, &bounty)?)
        });
        certain(changed.await)
    }

    async fn create_application(
        &self,
        by: impl Into<Author>,
        bounty_id: BountyId,
        human_id: HumanId,
    ) -> Outcome<ApplicationId, worker::create_application::Error> {
        let draft = Application::from(ApplicationSeed {
            id: ApplicationId::new(0),
            bounty_id,
            human_id,
            message: "I can".to_owned(),
            created_at: at(5),
        });
        self.of()
            .write(by, move |tx| super::applications::create(tx, &draft))
            .await
    }

    async fn decide_application(
        &self,
        by: Actor,
        id: ApplicationId,
        to: ApplicationStatus,
    ) -> Outcome<(), agent::decide_application::Error> {
        self.of()
            .write(by, move |tx| super::applications::decide(tx, id, to, at(7), &[]))
            .await
    }

    async fn create_conversation(
        &self,
        by: impl Into<Author>,
        (account_id, human_id): (AccountId, HumanId),
        text: &str,
        now: Timestamp,
    ) -> StoreResult<(ConversationId, MessageId)> {
        let draft = Conversation::from(ConversationSeed {
            id: ConversationId::new(0),
            account_id,
            human_id,
            last_message_id: MessageId::new(0),
            last_message_at: now,
        });
        let first = message(draft.id, Sender::Agent, text.to_owned(), now);
        let begun = self
            .of()
            .write(by, move |tx| super::conversations::create(tx, &draft, &first, &[]));
        certain(begun.await)
    }

    async fn create_message(
        &self,
        by: impl Into<Author>,
        conversation: ConversationId,
        sender: Sender,
        text: &str,
        now: Timestamp,
    ) -> StoreResult<MessageId> {
        let draft = message(conversation, sender, text.to_owned(), now);
        let said = self
            .of()
            .write(by, move |tx| super::conversations::add_message(tx, &draft, &[]));
        certain(said.await)
    }

    async fn create_webhook(&self, by: Actor, draft: Webhook) -> Outcome<WebhookId, agent::create_webhook::Error> {
        let secret = SigningSecret::mint();
        self.of()
            .write(by, move |tx| super::webhooks::create(tx, &draft, &secret))
            .await
    }

    async fn delete_webhook(&self, by: Actor, id: WebhookId) -> Outcome<(), agent::delete_webhook::Error> {
        self.of().write(by, move |tx| super::webhooks::delete(tx, id)).await
    }

    /// A test of a webhook is due.
    async fn test_webhook(&self, id: WebhookId, now: Timestamp) -> Outcome<(), agent::test_webhook::Error> {
        self.of()
            .write(Actor::Operator, move |tx| super::webhooks::test(tx, id, now))
            .await
    }

    /// All events after this number are due to be sent again.
    async fn replay_webhook(
        &self,
        owner: AccountId,
        id: WebhookId,
        after: i64,
    ) -> Outcome<(), agent::replay_webhook::Error> {
        self.of()
            .write(Actor::Operator, move |tx| super::webhooks::replay(tx, owner, id, after))
            .await
    }
}

impl Writes for Store {
    fn of(&self) -> &Store {
        self
    }
}

pub(crate) fn at(unix: i64) -> Timestamp {
    Timestamp::from_unix(unix)
}

pub(crate) fn all() -> PageRequest {
    PageRequest::new(i64::MAX, 0)
}

pub(crate) fn number(value: f64) -> Number {
    Number::new(value).expect("a finite number")
}

pub(crate) fn new_account(name: &str) -> Account {
    Account::from(AccountSeed {
        id: AccountId::new(0),
        name: name.to_owned(),
        plan: Plan::Verified,
        created_at: at(0),
    })
}

pub(crate) fn new_key(account_id: AccountId, key: &str) -> ApiKey {
    ApiKey::from(ApiKeySeed {
        id: ApiKeyId::new(0),
        account_id,
        name: key.to_owned(),
        key_prefix: format!("{}...", &key[..1]),
        digest: Digest::from_secret(key).to_hex(),
        created_at: at(0),
    })
}

pub(crate) fn new_human(name: &str) -> NewHuman {
    NewHuman {
        name: name.to_owned(),
        headline: "Ready".to_owned(),
        bio: String::new(),
        city: "Osaka".to_owned(),
        state: "Osaka".to_owned(),
        gender: Gender::Other,
        hourly_rate: number(1000.0),
        rating: number(0.0),
        total_reviews: 0,
        is_verified: false,
        is_available: true,
        photos: Vec::new(),
        external_id: None,
        skills: Vec::new(),
    }
}

pub(crate) fn new_skill(name: &str, category: &str) -> NewSkill {
    NewSkill {
        name: name.to_owned(),
        category: category.to_owned(),
    }
}

/// A bounty without an id.
pub(crate) fn plain_bounty(account_id: AccountId) -> Bounty {
    Bounty::from(BountySeed {
        id: BountyId::new(0),
        account_id,
        title: "A task".to_owned(),
        description: "To be done".to_owned(),
        budget: number(100.0),
    })
}

/// A webhook without an id.
pub(crate) fn plain_webhook(account_id: AccountId) -> Webhook {
    Webhook::from(WebhookSeed {
        id: WebhookId::new(0),
        account_id,
        url: "https://agent.example.com/hook".to_owned(),
        created_at: at(10),
    })
}

/// A request with an idempotency key, to post a bounty.
pub(crate) fn keyed(key: &[u8]) -> KeyedRequest<'static> {
    KeyedRequest {
        key: IdempotencyKey::parse(key),
        caller: ("Account", Some(1)),
        operation: "agent.create_bounty",
        ids: &[],
        query: None,
        body: Bytes::new(),
        keep_seconds: 60,
    }
}

/// All rows of a list.
pub(crate) fn whole<V: 'static>(rows: Rows<V>) -> Vec<Encoded<V>> {
    rows.read_all().expect("rows that can be read")
}

/// A member of a row, as text.
pub(crate) fn text_of<V>(row: &Encoded<V>, member: &str) -> String {
    match &json_of(row)[member] {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

pub(crate) fn json_of<V>(row: &Encoded<V>) -> serde_json::Value {
    serde_json::from_str(row.as_str()).expect("rows are JSON")
}
