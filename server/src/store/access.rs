//! How the market reads, from memory or from the trees, and how it writes: as a job of the committer.

use std::convert::Infallible;
use std::sync::{Arc, RwLock};

use contract::support::{Batch, Done, Once};
use contract::{Rows, Timestamp};
#[cfg(test)]
use tokio::sync::oneshot;

use super::actor::{Actor, Author};
use super::answers;
use super::authorize::authorize;
use super::blocking::{blocking, torn};
use super::error::{Outcome, StoreError, StoreResult};
use super::job::{Message, job};
use super::mirror::Mirror;
use super::open::Store;
use super::rows::ReadRows;
use super::transaction::{Abort, Decided, Tx};
use super::trees::Trees;

impl Store {
    /// Reads from memory. `read` must take less than a millisecond.
    pub(crate) fn look<T>(&self, read: impl FnOnce(&Mirror) -> T) -> StoreResult<T> {
        let found = self.mirror.read().map(|mirror| read(&mirror)).map_err(torn)?;
        self.check_lease()?;
        Ok(found)
    }

    /// Reads from memory, for longer reads.
    pub(crate) async fn search<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Mirror) -> T + Send + 'static,
    ) -> StoreResult<T> {
        let mirror = Arc::clone(&self.mirror);
        let found = blocking(move || mirror.read().map(|mirror| read(&mirror)).map_err(torn)).await?;
        self.check_lease()?;
        Ok(found)
    }

    /// Reads from disk.
    pub(crate) async fn read<T: Send + 'static>(
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
    pub(crate) fn check_lease(&self) -> StoreResult<()> {
        match self.is_available() {
            true => Ok(()),
            false => Err(StoreError::unavailable("the database cannot be reached")),
        }
    }

    /// Runs a decision on the committer, and waits until its writes are on disk. The same transaction first checks
    /// whether the actor may still write.
    pub(crate) async fn write<T: Send + 'static, D: Send + 'static>(
        &self,
        by: impl Into<Author>,
        decide: impl FnMut(&mut Tx<'_>) -> Decided<T, D> + Send + 'static,
    ) -> Outcome<T, D> {
        self.run(None, by, decide).await
    }

    /// The same for a request that may have an idempotency key. The same transaction stores its answer.
    pub(crate) async fn write_once<S: Send + 'static, T: 'static, D: Send + 'static>(
        &self,
        by: impl Into<Author>,
        once: Once<S, T>,
        mut decide: impl FnMut(&mut Tx<'_>) -> Decided<T, D> + Send + 'static,
    ) -> Outcome<Done<S>, D> {
        self.run(once.now(), by, move |tx| {
            let (done, stored) = once.done(decide(tx)?);
            if let Some(stored) = stored {
                answers::store(tx, &stored)?;
            }
            Ok(done)
        })
        .await
    }

    async fn run<T: Send + 'static, D: Send + 'static>(
        &self,
        now: Option<Timestamp>,
        by: impl Into<Author>,
        mut decide: impl FnMut(&mut Tx<'_>) -> Decided<T, D> + Send + 'static,
    ) -> Outcome<T, D> {
        let by = Arc::new(by.into());
        let (job, outcome) = job(now, move |tx| {
            tx.act_as(&by);
            authorize(tx)?;
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

    /// Waits until it is certain that all that was read here stays.
    pub(crate) async fn confirm(&self) -> StoreResult<()> {
        if self.lease.is_none() {
            return Ok(());
        }
        self.confirm_last().await
    }

    /// Waits until the last commit is on disk: writes are done in order.
    pub(super) async fn confirm_last(&self) -> StoreResult<()> {
        let Ok(()) = self.write(Actor::Operator, |_| Ok::<(), Abort<Infallible>>(())).await?;
        Ok(())
    }

    /// Sends a message to the committer.
    pub(crate) fn send(&self, message: Message) -> StoreResult<()> {
        let work = self.work.lock().map_err(torn)?;
        let work = work.as_ref().ok_or(StoreError::Closed)?;
        let sent = work.messages.send(message);
        sent.map_err(|_| StoreError::unwritable("the committer has ended"))
    }

    /// Reads the first rows; the others are read while the answer is sent. An open answer does not keep a closed store
    /// open.
    pub(crate) async fn rows<V: 'static>(&self, read: impl ReadRows<V>) -> StoreResult<Rows<V>> {
        let read = self.reading(read);
        blocking(move || Rows::read(read)).await
    }

    /// The same if the first batch does not have to wait for the disk.
    pub(crate) fn rows_at_hand<V: 'static>(&self, read: impl ReadRows<V>) -> StoreResult<Rows<V>> {
        Rows::read(self.reading(read))
    }

    fn reading<V: 'static, R: ReadRows<V>>(
        &self,
        mut read: R,
    ) -> impl FnMut(&mut Batch<V>) -> StoreResult<()> + Send + Sync + use<V, R> {
        let (trees, mirror) = (self.trees.clone(), self.mirror.clone());
        move |batch: &mut Batch<V>| read(&*trees.upgrade().ok_or(StoreError::Closed)?, &mirror, batch)
    }
}
