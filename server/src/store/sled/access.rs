//! How a method of the store reads, from memory or from the trees, and how it writes: as a job of the committer.

use std::convert::Infallible;
use std::sync::{Arc, RwLock};
use std::time::Duration;

use contract::support::{Done, Once};
use contract::{ApiKeyId, Timestamp};
#[cfg(test)]
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::job::{JobRequest, Message, job};
use super::transaction::{Abort, Tx};
use super::trees::Trees;
use super::{SledStore, answers, blocking, torn, writes};
use crate::store::mirror::Mirror;
use crate::store::{Actor, Author, Outcome, Store, StoreError, StoreResult};

/// The maximum time that a request waits until the use of its key is saved.
const MAX_WAIT_FOR_USE: Duration = Duration::from_millis(100);

impl SledStore {
    /// Reads from memory. `read` must take less than a millisecond.
    pub(in crate::store) fn read_mirror<T>(&self, read: impl FnOnce(&Mirror) -> T) -> StoreResult<T> {
        let found = self.mirror.read().map(|mirror| read(&mirror)).map_err(torn)?;
        self.check_lease()?;
        Ok(found)
    }

    /// Reads from memory, for longer reads.
    pub(super) async fn search<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Mirror) -> T + Send + 'static,
    ) -> StoreResult<T> {
        let mirror = Arc::clone(&self.mirror);
        let found = blocking(move || mirror.read().map(|mirror| read(&mirror)).map_err(torn)).await?;
        self.check_lease()?;
        Ok(found)
    }

    /// Reads from disk.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Trees, &RwLock<Mirror>) -> StoreResult<T> + Send + 'static,
    ) -> StoreResult<T> {
        let (trees, mirror) = (
            self.trees.upgrade().ok_or(StoreError::Closed)?,
            Arc::clone(&self.mirror),
        );
        let found = blocking(move || read(&trees, &mirror)).await?;
        self.check_lease()?;
        Ok(found)
    }

    /// Fails if this is a copy and its lease is over. What was read before is then as new as the lease demands, even if this
    /// process was stopped meanwhile.
    pub(super) fn check_lease(&self) -> StoreResult<()> {
        match self.is_available() {
            true => Ok(()),
            false => Err(StoreError::unavailable("the database cannot be reached")),
        }
    }

    /// Runs a decision on the committer, and waits until its writes are on disk. The same transaction first checks
    /// whether the actor may still write.
    pub(super) async fn write<T: Send + 'static, D: Send + 'static>(
        &self,
        by: impl Into<Author>,
        decide: impl FnMut(&mut Tx<'_>) -> Result<T, Abort<D>> + Send + 'static,
    ) -> Outcome<T, D> {
        self.run(JobRequest::default(), by, decide).await
    }

    /// The same for a write that ends or changes a credential or a right: once it is acknowledged, no other process shows
    /// the state before it.
    pub(super) async fn write_right<T: Send + 'static, D: Send + 'static>(
        &self,
        by: impl Into<Author>,
        decide: impl FnMut(&mut Tx<'_>) -> Result<T, Abort<D>> + Send + 'static,
    ) -> Outcome<T, D> {
        let (now, is_awaited) = (None, true);
        self.run(JobRequest { now, is_awaited }, by, decide).await
    }

    /// The same for a request that may have an idempotency key. The same transaction stores its answer.
    pub(super) async fn write_once<S: Send + 'static, T: 'static, D: Send + 'static>(
        &self,
        by: impl Into<Author>,
        once: Once<S, T>,
        decide: impl FnMut(&mut Tx<'_>) -> Result<T, Abort<D>> + Send + 'static,
    ) -> Outcome<Done<S>, D> {
        let (now, is_awaited) = (once.now(), false);
        let request = JobRequest { now, is_awaited };
        self.run(request, by, storing(once, decide)).await
    }

    /// The same for a write that makes a credential, which every process accepts once it is acknowledged.
    pub(super) async fn write_credential_once<S: Send + 'static, T: 'static, D: Send + 'static>(
        &self,
        by: impl Into<Author>,
        once: Once<S, T>,
        decide: impl FnMut(&mut Tx<'_>) -> Result<T, Abort<D>> + Send + 'static,
    ) -> Outcome<Done<S>, D> {
        let (now, is_awaited) = (once.now(), true);
        let request = JobRequest { now, is_awaited };
        self.run(request, by, storing(once, decide)).await
    }

    async fn run<T: Send + 'static, D: Send + 'static>(
        &self,
        request: JobRequest,
        by: impl Into<Author>,
        mut decide: impl FnMut(&mut Tx<'_>) -> Result<T, Abort<D>> + Send + 'static,
    ) -> Outcome<T, D> {
        let by = by.into();
        let (job, outcome) = job(request, move |tx| {
            writes::authorize(tx, &by)?;
            decide(tx)
        });
        self.send(Message::Job(job))?;
        #[cfg(test)]
        self.wait_in_memory(&outcome);
        outcome
            .await
            .unwrap_or_else(|_| Err(StoreError::outcome_unknown("the committer has ended")))
    }

    /// In memory, a write takes no time: if the time of a test is paused, it would go on otherwise.
    #[cfg(test)]
    fn wait_in_memory<T>(&self, outcome: &oneshot::Receiver<T>) {
        let is_in_memory = || self.trees.upgrade().is_some_and(|trees| trees.directory().is_none());
        while is_in_memory() && outcome.is_empty() {
            std::thread::yield_now();
        }
    }

    /// Writes the use of a key before its request is answered, so that a crash does not lose it. A request that only reads goes
    /// on if the disk stalls or fails.
    pub(super) async fn save_use(&self, key: ApiKeyId, now: Timestamp) {
        let written = self.write(Actor::Operator, move |tx| writes::save_use(tx, key, now));
        let _ = timeout(MAX_WAIT_FOR_USE, written).await;
    }

    /// Waits until it is certain that all that this copy shows stays.
    pub(super) async fn confirm(&self) -> StoreResult<()> {
        let Ok(()) = self.write(Actor::Operator, |_| Ok::<(), Abort<Infallible>>(())).await?;
        Ok(())
    }

    /// Sends a message to the committer.
    pub(super) fn send(&self, message: Message) -> StoreResult<()> {
        let work = self.work.lock().map_err(torn)?;
        let work = work.as_ref().ok_or(StoreError::Closed)?;
        let sent = work.messages.send(message);
        sent.map_err(|_| StoreError::unwritable("the committer has ended"))
    }

    /// The same for a write that no rule can reject.
    pub(super) async fn commit_infallible<S: Send + 'static, T: 'static>(
        &self,
        by: impl Into<Author>,
        once: Once<S, T>,
        decide: impl FnMut(&mut Tx<'_>) -> Result<T, Abort<Infallible>> + Send + 'static,
    ) -> StoreResult<Done<S>> {
        let Ok(done) = self.write_once(by, once, decide).await?;
        Ok(done)
    }
}

/// A decision whose transaction also stores the answer of its request, if that has an idempotency key.
fn storing<S, T, D>(
    once: Once<S, T>,
    mut decide: impl FnMut(&mut Tx<'_>) -> Result<T, Abort<D>>,
) -> impl FnMut(&mut Tx<'_>) -> Result<Done<S>, Abort<D>> {
    move |tx| {
        let (done, stored) = once.done(decide(tx)?);
        if let Some(stored) = stored {
            answers::store(tx, &stored)?;
        }
        Ok(done)
    }
}
