//! The one thread that writes. It runs all waiting writes one after the other in one transaction, flushes, syncs,
//! updates the mirror, and only then answers each write. So an acknowledged write is on disk, and one sync serves many
//! writes.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, OnceLock, RwLock};
use std::time::{Duration, Instant};
use std::{fmt, io};

use contract::{ApiKeyId, Timestamp};
use sled::Transactional;
use sled::transaction::{ConflictableTransactionError, TransactionalTree};
use tokio::sync::oneshot;

use super::answers::{self, FORGOTTEN_PER_WRITE};
use super::checksum::Commit;
use super::commit_log::{CommitLog, LogChange, LogError, changes_of};
use super::replay::replay;
use super::transaction::{Abort, Entries, Group, Staged, TransactionError, Tx};
use super::trees::{Tree, Trees};
use super::writes::persist_uses;
use crate::panics;
use crate::store::changed::ChangedAccounts;
use crate::store::events::Waiters;
use crate::store::mirror::{Change, Mirror, Update};
use crate::store::{Outcome, StoreError, WatchCommits, watch};

/// The maximum number of writes in one transaction. It bounds how long the first one waits for the last.
const MAX_GROUP: usize = 256;

/// How often the last uses of keys are written to disk.
pub(super) const USAGE_EVERY: Duration = Duration::from_secs(45);

/// Syncs what was flushed, and records that the commit with this number is on disk.
pub(super) type Sync = Box<dyn FnMut(u64) -> io::Result<()> + Send>;

/// How often a copy tells its log that this process is alive.
const RENEW_EVERY: Duration = Duration::from_millis(450);

/// A failed commit.
struct CommitFailure {
    /// The error of its writes.
    error: StoreError,
    /// Whether later commits fail, too.
    lasts: bool,
}

impl From<StoreError> for CommitFailure {
    fn from(error: StoreError) -> Self {
        Self { error, lasts: true }
    }
}

impl From<LogError> for CommitFailure {
    fn from(error: LogError) -> Self {
        Self {
            lasts: matches!(error, LogError::Deposed(_)),
            error: error.of_writes(),
        }
    }
}

/// A waiting write.
pub(super) trait Job: Send {
    /// Decides and writes; returns whether its writes are kept. It may run again if the first group was not committed.
    fn run(&mut self, tx: &mut Tx<'_>) -> sled::Result<bool>;
    /// The time of the request, if it has an idempotency key.
    fn now(&self) -> Option<Timestamp>;
    /// Answers the caller with the decision of `run`, or with the failure of the whole group.
    fn answer(self: Box<Self>, failure: Option<StoreError>);
}

/// Makes a job of a decision, with the receiver of its outcome.
pub(super) fn job<T, D, F>(now: Option<Timestamp>, decide: F) -> (Box<dyn Job>, oneshot::Receiver<Outcome<T, D>>)
where
    T: Send + 'static,
    D: Send + 'static,
    F: FnMut(&mut Tx<'_>) -> Result<T, Abort<D>> + Send + 'static,
{
    let (answer, outcome) = oneshot::channel();
    (
        Box::new(Waiting {
            now,
            decide,
            decided: None,
            answer,
        }),
        outcome,
    )
}

struct Waiting<T, D, F> {
    now: Option<Timestamp>,
    decide: F,
    decided: Option<Outcome<T, D>>,
    answer: oneshot::Sender<Outcome<T, D>>,
}

impl<T, D, F> Job for Waiting<T, D, F>
where
    T: Send,
    D: Send,
    F: FnMut(&mut Tx<'_>) -> Result<T, Abort<D>> + Send,
{
    fn run(&mut self, tx: &mut Tx<'_>) -> sled::Result<bool> {
        let decided = catch_unwind(AssertUnwindSafe(|| (self.decide)(tx)));
        let decided = decided.unwrap_or_else(|panic| Err(Abort::from(TransactionError::Broken(panics::text(&*panic)))));
        self.decided = Some(match decided {
            Ok(done) => Ok(Ok(done)),
            Err(Abort::Rejected(denied)) => Ok(Err(denied)),
            Err(Abort::Unauthorized(why)) => Err(StoreError::Unauthorized(why)),
            Err(Abort::Failed(TransactionError::Broken(cause))) => Err(StoreError::damaged(cause)),
            Err(Abort::Failed(TransactionError::Sled(error))) => return Err(error),
        });
        Ok(matches!(self.decided, Some(Ok(Ok(_)))))
    }

    fn now(&self) -> Option<Timestamp> {
        self.now
    }

    fn answer(self: Box<Self>, failure: Option<StoreError>) {
        let Self {
            decide,
            decided,
            answer,
            ..
        } = *self;
        let outcome = match failure {
            Some(failure) => Err(failure),
            None => decided.expect("a group that did not fail has run each of its writes"),
        };
        // It owns the idempotency key, which must be free before the client can send it again.
        drop(decide);
        // If the client has disconnected, nobody receives this. The write stays.
        let _ = answer.send(outcome);
    }
}

/// The state of the thread. It holds the only lasting reference to the trees: they close when it ends.
pub(super) struct Committer {
    /// The trees.
    pub(super) trees: Arc<Trees>,
    /// The commit entry of the last transaction.
    pub(super) commit: Commit,
    /// What readers see.
    pub(super) mirror: Arc<RwLock<Mirror>>,
    /// The log that the trees are a copy of, if they are one.
    pub(super) log: Option<Box<dyn CommitLog>>,
    /// Called after each flush. Not of a copy: its log keeps what was written.
    pub(super) sync: Sync,
    /// Why writes are rejected, once a commit has failed.
    pub(super) failed: Option<StoreError>,
    /// Whether `failed` is unset and this thread runs, for other threads.
    pub(super) writable: Arc<AtomicBool>,
    /// The number of the last commit that is on disk, for readers.
    pub(super) durable: Arc<AtomicU64>,
    /// Those who wait for events.
    pub(super) waiters: Waiters,
    /// The observer of commits, if any.
    pub(super) watch: Arc<OnceLock<Arc<dyn WatchCommits>>>,
    /// For the one who sends to webhooks.
    pub(super) changed: Arc<ChangedAccounts>,
}

/// If the thread panics, the waiting writes are dropped, which answers them.
impl Drop for Committer {
    fn drop(&mut self) {
        self.writable.store(false, Ordering::Relaxed);
        self.log = None;
        if self.failed.is_some() {
            // Closing the trees would write and sync again, despite the failure. So they stay open until the process
            // ends.
            std::mem::forget(Arc::clone(&self.trees));
        }
    }
}

impl Committer {
    /// Works until all senders are dropped and all jobs are answered. Writes the last uses of keys to disk every
    /// `usage_every`, and at the end.
    pub(super) fn work(mut self, jobs: &Receiver<Box<dyn Job>>, usage_every: Duration) {
        let mut usage_due = Instant::now() + usage_every;
        let mut renewal_due = Instant::now();
        loop {
            let due = match self.log {
                Some(_) => usage_due.min(renewal_due),
                None => usage_due,
            };
            match jobs.recv_timeout(due.saturating_duration_since(Instant::now())) {
                Ok(first) => {
                    let waiting = jobs.try_iter().take(MAX_GROUP - 1);
                    let group = std::iter::once(first).chain(waiting).collect();
                    self.commit(group);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if Instant::now() >= usage_due {
                self.persist_usage();
                usage_due = Instant::now() + usage_every;
            }
            if Instant::now() >= renewal_due {
                self.renew();
                renewal_due = Instant::now() + RENEW_EVERY;
            }
        }
        self.persist_usage();
    }

    /// Commits the group, or fails it as a whole, and answers each of its writes.
    fn commit(&mut self, mut group: Vec<Box<dyn Job>>) {
        group.extend(self.forgetting(&group));
        let failure = self.failed.clone().or_else(|| self.try_commit(&mut group).err());
        for job in group {
            job.answer(failure.clone());
        }
    }

    /// A write that removes some answers that have expired, for a group with writes that store others.
    fn forgetting(&self, group: &[Box<dyn Job>]) -> Option<Box<dyn Job>> {
        let times = group.iter().filter_map(|job| job.now());
        let most = times.clone().count() * FORGOTTEN_PER_WRITE;
        let expired = answers::expired(&self.trees, times.max()?, most);
        let is_any = !expired.is_empty();
        is_any.then(|| job(None, move |tx| answers::forget::<Infallible>(tx, &expired)).0)
    }

    /// Commits the group. After a failure that lasts, no later group is tried.
    fn try_commit(&mut self, group: &mut [Box<dyn Job>]) -> Result<(), StoreError> {
        let written = self.write(group).and_then(|changes| Ok(self.show(changes)?));
        written.map_err(|failure| self.note(failure))
    }

    /// Notes a failure, and returns the error of those who wait.
    fn note(&mut self, failure: CommitFailure) -> StoreError {
        let CommitFailure { error, lasts } = failure;
        let was_writable = self.writable.swap(false, Ordering::Relaxed);
        if lasts {
            tracing::error!(
                cause = error.cause(),
                "a commit failed: nothing is written until a restart; fix the cause first"
            );
            self.failed = Some(StoreError::unwritable(error.cause()));
        } else if was_writable {
            tracing::error!(cause = error.cause(), "a commit failed; later ones are tried");
        }
        if let Some(watch) = self.watch.get() {
            watch.failed();
        }
        error
    }

    /// Tells the log that this process is alive.
    fn renew(&mut self) {
        if self.failed.is_some() {
            return;
        }
        match self.log.as_mut().map(|log| log.renew()) {
            Some(Err(error)) => drop(self.note(error.into())),
            Some(Ok(())) => self.writable.store(true, Ordering::Relaxed),
            None => {}
        }
    }

    /// Takes in what others have committed.
    fn take_in(&mut self, news: &[LogChange]) -> Result<(), CommitFailure> {
        if news.is_empty() {
            return Ok(());
        }
        let mut group = Group::new(&self.trees, self.commit.number + 1);
        let replayed = group.run(|tx| news.iter().try_for_each(|change| replay(tx, change)).map(|()| true));
        replayed.map_err(|error| unknown("log of commits", format!("{error:?}")))?;
        let Staged { entries, changes } = group.kept;
        self.apply(&entries)?;
        self.durable.store(self.commit.number, Ordering::Release);
        Ok(self.show(changes)?)
    }

    /// Writes entries to the trees.
    fn apply(&mut self, entries: &Entries) -> Result<(), StoreError> {
        let still = self.trees.moving().write();
        let _still = still.map_err(|error| StoreError::unwritable(format!("indexes: {error}")))?;
        self.commit = apply(&self.trees, self.commit, entries).map_err(|error| unknown("transaction", error))?;
        Ok(())
    }

    /// Applies the changes to the mirror, for readers.
    fn show(&self, changes: Vec<Change>) -> Result<(), StoreError> {
        let mut update = Update::of(changes);
        let woken = update.take_woken();
        let changed = update.with_webhooks(&woken);
        let mirror = self.mirror.write();
        let mut mirror = mirror.map_err(|error| unknown("memory", error))?;
        mirror.apply(update);
        drop(mirror);
        self.changed.add(changed.into_iter());
        self.waiters.wake(woken);
        Ok(())
    }

    /// Writes the group and syncs it. After an error the sync is never repeated: the kernel may have dropped the pages
    /// that it could not write, and a second sync would succeed without them.
    fn write(&mut self, group: &mut [Box<dyn Job>]) -> Result<Vec<Change>, CommitFailure> {
        let begun = Instant::now();
        if let Some(log) = &mut self.log {
            let news = log.begin()?;
            self.take_in(&news)?;
        }
        let decided = decide(&self.trees, self.commit.number + 1, group);
        let Staged { entries, changes } = decided.map_err(|error| unknown("transaction", error))?;
        if entries.is_empty() {
            if let Some(log) = &mut self.log {
                log.release();
            }
            return Ok(Vec::new());
        }
        if let Some(log) = &mut self.log {
            let logged = changes_of(&entries).map_err(|error| unknown("log of commits", error))?;
            log.append(&logged)?;
        }
        self.apply(&entries)?;
        let flushed = match self.log {
            Some(_) => Instant::now(),
            None => {
                self.trees.flush().map_err(|error| unknown("flush", error))?;
                let flushed = Instant::now();
                (self.sync)(self.commit.number).map_err(|error| unknown("sync", error))?;
                flushed
            }
        };
        self.durable.store(self.commit.number, Ordering::Release);
        self.writable.store(true, Ordering::Relaxed);
        if let Some(watch) = self.watch.get() {
            watch.committed(watch::CommitReport {
                writes: group.len(),
                flush: flushed - begun,
                sync: flushed.elapsed(),
            });
        }
        Ok(changes)
    }

    fn persist_usage(&mut self) {
        let used = unsaved_uses(&self.mirror);
        if !used.is_empty() {
            let saved = used.clone();
            let (job, _) = job(None, move |tx| persist_uses(tx, &used));
            self.commit(vec![job]);
            if self.failed.is_none()
                && let Ok(mirror) = self.mirror.read()
            {
                mirror.keys.uses_are_saved(&saved);
            }
        }
    }
}

/// The last uses of keys that are not on disk. Those in a poisoned memory are not written.
pub(super) fn unsaved_uses(mirror: &RwLock<Mirror>) -> Vec<(ApiKeyId, Timestamp)> {
    let mirror = mirror.read();
    mirror.map_or_else(|_| Vec::new(), |mirror| mirror.keys.unsaved_uses())
}

/// Runs the writes of the group, each on what the earlier ones leave. Returns the changes of those that are kept.
fn decide(trees: &Trees, commit: u64, jobs: &mut [Box<dyn Job>]) -> Result<Staged, String> {
    let mut group = Group::new(trees, commit);
    let ran = catch_unwind(AssertUnwindSafe(|| {
        jobs.iter_mut().try_for_each(|job| group.run(|tx| job.run(tx)))
    }));
    match ran {
        Ok(Ok(())) => Ok(group.kept),
        Ok(Err(error)) => Err(error.to_string()),
        Err(panic) => Err(panics::text(&*panic)),
    }
}

/// Writes entries to the trees in one transaction, with the commit entry that follows `last`, which it returns.
fn apply(trees: &Trees, last: Commit, entries: &Entries) -> Result<Commit, String> {
    let ran = catch_unwind(AssertUnwindSafe(|| {
        trees.all().transaction(|transactional: &Vec<TransactionalTree>| {
            let mut checksum = last.checksum;
            for ((tree, key), value) in entries {
                let of_tree = &transactional[*tree as usize];
                let former = match value {
                    Some(value) => {
                        checksum.add(*tree, key, value);
                        of_tree.insert(key.clone(), value.clone())?
                    }
                    None => of_tree.remove(key.clone())?,
                };
                trees.keeper().keep(*tree, key, former.as_ref());
                if let Some(former) = former {
                    checksum.remove(*tree, key, &former);
                }
            }
            let commit = last.next(checksum);
            transactional[Tree::Meta as usize].insert(Commit::NAME, &commit.encode()[..])?;
            Ok::<_, ConflictableTransactionError<()>>(commit)
        })
    }));
    match ran {
        Ok(Ok(commit)) => Ok(commit),
        Ok(Err(error)) => Err(format!("{error:?}")),
        Err(panic) => Err(panics::text(&*panic)),
    }
}

fn unknown(step: &str, error: impl fmt::Display) -> StoreError {
    StoreError::outcome_unknown(format!("{step}: {error}"))
}
