//! Opening, closing, and what persists across both.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use codegen_store::{OpenError, OpenFailure};
use contract::Failure;

use super::*;
use crate::store::sizes;
use crate::store::{StoreError, StoreResult};

fn is_rejected(opened: &Result<(), OpenError>, is_meant: impl Fn(&OpenFailure) -> bool) -> bool {
    opened.as_ref().is_err_and(|error| is_meant(error.failure()))
}

#[tokio::test]
async fn sizes_tell_what_is_there_now_until_the_store_is_closed() {
    let place = TestStore::new();
    let (account, key) = place.account_with_key("a", "first").await;
    place.account("b").await;
    place.human("Hana").await;
    let closed = place.bounty(account, "closed").await;
    place.bounty(account, "open").await;
    let revoked = place.store().delete_key(Actor::Operator, key).await;
    revoked.expect("a write").expect("revoked");
    let moved = place
        .store()
        .set_status(Actor::Operator, closed, BountyStatus::Completed)
        .await;
    moved.expect("a write").expect("moved");
    let held = sizes(place.store()).expect("an answer");
    assert!(held.disk_bytes > 0, "{held:?}");
    let counts = (held.accounts, held.active_keys, held.humans, held.open_bounties);
    assert_eq!(counts, (2, 1, 1, 1));
    place.store().close().await.expect("the store closes");
    assert!(matches!(sizes(place.store()), Err(StoreError::Closed)));
}

#[tokio::test]
async fn a_closed_store_fails_and_does_not_hang() {
    let place = TestStore::new();
    let account = place.account("a").await;
    place.store().close().await.expect("the store closes");
    place.store().close().await.expect("closing again is nothing");
    let result = place
        .store()
        .create_bounty(Actor::Operator, plain_bounty(account))
        .await;
    assert!(matches!(result, Err(StoreError::Closed)), "{result:?}");
    let read = place
        .store()
        .read(|trees, _| crate::store::market::shown_bounty(trees, BountyId::new(1)))
        .await;
    assert!(matches!(read, Err(StoreError::Closed)), "{read:?}");
    // The process is stopping: no fault of the server that an operator has to look at.
    assert_eq!(Failure::from(StoreError::Closed), Failure::Unavailable);
}

#[tokio::test]
async fn after_a_failed_sync_nothing_is_written_and_reading_goes_on() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let failing = Arc::new(AtomicBool::new(false));
    let syncs = Arc::new(AtomicUsize::new(0));
    let sync = {
        let (failing, syncs) = (Arc::clone(&failing), Arc::clone(&syncs));
        move |_| {
            syncs.fetch_add(1, Ordering::SeqCst);
            if failing.load(Ordering::SeqCst) {
                Err(std::io::Error::other("no more"))
            } else {
                Ok(())
            }
        }
    };
    let place = TestStore::over(with_sync(&dir, sync), dir);
    let reported = Arc::new(ReportedCommits::default());
    place.store().watch_commits(reported.clone());
    let account = place.account("a").await;
    assert!(place.store().is_writable());
    failing.store(true, Ordering::SeqCst);
    let write = || place.store().create_bounty(Actor::Operator, plain_bounty(account));
    let (failed, next) = (write().await, write().await);
    assert!(matches!(failed, Err(StoreError::OutcomeUnknown(_))), "{failed:?}");
    assert!(matches!(next, Err(StoreError::Unwritable(_))), "{next:?}");
    assert_eq!(syncs.load(Ordering::SeqCst), 2, "one for the account, one that failed");
    assert_eq!(reported.groups(), [Some(1), None], "one commit and one failure");
    assert!(!place.store().is_writable());
    assert!(place.open_titles().await.is_empty());
    let found = place.store().look(|mirror| mirror.account(account).cloned());
    assert!(found.expect("an answer").is_some());
}

/// For a write while the committer ends, which may or may not receive it.
#[track_caller]
fn assert_not_written(result: StoreResult<BountyId>) {
    let is_expected = matches!(result, Err(StoreError::OutcomeUnknown(_) | StoreError::Unwritable(_)));
    assert!(is_expected, "{result:?}");
}

#[tokio::test]
async fn a_panic_of_the_memory_ends_writing_and_is_reported_at_the_next_start() {
    let place = TestStore::new();
    let account = place.account("a").await;
    // The mirror must not hold an open bounty without its account.
    let orphan = plain_bounty(AccountId::new(99));
    let result = place.store().create_bounty(Actor::Operator, orphan).await;
    assert!(matches!(result, Err(StoreError::OutcomeUnknown(_))), "{result:?}");
    assert!(!place.store().is_writable());
    assert_not_written(
        place
            .store()
            .create_bounty(Actor::Operator, plain_bounty(account))
            .await,
    );
    let read = place.store().look(|mirror| mirror.account(account).cloned());
    assert!(matches!(read, Err(StoreError::Damaged(_))), "{read:?}");
    assert!(place.store().close().await.is_err());
    let opened = Store::open(place.dir.path(), Durability::Synced).map(drop);
    assert!(
        is_rejected(&opened, |failure| matches!(failure, OpenFailure::OutOfStep(_, findings)
            if findings.to_string() == "bounty 1 exists, but its account 99 does not")),
        "{opened:?}"
    );
}

#[tokio::test]
async fn a_panic_of_the_committer_answers_all_who_wait() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let store = with_sync(&dir, |_| panic!("a bug in a sync"));
    let write = || store.create_bounty(Actor::Operator, plain_bounty(AccountId::new(1)));
    let (first, second, third) = tokio::join!(write(), write(), write());
    for result in [first, second, third] {
        assert_not_written(result);
    }
    let ended = store.close().await.expect_err("the committer panicked").to_string();
    assert!(ended.contains("a bug in a sync") && !store.is_writable(), "{ended}");
}

#[test]
fn a_store_closes_also_if_there_is_no_thread_to_wait_for_it() {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_time().max_blocking_threads(1).build();
    let runtime = runtime.expect("a runtime");
    let closed = runtime.block_on(async {
        let place = TestStore::new();
        place.account("a").await;
        let (end, ended) = std::sync::mpsc::channel::<()>();
        // As if the system gave no more threads: the only one is busy.
        let busy = tokio::task::spawn_blocking(move || ended.recv());
        let closed = tokio::time::timeout(Duration::from_secs(20), place.store().close()).await;
        drop(end);
        busy.await.expect("no panic").expect_err("nothing is sent");
        closed
    });
    closed.expect("in time").expect("the store closes");
}
