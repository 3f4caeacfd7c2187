//! An inconsistent store is rejected, and the message states exactly what is wrong.

mod feeds;
mod messages;
mod numbers;
mod records;
mod rows;

use codegen_store::{Raw, Tree};
use contract::{ConversationId, Human};
use serde_json::Value;

use super::*;
use crate::store::WithoutKeys;
use crate::store::sled::keys::number as number_of;
use crate::store::sled::record::Record;
use crate::store::sled::verify::verify;
use crate::store::tables::{self, SCHEMA};
use crate::store::{NewApplication, NewConversation, NewMessage, Party};

/// A closed store with records of all kinds. Account 1 has the keys 1 and 3, account 2 has key 4; key 2 is revoked.
/// Bounties 1 and 3 are open, 2 is closed. Application 1 is from worker 1 to bounty 1, 2 from worker 2 to bounty 1, 3
/// from worker 1 to bounty 2. Conversation 1 is with worker 1 and has messages 1 and 3, the latest at 30 s; 2 is with
/// worker 2 and has messages 2 and 4, the latest at 25 s. Long values are the bio of worker 1, which was replaced
/// once, and message 4.
async fn store() -> TempDir {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let store = SledStore::open(dir.path(), Durability::Unsynced).expect("the directory opens");
    let place = TestStore { store, dir };
    place.enter_accounts().await;
    place.enter_workers().await;
    place.enter_work().await;
    place.enter_talks().await;
    place.store.close().await.expect("the store closes");
    place.dir
}

impl TestStore {
    async fn enter_accounts(&self) {
        let (account, _) = self.account_with_key("a", "first").await;
        for key in ["second", "third"] {
            let created = self
                .store
                .unkeyed()
                .create_key(Actor::Operator, account, new_key(key), 3, anyone)
                .await;
            created.expect("a write").expect("a key");
        }
        let revoked = self.store.delete_key(Actor::Operator, account, ApiKeyId::new(2)).await;
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
            .store
            .unkeyed()
            .create_humans(workers, false)
            .await
            .expect("workers are entered");
        for (id, bio) in ids.into_iter().zip(["longer ".repeat(3_000), String::new()]) {
            let change = move |human: &mut Human| human.bio.clone_from(&bio);
            let changed = self.store.update_human(Actor::Operator, id, None, change).await;
            changed.expect("a write").expect("changed");
            let token = Digest::from_secret(&id.get().to_string());
            let created = self.store.create_human_token(id, token).await;
            created.expect("a write").expect("given");
        }
    }

    async fn enter_work(&self) {
        let account = AccountId::new(1);
        for title in ["one", "two", "three"] {
            self.bounty(account, title).await;
        }
        for (bounty, human) in [(1, 1), (1, 2), (2, 1)] {
            let created = self.store.unkeyed().create_application(
                Actor::Operator,
                NewApplication {
                    bounty_id: BountyId::new(bounty),
                    human_id: HumanId::new(human),
                    message: "I can.".to_owned(),
                    created_at: at(1),
                },
            );
            created.await.expect("a write").expect("an application");
        }
        let moved = self.store.move_bounty(
            Actor::Operator,
            account,
            BountyId::new(2),
            BountyStatus::Completed,
            at(1),
        );
        moved.await.expect("a write").expect("moved");
    }

    async fn enter_talks(&self) {
        for (human, created_at) in [(1, at(10)), (2, at(20))] {
            let created = self.store.unkeyed().create_conversation(
                Actor::Operator,
                NewConversation {
                    account_id: AccountId::new(1),
                    human_id: HumanId::new(human),
                    message: "Are you free?".to_owned(),
                    created_at,
                    steps: vec![],
                },
            );
            created.await.expect("a write").expect("a conversation");
        }
        for (conversation, content, created_at) in [(1, "yes".to_owned(), at(30)), (2, "so ".repeat(3_000), at(25))] {
            let created = self.store.unkeyed().create_message(
                Actor::Operator,
                NewMessage {
                    conversation_id: ConversationId::new(conversation),
                    sender: Party::Human(HumanId::new(conversation)),
                    content,
                    created_at,
                    steps: vec![],
                },
            );
            created.await.expect("a write").expect("a message");
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
fn record<R: Record>(raw: &Raw, id: R::Id) -> R {
    R::decode(&raw.stored(R::TREE, R::key(id).as_ref())).expect("a record")
}

/// A number in `meta`.
fn meta(raw: &Raw, name: &str) -> i64 {
    number_of(&raw.stored(Tree::META, name.as_bytes())).expect("a number")
}

/// Changes the stored form of a short record.
fn edit<R: Record>(trees: &Raw, id: R::Id, change: impl FnOnce(&mut Value)) {
    let key = R::key(id);
    let mut value = serde_json::from_slice(&trees.take(R::TREE, key.as_ref())).expect("a record is JSON");
    change(&mut value);
    trees.put(R::TREE, key.as_ref(), value.to_string().as_bytes());
}

#[test]
fn a_store_with_something_of_everything_is_in_step() {
    let pieces = |trees: &Raw| assert!(trees.pieces() > 4);
    check(pieces, &[]);
}
