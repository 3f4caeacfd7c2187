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

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

pub use self::error::{OpenError, OpenFailure};
use self::expected::Expected;
use self::original::Original;
pub use self::space::MIN_FREE_BYTES;
use super::checksum::Commit;
use super::commit_marker::CommitMarker;
use super::log::Log;
use super::reader::Reader;
use super::trees::Trees;
use super::{Durability, Inspected, Opened, SledEngine};
use crate::engine::EngineError;
use crate::files::sync_directory;
use crate::findings::Findings;
use crate::panics;
use crate::schema::{Program, Schema};
use crate::tree::Tree;

/// The directory with the copy of a log of commits, in the data directory of a server that uses one.
pub const COPY: &str = "copy";

/// How long a store that was closed in this process may take to release its files: milliseconds, but more than a second on a
/// busy machine. How often it is tried.
const LINGERING: Duration = Duration::from_secs(10);
const TRIED_EVERY: Duration = Duration::from_millis(10);

/// The size of sled's page cache.
const CACHE_BYTES: u64 = 32 << 20;

/// Opens or creates a data directory. A rejected directory stays as it was.
pub(super) fn open<T>(
    path: &Path,
    schema: &'static Schema,
    durability: Durability,
    load: impl FnOnce(&mut Reader<'_>) -> Result<Result<T, Findings>, EngineError>,
) -> Result<Opened<T>, OpenFailure> {
    directory::prepare(path)?;
    kinds::check(path)?;
    // Before the lock, because taking it writes to the lock file. Repeated under the lock, when no other process can
    // change anything.
    Expected::read(path)?;
    let lock = lock::take(path)?;
    let expected = Expected::read(path)?;
    space::check(path)?;
    let original = original(path).map_err(|error| OpenFailure::io(path, error))?;
    lock::sign(&lock);
    let (trees, loaded, commit) = open_checked(path, schema, &expected, load).inspect_err(|rejected| {
        // A directory that another program has locked was not changed.
        if !matches!(rejected, OpenFailure::Locked(_))
            && let Err(error) = original.put_back()
        {
            tracing::warn!(%error, "cannot restore {} to its state before this start", path.display());
        }
    })?;
    expected.warn_of_a_new_not_empty(path);
    let synced = sync_all(path, commit.number).map_err(|error| OpenFailure::io(path, error))?;
    Ok(Opened {
        engine: SledEngine::new(trees, synced, commit, durability),
        loaded,
        lock,
        is_new: !expected.is_complete(),
    })
}

/// Verifies a data directory as a start does, passes its content to `look`, and puts back what the opening has changed. If
/// its disk has no room for an opening, a copy in one of the other places is opened instead. Blocks as a start does.
pub(super) fn inspect<T, L>(
    path: &Path,
    schema: &'static Schema,
    others: &[PathBuf],
    load: impl FnOnce(&mut Reader<'_>) -> Result<Result<L, Findings>, EngineError>,
    look: impl FnOnce(Inspected<'_, L>) -> T,
) -> Result<T, OpenFailure> {
    directory::find(path)?;
    if path.join(COPY).exists() {
        return Err(OpenFailure::OfDatabase(path.to_owned()));
    }
    kinds::check(path)?;
    let expected = Expected::read(path)?;
    if !path.join(Log::FILE).exists() {
        return Err(OpenFailure::NoStore(path.to_owned()));
    }
    let _lock = lock::take(path)?;
    let look_at = |path: &Path| {
        let (trees, loaded, commit) = open_checked(path, schema, &expected, load)?;
        let (trees, commit) = (&trees, commit.number);
        Ok(look(Inspected { trees, loaded, commit }))
    };
    if let Some(free) = space::too_little(path)? {
        forget_and_read(path).map_err(|error| OpenFailure::io(path, error))?;
        let copy = elsewhere::copy(path, free, others, &format!("{}-", schema.program.name))?;
        return look_at(copy.path()).map_err(|error: OpenFailure| error.of_original(path));
    }
    let original = original(path).map_err(|error| OpenFailure::io(path, error))?;
    let looked = look_at(path);
    match original.put_back() {
        // A directory that another program has locked was not changed.
        Err(error) if !matches!(looked, Err(OpenFailure::Locked(_))) => Err(OpenFailure::io(path, error)),
        _ => looked,
    }
}

/// Whether there was a complete store in a directory, or a copy of a database.
#[must_use]
pub fn has_store(path: &Path) -> bool {
    [CommitMarker::FILE, CommitMarker::NOT_EMPTY, COPY]
        .iter()
        .any(|name| path.join(name).exists())
}

/// Whether a store has an entry with this name in its directory.
#[must_use]
pub fn is_entry(name: &str) -> bool {
    kinds::kind_of_entry(name).is_some()
}

/// Removes a data directory, unless a process uses it.
///
/// # Errors
/// If one does, or it cannot be removed.
pub fn remove_unused(path: &Path, program: &'static Program) -> Result<(), OpenError> {
    let remove = || {
        let _lock = lock::take(path)?;
        fs::remove_dir_all(path).map_err(|error| OpenFailure::io(path, error))
    };
    remove().map_err(|failure| failure.in_words_of(program))
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

/// Opens the trees and loads their content, if they contain everything acknowledged. Both sled and `load` may panic on
/// a damaged directory.
fn open_checked<T>(
    path: &Path,
    schema: &Schema,
    expected: &Expected,
    load: impl FnOnce(&mut Reader<'_>) -> Result<Result<T, Findings>, EngineError>,
) -> Result<(Trees, T, Commit), OpenFailure> {
    let opened = panics::caught(|| {
        rewritable::remove_damaged(path).map_err(|error| OpenFailure::io(path, error))?;
        let trees = open_trees(path, schema)?;
        check_layout(path, &trees, schema.layout, expected.is_complete())?;
        let (loaded, commit) = load_checked(path, &trees, expected, load)?;
        Ok((trees, loaded, commit))
    });
    let opened = opened.unwrap_or_else(|panic| Err(OpenFailure::of_panic(path, &panic)));
    // sled does not tell what it cannot read from what is damaged.
    opened.map_err(|rejected| match rejected.is_damage().then(|| readable::check(path)) {
        Some(Err(error)) => OpenFailure::io(path, error),
        _ => rejected,
    })
}

/// Opens sled's trees. Our own lock is held, so sled's lock can only be held by a store of this process that was just
/// closed: sled's writer threads release the file a little after sled itself is dropped.
pub(super) fn open_trees(path: &Path, schema: &Schema) -> Result<Trees, OpenFailure> {
    let deadline = Instant::now() + LINGERING;
    loop {
        match try_open_trees(path, schema) {
            Err(OpenFailure::Locked(_)) if Instant::now() < deadline => thread::sleep(TRIED_EVERY),
            opened => return opened,
        }
    }
}

fn try_open_trees(path: &Path, schema: &Schema) -> Result<Trees, OpenFailure> {
    let config = sled::Config::new()
        .path(path)
        .cache_capacity(CACHE_BYTES)
        .flush_every_ms(None);
    let db = config.open().map_err(|error| OpenFailure::of_sled(path, error))?;
    if Trees::are_of_another_program(&db) {
        return Err(OpenFailure::Foreign(path.to_owned(), Log::FILE.into()));
    }
    Trees::open(db, schema).map_err(|error| OpenFailure::of_sled(path, error))
}

/// sled treats a log with an unreadable start as an empty one. So a complete directory must have the entries that
/// every complete directory has.
fn check_layout(path: &Path, trees: &Trees, needed: i64, is_complete: bool) -> Result<(), OpenFailure> {
    let layout = trees.layout().map_err(|error| OpenFailure::of_engine(path, error))?;
    match layout.ok_or_else(|| OpenFailure::damaged_log(path))? {
        0 if is_complete => Err(OpenFailure::damaged(
            path,
            "its file `db` is not the one that was written",
        )),
        0 => trees
            .set_layout(needed)
            .map_err(|error| OpenFailure::of_sled(path, error)),
        layout if layout == needed => Ok(()),
        layout => Err(OpenFailure::OtherLayout(path.to_owned(), layout, needed)),
    }
}

/// The content and the last commit entry. The commit must not be older than what was acknowledged, and its checksum
/// must match. Reads everything once.
fn load_checked<T>(
    path: &Path,
    trees: &Trees,
    expected: &Expected,
    load: impl FnOnce(&mut Reader<'_>) -> Result<Result<T, Findings>, EngineError>,
) -> Result<(T, Commit), OpenFailure> {
    let entry = trees.stored(Tree::META, Commit::NAME.as_bytes());
    let entry = entry.map_err(|error| OpenFailure::of_engine(path, error))?;
    let last = entry.map(|entry| Commit::decode(&entry).ok_or_else(|| OpenFailure::damaged_log(path)));
    let last = last.transpose()?;
    let number = last.map_or(0, |last| last.number);
    expected.check(path, number)?;
    let mut reader = Reader::new(trees);
    let loaded = load(&mut reader).map_err(|error| OpenFailure::of_engine(path, error))?;
    let checksum = reader.checksum();
    let loaded = loaded.map_err(|findings| {
        let is_what_was_written = last.is_none_or(|last| last.checksum == checksum);
        let rejected = OpenFailure::out_of_step(path, findings, is_what_was_written);
        rejected.log_the_rest();
        rejected
    })?;
    match last {
        Some(last) if last.checksum != checksum => {
            let cause = format!("its file `db` lacks parts of what was written up to commit {number}");
            Err(OpenFailure::damaged(path, cause))
        }
        // The directory has no commits, or was created before commits had checksums.
        _ => Ok((loaded, Commit { number, checksum })),
    }
}

/// Syncs the files and directories that make up the data directory, since sled syncs none of them. Its log ends with
/// the commit `last`.
fn sync_all(path: &Path, last: u64) -> io::Result<(Log, CommitMarker)> {
    File::open(path.join("conf"))?.sync_all()?;
    let log = Log::open(path)?;
    sync_directory(path)?;
    let marker = CommitMarker::open(path, last)?;
    sync_directory(path)?;
    if let Some(parent) = path.canonicalize()?.parent() {
        sync_directory(parent)?;
    }
    Ok((log, marker))
}
