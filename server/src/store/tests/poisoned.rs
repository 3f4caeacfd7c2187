//! Locks poisoned by a panic: later calls fail without a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::RwLock;

use contract::{FindApplication, FindBounty};

use super::lived::live;
use super::*;
use crate::store::{StoreError, StoreResult, sizes};

fn poison<T: ?Sized>(lock: &RwLock<T>) {
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let _held = lock.write().expect("not poisoned yet");
        panic!("a bug in the writer");
    }));
    assert!(panicked.is_err() && lock.is_poisoned());
}

#[track_caller]
fn is_torn<T>(read: StoreResult<T>) {
    match read.map(drop) {
        Err(StoreError::Damaged(cause)) => assert_eq!(&*cause, "the memory is torn; start again"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_torn_memory_is_an_error_of_every_read_of_it_and_ends_writing() {
    let place = TestStore::new();
    live(&place, 1).await;
    poison(place.store().view());
    let (account, bounty, store) = (AccountId::new(1), BountyId::new(1), place.store());
    is_torn(store.look(|mirror| mirror.account(account).cloned()));
    is_torn(store.search(|mirror| mirror.is_empty()).await);
    is_torn(sizes(store));
    assert!(!store.is_writable());
    assert!(place.app.find_bounty(bounty).await.is_err());
    // Reads from disk only.
    let application = place.app.find_application(ApplicationId::new(1)).await;
    assert!(application.expect("an answer").is_some());
    let write = || store.create_bounty(Actor::Operator, plain_bounty(account));
    let (failed, next) = (write().await, write().await);
    assert!(matches!(&failed, Err(StoreError::OutcomeUnknown(cause)) if cause.contains("torn")));
    assert!(matches!(&next, Err(StoreError::Unwritable(cause)) if cause.contains("torn")));
    store.close().await.expect("the committer has not panicked");
}
