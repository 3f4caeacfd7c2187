//! The state of an open store, for the operator; and its feeds, which show what is on disk.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use codegen_support::Timestamp;
use codegen_support::feed::{After, FeedPage};
use tokio::sync::oneshot;
use tokio::sync::watch::{self, Receiver};
use tokio::time::Instant;

use super::open::Store;
use crate::commit_log::{Lease, Role};
use crate::error::{Outcome, StoreError, StoreResult};
use crate::hooks::Hooks;
use crate::job::Message;
use crate::kept::feeds::{self, FeedRequest, UnknownCursor};
use crate::sled::SledEngine;
use crate::writer::WatchCommits;

/// How long a catch-up waits after the log could not be read.
const CATCH_UP_AGAIN: Duration = Duration::from_millis(50);

/// How far reads may be behind what others have written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Staleness {
    /// At most so far.
    AtMost(Duration),
    /// It is not known, and nothing is read.
    Unknown,
}

impl<S: Hooks> Store<S> {
    /// The role of this process, now and later.
    pub fn role(&self) -> Receiver<Role> {
        match &self.lease {
            Some(lease) => lease.role(),
            // It stays what it is without a sender.
            None => watch::channel(Role::Leader).1,
        }
    }

    /// How far reads may be behind what other processes have written: `None` if nobody else writes.
    pub fn staleness(&self) -> Option<Staleness> {
        let staleness = self.lease.as_ref()?.staleness();
        Some(staleness.map_or(Staleness::Unknown, Staleness::AtMost))
    }

    /// Waits until reads show all that other processes had written when this was called, or until nothing can be read.
    pub async fn catch_up(&self) {
        let Some(lease) = &self.lease else { return };
        while lease.is_held() {
            let (waiting, caught_up) = oneshot::channel();
            if self.send(Message::CatchUp(waiting)).is_err() || caught_up.await.is_ok() {
                return;
            }
            tokio::time::sleep(CATCH_UP_AGAIN).await;
        }
    }

    /// Whether writes can succeed: no commit has failed, and the store is open.
    pub fn is_writable(&self) -> bool {
        self.writable.load(Ordering::Relaxed)
            && self.check_lease().is_ok()
            && !self.view.is_poisoned()
            && self.trees().is_some_and(|trees| {
                trees
                    .directory()
                    .is_none_or(|directory| directory.check_place().is_ok())
            })
    }

    /// The bytes of the files on disk.
    ///
    /// # Errors
    /// If the store is closed, or the system does not tell.
    pub fn disk_bytes(&self) -> StoreResult<u64> {
        let trees = self.trees().ok_or(StoreError::Closed)?;
        Ok(trees.directory().map_or(Ok(0), SledEngine::disk_bytes)?)
    }

    /// Calls `watch` for every commit from now on. Only the first observer is used.
    pub fn watch_commits(&self, watch: Arc<dyn WatchCommits>) {
        let _ = self.watch.set(watch);
    }

    /// Finishes the waiting writes and releases the files. Every later call fails.
    ///
    /// # Errors
    /// If the thread that writes has panicked.
    pub async fn close(&self) -> StoreResult<()> {
        self.writable.store(false, Ordering::Relaxed);
        self.end().await
    }

    /// Whether reads and writes can succeed at present. Neither waits nor is slow: it is asked before each request.
    pub fn can_answer(&self) -> bool {
        self.lease.as_ref().is_none_or(Lease::is_held)
    }

    /// A part of the feed of a recipient. Each write that causes events stores them in the same transaction. They are
    /// numbered from 1 for each recipient, without gaps, and shown once they are on disk.
    pub async fn events(&self, of: S::Recipient, request: FeedRequest) -> Outcome<FeedPage, UnknownCursor> {
        let page = || {
            // Before the feed is read: what is on disk stays in it.
            let (durable, request) = (self.durable(), request.clone());
            self.read(move |trees, _| feeds::page(trees, durable, of, &request, S::RETENTION))
        };
        let found = page().await?;
        if found.is_err() && self.lease.is_some() {
            // The cursor may be of an event that another process has shown already.
            self.catch_up().await;
            return page().await;
        }
        Ok(found)
    }

    /// The same. If it is empty, waits up to `wait` for an event. `now` tells the time after the wait.
    pub async fn next_events(
        &self,
        of: S::Recipient,
        mut request: FeedRequest,
        wait: Duration,
        now: impl Fn() -> Timestamp + Send,
    ) -> Outcome<FeedPage, UnknownCursor> {
        let deadline = Instant::now() + wait;
        loop {
            // Before the feed is read, so that no event is missed.
            let next = (!wait.is_zero()).then(|| self.service().waiters().next(of));
            let page = match (self.events(of, request.clone()).await?, next) {
                (Ok(page), Some(next)) if page.events.is_empty() && !page.truncated => (page, next),
                (found, _) => return Ok(found),
            };
            let (page, mut next) = page;
            if request.after == Some(After::Now) || !next.comes_before(deadline).await {
                return Ok(Ok(page));
            }
            request.after = Some(After::Event(page.cursor));
            request.now = now();
        }
    }

    /// Ends all waiting for events, now and later. Requests that wait are answered without an event.
    pub fn end_waits(&self) {
        self.service().waiters().end();
    }
}
