//! Opening, verifying and closing: the data directory with its in-memory part, and the thread that writes.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, Weak};
use std::thread::JoinHandle;
use std::{fs, io};

use codegen_store::commit_log::{CommitLog, Lease, Wake};
use codegen_store::{Durability, Inspected, OpenError, OpenFailure, Opened, SledEngine, panics};
use tokio::sync::{Notify, oneshot};

use super::blocking::torn;
use super::bounty_rows::BountyRows;
use super::changed::ChangedAccounts;
use super::committer::Committer;
use super::copy::Copy;
use super::error::{StoreError, StoreResult};
use super::events::Waiters;
use super::job::Message;
use super::load::load;
use super::mirror::{Mirror, Sizes};
use super::skills::UnusedSkills;
use super::tables::{SCHEMA, rejected};
use super::trees::{Place, Trees};
use super::watch::WatchCommits;

/// What a consistent data directory contains.
#[derive(Clone, Copy, Debug)]
pub struct Checked {
    /// How much it holds.
    pub sizes: Sizes,
    /// The number of its last commit.
    pub commit: u64,
}

/// A data directory and its in-memory part.
pub struct Store {
    pub(super) mirror: Arc<RwLock<Mirror>>,
    /// The rows of open bounties that were read last.
    pub(super) bounty_rows: Arc<BountyRows>,
    /// The committer holds the trees; they close when it ends.
    pub(super) trees: Weak<Trees>,
    /// True until a commit fails, the committer ends, or the store is closed.
    pub(super) writable: Arc<AtomicBool>,
    pub(super) watch: Arc<OnceLock<Arc<dyn WatchCommits>>>,
    pub(super) changed: Arc<ChangedAccounts>,
    /// The number of the last commit that is on disk.
    pub(super) durable: Arc<AtomicU64>,
    pub(super) waiters: Waiters,
    pub(super) steps: Arc<Notify>,
    /// Of a copy: until when it may be read.
    pub(super) lease: Option<Lease>,
    pub(super) is_new: bool,
    /// `None` once the store is closed.
    pub(super) work: Mutex<Option<Work>>,
}

pub(super) struct Work {
    /// The committer ends with the only lasting reference.
    pub(super) messages: Arc<Sender<Message>>,
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

impl Store {
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

    pub(super) fn start(
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

    /// The cache of rows of lists of bounties.
    pub(crate) fn bounty_rows(&self) -> &Arc<BountyRows> {
        &self.bounty_rows
    }

    /// Whether the directory was created by this start.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// Ends the committer after the waiting writes. No thread of the runtime waits for it: if the system gives no more of
    /// them, there is none.
    pub(super) async fn end(&self) -> StoreResult<()> {
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
impl Default for Store {
    fn default() -> Self {
        Self::in_memory(None)
    }
}

impl Drop for Store {
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
