//! The one thread that writes. It runs all waiting writes one after the other in one transaction, flushes, syncs,
//! updates the mirror, and only then answers each write. So an acknowledged write is on disk, and one sync serves many
//! writes.

use std::convert::Infallible;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, OnceLock, RwLock};
use std::time::{Duration, Instant};

use codegen_store::commit_log::LogError;
use codegen_store::{Batch, Committed, panics};
use contract::Bounty;
use tokio::sync::Notify;

use super::answers::{self, FORGOTTEN_PER_WRITE};
use super::changed::ChangedAccounts;
use super::copy::Copy;
use super::error::StoreError;
use super::events::Waiters;
use super::job::{Job, Message, job};
use super::mirror::{Change, Mirror, Update};
use super::skills::UnusedSkills;
use super::transaction::{Group, Staged};
use super::trees::Trees;
use super::watch::{self, WatchCommits};

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
pub(crate) struct Committer {
    /// The trees.
    pub(crate) trees: Arc<Trees>,
    /// What readers see.
    pub(crate) mirror: Arc<RwLock<Mirror>>,
    /// The log that the trees are a copy of, if they are one.
    pub(crate) copy: Option<Copy>,
    /// Why writes are rejected, once a commit has failed.
    pub(crate) failed: Option<StoreError>,
    /// Whether `failed` is unset and this thread runs, for other threads.
    pub(crate) writable: Arc<AtomicBool>,
    /// The number of the last commit that is on disk, for readers.
    pub(crate) durable: Arc<AtomicU64>,
    /// Those who wait for events.
    pub(crate) waiters: Waiters,
    /// The observer of commits, if any.
    pub(crate) watch: Arc<OnceLock<Arc<dyn WatchCommits>>>,
    /// For the one who sends to webhooks.
    pub(crate) changed: Arc<ChangedAccounts>,
    /// For the one who takes the steps of simulated workers.
    pub(crate) steps: Arc<Notify>,
    /// What the next commits remove.
    pub(crate) unused_skills: UnusedSkills,
}

/// If the thread panics, the waiting writes are dropped, which answers them.
impl Drop for Committer {
    fn drop(&mut self) {
        self.writable.store(false, Ordering::Relaxed);
        if std::thread::panicking() {
            self.copy.iter().for_each(Copy::give_up);
        }
        self.copy = None;
    }
}

impl Committer {
    /// Works until all senders are dropped and all jobs are answered.
    pub(crate) fn work(mut self, messages: &Receiver<Message>) {
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
    fn commit(&mut self, mut group: Vec<Box<dyn Job>>) -> bool {
        group.extend(self.forgetting(&group));
        let removal = if self.has_second_layout() {
            self.unused_skills.removal()
        } else {
            None
        };
        let has_removal = removal.is_some();
        group.extend(removal);
        let committed = match &self.failed {
            Some(failure) => Err(failure.clone()),
            None => self.try_commit(&mut group),
        };
        if has_removal && committed.is_ok() {
            self.unused_skills.removed();
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
    fn forgetting(&self, group: &[Box<dyn Job>]) -> Option<Box<dyn Job>> {
        let times = group.iter().filter_map(|job| job.now());
        let most = times.clone().count() * FORGOTTEN_PER_WRITE;
        let expired = answers::expired(&self.trees, times.max()?, most);
        let is_any = !expired.is_empty();
        is_any.then(|| job(None, move |tx| answers::forget::<Infallible>(tx, &expired)).0)
    }

    /// Commits the group. After a failure that lasts, no later group is tried. Returns the number of the commit in the log,
    /// if there is one.
    fn try_commit(&mut self, group: &mut [Box<dyn Job>]) -> Result<Option<i64>, StoreError> {
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
        let engine = self.trees.engine();
        let kept = self.trees.unshown().keep(engine, entries);
        kept.map_err(|error| unknown("former states", error))?;
        Ok(engine.commit(entries)?)
    }

    /// Applies the changes to the mirror, for readers.
    pub(crate) fn show(&self, changes: Vec<Change>) -> Result<(), StoreError> {
        let mut update = Update::from_changes(changes);
        let woken = update.take_woken();
        let has_steps = update.has_steps();
        let changed = update.with_webhooks(&woken);
        self.add_returning(&mut update)?;
        let mirror = self.mirror.write();
        let mut mirror = mirror.map_err(|error| unknown("memory", error))?;
        mirror.apply(update);
        self.trees.unshown().forget();
        drop(mirror);
        self.changed.add(changed.into_iter());
        self.waiters.wake(woken);
        if has_steps {
            self.steps.notify_one();
        }
        Ok(())
    }

    /// Reads the bounties of accounts whose suspension ends.
    fn add_returning(&self, update: &mut Update) -> Result<(), StoreError> {
        let returning = self.mirror.read().map(|mirror| mirror.returning(update));
        for id in returning.map_err(|error| unknown("memory", error))? {
            let bounty = self.trees.get::<Bounty>(id);
            let bounty = bounty.map_err(|error| unknown("bounties of an account", error))?;
            bounty.iter().for_each(|bounty| update.add_bounty(bounty.into()));
        }
        Ok(())
    }

    /// Writes the group to disk.
    fn write(&mut self, group: &mut [Box<dyn Job>]) -> Result<Vec<Change>, CommitFailure> {
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
    pub(crate) fn group(&self) -> Group<'_> {
        Group::new(self.trees.engine(), &self.mirror, self.has_second_layout())
    }

    fn has_second_layout(&self) -> bool {
        self.copy.as_ref().is_none_or(Copy::has_second_layout)
    }

    /// Runs the writes of the group, each on what the earlier ones leave. Returns the changes of those that are kept.
    pub(crate) fn decide(&self, jobs: &mut [Box<dyn Job>]) -> Result<Staged, StoreError> {
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

pub(crate) fn unknown(step: &str, error: impl fmt::Display) -> StoreError {
    StoreError::outcome_unknown(format!("{step}: {error}"))
}
