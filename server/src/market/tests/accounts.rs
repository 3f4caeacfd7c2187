//! Accounts and their keys.

use std::sync::Arc;

use contract::agent::create_key::Error;
use contract::agent::delete_key::Error::AbsentApiKey;
use contract::{FindAccount, quotas};
use tokio::sync::Barrier;

use super::*;

impl TestStore {
    async fn active_keys(&self, account: AccountId) -> i64 {
        let found = self.app.find_account(account).await.expect("an answer");
        found.expect("the account is there").active_keys
    }

    /// The last use of each key of the account, as its list displays it.
    fn uses(&self, account: AccountId) -> Vec<String> {
        let rows = self.store().look(|mirror| mirror.keys.list(account)).expect("a list");
        whole(rows).iter().map(|row| text_of(row, "last_used_at")).collect()
    }
}

#[tokio::test]
async fn a_key_opens_until_it_is_revoked_and_its_id_is_not_used_again() {
    let place = TestStore::new();
    let (account, key) = place.account_with_key("a", "first").await;
    let other = place.account("b").await;
    assert_eq!(place.admits("first").await, Some(account));
    assert_eq!(place.admits("fist").await, None);
    let revoke = async || place.store().delete_key(Actor::Operator, key).await.expect("a write");
    assert_eq!(revoke().await, Ok(()));
    assert_eq!(place.admits("first").await, None);
    assert_eq!(revoke().await, Err(AbsentApiKey));
    let place = place.reopened().await;
    assert_eq!(place.admits("first").await, None);
    assert!(place.uses(account).is_empty());
    assert_eq!(place.active_keys(account).await, 0);
    assert_eq!(place.admits("b").await, Some(other));
    let next = place
        .store()
        .create_key(Actor::Operator, new_key(account, "second"))
        .await;
    assert_eq!(next.expect("a write").expect("a key").get(), 3);
}

#[tokio::test]
async fn a_key_is_rejected_where_it_commits_if_the_plan_has_changed() {
    let place = TestStore::new();
    let account = place.account("a").await;
    let changed = place
        .store()
        .update_account(account, |account| account.plan = Plan::Free);
    changed.await.expect("a write");
    let created = place
        .store()
        .create_key(Actor::Operator, new_key(account, "more"))
        .await;
    assert_eq!(created.expect("a write"), Err(Error::Plan));
    assert_eq!(place.active_keys(account).await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twelve_at_once_never_get_more_keys_than_the_quota() {
    let place = Arc::new(TestStore::new());
    for round in 0..50 {
        let account = place.account(&format!("a{round}")).await;
        let barrier = Arc::new(Barrier::new(12));
        let tasks = (0..12).map(|at| {
            let (place, barrier) = (Arc::clone(&place), Arc::clone(&barrier));
            let key = new_key(account, &format!("{round} {at}"));
            tokio::spawn(async move {
                barrier.wait().await;
                place
                    .store()
                    .create_key(Actor::Operator, key)
                    .await
                    .expect("a write")
                    .is_ok()
            })
        });
        let mut created = 1;
        for task in tasks.collect::<Vec<_>>() {
            created += i64::from(task.await.expect("no panic"));
        }
        assert_eq!(
            (created, place.active_keys(account).await),
            (quotas::ACTIVE_KEYS, created),
            "round {round}"
        );
        assert_eq!(i64::try_from(place.uses(account).len()), Ok(created));
        let more = place
            .store()
            .create_key(Actor::Operator, new_key(account, "more"))
            .await;
        assert_eq!(more.expect("a write"), Err(Error::Quota));
    }
}

#[tokio::test]
async fn the_last_use_of_a_key_is_listed_at_once_and_outlasts_a_close_also_if_the_clock_was_set_back() {
    let mut place = TestStore::new();
    let (account, _) = place.account_with_key("a", "first").await;
    assert_eq!(place.uses(account), ["null"]);
    for (unix, expected) in [
        (3_600, "1970-01-01T01:00:00"),
        (60, "1970-01-01T00:01:00"),
        (120, "1970-01-01T00:02:00"),
    ] {
        assert_eq!(place.admits_at("first", unix).await, Some(account));
        assert_eq!(place.uses(account), [expected]);
        place = place.reopened().await;
        assert_eq!(place.uses(account), [expected]);
    }
}
