//! The answers of requests with idempotency keys: stored with the write, found until they expire, also after a restart.

use contract::support::{AnswerId, AnyId, Begun, Clock, FindAnswer, Kept, KeyError, Once, RunningKeys};
use contract::{Failure, NewHuman};
use std::time::Duration;

use super::*;
use crate::store::Abort;

/// The store behind the keys.
struct Found<'s>(&'s TestStore);

impl FindAnswer for Found<'_> {
    async fn find_answer(&self, id: AnswerId, now: Timestamp) -> Result<Option<Vec<u8>>, Failure> {
        self.0.app.find_answer(id, now).await
    }
}

struct Keys {
    running: RunningKeys,
    clock: Clock,
}

impl Keys {
    fn new() -> Self {
        let clock = Clock::manual(1_000);
        let running = RunningKeys::new(clock.clone());
        Self { running, clock }
    }

    async fn begin<T: 'static>(
        &self,
        place: &TestStore,
        key: &str,
        keep: fn(&mut T) -> Kept,
    ) -> Result<Begun<T>, KeyError> {
        self.running.begin(&Found(place), keyed(key.as_bytes()), keep).await
    }

    async fn once(&self, place: &TestStore, key: &str) -> Once<BountyId> {
        match self.begin(place, key, |id: &mut BountyId| Kept::Secret(id.get())).await {
            Ok(Begun::First(once)) => once,
            other => panic!("{other:?}"),
        }
    }

    /// What is stored for a key.
    async fn stored(&self, place: &TestStore, key: &str) -> Option<i64> {
        match self.begin(place, key, |id: &mut BountyId| Kept::Secret(id.get())).await {
            Err(KeyError::Secret(AnyId::Number(id))) => Some(id),
            Ok(Begun::First(_)) => None,
            other => panic!("{other:?}"),
        }
    }
}

async fn bounty(place: &TestStore, account: AccountId, once: Once<BountyId>) -> BountyId {
    let created = place.store().create_bounty_once(plain_bounty(account), once);
    created.await.expect("a bounty is made")
}

#[tokio::test]
async fn an_answer_is_found_until_it_expires_and_after_a_restart() {
    let (place, keys) = (TestStore::new(), Keys::new());
    let account = place.account("Ann").await;
    let id = bounty(&place, account, keys.once(&place, "k").await).await;
    assert_eq!(keys.stored(&place, "k").await, Some(id.get()));
    assert_eq!(keys.stored(&place, "other").await, None);
    keys.clock.advance(Duration::from_secs(59));
    assert_eq!(keys.stored(&place, "k").await, Some(id.get()));
    keys.clock.advance(Duration::from_secs(1));
    assert_eq!(keys.stored(&place, "k").await, None);
}

#[tokio::test]
async fn an_expired_answer_makes_room_for_another_one_under_its_key() {
    let (place, keys) = (TestStore::new(), Keys::new());
    let account = place.account("Ann").await;
    bounty(&place, account, keys.once(&place, "k").await).await;
    keys.clock.advance(Duration::from_secs(60));
    let again = bounty(&place, account, keys.once(&place, "k").await).await;
    assert_eq!(keys.stored(&place, "k").await, Some(again.get()));
    keys.clock.advance(Duration::from_secs(59));
    bounty(&place, account, keys.once(&place, "other").await).await;
    assert_eq!(keys.stored(&place, "k").await, Some(again.get()));
}

#[tokio::test]
async fn a_rejected_write_stores_no_answer() {
    let (place, keys) = (TestStore::new(), Keys::new());
    let (once, by) = (keys.once(&place, "k").await, Actor::Operator);
    let denied = place
        .store()
        .write_once(by, once, |_| Err::<BountyId, _>(Abort::Rejected("no")));
    assert_eq!(denied.await.expect("a decision").map(|_| ()), Err("no"));
    assert_eq!(keys.stored(&place, "k").await, None);
}

#[tokio::test]
async fn a_long_answer_is_found_whole() {
    let (place, keys) = (TestStore::new(), Keys::new());
    let long = |ids: &mut Vec<HumanId>| {
        Kept::Answer(contract::support::Answer {
            status: 201,
            body: format!("{ids:?}").into_bytes().into(),
            total: None,
        })
    };
    let Ok(Begun::First(once)) = keys.begin(&place, "k", long).await else {
        panic!("it is the first");
    };
    let humans: Vec<NewHuman> = (0..900).map(|_| new_human("Aoi")).collect();
    let ids = place
        .app
        .create_humans(humans, false, once, Failure::Internal)
        .await
        .expect("workers are entered")
        .into_inner();
    let place = place.reopened().await;
    match keys.begin(&place, "k", long).await {
        Ok(Begun::Replayed(answer)) => assert_eq!(answer.body.into_text(), format!("{ids:?}").into_bytes()),
        other => panic!("{other:?}"),
    }
}
