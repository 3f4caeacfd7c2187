//! The state of an open store, for the operator; and its feeds, which show what is on disk.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use codegen_store::SledEngine;
use codegen_store::commit_log::{Lease, Role};
use contract::AccountId;
use contract::events::Recipient;
use contract::support::feed::FeedPage;
use tokio::sync::oneshot;
use tokio::sync::watch::{self, Receiver};

use super::error::{Outcome, StoreError, StoreResult};
use super::events::{FeedRequest, NextEvent, Retention, UnknownCursor};
use super::feeds;
use super::job::Message;
use super::mirror::{Mirror, Sizes};
use super::open::Store;
use super::watch::WatchCommits;

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

impl Store {
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
            && !self.mirror.is_poisoned()
            && self.trees.upgrade().is_some_and(|trees| {
                trees
                    .directory()
                    .is_none_or(|directory| directory.check_place().is_ok())
            })
    }

    /// Whether the store has never held a record.
    ///
    /// # Errors
    /// If the store is closed, or its memory is torn.
    pub fn is_empty(&self) -> StoreResult<bool> {
        self.look(Mirror::is_empty)
    }

    /// How many records of each kind there are. Asks the operating system for the sizes of some files; does not wait
    /// for writes.
    ///
    /// # Errors
    /// If the store is closed, or its memory is torn.
    pub fn sizes(&self) -> StoreResult<Sizes> {
        let disk_bytes = self.trees.upgrade().ok_or(StoreError::Closed)?;
        let disk_bytes = disk_bytes.directory().map_or(Ok(0), SledEngine::disk_bytes)?;
        self.look(|mirror| mirror.sizes(disk_bytes))
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
    pub fn is_available(&self) -> bool {
        self.lease.as_ref().is_none_or(Lease::is_held)
    }

    /// Waits until something has changed, and returns the accounts whose webhooks may have something to send. For one
    /// caller.
    pub(crate) async fn changed_accounts(&self) -> Vec<AccountId> {
        self.changed.next().await
    }

    /// Waits until steps of simulated workers were added or are due earlier. For one waiter.
    pub(crate) async fn steps_changed(&self) {
        self.steps.notified().await;
    }

    /// A part of the feed of a recipient. Each write that causes events stores them in the same transaction. They are
    /// numbered from 1 for each recipient, without gaps, and shown once they are on disk.
    pub(crate) async fn events(&self, of: Recipient, request: FeedRequest) -> Outcome<FeedPage, UnknownCursor> {
        let page = || {
            // Before the feed is read: what is on disk stays in it.
            let (durable, request) = (self.durable.load(Ordering::Acquire), request.clone());
            self.read(move |trees, _| feeds::page(trees, durable, of, &request, Retention::DECLARED))
        };
        let found = page().await?;
        if found.is_err() && self.lease.is_some() {
            // The cursor may be of an event that another process has shown already.
            self.catch_up().await;
            return page().await;
        }
        Ok(found)
    }

    /// Waits for events that are committed from now on. Call it before [`Self::events`], so that none is missed.
    pub(crate) fn next_event(&self, of: Recipient) -> NextEvent {
        self.waiters.next(of)
    }
}
