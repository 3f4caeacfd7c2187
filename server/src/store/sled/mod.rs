//! The market over the embedded engine. This module owns opening, closing, reads and writes: reads come from memory,
//! or from the trees on threads that may block; writes go as jobs to the one `committer`. `engine` routes each method,
//! `writes` and `lists` hold the transactions and the reads. The domain's decisions are in `rules`.

mod access;
mod answers;
pub mod backup;
mod bounty_rows;
mod changes;
mod committer;
mod copy;
mod engine;
mod feeds;
mod follow;
mod job;
mod keys;
pub(super) mod kind;
pub(super) mod kinds;
mod lists;
mod load;
mod record;
mod records;
mod replay;
mod rows;
mod skills;
mod steps;
#[cfg(test)]
mod tests;
mod transaction;
mod trees;
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

use codegen_store::commit_log::{CommitLog, Lease, Wake};
pub use codegen_store::{Durability, OpenError};
use codegen_store::{Inspected, OpenFailure, Opened, SledEngine, panics};
use tokio::sync::{Notify, oneshot};

use self::bounty_rows::BountyRows;
pub(crate) use self::bounty_rows::CACHED_BYTES;
use self::committer::Committer;
use self::copy::Copy;
use self::job::Message;
use self::load::load;
use self::skills::UnusedSkills;
use self::trees::{Place, Trees};
use super::changed::ChangedAccounts;
use super::events::Waiters;
use super::mirror::Mirror;
use super::tables::{SCHEMA, rejected};
use super::{Sizes, StoreError, StoreResult, WatchCommits};

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
        lock: Option<fs::File>,
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
        let opened = SledEngine::open(path, &SCHEMA, durability, load)?;
        // sled may panic on a damaged directory when it is read again.
        let started = panics::caught(|| Self::start(path, opened, None));
        started.unwrap_or_else(|panic| Err(rejected(OpenFailure::of_panic(path, &panic))))
    }

    /// Verifies the data directory at `path` as [`Self::open`] does. Its content stays as it was, and its files, unless sled tidies
    /// its log. If its disk is almost full, a copy in one of the `others` is verified. It must exist. Blocks.
    ///
    /// # Errors
    /// If the directory is damaged ([`OpenError::is_damage`]), or cannot be used.
    pub fn check(path: &Path, others: &[PathBuf]) -> Result<Checked, OpenError> {
        let inspected = SledEngine::inspect(path, &SCHEMA, others, load, |directory| {
            let disk_bytes = directory.disk_bytes()?;
            let Inspected { loaded, commit, .. } = directory;
            let sizes = loaded.sizes(disk_bytes);
            Ok::<_, StoreError>(Checked { sizes, commit })
        });
        inspected?.map_err(|error| damaged(path, error))
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
        let opened = SledEngine::open(path, &SCHEMA, Durability::Copy, load)?;
        let opened = Opened { is_new, ..opened };
        Self::start(path, opened, Some((log, lease)))
    }

    fn start(
        path: &Path,
        opened: Opened<Mirror>,
        log_of_commits: Option<(Box<dyn CommitLog>, Lease)>,
    ) -> Result<Self, OpenError> {
        let Opened {
            engine,
            loaded: mirror,
            lock,
            is_new,
        } = opened;
        let trees = Trees::new(Place::Directory(Box::new(engine)));
        let unused_skills = UnusedSkills::find(path, &trees, &mirror)?;
        let store = Self::over((trees, mirror), Some(lock), unused_skills, log_of_commits);
        let mut store = store.map_err(|error| rejected(OpenFailure::io(path, error)))?;
        store.is_new = is_new;
        Ok(store)
    }

    /// A store that is kept nowhere.
    #[cfg(test)]
    pub(crate) fn in_memory(lease: Option<Lease>) -> Self {
        let trees = Trees::new(Place::Memory(codegen_store::Memory::default()));
        let store = Self::over((trees, Mirror::default()), None, UnusedSkills::default(), None);
        let mut store = store.expect("the machine has threads");
        store.lease = lease;
        store
    }

    /// A store over an open engine, whose directory is locked.
    fn over(
        (trees, mirror): (Trees, Mirror),
        lock: Option<fs::File>,
        unused_skills: UnusedSkills,
        log_of_commits: Option<(Box<dyn CommitLog>, Lease)>,
    ) -> io::Result<Self> {
        let commit = trees.engine().last_commit();
        let (mirror, trees) = (Arc::new(RwLock::new(mirror)), Arc::new(trees));
        let (weak, writable) = (Arc::downgrade(&trees), Arc::new(AtomicBool::new(true)));
        let (watch, changed) = (Arc::default(), Arc::default());
        let durable = Arc::new(AtomicU64::new(commit));
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
            mirror: Arc::clone(&mirror),
            failed: None,
            writable: Arc::clone(&writable),
            watch: Arc::clone(&watch),
            changed: Arc::clone(&changed),
            durable: Arc::clone(&durable),
            waiters: waiters.clone(),
            steps: Arc::clone(&steps),
            unused_skills,
        };
        let work = Work::start(committer, (messages, waiting), lock)?;
        Ok(Self {
            mirror,
            bounty_rows: Arc::new(BountyRows::default()),
            trees: weak,
            writable,
            watch,
            changed,
            durable,
            waiters,
            steps,
            lease,
            is_new: false,
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

#[cfg(test)]
impl Default for SledStore {
    fn default() -> Self {
        Self::in_memory(None)
    }
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

/// The data directory at `path` cannot be read.
fn damaged(path: &Path, error: StoreError) -> OpenError {
    rejected(OpenFailure::damaged(path, error.to_string()))
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
