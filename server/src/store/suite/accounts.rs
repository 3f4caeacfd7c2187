//! Accounts and their keys.

use std::sync::Arc;

use tokio::sync::Barrier;

use super::*;
use crate::store::{Absent, KeyDenied};

const MAX: i64 = 3;

impl TestStore {
    pub(in crate::store) async fn admits(&self, key: &str) -> Option<AccountId> {
        self.admits_at(key, 0).await
    }

    pub(in crate::store) async fn admits_at(&self, key: &str, unix: i64) -> Option<AccountId> {
        let admitted = self.store.admit_key(Digest::from_secret(key), at(unix)).await;
        admitted.expect("an answer").map(|admitted| admitted.account.id)
    }

    async fn active_keys(&self, account: AccountId) -> i64 {
        let found = self.store.find_account(account).await.expect("an answer");
        found.expect("the account is there").active_keys
    }

    /// The last use of each key of the account, as its list displays it.
    async fn uses(&self, account: AccountId) -> Vec<String> {
        let rows = self.store.list_keys(account).await.expect("a list");
        whole(rows).iter().map(|row| text_of(row, "last_used_at")).collect()
    }
}

#[tokio::test]
async fn a_key_opens_until_it_is_revoked() {
    let place = TestStore::new();
    let (account, key) = place.account_with_key("a", "first").await;
    let other = place.account("b").await;
    let revoke = async |owner| {
        place
            .store
            .delete_key(Actor::Operator, owner, key)
            .await
            .expect("a write")
    };
    assert_eq!(place.admits("first").await, Some(account));
    assert_eq!(place.admits("fist").await, None);
    assert_eq!(revoke(other).await, Err(Absent));
    assert_eq!(revoke(account).await, Ok(()));
    assert_eq!(place.admits("first").await, None);
    assert_eq!(revoke(account).await, Err(Absent));
    let place = place.reopened().await;
    assert_eq!(place.admits("first").await, None);
    assert!(place.uses(account).await.is_empty());
    assert_eq!(place.active_keys(account).await, 0);
    assert_eq!(place.admits("b").await, Some(other));
}

#[tokio::test]
async fn a_key_is_rejected_for_the_account_the_check_or_the_quota() {
    let place = TestStore::new();
    let account = place.account("a").await;
    let reject = |_: &Account| Err("not this one");
    let create = |account, max| {
        place
            .store
            .unkeyed().create_key(Actor::Operator, account, new_key("more"), max, anyone)
    };
    let rejected = place
        .store
        .unkeyed().create_key(Actor::Operator, account, new_key("more"), MAX, reject)
        .await
        .expect("a write");
    assert_eq!(rejected, Err(KeyDenied::Rejected("not this one")));
    assert_eq!(
        create(AccountId::new(99), MAX).await.expect("a write"),
        Err(KeyDenied::Absent)
    );
    assert_eq!(create(account, 1).await.expect("a write"), Err(KeyDenied::Quota));
    assert!(create(account, 2).await.expect("a write").is_ok());
    assert_eq!(place.active_keys(account).await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twelve_at_once_never_get_more_keys_than_the_quota() {
    let mut place = TestStore::new();
    for round in 0..50 {
        let account = place.account(&format!("a{round}")).await;
        let (store, created) = race(place.store, account, round).await;
        place.store = store;
        assert_eq!(created, 2, "round {round}");
        if round % 10 == 9 {
            place = place.reopened().await;
        }
        assert_eq!(place.active_keys(account).await, MAX);
        assert_eq!(place.uses(account).await.len(), 3);
        let more = place
            .store
            .unkeyed().create_key(Actor::Operator, account, new_key("more"), MAX, anyone)
            .await;
        assert_eq!(more.expect("a write"), Err(KeyDenied::Quota));
    }
}

/// Twelve tasks at a barrier each create a key. Returns how many succeeded.
async fn race<E: Engine>(store: E, account: AccountId, round: i32) -> (E, usize) {
    let (store, barrier) = (Arc::new(store), Arc::new(Barrier::new(12)));
    let tasks: Vec<_> = (0..12)
        .map(|at| {
            let (store, barrier) = (Arc::clone(&store), Arc::clone(&barrier));
            tokio::spawn(async move {
                barrier.wait().await;
                store
                    .unkeyed().create_key(Actor::Operator, account, new_key(&format!("{round} {at}")), MAX, anyone)
                    .await
            })
        })
        .collect();
    let mut created = 0;
    for task in tasks {
        created += usize::from(task.await.expect("no panic").expect("a write").is_ok());
    }
    (Arc::into_inner(store).expect("all tasks are done"), created)
}

#[tokio::test]
async fn a_use_is_listed_at_once_and_outlasts_a_close() {
    let place = TestStore::new();
    let (account, _) = place.account_with_key("a", "first").await;
    assert_eq!(place.uses(account).await, ["null"]);
    for unix in [60, 120] {
        assert_eq!(place.admits_at("first", unix).await, Some(account));
    }
    assert_eq!(place.uses(account).await, ["1970-01-01T00:02:00"]);
    let place = place.reopened().await;
    assert_eq!(place.uses(account).await, ["1970-01-01T00:02:00"]);
}

#[tokio::test]
async fn a_use_after_the_clock_was_set_back_is_the_last_one() {
    let mut place = TestStore::new();
    let (account, _) = place.account_with_key("a", "first").await;
    for (unix, expected) in [(3_600, "1970-01-01T01:00:00"), (60, "1970-01-01T00:01:00")] {
        assert_eq!(place.admits_at("first", unix).await, Some(account));
        assert_eq!(place.uses(account).await, [expected]);
        place = place.reopened().await;
        assert_eq!(place.uses(account).await, [expected]);
    }
}

#[tokio::test]
async fn a_change_of_an_account_leaves_its_id_and_its_keys() {
    let place = TestStore::new();
    let account = place.account("a").await;
    let change = |account: &mut Account| {
        account.id = AccountId::new(77);
        account.active_keys = 0;
        account.suspended = true;
    };
    assert_eq!(
        place.store.update_account(account, change).await.expect("a write"),
        Ok(())
    );
    let absent = place.store.update_account(AccountId::new(9), change).await;
    assert_eq!(absent.expect("a write"), Err(Absent));
    let place = place.reopened().await;
    let found = place
        .store
        .find_account(account)
        .await
        .expect("an answer")
        .expect("it is there");
    assert_eq!((found.id, found.active_keys, found.suspended), (account, 1, true));
}

#[tokio::test]
async fn accounts_are_listed_by_id_in_pages() {
    let place = TestStore::new();
    for name in ["a", "b", "c"] {
        place.account(name).await;
    }
    let page = place.store.list_accounts(PageRequest::new(2, 1)).await.expect("a page");
    assert_eq!(
        whole(page.rows)
            .iter()
            .map(|row| text_of(row, "name"))
            .collect::<Vec<_>>(),
        ["b", "c"]
    );
    assert_eq!(page.total, 3);
}

#[tokio::test]
async fn an_id_of_a_revoked_key_is_not_used_again() {
    let place = TestStore::new();
    let (account, key) = place.account_with_key("a", "first").await;
    place
        .store
        .delete_key(Actor::Operator, account, key)
        .await
        .expect("a write")
        .expect("revoked");
    let place = place.reopened().await;
    let next = place
        .store
        .unkeyed().create_key(Actor::Operator, account, new_key("second"), 3, anyone)
        .await;
    assert_eq!(next.expect("a write").expect("a key").get(), key.get() + 1);
}
