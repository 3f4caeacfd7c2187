//! The removal of expired answers.

use std::time::Duration;

use contract::support::{AnswerId, Begun, Clock, FindAnswer, Kept, RunningKeys};
use contract::{Failure, Timestamp};

use super::*;
use crate::market::tests::keyed;
use codegen_store::kept::answers::FORGOTTEN_PER_WRITE;

/// A store that is asked nothing: each key is new.
struct Nothing;

impl FindAnswer for Nothing {
    async fn find_answer(&self, _: AnswerId, _: Timestamp) -> Result<Option<Vec<u8>>, Failure> {
        Ok(None)
    }
}

#[tokio::test]
async fn each_write_with_a_key_removes_some_answers_that_have_expired() {
    let place = TestStore::new();
    let account = place.account("Ann").await;
    let clock = Clock::manual(1_000);
    let keys = RunningKeys::new(clock.clone());
    let write = async |key: usize| {
        let request = keyed(key.to_string().as_bytes());
        let Ok(Begun::First(once)) = keys
            .begin(&Nothing, request, |id: &mut BountyId| Kept::Secret(id.get()))
            .await
        else {
            panic!("each key is new");
        };
        let written = place.store().create_bounty_once(plain_bounty(account), once).await;
        written.expect("a bounty is made");
    };
    let rows = || {
        let entries = content(place.store());
        let of = |tree: Tree| entries.iter().filter(|(name, ..)| name == tree.name()).count();
        (of(tables::ANSWERS), of(tables::ANSWER_EXPIRY))
    };
    let old = 2 * FORGOTTEN_PER_WRITE + 1;
    for key in 0..old {
        write(key).await;
    }
    assert_eq!(rows(), (old, old), "none has expired");
    clock.advance(Duration::from_secs(60));
    for (key, left) in [old + 1 - FORGOTTEN_PER_WRITE, old + 2 - 2 * FORGOTTEN_PER_WRITE, 3, 4]
        .into_iter()
        .enumerate()
    {
        write(100 + key).await;
        assert_eq!(rows(), (left, left));
    }
}
