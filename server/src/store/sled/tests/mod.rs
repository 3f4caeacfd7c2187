//! The guarantees of the engine, tested through the trait in a temporary directory, across closing and reopening.

mod accounts;
mod actors;
mod applications;
mod bounties;
mod consistency;
mod conversations;
mod damage;
mod group;
mod humans;
mod kinds;
mod large;
mod life;
mod lost;
mod orders;
mod poisoned;
mod search;

use std::path::PathBuf;
use std::sync::Mutex;

use contract::{
    Account, AccountId, ApiKeyId, ApplicationId, Bounty, BountyId, BountySeed, BountyStatus, Encoded, Gender, HumanId,
    NewHuman, NewSkill, Number, Plan, Rows, Timestamp,
};
use tempfile::TempDir;

use super::{Durability, SledStore};
use crate::digest::Digest;
use crate::store::{
    Actor, BountyFilter, CommitReport, HumanFilter, NewAccount, NewKey, PageRequest, Store, WatchCommits,
};

/// A data directory with its store.
struct TestStore {
    store: SledStore,
    /// Removed after the store is closed.
    dir: TempDir,
}

/// The observed commits, in order.
#[derive(Default)]
struct ReportedCommits(Mutex<Vec<Option<CommitReport>>>);

impl WatchCommits for ReportedCommits {
    fn committed(&self, commit: CommitReport) {
        self.0.lock().expect("no holder panics").push(Some(commit));
    }

    fn failed(&self) {
        self.0.lock().expect("no holder panics").push(None);
    }
}

impl ReportedCommits {
    /// How many writes shared each commit; `None` for a failed commit.
    fn groups(&self) -> Vec<Option<usize>> {
        let commits = self.0.lock().expect("no holder panics");
        commits
            .iter()
            .map(|commit| commit.map(|commit| commit.writes))
            .collect()
    }
}

impl TestStore {
    fn new() -> Self {
        let dir = tempfile::tempdir().expect("a temporary directory");
        Self { store: open(&dir), dir }
    }

    /// Closes the store and opens it again.
    async fn reopened(self) -> Self {
        self.store.close().await.expect("the store closes");
        drop(self.store);
        Self {
            store: open(&self.dir),
            dir: self.dir,
        }
    }

    fn path(&self) -> PathBuf {
        self.dir.path().to_owned()
    }

    async fn account(&self, name: &str) -> AccountId {
        self.account_with_key(name, name).await.0
    }

    async fn account_with_key(&self, name: &str, key: &str) -> (AccountId, ApiKeyId) {
        let account = NewAccount {
            name: name.to_owned(),
            plan: Plan::Verified,
            created_at: at(0),
        };
        self.store
            .create_account(account, new_key(key))
            .await
            .expect("an account is made")
    }

    async fn human(&self, name: &str) -> HumanId {
        self.store
            .create_humans(vec![new_human(name)])
            .await
            .expect("a worker is entered")[0]
    }

    async fn bounty(&self, account: AccountId, title: &str) -> BountyId {
        let title = title.to_owned();
        let draft = move |id| Bounty {
            title: title.clone(),
            ..plain_bounty(id, account)
        };
        self.store
            .create_bounty(Actor::Operator, draft)
            .await
            .expect("a bounty is made")
    }

    async fn open_titles(&self) -> Vec<String> {
        let page = self
            .store
            .find_bounties(BountyFilter::default(), all())
            .await
            .expect("a page");
        let rows = whole(page.rows);
        assert_eq!(usize::try_from(page.total), Ok(rows.len()));
        rows.iter().map(|row| text_of(row, "title")).collect()
    }

    async fn names(&self, filter: HumanFilter) -> Vec<String> {
        let page = self.store.find_humans(filter, all()).await.expect("a page");
        let rows = whole(page.rows);
        assert_eq!(usize::try_from(page.total), Ok(rows.len()));
        rows.iter().map(|row| text_of(row, "name")).collect()
    }
}

fn open(dir: &TempDir) -> SledStore {
    SledStore::open(dir.path(), Durability::Synced).expect("the directory opens")
}

fn at(unix: i64) -> Timestamp {
    Timestamp::from_unix(unix)
}

fn all() -> PageRequest {
    PageRequest::new(i64::MAX, 0)
}

fn number(value: f64) -> Number {
    Number::new(value).expect("a finite number")
}

fn new_key(key: &str) -> NewKey {
    let prefix = format!("{}...", &key[..1]);
    NewKey {
        name: key.to_owned(),
        prefix,
        digest: Digest::of(key),
        created_at: at(0),
    }
}

fn new_human(name: &str) -> NewHuman {
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

fn new_skill(name: &str, category: &str) -> NewSkill {
    NewSkill {
        name: name.to_owned(),
        category: category.to_owned(),
    }
}

fn plain_bounty(id: BountyId, account_id: AccountId) -> Bounty {
    Bounty::from(BountySeed {
        id,
        account_id,
        title: "A task".to_owned(),
        description: "To be done".to_owned(),
        budget: number(100.0),
    })
}

/// A check that accepts every account.
fn anyone(_: &Account) -> Result<(), ()> {
    Ok(())
}

/// All rows of a list.
fn whole<V: 'static>(rows: Rows<V>) -> Vec<Encoded<V>> {
    rows.read_all().expect("rows that can be read")
}

/// A member of a row, as text.
fn text_of<V>(row: &Encoded<V>, member: &str) -> String {
    match &json_of(row)[member] {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn json_of<V>(row: &Encoded<V>) -> serde_json::Value {
    serde_json::from_str(row.as_str()).expect("rows are JSON")
}
