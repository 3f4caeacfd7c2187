//! Reviews: each counts, however many come at once, and erasing a worker leaves no text of them.

use contract::{Delivery, DeliveryId, Review, ReviewId, ReviewSeed, agent};
use std::sync::Arc;
use tokio::sync::Barrier;

use super::*;
use crate::market::{erasure, reviews};
use crate::store::{Decided, Tx};

const REVIEWS: usize = 64;

/// A review of the worker for a new bounty, which is completed, and with whose application it was accepted.
async fn draft(place: &TestStore, account: AccountId, human: HumanId, rating: i64) -> Review {
    let bounty = place.bounty(account, "one").await;
    let application = place.apply(bounty, human).await;
    let accepted = place
        .store()
        .decide_application(Actor::Operator, application, ApplicationStatus::Accepted);
    accepted.await.expect("a write").expect("it is accepted");
    let completed = place
        .store()
        .set_status(Actor::Operator, bounty, BountyStatus::Completed);
    completed.await.expect("a write").expect("it is completed");
    Review {
        comment: Some("Well done".to_owned()),
        ..Review::from(ReviewSeed {
            id: ReviewId::new(0),
            application_id: application,
            bounty_id: bounty,
            human_id: human,
            account_id: account,
            rating,
            created_at: at(9),
        })
    }
}

async fn human(place: &TestStore, id: HumanId) -> Human {
    let found = place.store().read(move |trees, _| trees.named::<Human>(id)).await;
    found.expect("a read")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_reviews_at_once_none_is_lost() {
    let place = Arc::new(TestStore::new());
    let (account, worker) = (place.account("a").await, place.human("Hana").await);
    let mut drafts = Vec::new();
    for nth in 0..REVIEWS {
        drafts.push(draft(&place, account, worker, (nth % 5) as i64 + 1).await);
    }
    let barrier = Arc::new(Barrier::new(REVIEWS));
    let tasks = drafts.clone().into_iter().map(|review| {
        let (place, barrier) = (Arc::clone(&place), Arc::clone(&barrier));
        tokio::spawn(async move {
            barrier.wait().await;
            let write = move |tx: &mut Tx<'_>| reviews::create(tx, &review);
            place.store().write(Actor::Operator, write).await
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.expect("no panic").expect("a write").expect("it is made");
    }
    let again = drafts[0].clone();
    let again = place
        .store()
        .write(Actor::Operator, move |tx| reviews::create(tx, &again));
    assert_eq!(
        again.await.expect("a write"),
        Err(agent::create_review::Error::AlreadyReviewed)
    );
    // 13 of each of the first four, 12 of the last one: 190 stars.
    let found = human(&place, worker).await;
    assert_eq!((found.review_count, found.review_stars), (64, 190));
    assert_eq!((found.total_reviews, found.rating.get()), (64, 2.97));
    place.assert_indexed();
}

#[tokio::test]
async fn erasing_a_worker_leaves_no_text_of_reviews_and_deliveries() {
    let place = TestStore::new();
    let (account, worker) = (place.account("a").await, place.human("Hana").await);
    let review = draft(&place, account, worker, 4).await;
    let application_id = review.application_id;
    let write = move |tx: &mut Tx<'_>| reviews::create(tx, &review);
    let id = place.store().write(Actor::Operator, write).await.expect("a write");
    let id = id.expect("it is made");
    let delivered = place.store().write(Actor::Operator, move |tx| -> Decided<_, Failure> {
        let delivery = Delivery {
            id: DeliveryId::new(1),
            application_id,
            message: "Here".to_owned(),
            created_at: at(9),
        };
        tx.create(&delivery)?;
        Ok(())
    });
    delivered.await.expect("a write").expect("it is made");
    erasure::erase(place.store(), None, worker).await.expect("it is erased");
    let texts = place.store().read(move |trees, _| {
        let review: Review = trees.named(id)?;
        let delivery: Delivery = trees.named((application_id, DeliveryId::new(1)))?;
        Ok((review.comment, delivery.message))
    });
    let (comment, message) = texts.await.expect("a read");
    assert_eq!((comment.as_deref(), message.as_str()), (Some("(deleted)"), "(deleted)"));
    let erased = human(&place, worker).await;
    assert_eq!(
        (erased.review_count, erased.total_reviews, erased.rating.get()),
        (0, 0, 0.0)
    );
}
