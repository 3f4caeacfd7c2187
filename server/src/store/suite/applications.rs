//! Applications: one for each worker and bounty, to open bounties, decided by the owner.

use std::sync::Arc;

use contract::{ApplicationId, ApplicationStatus, Human};
use tokio::sync::Barrier;

use super::*;
use crate::store::{ApplyDenied, MoveDenied, NewApplication, Outcome};

async fn apply(store: &impl Store, bounty_id: BountyId, human_id: HumanId) -> Outcome<ApplicationId, ApplyDenied> {
    let message = "I can".to_owned();
    store
        .unkeyed().create_application(
            Actor::Operator,
            NewApplication {
                bounty_id,
                human_id,
                message,
                created_at: at(0),
            },
        )
        .await
}

async fn count(store: &impl Store, bounty: BountyId) -> i64 {
    store
        .find_bounty(bounty)
        .await
        .expect("an answer")
        .expect("it is there")
        .applications_count
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_applies_once_however_often_at_once() {
    let place = TestStore::new();
    let (account, human) = (place.account("a").await, place.human("Hana").await);
    let store = Arc::new(place.store);
    for round in 0..20 {
        let bounty = store
            .unkeyed().create_bounty(Actor::Operator, plain_bounty(account))
            .await
            .expect("a bounty");
        let barrier = Arc::new(Barrier::new(12));
        let tasks: Vec<_> = (0..12)
            .map(|_| {
                let (store, barrier) = (Arc::clone(&store), Arc::clone(&barrier));
                tokio::spawn(async move {
                    barrier.wait().await;
                    apply(&*store, bounty, human).await
                })
            })
            .collect();
        let mut created = 0;
        for task in tasks {
            match task.await.expect("no panic").expect("a write") {
                Ok(_) => created += 1,
                Err(denied) => assert_eq!(denied, ApplyDenied::AlreadyApplied),
            }
        }
        assert_eq!((created, count(&*store, bounty).await), (1, 1), "round {round}");
        assert_eq!(
            whole(store.received_applications(bounty, PageRequest::new(i64::MAX, 0)).await.expect("a list")).len(),
            1
        );
    }
}

#[tokio::test]
async fn only_open_bounties_take_applications() {
    let place = TestStore::new();
    let (account, human) = (place.account("a").await, place.human("Hana").await);
    let bounty = place.bounty(account, "one").await;
    let denied = async |bounty, human| apply(&place.store, bounty, human).await.expect("a write");
    assert_eq!(denied(BountyId::new(9), human).await, Err(ApplyDenied::Absent));
    assert_eq!(denied(bounty, HumanId::new(9)).await, Err(ApplyDenied::Absent));
    let set_status = async |to| {
        let moved = place.store.move_bounty(Actor::Operator, account, bounty, to, at(1)).await;
        moved.expect("a write").expect("moved");
    };
    for closed in [
        BountyStatus::InProgress,
        BountyStatus::Completed,
        BountyStatus::Cancelled,
    ] {
        set_status(closed).await;
        assert_eq!(denied(bounty, human).await, Err(ApplyDenied::NotOpen));
    }
    assert_eq!(count(&place.store, bounty).await, 0);
    set_status(BountyStatus::Open).await;
    assert!(denied(bounty, human).await.is_ok());
    set_status(BountyStatus::InProgress).await;
    assert_eq!(denied(bounty, human).await, Err(ApplyDenied::NotOpen));
}

#[tokio::test]
async fn the_owner_decides_and_may_change_its_mind() {
    let place = TestStore::new();
    let (owner, other_account) = (place.account("a").await, place.account("b").await);
    let (bounty, human) = (place.bounty(owner, "one").await, place.human("Hana").await);
    let id = apply(&place.store, bounty, human)
        .await
        .expect("a write")
        .expect("applied");
    let decide = async |by, id, to| {
        place
            .store
            .decide_application(Actor::Operator, by, id, to, at(1), vec![])
            .await
            .expect("a write")
    };
    assert_eq!(
        decide(other_account, id, ApplicationStatus::Accepted).await,
        Err(MoveDenied::NotOwner)
    );
    assert_eq!(
        decide(owner, ApplicationId::new(9), ApplicationStatus::Accepted).await,
        Err(MoveDenied::Absent)
    );
    for to in [
        ApplicationStatus::Accepted,
        ApplicationStatus::Accepted,
        ApplicationStatus::Rejected,
    ] {
        assert_eq!(decide(owner, id, to).await, Ok(()));
        let found = place
            .store
            .find_application(id)
            .await
            .expect("an answer")
            .expect("it is there");
        assert_eq!(found.status, to);
    }
    let (from, to) = (ApplicationStatus::Rejected, ApplicationStatus::Pending);
    assert_eq!(decide(owner, id, to).await, Err(MoveDenied::Forbidden { from, to }));
}

#[tokio::test]
async fn applications_show_worker_and_bounty_as_they_are_now() {
    let place = TestStore::new();
    let account = place.account("a").await;
    let bounty = place.bounty(account, "one").await;
    let (hana, ken) = (place.human("Hana").await, place.human("Ken").await);
    for human in [ken, hana] {
        apply(&place.store, bounty, human)
            .await
            .expect("a write")
            .expect("applied");
    }
    let rename = |human: &mut Human| {
        human.name = "Hanako".to_owned();
        human.rating = number(4.5);
    };
    place
        .store
        .update_human(Actor::Operator, hana, None, rename)
        .await
        .expect("a write")
        .expect("changed");
    let moved = place
        .store
        .move_bounty(Actor::Operator, account, bounty, BountyStatus::InProgress, at(1))
        .await;
    moved.expect("a write").expect("moved");
    let place = place.reopened().await;
    let received = place.store.received_applications(bounty, PageRequest::new(i64::MAX, 0)).await.expect("a list");
    let received_ids: Vec<_> = whole(received)
        .iter()
        .map(|row| (text_of(row, "name"), text_of(row, "rating")))
        .collect();
    assert_eq!(
        received_ids,
        [
            ("Ken".to_owned(), "0".to_owned()),
            ("Hanako".to_owned(), "4.5".to_owned())
        ]
    );
    let sent = place.store.sent_applications(hana, all()).await.expect("a page");
    assert_eq!(text_of(&whole(sent.rows)[0], "bounty_status"), "in_progress");
    assert_eq!(sent.total, 1);
}

#[tokio::test]
async fn own_applications_come_in_pages_by_id() {
    let place = TestStore::new();
    let (account, human) = (place.account("a").await, place.human("Hana").await);
    for title in ["one", "two", "three"] {
        let bounty = place.bounty(account, title).await;
        apply(&place.store, bounty, human)
            .await
            .expect("a write")
            .expect("applied");
    }
    let page = place
        .store
        .sent_applications(human, PageRequest::new(2, 1))
        .await
        .expect("a page");
    assert_eq!(
        whole(page.rows)
            .iter()
            .map(|row| text_of(row, "bounty_title"))
            .collect::<Vec<_>>(),
        ["two", "three"]
    );
    assert_eq!(page.total, 3);
}
