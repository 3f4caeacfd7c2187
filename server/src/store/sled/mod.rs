//! The embedded engine, on sled 0.34.7. This module owns opening, closing, reads and writes: reads come from memory,
//! or from the trees on threads that may block; writes go as jobs to the one `committer`. `engine` routes each method,
//! `writes` and `lists` hold the transactions and the reads. The domain's decisions are in `rules`.

mod access;
mod answers;
pub mod backup;
mod bounty_rows;
mod checksum;
pub(super) mod commit_log;
mod commit_marker;
mod committer;
mod copy;
mod engine;
mod feeds;
mod flusher;
mod index;
mod job;
mod keys;
mod lists;
mod load;
mod log;
mod record;
mod replay;
mod rows;
mod skills;
pub(super) mod snapshot;
mod start;
mod steps;
#[cfg(test)]
mod tests;
mod transaction;
pub(super) mod trees;
mod unknown;
mod unshown;
mod usage;
mod verify;
mod webhooks;
mod writes;

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, Weak};
use std::thread::JoinHandle;
use std::{fs, io};

use tokio::sync::{Notify, oneshot};

use self::bounty_rows::BountyRows;
pub(crate) use self::bounty_rows::CACHED_BYTES;
use self::commit_log::{CommitLog, Lease, Wake};
use self::commit_marker::CommitMarker;
use self::committer::{Committer, Sync};
use self::copy::Copy;
use self::job::Message;
use self::log::Log;
use self::skills::UnusedSkills;
#[cfg(feature = "postgres")]
pub(super) use self::start::COPY;
pub use self::start::OpenError;
use self::start::Opened;
pub(crate) use self::start::{has_store, is_entry};
use self::trees::Trees;
pub use self::verify::Findings;
use super::changed::ChangedAccounts;
use super::events::Waiters;
use super::mirror::Mirror;
use super::{Sizes, StoreError, StoreResult, WatchCommits};
use crate::panics;

/// Whether a write waits for the disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Durability {
    /// An acknowledged write is on disk.
    Synced,
    /// Writes are not synced. Only for the test that proves that the test of [`Self::Synced`] can fail.
    Unsynced,
}

/// What a consistent data directory contains.
#[derive(Clone, Copy, Debug)]
pub struct Checked {
    /// How much it holds.
    pub sizes: Sizes,
    /// The number of its last commit.
    pub commit: u64,
}

/// A data directory and its in-memory part.
pub struct SledStore {
    mirror: Arc<RwLock<Mirror>>,
    /// The rows of open bounties that were read last.
    bounty_rows: Arc<BountyRows>,
    /// The committer holds the trees; they close when it ends.
    trees: Weak<Trees>,
    log: Arc<Log>,
    /// True until a commit fails, the committer ends, or the store is closed.
    writable: Arc<AtomicBool>,
    watch: Arc<OnceLock<Arc<dyn WatchCommits>>>,
    changed: Arc<ChangedAccounts>,
    /// The number of the last commit that is on disk.
    durable: Arc<AtomicU64>,
    waiters: Waiters,
    steps: Arc<Notify>,
    /// Of a copy: until when it may be read.
    lease: Option<Lease>,
    is_new: bool,
    /// `None` once the store is closed.
    work: Mutex<Option<Work>>,
}

struct Work {
    /// The committer ends with the only lasting reference.
    messages: Arc<Sender<Message>>,
    thread: JoinHandle<()>,
    /// Its sender is dropped when the thread ends.
    ended: oneshot::Receiver<Infallible>,
}

impl Work {
    /// Starts the committer thread, which keeps the data directory locked.
    fn start(
        committer: Committer,
        channel: (Arc<Sender<Message>>, Receiver<Message>),
        lock: fs::File,
    ) -> io::Result<Self> {
        let (messages, waiting) = channel;
        let (end, ended) = oneshot::channel();
        let thread = std::thread::Builder::new()
            .name("committer".to_owned())
            .spawn(move || {
                let _end = end;
                committer.work(&waiting);
                drop(lock);
            })?;
        Ok(Self {
            messages,
            thread,
            ended,
        })
    }
}

impl SledStore {
    /// Opens or creates the data directory at `path`, reads it and verifies it. Blocks: some seconds for each million
    /// records.
    ///
    /// # Errors
    /// If the directory cannot be used. The error states the reason and what to do.
    pub fn open(path: &Path, durability: Durability) -> Result<Self, OpenError> {
        // Both sled and our code may panic on a damaged directory.
        let opened =
            panics::caught(|| Self::start(path, start::open(path)?, |log, marker| sync_of(log, marker, durability)));
        opened.unwrap_or_else(|panic| Err(OpenError::of_panic(path, &panic)))
    }

    /// Verifies the data directory at `path` as [`Self::open`] does. Its content stays as it was, and its files, unless sled tidies
    /// its log. If its disk is almost full, a copy in one of the `others` is verified. It must exist. Blocks.
    ///
    /// # Errors
    /// If the directory is damaged ([`OpenError::is_damage`]), or cannot be used.
    pub fn check(path: &Path, others: &[PathBuf]) -> Result<Checked, OpenError> {
        start::inspect(path, others, |trees, mirror, commit| {
            let disk_bytes = trees.disk_bytes();
            let disk_bytes = disk_bytes.map_err(|error| OpenError::damaged(path, error.to_string()))?;
            let (sizes, commit) = (mirror.sizes(disk_bytes), commit.number);
            Ok(Checked { sizes, commit })
        })
    }

    /// Opens the copy of a log of commits in the data directory `path`, which was filled from the database of the log. Blocks
    /// as [`Self::open`] does.
    ///
    /// # Errors
    /// As those of [`Self::open`].
    pub(super) fn open_copy(
        path: &Path,
        log: Box<dyn CommitLog>,
        lease: Lease,
        is_new: bool,
    ) -> Result<Self, OpenError> {
        let opened = panics::caught(|| start::open(path));
        let mut opened = opened.unwrap_or_else(|panic| Err(OpenError::of_panic(path, &panic)))?;
        opened.is_new = is_new;
        Self::start_copy(path, opened, |_, _| Box::new(|_| Ok(())), Some((log, lease)))
    }

    /// Removes a data directory, unless a process uses it.
    ///
    /// # Errors
    /// If one does, or it cannot be removed.
    pub(crate) fn remove_unused(path: &Path) -> Result<(), OpenError> {
        let _lock = start::lock(path)?;
        fs::remove_dir_all(path).map_err(|error| OpenError::io(path, error))
    }

    fn start(
        path: &Path,
        opened: Opened,
        sync: impl FnOnce(Arc<Log>, CommitMarker) -> Sync,
    ) -> Result<Self, OpenError> {
        Self::start_copy(path, opened, sync, None)
    }

    fn start_copy(
        path: &Path,
        opened: Opened,
        sync: impl FnOnce(Arc<Log>, CommitMarker) -> Sync,
        log_of_commits: Option<(Box<dyn CommitLog>, Lease)>,
    ) -> Result<Self, OpenError> {
        let Opened {
            trees,
            mirror,
            log,
            commit,
            marker,
            lock,
            is_new,
        } = opened;
        let unused_skills = UnusedSkills::find(path, &trees, &mirror)?;
        let (mirror, trees) = (Arc::new(RwLock::new(mirror)), Arc::new(trees));
        let (weak, writable) = (Arc::downgrade(&trees), Arc::new(AtomicBool::new(true)));
        let (watch, changed) = (Arc::default(), Arc::default());
        let durable = Arc::new(AtomicU64::new(commit.number));
        let (waiters, steps) = (Waiters::default(), Arc::<Notify>::default());
        let (messages, waiting) = mpsc::channel();
        let messages = Arc::new(messages);
        let lease = log_of_commits.as_ref().map(|(_, lease)| lease.clone());
        let copy = log_of_commits.map(|(mut log, lease)| {
            log.wake_with(wake(Arc::downgrade(&messages)));
            Copy::new(log, lease)
        });
        let committer = Committer {
            copy,
            trees,
            commit,
            mirror: Arc::clone(&mirror),
            sync: sync(Arc::clone(&log), marker),
            failed: None,
            writable: Arc::clone(&writable),
            watch: Arc::clone(&watch),
            changed: Arc::clone(&changed),
            durable: Arc::clone(&durable),
            waiters: waiters.clone(),
            steps: Arc::clone(&steps),
            unused_skills,
        };
        let work = Work::start(committer, (messages, waiting), lock).map_err(|error| OpenError::io(path, error))?;
        Ok(Self {
            mirror,
            bounty_rows: Arc::new(BountyRows::default()),
            trees: weak,
            log,
            writable,
            watch,
            changed,
            durable,
            waiters,
            steps,
            lease,
            is_new,
            work: Mutex::new(Some(work)),
        })
    }

    /// Sets the maximum bytes of the cache of rows of lists of bounties, which are 64 MiB at first. Rows that are too many are
    /// dropped.
    pub fn limit_row_cache(&self, bytes: usize) {
        self.bounty_rows.limit(bytes);
    }

    /// Whether the directory was created by this start.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// Ends the committer after the waiting writes. No thread of the runtime waits for it: if the system gives no more of
    /// them, there is none.
    async fn end(&self) -> StoreResult<()> {
        let Some(work) = self.work.lock().map_err(torn)?.take() else {
            return Ok(());
        };
        drop(work.messages);
        let Err(_) = work.ended.await;
        join(work.thread)
    }
}

fn join(thread: JoinHandle<()>) -> StoreResult<()> {
    let ended = thread.join();
    ended.map_err(|panic| StoreError::damaged(panics::text(&*panic)))
}

impl Drop for SledStore {
    fn drop(&mut self) {
        let work = self.work.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(Work { messages, thread, .. }) = work.take() {
            drop(messages);
            if let Err(error) = join(thread) {
                tracing::error!(%error, "closing the store");
            }
        }
    }
}

/// Wakes the committer thread as long as the store is open.
fn wake(messages: Weak<Sender<Message>>) -> Wake {
    Box::new(move || {
        if let Some(messages) = messages.upgrade() {
            // If it has ended, nothing is to be read.
            let _ = messages.send(Message::Wake);
        }
    })
}

fn sync_of(log: Arc<Log>, mut marker: CommitMarker, durability: Durability) -> Sync {
    Box::new(move |number| {
        if durability == Durability::Synced {
            log.sync()?;
        }
        // Before the number is written: a log that was moved away must not miss more than was acknowledged.
        log.check_place()?;
        marker.set(number)
    })
}

/// A thread panicked while it changed this value, so the value may be inconsistent.
fn torn<G>(_: PoisonError<G>) -> StoreError {
    StoreError::damaged("the memory is torn; start again")
}

async fn blocking<T: Send + 'static>(read: impl FnOnce() -> StoreResult<T> + Send + 'static) -> StoreResult<T> {
    tokio::task::spawn_blocking(read)
        .await
        .unwrap_or_else(|error| Err(StoreError::damaged(error)))
}
