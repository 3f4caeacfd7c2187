//! Opening, verifying and closing: the data directory with its in-memory part, and the thread that writes.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, OnceLock, RwLock, Weak};
use std::thread::JoinHandle;
use std::{fs, io};

use parking_lot::Mutex;
use tokio::sync::oneshot;

use crate::commit_log::{CommitLog, Lease, Wake};
use crate::engine::Engine;
use crate::error::{StoreError, StoreResult};
use crate::hooks::Hooks;
use crate::job::Message;
use crate::memory::Memory;
use crate::panics;
use crate::record::Record;
use crate::sled::{Durability, Inspected, OpenError, OpenFailure, Opened, SledEngine};
use crate::trees::{Place, Trees};
use crate::writer::WatchCommits;
use crate::writer::committer::Committer;
use crate::writer::copy::Copy;

/// What a consistent data directory contains.
#[derive(Clone, Copy, Debug)]
pub struct Checked<V> {
    /// The view of its content.
    pub view: V,
    /// The bytes of its files.
    pub disk_bytes: u64,
    /// The number of its last commit.
    pub commit: u64,
}

/// A data directory and its view.
pub struct Store<S: Hooks> {
    pub(super) view: Arc<RwLock<S::View>>,
    pub(super) service: Arc<S>,
    /// The committer holds the trees; they close when it ends.
    pub(crate) trees: Weak<Trees<S>>,
    /// True until a commit fails, the committer ends, or the store is closed.
    pub(crate) writable: Arc<AtomicBool>,
    pub(super) watch: Arc<OnceLock<Arc<dyn WatchCommits>>>,
    /// The number of the last commit that is on disk.
    pub(crate) durable: Arc<AtomicU64>,
    /// Of a copy: until when it may be read.
    pub(super) lease: Option<Lease>,
    pub(super) is_new: bool,
    /// `None` once the store is closed.
    pub(super) work: Mutex<Option<Work<S>>>,
}

pub(super) struct Work<S> {
    /// The committer ends with the only lasting reference.
    pub(super) messages: Arc<Sender<Message<S>>>,
    thread: JoinHandle<()>,
    /// Its sender is dropped when the thread ends.
    ended: oneshot::Receiver<Infallible>,
}

impl<S: Hooks> Work<S> {
    /// Starts the committer thread, which keeps the data directory locked.
    fn start(
        mut committer: Committer<S>,
        channel: (Arc<Sender<Message<S>>>, Receiver<Message<S>>),
        lock: Option<fs::File>,
    ) -> io::Result<Self> {
        let (messages, waiting) = channel;
        let (end, ended) = oneshot::channel();
        let thread = std::thread::Builder::new()
            .name("committer".to_owned())
            .spawn(move || {
                let _end = end;
                committer.work(&waiting);
                // An engine may write once more, and panic if it cannot. All that was acknowledged is on disk.
                if let Err(error) = panics::caught(|| drop(committer)) {
                    tracing::warn!(%error, "closing the store");
                }
                drop(lock);
            })?;
        Ok(Self {
            messages,
            thread,
            ended,
        })
    }
}

impl<S: Hooks> Store<S> {
    /// Opens or creates the data directory at `path`, reads it and verifies it. Blocks: some seconds for each million
    /// records.
    ///
    /// # Errors
    /// If the directory cannot be used. The error states the reason and what to do.
    pub fn open(path: &Path, durability: Durability) -> Result<Self, OpenError> {
        let opened = SledEngine::open(path, S::schema(), durability, S::load)?;
        // sled may panic on a damaged directory when it is read again.
        let started = panics::caught(|| Self::start(path, opened, None));
        started.unwrap_or_else(|panic| Err(rejected::<S>(OpenFailure::of_panic(path, &panic))))
    }

    /// Verifies the data directory at `path` as [`Self::open`] does, and then passes all records of a kind to `each`. Its content
    /// stays as it was, and its files, unless sled tidies its log. If its disk is almost full, a copy in one of the `others` is
    /// verified. It must exist. Blocks.
    ///
    /// # Errors
    /// If the directory is damaged ([`OpenError::is_damage`]), or cannot be used.
    pub fn check<R: Record<S>>(
        path: &Path,
        others: &[PathBuf],
        mut each: impl FnMut(R),
    ) -> Result<Checked<S::View>, OpenError> {
        let inspected = SledEngine::inspect(path, S::schema(), others, S::load, |directory| {
            if let Some(snapshot) = directory.snapshot([R::TREE])? {
                snapshot.read(R::TREE, |_, value| {
                    each(R::decode(value).map_err(StoreError::damaged)?);
                    Ok::<_, StoreError>(())
                })?;
            }
            let disk_bytes = directory.disk_bytes()?;
            let Inspected {
                loaded: view, commit, ..
            } = directory;
            Ok::<_, StoreError>(Checked {
                view,
                disk_bytes,
                commit,
            })
        });
        inspected?.map_err(|error| damaged::<S>(path, error))
    }

    /// Opens the copy of a log of commits in the data directory `path`, which was filled from the database of the log. Blocks
    /// as [`Self::open`] does.
    ///
    /// # Errors
    /// As those of [`Self::open`].
    pub fn open_copy(path: &Path, log: Box<dyn CommitLog>, lease: Lease, is_new: bool) -> Result<Self, OpenError> {
        let opened = SledEngine::open(path, S::schema(), Durability::Copy, S::load)?;
        let opened = Opened { is_new, ..opened };
        Self::start(path, opened, Some((log, lease)))
    }

    /// A store over a data directory that is open at `path`. `log_of_commits`: the log that it is a copy of, and until when it
    /// may be read.
    ///
    /// # Errors
    /// If the service cannot begin, or the system gives no thread.
    pub fn start(
        path: &Path,
        opened: Opened<S::View>,
        log_of_commits: Option<(Box<dyn CommitLog>, Lease)>,
    ) -> Result<Self, OpenError> {
        let Opened {
            engine,
            loaded: view,
            lock,
            is_new,
        } = opened;
        let service = S::new(&engine, &view).map_err(|error| damaged::<S>(path, error))?;
        let trees = Trees::new(Place::Directory(Box::new(engine)), Arc::new(service));
        let store = Self::over((trees, view), Some(lock), log_of_commits);
        let mut store = store.map_err(|error| rejected::<S>(OpenFailure::io(path, error)))?;
        store.is_new = is_new;
        Ok(store)
    }

    /// A store that is kept nowhere, with this view of nothing. `lease`: until when it may be read.
    ///
    /// # Errors
    /// If the service cannot begin, or the system gives no thread.
    pub fn in_memory(view: S::View, lease: Option<Lease>) -> StoreResult<Self> {
        Self::in_engine(Box::new(Memory::default()), view, lease)
    }

    /// The same in another engine that is empty and keeps nothing.
    ///
    /// # Errors
    /// As those of [`Self::in_memory`].
    pub fn in_engine(engine: Box<dyn Engine>, view: S::View, lease: Option<Lease>) -> StoreResult<Self> {
        let service = S::new(&*engine, &view)?;
        let trees = Trees::new(Place::Memory(engine), Arc::new(service));
        let mut store = Self::over((trees, view), None, None).map_err(StoreError::unwritable)?;
        store.lease = lease;
        Ok(store)
    }

    /// A store over an open engine, whose directory is locked.
    fn over(
        (trees, view): (Trees<S>, S::View),
        lock: Option<fs::File>,
        log_of_commits: Option<(Box<dyn CommitLog>, Lease)>,
    ) -> io::Result<Self> {
        let commit = trees.engine().last_commit();
        let service = trees.shared_service();
        let (view, trees) = (Arc::new(RwLock::new(view)), Arc::new(trees));
        let (weak, writable) = (Arc::downgrade(&trees), Arc::new(AtomicBool::new(true)));
        let (watch, durable) = (Arc::default(), Arc::new(AtomicU64::new(commit)));
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
            view: Arc::clone(&view),
            failed: None,
            writable: Arc::clone(&writable),
            watch: Arc::clone(&watch),
            durable: Arc::clone(&durable),
        };
        let work = Work::start(committer, (messages, waiting), lock)?;
        Ok(Self {
            view,
            service,
            trees: weak,
            writable,
            watch,
            durable,
            lease,
            is_new: false,
            work: Mutex::new(Some(work)),
        })
    }

    /// The service.
    pub fn service(&self) -> &S {
        &self.service
    }

    /// The view, for those who read it later.
    pub fn view(&self) -> &Arc<RwLock<S::View>> {
        &self.view
    }

    /// The trees. `None` once the store is closed.
    pub fn trees(&self) -> Option<Arc<Trees<S>>> {
        self.trees.upgrade()
    }

    /// The number of the last commit that is on disk.
    pub fn durable(&self) -> u64 {
        self.durable.load(Ordering::Acquire)
    }

    /// Whether the directory was created by this start.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// Ends the committer after the waiting writes. No thread of the runtime waits for it: if the system gives no more of
    /// them, there is none.
    pub(crate) async fn end(&self) -> StoreResult<()> {
        let Some(work) = self.work.lock().take() else {
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

impl<S: Hooks> Drop for Store<S> {
    fn drop(&mut self) {
        if let Some(Work { messages, thread, .. }) = self.work.get_mut().take() {
            drop(messages);
            if let Err(error) = join(thread) {
                tracing::error!(%error, "closing the store");
            }
        }
    }
}

/// Wakes the committer thread as long as the store is open.
fn wake<S: Hooks>(messages: Weak<Sender<Message<S>>>) -> Wake {
    Box::new(move || {
        if let Some(messages) = messages.upgrade() {
            // If it has ended, nothing is to be read.
            let _ = messages.send(Message::Wake);
        }
    })
}

/// The data directory at `path` cannot be read.
fn damaged<S: Hooks>(path: &Path, error: StoreError) -> OpenError {
    rejected::<S>(OpenFailure::damaged(path, error.to_string()))
}

/// The error of the program for a data directory that cannot be used.
pub(crate) fn rejected<S: Hooks>(failure: OpenFailure) -> OpenError {
    failure.in_words_of(&S::schema().program)
}
