//! How a service reads, from its view or from the trees, and how it writes: as a job of the committer.

use std::convert::Infallible;
use std::sync::{Arc, RwLock};
use std::time::Duration;

use codegen_support::{AnswerId, Batch, Done, Once, OverQuota, QuotaUse, Rows, Timestamp};
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::open::Store;
use super::rows::ReadRows;
use crate::author::Author;
use crate::blocking::{blocking, torn};
use crate::error::{Outcome, StoreError, StoreResult};
use crate::hooks::Hooks;
use crate::job::{Message, job};
use crate::kept::{answers, usage};
use crate::record::Record;
use crate::transaction::{Abort, Decided, Tx};
use crate::trees::Trees;

/// The maximum time that a request waits until the use of its credential is saved. If the disk is slow, it is saved later: a read
/// that waits so long is still answered within 100 ms.
const MAX_WAIT_FOR_USE: Duration = Duration::from_millis(50);

/// What a write decides. Without a type of its own: how it waits for the committer is compiled once for each result.
type Decide<S, T, D> = dyn FnMut(&mut Tx<'_, S>) -> Decided<T, D> + Send;

impl<S: Hooks> Store<S> {
    /// Reads from memory. `read` must take less than a millisecond.
    pub fn look<T>(&self, read: impl FnOnce(&S::View) -> T) -> StoreResult<T> {
        let found = self.view.read().map(|view| read(&view)).map_err(torn)?;
        self.check_lease()?;
        Ok(found)
    }

    /// Reads from memory, for longer reads.
    pub async fn search<T: Send + 'static>(&self, read: impl FnOnce(&S::View) -> T + Send + 'static) -> StoreResult<T> {
        let view = Arc::clone(&self.view);
        let found = blocking(move || view.read().map(|view| read(&view)).map_err(torn)).await?;
        self.check_lease()?;
        Ok(found)
    }

    /// Reads from disk. In memory, this takes no time.
    pub async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Trees<S>, &RwLock<S::View>) -> StoreResult<T> + Send + 'static,
    ) -> StoreResult<T> {
        let (trees, view) = (self.trees().ok_or(StoreError::Closed)?, Arc::clone(&self.view));
        let found = match trees.directory() {
            Some(_) => blocking(move || read(&trees, &view)).await?,
            None => read(&trees, &view)?,
        };
        self.check_lease()?;
        Ok(found)
    }

    /// Whether all this could be counted towards quotas at present. The transaction of a write decides.
    ///
    /// # Errors
    /// If it cannot be read. The inner error is the first quota that would be exceeded.
    pub async fn check_quotas(&self, uses: Vec<QuotaUse>, now: Timestamp) -> StoreResult<Result<(), OverQuota>> {
        self.read(move |trees, _| usage::check(trees, &uses, now)).await
    }

    /// Fails if this is a copy and its lease is over. What was read before is then as new as the lease demands, even if this
    /// process was stopped meanwhile.
    pub fn check_lease(&self) -> StoreResult<()> {
        match self.can_answer() {
            true => Ok(()),
            false => Err(StoreError::unavailable("the database cannot be reached")),
        }
    }

    /// Runs a decision on the committer, and waits until its writes are on disk. The same transaction first checks
    /// whether the actor may still write.
    pub async fn write<T: Send + 'static, D: Send + 'static>(
        &self,
        by: impl Into<Author<S::Actor>>,
        decide: impl FnMut(&mut Tx<'_, S>) -> Decided<T, D> + Send + 'static,
    ) -> Outcome<T, D> {
        self.run(None, Some(by.into()), Box::new(decide)).await
    }

    /// The same for a request that may have an idempotency key. The same transaction stores its answer.
    pub async fn write_once<A: Send + 'static, T: 'static, D: Send + 'static>(
        &self,
        by: impl Into<Author<S::Actor>>,
        once: Once<A, T>,
        mut decide: impl FnMut(&mut Tx<'_, S>) -> Decided<T, D> + Send + 'static,
    ) -> Outcome<Done<A>, D> {
        let now = once.now();
        let decide = move |tx: &mut Tx<'_, S>| {
            let (done, stored) = once.done(decide(tx)?);
            if let Some(stored) = stored {
                answers::store(tx, &stored)?;
            }
            Ok(done)
        };
        self.run(now, Some(by.into()), Box::new(decide)).await
    }

    /// Decides as [`Self::write`] does, and writes nothing.
    pub async fn dry_run<T: Send + 'static, D: Send + 'static>(
        &self,
        by: impl Into<Author<S::Actor>>,
        mut decide: impl FnMut(&mut Tx<'_, S>) -> Decided<T, D> + Send + 'static,
    ) -> Outcome<T, D> {
        let decide = move |tx: &mut Tx<'_, S>| match decide(tx) {
            Ok(done) => Err::<Infallible, _>(Abort::Rejected(Ok(done))),
            Err(abort) => Err(abort.map(Err)),
        };
        Ok(match self.run(None, Some(by.into()), Box::new(decide)).await? {
            Ok(never) => match never {},
            Err(decided) => decided,
        })
    }

    /// The same without an author: the server itself writes.
    pub(crate) async fn write_itself<T: Send + 'static, D: Send + 'static>(
        &self,
        decide: impl FnMut(&mut Tx<'_, S>) -> Decided<T, D> + Send + 'static,
    ) -> Outcome<T, D> {
        self.run(None, None, Box::new(decide)).await
    }

    async fn run<T: Send + 'static, D: Send + 'static>(
        &self,
        now: Option<Timestamp>,
        by: Option<Author<S::Actor>>,
        mut decide: Box<Decide<S, T, D>>,
    ) -> Outcome<T, D> {
        let by = by.map(Arc::new);
        let (job, outcome) = job(now, move |tx| {
            if let Some(by) = &by {
                tx.act_as(by);
                S::authorize(tx, &by.actor)?.map_err(Abort::Unauthorized)?;
                usage::count(tx, None)?;
            }
            decide(tx)
        });
        self.send(Message::Job(job))?;
        self.wait_in_memory(&outcome);
        outcome
            .await
            .unwrap_or_else(|_| Err(StoreError::outcome_unknown("the committer has ended")))
    }

    /// In memory, a write takes no time: a test whose time is paused, or which polls a request once, finds it done.
    fn wait_in_memory<T>(&self, outcome: &oneshot::Receiver<T>) {
        let is_in_memory = || self.trees().is_some_and(|trees| trees.directory().is_none());
        while is_in_memory() && outcome.is_empty() {
            std::thread::yield_now();
        }
    }

    /// The answer that is stored for an idempotency key. Who gets it relies on the commit that stored it.
    ///
    /// # Errors
    /// If it cannot be read, or it is not certain that it stays.
    pub async fn find_answer(&self, id: AnswerId, now: Timestamp) -> StoreResult<Option<Vec<u8>>> {
        let found = self.read(move |trees, _| answers::find(trees, id, now)).await?;
        if found.is_some() {
            self.confirm().await?;
        }
        Ok(found)
    }

    /// Saves the use of a credential before its request is answered, so that a crash does not lose it: `note` sets it in the record
    /// with this key, if there is still one. A request that only reads goes on if the disk stalls or fails.
    pub async fn save_use<R: Record<S>>(&self, by: S::Actor, key: R::Key, note: impl Fn(&mut R) + Send + 'static) {
        let saved = self.write(by, move |tx| {
            if let Some(former) = tx.get::<R>(key.clone())? {
                let mut record = former.clone();
                note(&mut record);
                tx.replace(&former, &record)?;
            }
            Ok::<_, Abort<Infallible>>(())
        });
        let _ = timeout(MAX_WAIT_FOR_USE, saved).await;
    }

    /// Waits until it is certain that all that was read here stays.
    pub async fn confirm(&self) -> StoreResult<()> {
        if self.lease.is_none() {
            return Ok(());
        }
        self.confirm_last().await
    }

    /// Waits until the last commit is on disk: writes are done in order.
    pub(crate) async fn confirm_last(&self) -> StoreResult<()> {
        let Ok(()) = self.write_itself(|_| Ok::<(), Abort<Infallible>>(())).await?;
        Ok(())
    }

    /// Sends a message to the committer.
    pub(crate) fn send(&self, message: Message<S>) -> StoreResult<()> {
        let work = self.work.lock();
        let work = work.as_ref().ok_or(StoreError::Closed)?;
        let sent = work.messages.send(message);
        sent.map_err(|_| StoreError::unwritable("the committer has ended"))
    }

    /// Reads the first rows; the others are read while the answer is sent. An open answer does not keep a closed store
    /// open.
    pub async fn rows<V: 'static>(&self, read: impl ReadRows<S, V>) -> StoreResult<Rows<V>> {
        let read = self.reading(read);
        blocking(move || Rows::read(read)).await
    }

    /// The same if the first batch does not have to wait for the disk.
    pub fn rows_at_hand<V: 'static>(&self, read: impl ReadRows<S, V>) -> StoreResult<Rows<V>> {
        Rows::read(self.reading(read))
    }

    fn reading<V: 'static, R: ReadRows<S, V>>(
        &self,
        mut read: R,
    ) -> impl FnMut(&mut Batch<V>) -> StoreResult<()> + Send + Sync + use<S, V, R> {
        let (trees, view) = (self.trees.clone(), self.view.clone());
        move |batch: &mut Batch<V>| read(&*trees.upgrade().ok_or(StoreError::Closed)?, &view, batch)
    }
}
