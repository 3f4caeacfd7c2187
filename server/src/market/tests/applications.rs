//! Applications: one for each worker and bounty, to open bounties only, however many are sent at once.

use std::sync::Arc;

use contract::worker::create_application::Error;
use tokio::sync::Barrier;

use super::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_applies_once_however_often_at_once() {
    let place = Arc::new(TestStore::new());
    let (account, human) = (place.account("a").await, place.human("Hana").await);
    for round in 0..20 {
        let bounty = place.bounty(account, "one").await;
        let barrier = Arc::new(Barrier::new(12));
        let tasks = (0..12).map(|_| {
            let (place, barrier) = (Arc::clone(&place), Arc::clone(&barrier));
            tokio::spawn(async move {
                barrier.wait().await;
                place.store().create_application(Actor::Operator, bounty, human).await
            })
        });
        let mut created = 0;
        for task in tasks.collect::<Vec<_>>() {
            match task.await.expect("no panic").expect("a write") {
                Ok(_) => created += 1,
                Err(denied) => assert_eq!(denied, Error::AlreadyApplied),
            }
        }
        let counted = place.bounty_record(bounty).await.applications_count;
        assert_eq!((created, counted), (1, 1), "round {round}");
    }
}

#[tokio::test]
async fn only_open_bounties_take_applications() {
    let place = TestStore::new();
    let (account, human) = (place.account("a").await, place.human("Hana").await);
    let bounty = place.bounty(account, "one").await;
    let apply = async || place.store().create_application(Actor::Operator, bounty, human).await;
    let set_status = async |to| {
        let moved = place.store().set_status(Actor::Operator, bounty, to).await;
        moved.expect("a write").expect("moved");
    };
    for closed in [
        BountyStatus::InProgress,
        BountyStatus::Completed,
        BountyStatus::Cancelled,
    ] {
        set_status(closed).await;
        assert_eq!(apply().await.expect("a write"), Err(Error::NotOpen));
    }
    set_status(BountyStatus::Open).await;
    assert!(apply().await.expect("a write").is_ok());
    set_status(BountyStatus::InProgress).await;
    assert_eq!(apply().await.expect("a write"), Err(Error::NotOpen));
}
