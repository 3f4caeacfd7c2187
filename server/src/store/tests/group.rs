//! Many writes in one transaction: which writes see each other, and what they wait for.

use std::convert::Infallible;
use std::future::Future;
use std::pin::pin;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::task::{Context, Poll, Waker};

use codegen_store::Bytes;

use super::*;
use crate::store::Abort;
use crate::store::Mirror;
use crate::store::StoreError;
use codegen_store::Unauthorized;

/// A store whose syncs report that they begin, and then wait for permission.
pub(super) fn gated() -> (TestStore, Receiver<()>, Sender<()>) {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let (begin, began) = channel();
    let (let_through, limits) = channel();
    let store = with_sync(&dir, move |_| {
        // After the test has ended, both channels are closed.
        let _ = begin.send(());
        let _ = limits.recv();
        Ok(())
    });
    (TestStore::over(store, dir), began, let_through)
}

pub(super) fn poll<F: Future>(future: std::pin::Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

#[tokio::test]
async fn a_write_is_acknowledged_and_shown_only_after_its_sync() {
    let (place, began, let_through) = gated();
    let mut write = pin!(
        place
            .store()
            .create_account(new_account("a"), new_key(AccountId::new(0), "k"))
    );
    assert!(poll(write.as_mut()).is_pending());
    began.recv().expect("the sync begins");
    assert!(poll(write.as_mut()).is_pending());
    assert!(place.store().look(Mirror::is_empty).expect("an answer"));
    let_through.send(()).expect("the sync waits");
    let (id, _) = write.await.expect("an account is made");
    let found = place.store().look(|mirror| mirror.account(id).cloned());
    assert!(found.expect("an answer").is_some());
}

#[tokio::test]
async fn a_write_sees_the_index_rows_of_its_group_in_order() {
    let (place, began, let_through) = gated();
    let set = |rows: &'static [(&'static [u8], bool)]| {
        place.store().write(Actor::Operator, move |tx| {
            for (key, is_set) in rows {
                tx.write(tables::RECEIVED, key, is_set.then(Bytes::default));
            }
            Ok::<_, Abort<Infallible>>(())
        })
    };
    let mut stored = pin!(set(&[
        (b"a9", true),
        (b"b1", true),
        (b"b4", true),
        (b"b5", true),
        (b"c1", true)
    ]));
    let mut kept = pin!(set(&[(b"a1", true), (b"b3", true), (b"b4", false), (b"c2", true)]));
    let mut read = pin!(place.store().write(Actor::Operator, move |tx| {
        tx.write(tables::RECEIVED, b"b0", Some(Bytes::default()));
        tx.write(tables::RECEIVED, b"b5", None);
        let both = [
            tx.index(tables::RECEIVED, b"b", 9)?,
            tx.index(tables::RECEIVED, b"b", 2)?,
        ];
        Ok::<_, Abort<Infallible>>(both)
    }));
    assert!(poll(stored.as_mut()).is_pending());
    began.recv().expect("the first group is being synced");
    // These two wait, and so form the second group.
    assert!(poll(kept.as_mut()).is_pending());
    assert!(poll(read.as_mut()).is_pending());
    let_through.send(()).expect("the first sync waits");
    began.recv().expect("the second group is being synced");
    let_through.send(()).expect("the second sync waits");
    let [all, first] = read.await.expect("a write").expect("never rejected");
    assert_eq!(all, [b"b0", b"b1", b"b3"]);
    assert_eq!(first, [b"b0", b"b1"]);
}

#[tokio::test]
async fn a_rejected_write_leaves_nothing_while_its_group_goes_on() {
    let (place, began, let_through) = gated();
    let reported = std::sync::Arc::new(ReportedCommits::default());
    place.store().watch_commits(reported.clone());
    let write = |name: &'static [u8], reject: bool| {
        place.store().write(Actor::Operator, move |tx| {
            let exists = tx.read(Tree::META, b"before")?.is_some();
            tx.write(Tree::META, name, Some(b"x".into()));
            if reject {
                Err(Abort::Rejected(exists))
            } else {
                Ok(exists)
            }
        })
    };
    let (mut holding, mut first) = (pin!(write(b"holding", false)), pin!(write(b"before", false)));
    let (mut rejected, mut last) = (pin!(write(b"refused", true)), pin!(write(b"last", false)));
    assert!(poll(holding.as_mut()).is_pending());
    began.recv().expect("the first group is being synced");
    // These three wait, and so form the second group.
    assert!(poll(first.as_mut()).is_pending());
    assert!(poll(rejected.as_mut()).is_pending());
    assert!(poll(last.as_mut()).is_pending());
    let_through.send(()).expect("the first sync waits");
    began.recv().expect("the second group is being synced");
    let_through.send(()).expect("the second sync waits");
    assert_eq!(first.await.expect("a write"), Ok(false));
    assert_eq!(rejected.await.expect("a write"), Err(true));
    assert_eq!(last.await.expect("a write"), Ok(true));
    assert!(began.try_recv().is_err(), "one sync served the group");
    assert_eq!(reported.groups(), [Some(1), Some(3)]);
    let kept = place
        .store()
        .read(|trees, _| Ok(["refused", "last"].map(|name| trees.value(Tree::META, name.as_bytes()))));
    let is_set = kept
        .await
        .expect("an answer")
        .map(|value| value.expect("a read").is_some());
    assert_eq!(is_set, [false, true]);
}

#[tokio::test]
async fn a_write_that_panics_fails_alone() {
    let place = TestStore::new();
    let account = place.account("a").await;
    let failed = place
        .store()
        .update_account(account, |_| panic!("a bug in a handler"))
        .await;
    assert!(
        failed
            .expect_err("a failure")
            .to_string()
            .contains("a bug in a handler")
    );
    assert_eq!(place.bounty(account, "next").await.get(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writes_of_many_at_once_all_stay() {
    let place = TestStore::new();
    let account = place.account("a").await;
    let place = std::sync::Arc::new(place);
    let writes = (0..200).map(|_| {
        let place = std::sync::Arc::clone(&place);
        tokio::spawn(async move {
            let created = place.store().create_bounty(Actor::Operator, plain_bounty(account));
            created.await
        })
    });
    let mut ids = Vec::new();
    for write in writes.collect::<Vec<_>>() {
        ids.push(write.await.expect("no panic").expect("a bounty").get());
    }
    ids.sort_unstable();
    assert_eq!(ids, (1..=200).collect::<Vec<_>>());
    let place = std::sync::Arc::into_inner(place).expect("all writers are done");
    let place = place.reopened().await;
    assert_eq!(place.open_titles().await.len(), 200);
}

/// The write waits while the revocation before it is decided, so that both share one transaction.
#[tokio::test]
async fn a_write_that_shares_its_commit_with_the_end_of_its_key_is_rejected() {
    let (place, began, let_through) = gated();
    let mut result = std::pin::pin!(
        place
            .store()
            .create_account(new_account("a"), new_key(AccountId::new(0), "k"))
    );
    assert!(poll(result.as_mut()).is_pending());
    began.recv().expect("the first commit is being synced");
    let (account, key) = (AccountId::new(1), ApiKeyId::new(1));
    let by = Actor::Key(key);
    let mut revoked = std::pin::pin!(place.store().delete_key(by, key));
    let mut late = std::pin::pin!(place.store().create_key(by, new_key(account, "late")));
    assert!(poll(revoked.as_mut()).is_pending());
    assert!(poll(late.as_mut()).is_pending());
    for _ in 0..2 {
        let_through.send(()).expect("a sync waits");
    }
    assert_eq!(result.await.expect("a write").0, account);
    assert_eq!(revoked.await.expect("a write"), Ok(()));
    let late = late.await;
    assert!(
        matches!(late, Err(StoreError::Unauthorized(Unauthorized::Ended))),
        "{late:?}"
    );
    assert!(
        whole(
            place
                .store()
                .look(|mirror| mirror.keys.list(account))
                .expect("an answer")
        )
        .is_empty()
    );
}
