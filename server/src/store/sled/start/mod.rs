//! The guard at the start: what must be so before sled may touch a directory, and what sled leaves out after it has.
//!
//! Each step answers a way in which sled 0.34.7 was seen to fail or to lose data.

mod cached;
mod directory;
mod error;
mod expected;
mod kinds;
mod lock;
mod original;
mod rewritable;
mod space;

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

pub use self::error::OpenError;
use self::expected::Expected;
use self::original::Original;
use super::checksum::Commit;
use super::commit_marker::CommitMarker;
use super::keys;
use super::load::load;
use super::log::Log;
use super::trees::{Tree, Trees};
use crate::files::sync_directory;
use crate::panics;
use crate::store::memory::Memory;

/// The version of the layout, under `layout` in the tree `meta`.
const LAYOUT: i64 = 1;

/// How long a store that was closed in this process may take to let go of its files.
const LINGERING: Duration = Duration::from_secs(1);

/// What sled may hold in memory of what is on the disk.
const CACHE_BYTES: u64 = 256 << 20;

/// A directory that is ours alone, and that holds what was written.
pub(super) struct Opened {
    pub(super) trees: Trees,
    /// What of it is in memory.
    pub(super) memory: Memory,
    /// The file that holds everything, for syncs of our own.
    pub(super) log: Arc<Log>,
    /// What the last transaction left behind.
    pub(super) commit: Commit,
    /// Where the commits that are on the disk are noted.
    pub(super) mark: CommitMarker,
    /// Keeps others out for as long as it lives.
    pub(super) lock: File,
    /// Whether no store was ever opened there before.
    pub(super) is_new: bool,
}

/// Opens a data directory, or makes it. One that is rejected stays as it was.
pub(super) fn open(path: &Path) -> Result<Opened, OpenError> {
    directory::prepare(path)?;
    kinds::check(path)?;
    // Before the lock, whose file would be written; and once more behind it, when nobody else changes anything.
    Expected::of(path)?;
    let lock = lock::take(path)?;
    let expected = Expected::of(path)?;
    space::check(path)?;
    cached::forget(path);
    let original = Original::of(path).map_err(|error| OpenError::io(path, error))?;
    lock::sign(&lock);
    let (trees, memory, commit) = open_checked(path, &expected).inspect_err(|rejected| {
        // What another program has locked was not touched.
        if !matches!(rejected, OpenError::Locked(_))
            && let Err(error) = original.put_back()
        {
            tracing::warn!(%error, "{} is no longer as it was before this start", path.display());
        }
    })?;
    expected.warn_of_a_new_not_empty(path);
    let (log, mark) = sync_all(path, commit.number).map_err(|error| OpenError::io(path, error))?;
    Ok(Opened {
        trees,
        memory,
        log,
        commit,
        mark,
        lock,
        is_new: !expected.is_complete(),
    })
}

/// Opens the trees and fills the memory, if they hold what was acknowledged. Both sled and we ourselves may panic at what a damaged
/// directory holds.
fn open_checked(path: &Path, expected: &Expected) -> Result<(Trees, Memory, Commit), OpenError> {
    let opened = panics::caught(|| {
        rewritable::remove_damaged(path).map_err(|error| OpenError::io(path, error))?;
        let trees = open_trees(path)?;
        check_layout(path, &trees, expected.is_complete())?;
        let (memory, commit) = load_checked(path, &trees, expected)?;
        Ok((trees, memory, commit))
    });
    opened.unwrap_or_else(|panic| Err(OpenError::of_panic(path, &panic)))
}

/// Our own lock is held, so whoever still holds sled's may be a store of this very process that was closed just now:
/// the threads on which sled writes let go of its file a little after sled itself is gone.
pub(super) fn open_trees(path: &Path) -> Result<Trees, OpenError> {
    let given_up = Instant::now() + LINGERING;
    loop {
        match try_open_trees(path) {
            Err(OpenError::Locked(_)) if Instant::now() < given_up => thread::sleep(LINGERING / 100),
            opened => return opened,
        }
    }
}

fn try_open_trees(path: &Path) -> Result<Trees, OpenError> {
    let config = sled::Config::new()
        .path(path)
        .cache_capacity(CACHE_BYTES)
        .flush_every_ms(None);
    let trees = config.open().and_then(Trees::open);
    trees.map_err(|error| OpenError::of_sled(path, error))
}

/// A log that cannot be read from its start is an empty one to sled. So a directory that was once complete must have
/// what every complete one has.
fn check_layout(path: &Path, trees: &Trees, complete: bool) -> Result<(), OpenError> {
    let entry = trees.value(Tree::Meta, b"layout");
    let entry = entry.map_err(|error| OpenError::of_sled(path, error))?;
    let layout = entry.map_or(Some(0), |entry| keys::number(&entry));
    match layout.ok_or_else(|| OpenError::damaged_log(path))? {
        0 if complete => Err(OpenError::damaged(
            path,
            "its file `db` is not the one that was written",
        )),
        0 => trees
            .set_layout(LAYOUT)
            .map_err(|error| OpenError::of_sled(path, error)),
        LAYOUT => Ok(()),
        other => Err(OpenError::OtherLayout(path.to_owned(), other)),
    }
}

/// The memory, and what the last transaction left behind, which must not be older than what was acknowledged, and must be
/// what is there. Reads everything, once.
fn load_checked(path: &Path, trees: &Trees, expected: &Expected) -> Result<(Memory, Commit), OpenError> {
    let entry = trees.value(Tree::Meta, Commit::NAME.as_bytes());
    let entry = entry.map_err(|error| OpenError::of_sled(path, error))?;
    let last = entry.map(|entry| Commit::decode(&entry).ok_or_else(|| OpenError::damaged_log(path)));
    let last = last.transpose()?;
    let number = last.map_or(0, |last| last.number);
    expected.check(path, number)?;
    let loaded = load(trees).map_err(|error| OpenError::of_sled(path, error))?;
    let (memory, checksum) = loaded.map_err(|(findings, checksum)| {
        let is_what_was_written = last.is_none_or(|last| last.checksum == checksum);
        let rejected = OpenError::out_of_step(path, findings, is_what_was_written);
        rejected.log_the_rest();
        rejected
    })?;
    match last {
        Some(last) if last.checksum != checksum => {
            let cause = format!("its file `db` lacks parts of what was written up to commit {number}");
            Err(OpenError::damaged(path, cause))
        }
        // Of a directory without commits, or of one that was made before they had checksums.
        _ => Ok((memory, Commit { number, checksum })),
    }
}

/// Brings onto the disk what makes the directory a data directory: sled syncs none of it. Its log ends with the commit `last`.
fn sync_all(path: &Path, last: u64) -> io::Result<(Arc<Log>, CommitMarker)> {
    File::open(path.join("conf"))?.sync_all()?;
    let log = Log::open(path)?;
    sync_directory(path)?;
    let mark = CommitMarker::open(path, last)?;
    sync_directory(path)?;
    if let Some(parent) = path.canonicalize()?.parent() {
        sync_directory(parent)?;
    }
    Ok((Arc::new(log), mark))
}
