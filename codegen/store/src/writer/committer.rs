//! The one thread that writes. It runs all waiting writes one after the other in one transaction, flushes, syncs,
//! updates the view, and only then answers each write. So an acknowledged write is on disk, and one sync serves many
//! writes.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, OnceLock, RwLock};
use std::time::{Duration, Instant};

use super::copy::Copy;
use super::watch::{self, WatchCommits};
use crate::commit_log::LogError;
use crate::engine::{Batch, Committed};
use crate::error::{StoreError, unknown};
use crate::hooks::Hooks;
use crate::job::{Job, Message, job};
use crate::kept::answers::{self, FORGOTTEN_PER_WRITE};
use crate::panics;
use crate::transaction::{Group, Staged};
use crate::trees::Trees;

/// The maximum number of writes in one transaction. It bounds how long the first one waits for the last.
const MAX_GROUP: usize = 256;

/// A failed commit.
pub(crate) struct CommitFailure {
    /// The error of its writes.
    error: StoreError,
    /// Whether later commits fail, too.
    lasts: bool,
    /// Whether it may succeed at once.
    pub(crate) is_conflict: bool,
}

impl From<StoreError> for CommitFailure {
    fn from(error: StoreError) -> Self {
        let (lasts, is_conflict) = (true, false);
        Self {
            error,
            lasts,
            is_conflict,
        }
    }
}

impl From<LogError> for CommitFailure {
    fn from(error: LogError) -> Self {
        Self {
            lasts: matches!(error, LogError::Diverged(_)),
            is_conflict: matches!(error, LogError::Conflict(_)),
            error: match error {
                LogError::Unknown(cause) => StoreError::outcome_unknown(cause),
                error => StoreError::unavailable(error),
            },
        }
    }
}

/// The state of the thread. It holds the only lasting reference to the trees: they close when it ends.
pub(crate) struct Committer<S: Hooks> {
    /// The trees.
    pub(crate) trees: Arc<Trees<S>>,
    /// What readers see.
    pub(crate) view: Arc<RwLock<S::View>>,
    /// The log that the trees are a copy of, if they are one.
    pub(crate) copy: Option<Copy<S>>,
    /// Why writes are rejected, once a commit has failed.
    pub(crate) failed: Option<StoreError>,
    /// Whether `failed` is unset and this thread runs, for other threads.
    pub(crate) writable: Arc<AtomicBool>,
    /// The number of the last commit that is on disk, for readers.
    pub(crate) durable: Arc<AtomicU64>,
    /// The observer of commits, if any.
    pub(crate) watch: Arc<OnceLock<Arc<dyn WatchCommits>>>,
}

/// If the thread panics, the waiting writes are dropped, which answers them.
impl<S: Hooks> Drop for Committer<S> {
    fn drop(&mut self) {
        self.writable.store(false, Ordering::Relaxed);
        if std::thread::panicking() {
            self.copy.iter().for_each(Copy::give_up);
        }
        self.copy = None;
    }
}

impl<S: Hooks> Committer<S> {
    /// Works until all senders are dropped and all jobs are answered.
    pub(crate) fn work(&mut self, messages: &Receiver<Message<S>>) {
        let mut catching_up = Vec::new();
        loop {
            let mut group = Vec::new();
            let (mut is_woken, mut has_read) = (false, false);
            let received = match &self.copy {
                Some(copy) => {
                    let due = match catching_up.is_empty() {
                        true => copy.due(),
                        false => copy.due().min(copy.may_be_asked()),
                    };
                    messages.recv_timeout(due.saturating_duration_since(Instant::now()))
                }
                None => messages.recv().map_err(RecvTimeoutError::from),
            };
            match received {
                Ok(first) => {
                    let waiting = messages.try_iter().take(MAX_GROUP - 1);
                    for message in std::iter::once(first).chain(waiting) {
                        match message {
                            Message::Job(job) => group.push(job),
                            Message::Wake => is_woken = true,
                            Message::CatchUp(waiting) => catching_up.push(waiting),
                        }
                    }
                    // A commit begins with the news, so that nobody has to read them again.
                    has_read = !group.is_empty() && self.commit(group);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            let may_ask = self
                .copy
                .as_ref()
                .is_none_or(|copy| copy.may_be_asked() <= Instant::now());
            let is_asked = !has_read && !catching_up.is_empty() && may_ask;
            has_read |= self.keep_up(is_woken && !has_read, is_asked);
            if has_read {
                // Those who have gone do not receive it.
                for waiting in catching_up.drain(..) {
                    let _ = waiting.send(());
                }
            } else if is_asked {
                // They ask again.
                catching_up.clear();
            }
        }
        while let Some(copy) = self.copy.as_mut().filter(|copy| copy.has_unconfirmed()) {
            std::thread::sleep(copy.due().saturating_duration_since(Instant::now()));
            copy.confirm();
        }
    }

    /// Commits the group, or fails it as a whole, and answers each of its writes. Returns whether it was committed.
    fn commit(&mut self, mut group: Vec<Box<dyn Job<S>>>) -> bool {
        group.extend(self.forgetting(&group));
        let upkeep = match self.has_latest_layout() {
            true => self.trees.service().upkeep(),
            false => None,
        };
        let has_upkeep = upkeep.is_some();
        group.extend(upkeep);
        let committed = match &self.failed {
            Some(failure) => Err(failure.clone()),
            None => self.try_commit(&mut group),
        };
        if has_upkeep && committed.is_ok() {
            self.trees.service().upkept();
        }
        for job in group {
            match (&committed, &mut self.copy) {
                (Ok(Some(number)), Some(copy)) if job.is_awaited() => copy.answer_later(*number, job),
                (committed, _) => job.answer(committed.as_ref().err().cloned()),
            }
        }
        committed.is_ok()
    }

    /// A write that removes some answers that have expired, for a group with writes that store others.
    fn forgetting(&self, group: &[Box<dyn Job<S>>]) -> Option<Box<dyn Job<S>>> {
        let times = group.iter().filter_map(|job| job.now());
        let most = times.clone().count() * FORGOTTEN_PER_WRITE;
        let expired = answers::expired(&*self.trees, times.max()?, most);
        let is_any = !expired.is_empty();
        is_any.then(|| job(None, move |tx| answers::forget::<S, Infallible>(tx, &expired)).0)
    }

    /// Commits the group. After a failure that lasts, no later group is tried. Returns the number of the commit in the log,
    /// if there is one.
    fn try_commit(&mut self, group: &mut [Box<dyn Job<S>>]) -> Result<Option<i64>, StoreError> {
        if self.copy.is_some() {
            return self.commit_to_log(group);
        }
        let written = self.write(group).and_then(|changes| Ok(self.show(changes)?));
        written.map(|()| None).map_err(|failure| self.record_failure(failure))
    }

    /// Notes a failure, and returns the error of those who wait.
    pub(crate) fn record_failure(&mut self, failure: CommitFailure) -> StoreError {
        let CommitFailure { error, lasts, .. } = failure;
        let was_writable = self.writable.swap(false, Ordering::Relaxed);
        if lasts {
            tracing::error!(
                cause = error.cause(),
                "a commit failed: nothing is written until a restart; fix the cause first"
            );
            self.failed = Some(StoreError::unwritable(error.cause()));
            self.copy.iter().for_each(Copy::give_up);
        } else if was_writable {
            tracing::error!(cause = error.cause(), "a commit failed; later ones are tried");
        }
        if let Some(watch) = self.watch.get()
            && was_writable
        {
            watch.failed();
        }
        error
    }

    /// Writes succeed.
    pub(crate) fn is_writable(&self) {
        self.writable.store(true, Ordering::Relaxed);
    }

    /// The last commit of the trees is durable.
    pub(crate) fn is_durable(&self) {
        self.durable.store(self.trees.engine().last_commit(), Ordering::Release);
    }

    /// Reports a commit.
    pub(crate) fn committed(&self, writes: usize, flush: Duration, sync: Duration) {
        self.is_durable();
        self.is_writable();
        if let Some(watch) = self.watch.get() {
            watch.committed(watch::CommitReport { writes, flush, sync });
        }
    }

    /// Writes entries to the trees, and to disk unless these are a copy.
    pub(crate) fn store(&self, entries: &Batch) -> Result<Committed, StoreError> {
        let noted = self.trees.service().before(&self.trees, entries);
        noted.map_err(|error| unknown("former states", error))?;
        Ok(self.trees.engine().commit(entries)?)
    }

    /// Applies the changes to the view, for readers.
    pub(crate) fn show(&self, changes: Vec<S::Change>) -> Result<(), StoreError> {
        let shown = self.trees.service().show(&self.view, &self.trees, changes);
        shown.map_err(|error| unknown("memory", error))
    }

    /// Writes the group to disk.
    fn write(&mut self, group: &mut [Box<dyn Job<S>>]) -> Result<Vec<S::Change>, CommitFailure> {
        let begun = Instant::now();
        let Staged { entries, changes, .. } = self.decide(group)?;
        if entries.is_empty() {
            return Ok(Vec::new());
        }
        let Committed { sync, .. } = self.store(&entries)?;
        self.committed(group.len(), begun.elapsed() - sync, sync);
        Ok(changes)
    }

    /// A group without writes, for the next commit.
    pub(crate) fn group(&self) -> Group<'_, S> {
        Group::new(self.trees.engine(), &self.view, self.has_latest_layout())
    }

    fn has_latest_layout(&self) -> bool {
        self.copy.as_ref().is_none_or(Copy::has_latest_layout)
    }

    /// Runs the writes of the group, each on what the earlier ones leave. Returns the changes of those that are kept.
    pub(crate) fn decide(&self, jobs: &mut [Box<dyn Job<S>>]) -> Result<Staged<S>, StoreError> {
        let mut group = self.group();
        let ran = catch_unwind(AssertUnwindSafe(|| {
            jobs.iter_mut().try_for_each(|job| group.run(|tx| job.run(tx)))
        }));
        match ran {
            Ok(Ok(())) => Ok(group.kept),
            Ok(Err(error)) => Err(unknown("transaction", error)),
            Err(panic) => Err(unknown("transaction", panics::text(&*panic))),
        }
    }
}
