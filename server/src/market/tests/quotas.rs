//! Quotas: on the bounties that are open, and on what is made within a period.

use std::sync::Arc;

use contract::FindHuman;
use contract::support::{Amount, Key, OverQuota, Quota, QuotaUse};
use tokio::sync::Barrier;

use super::*;
use crate::store::{PageRequest, StoreError};

static OPEN: Quota = Quota {
    name: "open",
    max: 3,
    seconds: None,
};
static MADE: Quota = Quota {
    name: "made",
    max: 3,
    seconds: Some(100),
};

/// An author who counts this at this time.
fn counting(quota: &'static Quota, owner: AccountId, amount: Amount, unix: i64) -> Author {
    let owner = owner.bytes();
    Actor::Operator.counting(vec![QuotaUse { quota, owner, amount }], at(unix))
}

/// Whether a write was accepted; `false` if it would have exceeded this quota.
#[track_caller]
fn accepted<T>(outcome: StoreResult<T>, quota: &Quota) -> bool {
    match outcome {
        Ok(_) => true,
        Err(StoreError::OverQuota(OverQuota(over))) if over.name == quota.name => false,
        Err(error) => panic!("{error}"),
    }
}

async fn posted(place: &TestStore, account: AccountId) -> Option<BountyId> {
    let by = counting(&OPEN, account, Amount::Of(1), 0);
    let posted = place.store().create_bounty(by, plain_bounty(account)).await;
    let id = posted.as_ref().ok().copied();
    accepted(posted, &OPEN).then_some(()).and(id)
}

async fn moved(place: &TestStore, account: AccountId, id: BountyId, to: BountyStatus) -> bool {
    let by = counting(&OPEN, account, Amount::Of(1), 0);
    let moved = place.store().set_status(by, id, to).await;
    accepted(moved.map(|moved| moved.expect("a transition that is allowed")), &OPEN)
}

#[tokio::test]
async fn a_bounty_that_is_opened_again_counts_like_a_new_one() {
    let mut place = TestStore::new();
    let (account, other) = (place.account("a").await, place.account("b").await);
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.extend(posted(&place, account).await);
    }
    assert_eq!((ids.len(), posted(&place, account).await), (3, None));
    assert!(posted(&place, other).await.is_some(), "each account has its own");
    assert!(
        moved(&place, account, ids[0], BountyStatus::Open).await,
        "it counts already"
    );
    assert!(moved(&place, account, ids[0], BountyStatus::Cancelled).await);
    place = place.reopened().await;
    ids.extend(posted(&place, account).await);
    assert_eq!(ids.len(), 4);
    assert!(!moved(&place, account, ids[0], BountyStatus::Open).await);
    assert!(
        moved(&place, account, ids[0], BountyStatus::Completed).await,
        "it does not count"
    );
    assert!(moved(&place, account, ids[1], BountyStatus::InProgress).await);
    assert!(moved(&place, account, ids[0], BountyStatus::Open).await);
    assert_eq!(posted(&place, account).await, None);
}

#[tokio::test]
async fn the_operator_is_not_bounded_and_what_is_above_a_quota_stays() {
    let place = TestStore::new();
    let account = place.account("a").await;
    for _ in 0..5 {
        let posted = place.store().create_bounty(Actor::Operator, plain_bounty(account));
        posted.await.expect("no quota");
    }
    let place = place.reopened().await;
    assert_eq!(posted(&place, account).await, None);
    let all = place.app.own_bounties(account, None, PageRequest::new(10, 0)).await;
    assert_eq!(all.expect("an answer").total, 5);
}

#[tokio::test]
async fn twelve_at_once_never_open_more_bounties_than_the_quota() {
    for round in 0..10 {
        let place = TestStore::new();
        let account = place.account("a").await;
        let first = posted(&place, account).await;
        assert!(first.is_some(), "round {round}");
        let (place, barrier) = (Arc::new(place), Arc::new(Barrier::new(12)));
        let tasks = (0..12).map(|_| {
            let (place, barrier) = (Arc::clone(&place), Arc::clone(&barrier));
            tokio::spawn(async move {
                barrier.wait().await;
                posted(&place, account).await.is_some()
            })
        });
        let mut opened = 0;
        for task in tasks.collect::<Vec<_>>() {
            opened += usize::from(task.await.expect("no panic"));
        }
        assert_eq!(opened, 2, "round {round}");
    }
}

async fn begun(place: &TestStore, account: AccountId, human: HumanId, by: Author) -> bool {
    let begun = place
        .store()
        .create_conversation(by, (account, human), "Hello", at(0))
        .await;
    accepted(begun, &MADE)
}

#[tokio::test]
async fn what_is_made_counts_until_its_period_ends() {
    let mut place = TestStore::new();
    let (account, other) = (place.account("a").await, place.account("b").await);
    let human = place.human("Hana").await;
    let of = |amount, unix| counting(&MADE, account, Amount::Of(amount), unix);
    assert!(begun(&place, account, human, of(2, 100)).await);
    assert!(!begun(&place, account, human, of(2, 199)).await);
    place = place.reopened().await;
    assert!(begun(&place, account, human, of(1, 199)).await);
    assert!(!begun(&place, account, human, of(1, 150)).await);
    let of_other = counting(&MADE, other, Amount::Of(3), 150);
    assert!(begun(&place, other, human, of_other).await);
    assert!(begun(&place, account, human, of(3, 200)).await);
    assert!(
        !begun(&place, account, human, of(1, 150)).await,
        "a clock that was set back"
    );
}

#[tokio::test]
async fn only_names_of_skills_that_nobody_has_count() {
    let place = TestStore::new();
    let account = place.account("a").await;
    let with = |names: &[&str]| names.iter().map(|name| new_skill(name, "Home")).collect::<Vec<_>>();
    let known = NewHuman {
        skills: with(&["Cooking", "Baking"]),
        ..new_human("Hana")
    };
    let humans = place.store().create_humans(vec![known, new_human("Ken")], false).await;
    let human = humans.expect("workers")[1];
    let set = async |names: &[&str]| {
        let by = counting(&MADE, account, Amount::NewItems, 100);
        let changed = place.store().update_human(by, human, Some(with(names)), |_| ()).await;
        accepted(changed, &MADE)
    };
    assert!(set(&["cooking", "Sewing", "Knitting"]).await);
    assert!(!set(&["Painting", "Singing"]).await, "there would be four");
    assert!(set(&["BAKING", "Sewing", "Painting"]).await);
    assert!(!set(&["Singing"]).await);
    assert!(set(&["Painting"]).await);
    let found = place
        .app
        .find_human(human)
        .await
        .expect("an answer")
        .expect("it is there");
    assert_eq!(
        found.skills.iter().map(|skill| skill.name.as_str()).collect::<Vec<_>>(),
        ["Painting"]
    );
}
