//! The tests that every engine must pass, through the traits [`Store`] and [`Engine`]. The files of tests are compiled
//! once for each engine.

use codegen_store::Durability;
use contract::{
    Account, AccountId, ApiKeyId, ApplicationId, Bounty, BountyId, BountySeed, BountyStatus, Encoded, Gender, HumanId,
    NewHuman, NewSkill, Number, Plan, Rows, Timestamp,
};
use tempfile::TempDir;

#[cfg(feature = "postgres")]
use super::postgres;
use super::sled::SledStore;
use super::{Actor, BountyFilter, Engine, HumanFilter, NewAccount, NewKey, PageRequest, Store, WithoutKeys};
use crate::digest::Digest;

/// An engine that the suite can open.
pub(in crate::store) trait TestEngine {
    /// What it opens.
    type Store: Engine;

    /// The store in this directory.
    fn open(dir: &TempDir) -> Self::Store;
    /// The store after it was closed and opened again.
    async fn reopened(store: Self::Store, dir: &TempDir) -> Self::Store {
        store.close().await.expect("the store closes");
        drop(store);
        Self::open(dir)
    }
    /// Compares the search index with the workers.
    fn assert_indexed(store: &Self::Store);
}

/// The embedded engine.
pub(in crate::store) struct Embedded;

impl TestEngine for Embedded {
    type Store = SledStore;

    fn open(dir: &TempDir) -> SledStore {
        SledStore::open(dir.path(), Durability::Synced).expect("the directory opens")
    }

    fn assert_indexed(store: &SledStore) {
        let checked = store.read_mirror(|mirror| mirror.humans.assert_indexed());
        checked.expect("the mirror is read");
    }
}

/// A store in memory.
pub(in crate::store) struct InMemory;

impl TestEngine for InMemory {
    type Store = SledStore;

    fn open(_: &TempDir) -> SledStore {
        SledStore::default()
    }

    async fn reopened(store: SledStore, _: &TempDir) -> SledStore {
        store
    }

    fn assert_indexed(store: &SledStore) {
        Embedded::assert_indexed(store);
    }
}

/// The engine over a PostgreSQL database, which belongs to the directory.
#[cfg(feature = "postgres")]
pub(in crate::store) struct OverPostgres;

#[cfg(feature = "postgres")]
impl TestEngine for OverPostgres {
    type Store = SledStore;

    fn open(dir: &TempDir) -> SledStore {
        postgres::tests::open(dir)
    }

    fn assert_indexed(store: &SledStore) {
        Embedded::assert_indexed(store);
    }
}

/// The tests of an engine.
macro_rules! suite {
    ($name:ident, $engine:ty) => {
        #[allow(clippy::duplicate_mod, reason = "the same tests for each engine")]
        #[path = "."]
        mod $name {
            mod accounts;
            mod actors;
            mod answers;
            mod applications;
            mod bounties;
            mod conversations;
            mod events;
            mod humans;
            mod orders;
            mod quotas;
            mod realms;
            mod search;
            mod steps;
            mod webhooks;

            use super::*;

            type TestStore = super::TestStore<$engine>;
        }
    };
}

suite!(embedded, Embedded);
suite!(in_memory, InMemory);
#[cfg(feature = "postgres")]
suite!(over_postgres, OverPostgres);

/// A store, and the data directory that it may use.
pub(in crate::store) struct TestStore<E: TestEngine> {
    pub(in crate::store) store: E::Store,
    /// Removed after the store is closed.
    pub(in crate::store) dir: TempDir,
}

impl<E: TestEngine> TestStore<E> {
    pub(in crate::store) fn new() -> Self {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let store = E::open(&dir);
        Self { store, dir }
    }

    pub(in crate::store) fn assert_indexed(&self) {
        E::assert_indexed(&self.store);
    }

    /// Closes the store and opens it again.
    pub(in crate::store) async fn reopened(self) -> Self {
        let store = E::reopened(self.store, &self.dir).await;
        Self { store, dir: self.dir }
    }

    pub(in crate::store) async fn account(&self, name: &str) -> AccountId {
        self.account_with_key(name, name).await.0
    }

    pub(in crate::store) async fn account_with_key(&self, name: &str, key: &str) -> (AccountId, ApiKeyId) {
        let account = NewAccount {
            name: name.to_owned(),
            plan: Plan::Verified,
            sandbox: false,
            created_at: at(0),
        };
        self.store
            .unkeyed()
            .create_account(account, new_key(key))
            .await
            .expect("an account is made")
    }

    pub(in crate::store) async fn human(&self, name: &str) -> HumanId {
        self.store
            .unkeyed()
            .create_humans(vec![new_human(name)], false)
            .await
            .expect("a worker is entered")[0]
    }

    pub(in crate::store) async fn bounty(&self, account: AccountId, title: &str) -> BountyId {
        let draft = Bounty {
            title: title.to_owned(),
            ..plain_bounty(account)
        };
        self.store
            .unkeyed()
            .create_bounty(Actor::Operator, draft)
            .await
            .expect("a bounty is made")
    }

    pub(in crate::store) async fn open_titles(&self) -> Vec<String> {
        let page = self
            .store
            .find_bounties(BountyFilter::default(), all())
            .await
            .expect("a page");
        let rows = whole(page.rows);
        assert_eq!(usize::try_from(page.total), Ok(rows.len()));
        rows.iter().map(|row| text_of(row, "title")).collect()
    }

    pub(in crate::store) async fn names(&self, filter: HumanFilter) -> Vec<String> {
        let page = self.store.find_humans(filter, all()).await.expect("a page");
        let rows = whole(page.rows);
        assert_eq!(usize::try_from(page.total), Ok(rows.len()));
        rows.iter().map(|row| text_of(row, "name")).collect()
    }
}

pub(in crate::store) fn at(unix: i64) -> Timestamp {
    Timestamp::from_unix(unix)
}

pub(in crate::store) fn all() -> PageRequest {
    PageRequest::new(i64::MAX, 0)
}

pub(in crate::store) fn number(value: f64) -> Number {
    Number::new(value).expect("a finite number")
}

pub(in crate::store) fn new_key(key: &str) -> NewKey {
    let prefix = format!("{}...", &key[..1]);
    NewKey {
        name: key.to_owned(),
        prefix,
        digest: Digest::from_secret(key),
        created_at: at(0),
    }
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
        skills: Vec::new(),
    }
}

pub(in crate::store) fn new_skill(name: &str, category: &str) -> NewSkill {
    NewSkill {
        name: name.to_owned(),
        category: category.to_owned(),
    }
}

/// A bounty without an id.
pub(in crate::store) fn plain_bounty(account_id: AccountId) -> Bounty {
    Bounty::from(BountySeed {
        id: BountyId::new(0),
        account_id,
        title: "A task".to_owned(),
        description: "To be done".to_owned(),
        budget: number(100.0),
    })
}

/// A check that accepts every account.
pub(in crate::store) fn anyone(_: &Account) -> Result<(), ()> {
    Ok(())
}

/// All rows of a list.
pub(in crate::store) fn whole<V: 'static>(rows: Rows<V>) -> Vec<Encoded<V>> {
    rows.read_all().expect("rows that can be read")
}

/// A member of a row, as text.
pub(in crate::store) fn text_of<V>(row: &Encoded<V>, member: &str) -> String {
    match &json_of(row)[member] {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

pub(in crate::store) fn json_of<V>(row: &Encoded<V>) -> serde_json::Value {
    serde_json::from_str(row.as_str()).expect("rows are JSON")
}
