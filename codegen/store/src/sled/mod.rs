//! The embedded engine, on sled 0.34.7. Everything above sees whole values; long ones are stored in pieces.

mod checksum;
mod chunks;
mod commit_marker;
mod flusher;
mod keeper;
mod log;
mod reader;
mod reads;
mod snapshot;
mod start;
#[cfg(any(test, feature = "testing"))]
mod testing;
#[cfg(test)]
mod tests;
mod trees;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::{Mutex, RwLockReadGuard};

pub use self::checksum::Checksum;
use self::checksum::Commit;
use self::commit_marker::CommitMarker;
use self::log::Log;
pub use self::reader::{Reader, TreeReading};
pub use self::reads::number;
pub use self::snapshot::{Snapshot, SnapshotError};
pub use self::start::{COPY, MIN_FREE_BYTES, OpenError, OpenFailure, has_store, is_entry, remove_unused};
#[cfg(any(test, feature = "testing"))]
pub use self::testing::Raw;
use self::trees::Trees;
use crate::engine::{Batch, Bytes, Committed, Engine, EngineError, Entry, KeyRange, Reads};
use crate::findings::Findings;
use crate::panics;
use crate::schema::Schema;
use crate::tree::Tree;

/// What a batch waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Durability {
    /// The disk.
    Synced,
    /// The operating system. Only to fill a new directory that is then opened again, and for the test that proves that the
    /// test of [`Self::Synced`] can fail.
    Unsynced,
    /// Nothing: a log elsewhere holds every batch.
    Copy,
}

/// Replaces the sync after a batch with this number.
type Sync = Box<dyn FnMut(u64) -> io::Result<()> + Send>;

/// A data directory.
pub struct SledEngine {
    trees: Arc<Trees>,
    log: Log,
    durability: Durability,
    writer: Mutex<Writer>,
    last_commit: AtomicU64,
}

/// What only the thread that writes uses.
struct Writer {
    commit: Commit,
    marker: CommitMarker,
    sync: Option<Sync>,
    /// Why no batch is written any more.
    failed: Option<String>,
}

/// A locked and verified directory.
pub struct Opened<T> {
    /// The engine.
    pub engine: SledEngine,
    /// What was made of its content.
    pub loaded: T,
    /// Locks other processes out until it is dropped.
    pub lock: File,
    /// Whether no store was ever opened in the directory before.
    pub is_new: bool,
}

/// A directory that is looked at, and not written to.
pub struct Inspected<'t, T> {
    trees: &'t Trees,
    /// What was made of its content.
    pub loaded: T,
    /// The number of its last commit.
    pub commit: u64,
}

impl<T> Inspected<'_, T> {
    /// The bytes of its files.
    ///
    /// # Errors
    /// If the system does not tell.
    pub fn disk_bytes(&self) -> Result<u64, EngineError> {
        self.trees.disk_bytes()
    }

    /// As [`SledEngine::snapshot`].
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn snapshot(&self, order: impl Into<Arc<[Tree]>>) -> Result<Option<Snapshot<'_>>, EngineError> {
        Snapshot::begin(self.trees, order.into())
    }
}

impl SledEngine {
    /// Opens or creates the data directory at `path`, and passes its content to `load`, which verifies it and makes something of
    /// it, or finds inconsistencies. A rejected directory stays as it was. Blocks.
    ///
    /// # Errors
    /// If the directory cannot be used. The error states the reason and what to do.
    pub fn open<T>(
        path: &Path,
        schema: &'static Schema,
        durability: Durability,
        load: impl FnOnce(&mut Reader<'_>) -> Result<Result<T, Findings>, EngineError>,
    ) -> Result<Opened<T>, OpenError> {
        // Both sled and `load` may panic on a damaged directory.
        let opened = panics::caught(|| start::open(path, schema, durability, load));
        let opened = opened.unwrap_or_else(|panic| Err(OpenFailure::of_panic(path, &panic)));
        opened.map_err(|failure| failure.in_words_of(&schema.program))
    }

    /// Verifies the data directory at `path` as [`Self::open`] does, and passes it to `look`. Its content stays as it was, and its
    /// files, unless sled tidies its log. If its disk is almost full, a copy in one of the `others` is looked at. It must exist.
    /// Blocks.
    ///
    /// # Errors
    /// If the directory is damaged ([`OpenError::is_damage`]), or cannot be used.
    pub fn inspect<T, L>(
        path: &Path,
        schema: &'static Schema,
        others: &[PathBuf],
        load: impl FnOnce(&mut Reader<'_>) -> Result<Result<L, Findings>, EngineError>,
        look: impl FnOnce(Inspected<'_, L>) -> T,
    ) -> Result<T, OpenError> {
        let inspected = start::inspect(path, schema, others, load, look);
        inspected.map_err(|failure| failure.in_words_of(&schema.program))
    }

    fn new(trees: Trees, (log, marker): (Log, CommitMarker), commit: Commit, durability: Durability) -> Self {
        let writer = Writer {
            commit,
            marker,
            sync: None,
            failed: None,
        };
        Self {
            trees: Arc::new(trees),
            log,
            durability,
            writer: Mutex::new(writer),
            last_commit: AtomicU64::new(commit.number),
        }
    }

    /// Calls this instead of syncing to disk.
    #[cfg(any(test, feature = "testing"))]
    pub fn replace_sync(&self, sync: impl FnMut(u64) -> io::Result<()> + Send + 'static) {
        self.writer.lock().sync = Some(Box::new(sync));
    }

    /// Fails if the files were removed or replaced: what is written to them then is lost when this process ends. If the
    /// system cannot tell, the check passes.
    ///
    /// # Errors
    /// If they were.
    pub fn check_place(&self) -> io::Result<()> {
        self.log.check_place()
    }

    /// The bytes of its files.
    ///
    /// # Errors
    /// If the system does not tell.
    pub fn disk_bytes(&self) -> Result<u64, EngineError> {
        self.trees.disk_bytes()
    }

    /// A snapshot of what has been committed by now, which reads these trees in this order: what changes most should come early,
    /// so that few former values are kept. `None` if another one is being read.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn snapshot(&self, order: impl Into<Arc<[Tree]>>) -> Result<Option<Snapshot<'_>>, EngineError> {
        Snapshot::begin(&self.trees, order.into())
    }

    fn write(&self, writer: &mut Writer, batch: &Batch) -> Result<Committed, EngineError> {
        self.apply(writer, batch)?;
        let mut sync = Duration::ZERO;
        if self.durability != Durability::Copy {
            self.trees
                .flush()
                .map_err(|error| EngineError::unknown("flush", error))?;
            let flushed = Instant::now();
            self.sync(writer).map_err(|error| EngineError::unknown("sync", error))?;
            sync = flushed.elapsed();
        }
        let number = writer.commit.number;
        Ok(Committed { number, sync })
    }

    /// Writes a batch to the trees.
    fn apply(&self, writer: &mut Writer, batch: &Batch) -> Result<(), EngineError> {
        let _still = self.trees.moving().write();
        let applied = self.trees.apply(writer.commit, batch);
        writer.commit = applied.map_err(|error| EngineError::unknown("transaction", error))?;
        self.last_commit.store(writer.commit.number, Ordering::Release);
        Ok(())
    }

    /// Brings what was flushed to disk. After an error it is never repeated: the kernel may have dropped the pages that it could
    /// not write, and a second sync would succeed without them.
    fn sync(&self, writer: &mut Writer) -> io::Result<()> {
        let number = writer.commit.number;
        if let Some(sync) = &mut writer.sync {
            return sync(number);
        }
        if self.durability == Durability::Synced {
            self.log.sync()?;
        }
        // Before the number is written: a log that was moved away must not miss more than was acknowledged.
        self.log.check_place()?;
        writer.marker.set(number)
    }
}

impl Drop for SledEngine {
    fn drop(&mut self) {
        if self.writer.get_mut().failed.is_some() {
            // Closing the trees would write and sync again, despite the failure. So they stay open until the process ends.
            std::mem::forget(Arc::clone(&self.trees));
        }
    }
}

impl Reads for SledEngine {
    fn get(&self, tree: Tree, key: &[u8]) -> Result<Option<Bytes>, EngineError> {
        self.trees.get(tree, key)
    }

    fn range(&self, tree: Tree, range: KeyRange<'_>, most: usize) -> Result<Vec<Entry>, EngineError> {
        self.trees.range(tree, range, most)
    }

    fn keys(&self, tree: Tree, range: KeyRange<'_>, most: usize) -> Result<Vec<Bytes>, EngineError> {
        self.trees.keys(tree, range, most)
    }
}

impl Engine for SledEngine {
    fn commit(&self, batch: &Batch) -> Result<Committed, EngineError> {
        let mut writer = self.writer.lock();
        if let Some(cause) = &writer.failed {
            return Err(EngineError::OutcomeUnknown(cause.clone()));
        }
        let committed = self.write(&mut writer, batch);
        if let Err(error) = &committed {
            writer.failed = Some(error.to_string());
        }
        committed
    }

    fn last_commit(&self) -> u64 {
        self.last_commit.load(Ordering::Acquire)
    }

    fn still(&self) -> RwLockReadGuard<'_, ()> {
        self.trees.moving().read()
    }
}
