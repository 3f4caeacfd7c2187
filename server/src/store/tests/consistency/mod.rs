//! An inconsistent store is rejected, and the message states exactly what is wrong.

mod feeds;
mod messages;
mod numbers;
mod records;
mod rows;

use codegen_store::{Raw, Record, Tree, number as number_of};
use contract::support::Key;
use contract::{Conversation, ConversationId, Human, Sender};
use serde_json::Value;

use super::*;
use crate::store::Market;
use crate::store::tables::SCHEMA;
use crate::store::verify::verify;

/// A closed store with records of all kinds. Account 1 has the keys 1 and 3, account 2 has key 4; key 2 is revoked.
/// Bounties 1 and 3 are open, 2 is closed. Application 1 is from worker 1 to bounty 1, 2 from worker 2 to bounty 1, 3
/// from worker 1 to bounty 2. Conversation 1 is with worker 1 and has messages 1 and 3, the latest at 30 s; 2 is with
/// worker 2 and has messages 2 and 4, the latest at 25 s. Long values are the bio of worker 1, which was replaced
/// once, and message 4.
async fn store() -> TempDir {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let store = Store::open(dir.path(), Durability::Unsynced).expect("the directory opens");
    let place = TestStore::over(store, dir);
    place.enter_accounts().await;
    place.enter_workers().await;
    place.enter_work().await;
    place.enter_talks().await;
    place.store().close().await.expect("the store closes");
    place.dir
}

impl TestStore {
    async fn enter_accounts(&self) {
        let (account, _) = self.account_with_key("a", "first").await;
        for key in ["second", "third"] {
            let created = self.store().create_key(Actor::Operator, new_key(account, key)).await;
            created.expect("a write").expect("a key");
        }
        let revoked = self.store().delete_key(Actor::Operator, ApiKeyId::new(2)).await;
        revoked.expect("a write").expect("revoked");
        self.account("b").await;
    }

    async fn enter_workers(&self) {
        let worker = |name: &str, skill: &str| NewHuman {
            bio: "long ".repeat(3_000),
            skills: vec![new_skill(skill, "Home"), new_skill("Driving", "Car")],
            ..new_human(name)
        };
        let workers = vec![worker("Hana", "Cooking"), worker("Ken", "COOKING")];
        let ids = self
            .store()
            .create_humans(workers, false)
            .await
            .expect("workers are entered");
        for (id, bio) in ids.into_iter().zip(["longer ".repeat(3_000), String::new()]) {
            let change = move |human: &mut Human| human.bio.clone_from(&bio);
            let changed = self.store().update_human(Actor::Operator, id, None, change).await;
            changed.expect("a write");
            let given = self.store().set_token(id, &id.get().to_string()).await;
            given.expect("a write");
        }
    }

    async fn enter_work(&self) {
        let account = AccountId::new(1);
        for title in ["one", "two", "three"] {
            self.bounty(account, title).await;
        }
        for (bounty, human) in [(1, 1), (1, 2), (2, 1)] {
            self.apply(BountyId::new(bounty), HumanId::new(human)).await;
        }
        let moved = self
            .store()
            .set_status(Actor::Operator, BountyId::new(2), BountyStatus::Completed);
        moved.await.expect("a write").expect("moved");
    }

    async fn enter_talks(&self) {
        for (human, unix) in [(1, 10), (2, 20)] {
            let human = HumanId::new(human);
            self.talk(AccountId::new(1), human, "Are you free?", unix).await;
        }
        for (conversation, text, unix) in [(1, "yes".to_owned(), 30), (2, "so ".repeat(3_000), 25)] {
            let conversation = ConversationId::new(conversation);
            self.say(conversation, Sender::Human, &text, unix).await;
        }
    }
}

/// The store with this `damage`.
fn damaged(damage: impl FnOnce(&Raw)) -> TempDir {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let dir = runtime.expect("a runtime").block_on(store());
    damage(&Raw::open(dir.path(), &SCHEMA));
    dir
}

/// The findings in the store after `damage`.
fn findings(damage: impl FnOnce(&Raw)) -> Vec<String> {
    let raw = Raw::open(damaged(damage).path(), &SCHEMA);
    let findings = raw.load(|reader| verify(reader, &mut drop));
    let findings = findings.expect("all trees can be read");
    findings.texts().map(str::to_owned).collect()
}

#[track_caller]
fn check(damage: impl FnOnce(&Raw), expected: &[&str]) {
    assert_eq!(findings(damage), expected);
}

/// One record.
fn record<R: Record<Market>>(raw: &Raw, id: R::Id) -> R {
    R::decode(&raw.stored(R::TREE, &id.bytes())).expect("a record")
}

/// A number in `meta`.
fn meta(raw: &Raw, name: &str) -> i64 {
    number_of(&raw.stored(Tree::META, name.as_bytes())).expect("a number")
}

/// Changes the stored form of a short record.
fn edit<R: Record<Market>>(trees: &Raw, id: R::Id, change: impl FnOnce(&mut Value)) {
    let key = id.bytes();
    let mut value = serde_json::from_slice(&trees.take(R::TREE, &key)).expect("a record is JSON");
    change(&mut value);
    trees.put(R::TREE, &key, value.to_string().as_bytes());
}

#[test]
fn a_store_with_something_of_everything_is_in_step() {
    let pieces = |trees: &Raw| assert!(trees.pieces() > 4);
    check(pieces, &[]);
}

#[test]
fn a_conversation_of_an_earlier_version_is_about_no_bounty() {
    let age = |trees: &Raw| {
        let id = ConversationId::new(1);
        let written: Conversation = record(trees, id);
        edit::<Conversation>(trees, id, |record| {
            assert_eq!(record.get("bounty_id"), None, "null is not written");
            record["bounty_id"] = serde_json::Value::Null;
        });
        let expected = Conversation {
            bounty_id: None,
            ..written
        };
        assert_eq!(record::<Conversation>(trees, id), expected);
    };
    check(age, &[]);
}
