//! Backups: all that is stored, as it is at one moment, in a form that depends on no engine; and a data directory made
//! from one.

mod format;
mod restore;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use codegen_support::Timestamp;

pub use self::format::{BackupReadError, BackupReader, BackupWriteError, BackupWriter, Entry, LAST_IDS};
pub use self::restore::RestoreError;
use crate::error::StoreError;
use crate::hooks::{Hooks, numbered_kinds};
use crate::sled::{OpenError, SledEngine, Snapshot};
use crate::store::Store;
use crate::transaction::{count_name, last_id_name};
use crate::tree::Tree;

/// The trees of all kinds, in the order in which a backup holds them: what changes most comes early, so that a snapshot keeps
/// few former values.
fn order<S: Hooks>() -> Vec<Tree> {
    S::kinds().iter().map(|kind| kind.tree).collect()
}

impl<S: Hooks> Store<S> {
    /// Writes all that the data directory at `path` holds into a backup. The directory must exist, and no server
    /// may use it. It stays as after [`Self::check`], which explains `others`. Blocks. `progress` receives the
    /// number of lines so far and an estimate of all.
    ///
    /// # Errors
    /// If the directory is damaged or cannot be used. The inner error is that of the output.
    pub fn back_up_directory<W: Write>(
        path: &Path,
        others: &[PathBuf],
        out: W,
        created_at: Timestamp,
        progress: impl Fn(u64, u64),
    ) -> Result<Result<W, BackupWriteError>, OpenError> {
        SledEngine::inspect(path, S::schema(), others, S::load, |directory| {
            let snapshot = directory.snapshot(order::<S>()).map_err(StoreError::from)?;
            let snapshot = snapshot.ok_or(BackupWriteError::Busy)?;
            let out = write_all::<S, W>(&snapshot, out, created_at, || true, progress)?;
            out.end().map_err(BackupWriteError::Output)
        })
    }

    /// Writes all that is stored, as it is at one moment, into a backup. It is complete once `out` is returned.
    ///
    /// # Errors
    /// If another backup is being written, the store ends, or the output fails.
    pub async fn back_up<W: Write + Send + 'static>(
        &self,
        out: W,
        created_at: Timestamp,
    ) -> Result<W, BackupWriteError> {
        let (trees, writable) = (self.trees().ok_or(StoreError::Closed)?, self.writable.clone());
        let mut begun = Instant::now();
        let goes_on = move || {
            // Requests come first.
            thread::sleep((begun.elapsed() * REST).min(LONGEST_REST));
            begun = Instant::now();
            writable.load(Ordering::Relaxed)
        };
        let write = move || {
            let directory = trees.directory().ok_or(BackupWriteError::Interrupted)?;
            let snapshot = directory.snapshot(order::<S>()).map_err(StoreError::from)?;
            let snapshot = snapshot.ok_or(BackupWriteError::Busy)?;
            let out = write_all::<S, W>(&snapshot, out, created_at, goes_on, |_, _| ())?;
            Ok::<_, BackupWriteError>((out, snapshot.commit()))
        };
        let written = tokio::task::spawn_blocking(write).await;
        let (out, commit) = written.map_err(StoreError::damaged)??;
        if self.durable() < commit {
            // The last commit in it is on its way to the disk. Writes are done in order.
            self.confirm_last().await?;
        }
        if !self.is_writable() {
            return Err(BackupWriteError::Interrupted);
        }
        let ended = tokio::task::spawn_blocking(move || out.end().map_err(BackupWriteError::Output));
        ended.await.map_err(StoreError::damaged)?
    }
}

/// How many lines come between two calls of `progress`, and between two rests: they take less than a millisecond.
const STRIDE: u64 = 32;

/// How much longer a backup of a running server rests than it works. `cargo bench -- backup`, server on one core: the p99
/// of requests is 1.6 times that without a backup, and 5 times without rests; the backup takes twice as long.
const REST: u32 = 2;
const LONGEST_REST: Duration = Duration::from_millis(5);

fn write_all<S: Hooks, W: Write>(
    snapshot: &Snapshot<'_>,
    out: W,
    created_at: Timestamp,
    mut goes_on: impl FnMut() -> bool,
    progress: impl Fn(u64, u64),
) -> Result<BackupWriter<W>, BackupWriteError> {
    let mut out = BackupWriter::begin(&S::schema().program, out, created_at).map_err(BackupWriteError::Output)?;
    let all = numbered_kinds::<S>().map(|kind| snapshot.number(&count_name(kind.tree)).unsigned_abs());
    let all = all.sum();
    for kind in S::kinds() {
        let name = kind.tree.name();
        snapshot.read(kind.tree, |key, value| {
            let malformed = || StoreError::damaged(format!("an entry of {name} is malformed"));
            let line = kind.line_of(key, value).ok_or_else(malformed)?;
            out.record(name, &line).map_err(BackupWriteError::Output)?;
            if out.lines().is_multiple_of(STRIDE) {
                progress(out.lines(), all);
                if !goes_on() {
                    return Err(BackupWriteError::Interrupted);
                }
            }
            Ok(())
        })?;
    }
    write_last_ids::<S>(snapshot, &mut out).map_err(BackupWriteError::Output)?;
    Ok(out)
}

fn write_last_ids<S: Hooks>(snapshot: &Snapshot<'_>, out: &mut BackupWriter<impl Write>) -> io::Result<()> {
    let last_ids = numbered_kinds::<S>().map(|kind| {
        let last = snapshot.number(&last_id_name(kind.tree));
        (kind.tree.name().to_owned(), last.into())
    });
    let last_ids: serde_json::Map<String, serde_json::Value> = last_ids.collect();
    out.record(LAST_IDS, &serde_json::to_vec(&last_ids)?)
}
