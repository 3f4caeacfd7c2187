//! The checks at start, before and after sled opens a directory. Each step prevents a way in which sled 0.34.7 is
//! known to fail or to lose data.

mod cached;
mod directory;
mod elsewhere;
mod error;
mod expected;
mod kinds;
mod lock;
mod original;
mod readable;
mod rewritable;
mod space;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

pub use self::error::OpenError;
pub(super) use self::error::is_of_content;
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
use crate::store::mirror::Mirror;

/// The version of the layout, under `layout` in the tree `meta`.
const LAYOUT: i64 = 1;

/// The directory with the copy of a database, in the data directory of a server that uses one.
pub(in crate::store) const COPY: &str = "copy";

/// How long a store that was closed in this process may take to release its files: milliseconds, but more than a second on a
/// busy machine. How often it is tried.
const LINGERING: Duration = Duration::from_secs(10);
const TRIED_EVERY: Duration = Duration::from_millis(10);

/// The size of sled's page cache.
const CACHE_BYTES: u64 = 32 << 20;

/// A locked and verified directory.
pub(super) struct Opened {
    pub(super) trees: Trees,
    /// The in-memory part of its content.
    pub(super) mirror: Mirror,
    /// The file of sled's log, for our own syncs.
    pub(super) log: Arc<Log>,
    /// The commit entry of the last transaction.
    pub(super) commit: Commit,
    /// Records which commits are on disk.
    pub(super) marker: CommitMarker,
    /// Locks other processes out until it is dropped.
    pub(super) lock: File,
    /// Whether no store was ever opened in the directory before.
    pub(super) is_new: bool,
}

/// Opens or creates a data directory. A rejected directory stays as it was.
pub(super) fn open(path: &Path) -> Result<Opened, OpenError> {
    directory::prepare(path)?;
    kinds::check(path)?;
    // Before the lock, because taking it writes to the lock file. Repeated under the lock, when no other process can
    // change anything.
    Expected::read(path)?;
    let lock = lock::take(path)?;
    let expected = Expected::read(path)?;
    space::check(path)?;
    let original = original(path).map_err(|error| OpenError::io(path, error))?;
    lock::sign(&lock);
    let (trees, mirror, commit) = open_checked(path, &expected).inspect_err(|rejected| {
        // A directory that another program has locked was not changed.
        if !matches!(rejected, OpenError::Locked(_))
            && let Err(error) = original.put_back()
        {
            tracing::warn!(%error, "cannot restore {} to its state before this start", path.display());
        }
    })?;
    expected.warn_of_a_new_not_empty(path);
    let (log, marker) = sync_all(path, commit.number).map_err(|error| OpenError::io(path, error))?;
    Ok(Opened {
        trees,
        mirror,
        log,
        commit,
        marker,
        lock,
        is_new: !expected.is_complete(),
    })
}

/// Verifies a data directory as a start does, passes its content to `look`, and puts back what the opening has changed. If
/// its disk has no room for an opening, a copy in one of the other places is opened instead. Blocks as a start does.
pub(super) fn inspect<T>(
    path: &Path,
    others: &[PathBuf],
    look: impl FnOnce(&Trees, &Mirror, Commit) -> Result<T, OpenError>,
) -> Result<T, OpenError> {
    directory::find(path)?;
    if path.join(COPY).exists() {
        return Err(OpenError::OfDatabase(path.to_owned()));
    }
    kinds::check(path)?;
    let expected = Expected::read(path)?;
    if !path.join(Log::FILE).exists() {
        return Err(OpenError::NoStore(path.to_owned()));
    }
    let _lock = lock::take(path)?;
    let look_at = |path: &Path| {
        let (trees, mirror, commit) = open_checked(path, &expected)?;
        look(&trees, &mirror, commit)
    };
    if let Some(free) = space::too_little(path)? {
        forget_and_read(path).map_err(|error| OpenError::io(path, error))?;
        let copy = elsewhere::copy(path, free, others)?;
        return look_at(copy.path()).map_err(|error| error.of_original(path));
    }
    let original = original(path).map_err(|error| OpenError::io(path, error))?;
    let looked = look_at(path);
    match original.put_back() {
        // A directory that another program has locked was not changed.
        Err(error) if !matches!(looked, Err(OpenError::Locked(_))) => Err(OpenError::io(path, error)),
        _ => looked,
    }
}

/// Whether there was a complete store in a directory, or a copy of a database.
pub(crate) fn has_store(path: &Path) -> bool {
    [CommitMarker::FILE, CommitMarker::NOT_EMPTY, COPY]
        .iter()
        .any(|name| path.join(name).exists())
}

/// Whether a store has an entry with this name in its directory.
pub(crate) fn is_entry(name: &str) -> bool {
    kinds::kind_of_entry(name).is_some()
}

/// Locks other processes out of a data directory.
pub(super) fn lock(path: &Path) -> Result<File, OpenError> {
    lock::take(path)
}

/// The data that an opening may change, if the disk gives all of it.
fn original(path: &Path) -> io::Result<Original> {
    forget_and_read(path)?;
    Original::read(path)
}

/// Fails if the disk does not give all of the log.
fn forget_and_read(path: &Path) -> io::Result<()> {
    cached::forget(path);
    readable::check(path)
}

/// Opens the trees and loads the mirror, if they contain everything acknowledged. Both sled and our code may panic on
/// a damaged directory.
fn open_checked(path: &Path, expected: &Expected) -> Result<(Trees, Mirror, Commit), OpenError> {
    let opened = panics::caught(|| {
        rewritable::remove_damaged(path).map_err(|error| OpenError::io(path, error))?;
        let trees = open_trees(path)?;
        check_layout(path, &trees, expected.is_complete())?;
        let (mirror, commit) = load_checked(path, &trees, expected)?;
        Ok((trees, mirror, commit))
    });
    let opened = opened.unwrap_or_else(|panic| Err(OpenError::of_panic(path, &panic)));
    // sled does not tell what it cannot read from what is damaged.
    opened.map_err(|rejected| match rejected.is_damage().then(|| readable::check(path)) {
        Some(Err(error)) => OpenError::io(path, error),
        _ => rejected,
    })
}

/// Opens sled's trees. Our own lock is held, so sled's lock can only be held by a store of this process that was just
/// closed: sled's writer threads release the file a little after sled itself is dropped.
pub(super) fn open_trees(path: &Path) -> Result<Trees, OpenError> {
    let deadline = Instant::now() + LINGERING;
    loop {
        match try_open_trees(path) {
            Err(OpenError::Locked(_)) if Instant::now() < deadline => thread::sleep(TRIED_EVERY),
            opened => return opened,
        }
    }
}

fn try_open_trees(path: &Path) -> Result<Trees, OpenError> {
    let config = sled::Config::new()
        .path(path)
        .cache_capacity(CACHE_BYTES)
        .flush_every_ms(None);
    let db = config.open().map_err(|error| OpenError::of_sled(path, error))?;
    if Trees::are_of_another_program(&db) {
        return Err(OpenError::Foreign(path.to_owned(), Log::FILE.into()));
    }
    Trees::open(db).map_err(|error| OpenError::of_sled(path, error))
}

/// sled treats a log with an unreadable start as an empty one. So a complete directory must have the entries that
/// every complete directory has.
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

/// The mirror and the last commit entry. The commit must not be older than what was acknowledged, and its checksum
/// must match. Reads everything once.
fn load_checked(path: &Path, trees: &Trees, expected: &Expected) -> Result<(Mirror, Commit), OpenError> {
    let entry = trees.value(Tree::Meta, Commit::NAME.as_bytes());
    let entry = entry.map_err(|error| OpenError::of_sled(path, error))?;
    let last = entry.map(|entry| Commit::decode(&entry).ok_or_else(|| OpenError::damaged_log(path)));
    let last = last.transpose()?;
    let number = last.map_or(0, |last| last.number);
    expected.check(path, number)?;
    let loaded = load(trees).map_err(|error| OpenError::of_sled(path, error))?;
    let (mirror, checksum) = loaded.map_err(|(findings, checksum)| {
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
        // The directory has no commits, or was created before commits had checksums.
        _ => Ok((mirror, Commit { number, checksum })),
    }
}

/// Syncs the files and directories that make up the data directory, since sled syncs none of them. Its log ends with
/// the commit `last`.
fn sync_all(path: &Path, last: u64) -> io::Result<(Arc<Log>, CommitMarker)> {
    File::open(path.join("conf"))?.sync_all()?;
    let log = Log::open(path)?;
    sync_directory(path)?;
    let marker = CommitMarker::open(path, last)?;
    sync_directory(path)?;
    if let Some(parent) = path.canonicalize()?.parent() {
        sync_directory(parent)?;
    }
    Ok((Arc::new(log), marker))
}
