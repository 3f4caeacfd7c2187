//! The guard at the start: what must be so before sled may touch a directory, and what sled leaves out after it has.
//!
//! Each step answers a way in which sled 0.34.7 was seen to fail or to lose data.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use fs2::FileExt;

use super::trees::Trees;

/// The version of the layout, under `layout` in the tree `meta`.
const LAYOUT: i64 = 1;

/// An empty file that is there once a directory was made completely.
const COMPLETE: &str = "complete";

/// Free space without which nothing is opened: a full disk at that moment leaves files that no later open can read.
const MIN_FREE_BYTES: u64 = 64 << 20;

/// How long a store that was closed in this process may take to let go of its files.
const LINGERING: Duration = Duration::from_secs(1);

/// What sled may hold in memory of what is on the disk.
const CACHE_BYTES: u64 = 256 << 20;

/// Why a data directory cannot be used. The text says what to do.
#[derive(Debug)]
pub enum OpenError {
    /// Another process works in it.
    InUse(PathBuf),
    /// There is something else at this path.
    NotADirectory(PathBuf),
    /// The disk is as good as full.
    NoSpace(PathBuf),
    /// It was written by a version that keeps things in another way.
    OtherLayout(PathBuf, i64),
    /// The operating system refused something.
    Io(PathBuf, io::Error),
    /// What is in it cannot be read.
    Damaged(PathBuf, String),
}

impl fmt::Display for OpenError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InUse(path) => write!(
                out,
                "another hitode uses this data directory: {}; stop it, or choose another directory",
                path.display()
            ),
            Self::NotADirectory(path) => {
                write!(out, "the data directory {} is not a directory", path.display())
            }
            Self::NoSpace(path) => write!(
                out,
                "less than {} MiB are free for the data directory {}; make room and start again",
                MIN_FREE_BYTES >> 20,
                path.display()
            ),
            Self::OtherLayout(path, layout) => write!(
                out,
                "the data directory {} has layout {layout}, this hitode knows {LAYOUT}; start the hitode that made it",
                path.display()
            ),
            Self::Io(path, error) => write!(out, "the data directory {}: {error}", path.display()),
            Self::Damaged(path, cause) => write!(
                out,
                "the data directory {} cannot be read ({cause}); move it aside and put a copy in its place",
                path.display()
            ),
        }
    }
}

impl std::error::Error for OpenError {}

/// A directory that is ours alone.
pub(super) struct Opened {
    pub(super) trees: Trees,
    /// The file that holds everything, for syncs of our own.
    pub(super) log: File,
    /// Keeps others out for as long as it lives.
    pub(super) lock: File,
}

/// Opens a data directory, or makes it. May panic where it is damaged.
pub(super) fn open(path: &Path) -> Result<Opened, OpenError> {
    let io = |error| OpenError::Io(path.to_owned(), error);
    if path.exists() && !path.is_dir() {
        return Err(OpenError::NotADirectory(path.to_owned()));
    }
    create_dirs(path, &mut sync_dir).map_err(io)?;
    let lock = lock(path)?;
    if fs2::available_space(path).map_err(io)? < MIN_FREE_BYTES {
        return Err(OpenError::NoSpace(path.to_owned()));
    }
    remove_unfinished_snapshots(path).map_err(io)?;
    let trees = open_trees(path)?;
    check_layout(path, &trees)?;
    let log = sync_all(path).map_err(io)?;
    Ok(Opened { trees, log, lock })
}

/// Makes the directory and those above it that are missing. Each is synced into its parent before the next is made, so
/// that a start that was cut short leaves none that a later one would take for safe.
fn create_dirs(path: &Path, sync: &mut impl FnMut(&Path) -> io::Result<()>) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    create_dirs(parent, sync)?;
    match fs::create_dir(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => sync(parent),
    }
}

fn sync_dir(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// A lock of our own: sled's is taken only after it has begun to change files.
fn lock(path: &Path) -> Result<File, OpenError> {
    let file = path.join("lock");
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(file);
    let file = file.map_err(|error| OpenError::Io(path.to_owned(), error))?;
    match file.try_lock_exclusive() {
        Ok(()) => Ok(file),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Err(OpenError::InUse(path.to_owned())),
        Err(error) => Err(OpenError::Io(path.to_owned(), error)),
    }
}

/// A snapshot is only a cache of the log, and one that was cut short makes sled take the log for corrupt.
fn remove_unfinished_snapshots(path: &Path) -> io::Result<()> {
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with("snap.") && name.ends_with(".generating") {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Our own lock is held, so whoever still holds sled's is a store of this very process that was closed just now: the
/// threads on which sled writes let go of its file a little after sled itself is gone.
fn open_trees(path: &Path) -> Result<Trees, OpenError> {
    let given_up = Instant::now() + LINGERING;
    loop {
        match try_open_trees(path) {
            Err(OpenError::InUse(_)) if Instant::now() < given_up => thread::sleep(LINGERING / 100),
            opened => return opened,
        }
    }
}

fn try_open_trees(path: &Path) -> Result<Trees, OpenError> {
    let config = sled::Config::new()
        .path(path)
        .cache_capacity(CACHE_BYTES)
        .flush_every_ms(None);
    config.open().and_then(Trees::open).map_err(|error| match error {
        sled::Error::Io(error) if error.to_string().contains("could not acquire lock") => {
            OpenError::InUse(path.to_owned())
        }
        sled::Error::Io(error) => OpenError::Io(path.to_owned(), error),
        error => OpenError::Damaged(path.to_owned(), error.to_string()),
    })
}

/// A log that cannot be read from its start is an empty one to sled. So a directory that was once complete must have
/// what every complete one has.
fn check_layout(path: &Path, trees: &Trees) -> Result<(), OpenError> {
    let damaged = |cause: &dyn fmt::Display| OpenError::Damaged(path.to_owned(), cause.to_string());
    match trees.meta("layout").map_err(|error| damaged(&error))? {
        0 if path.join(COMPLETE).exists() => Err(damaged(&"its log is not the one that was written")),
        0 => trees.set_layout(LAYOUT).map_err(|error| damaged(&error)),
        LAYOUT => Ok(()),
        other => Err(OpenError::OtherLayout(path.to_owned(), other)),
    }
}

/// Brings onto the disk what makes the directory a data directory: sled syncs none of it.
fn sync_all(path: &Path) -> io::Result<File> {
    File::open(path.join("conf"))?.sync_all()?;
    let log = File::open(path.join("db"))?;
    log.sync_all()?;
    sync_dir(path)?;
    File::create(path.join(COMPLETE))?.sync_all()?;
    sync_dir(path)?;
    if let Some(parent) = path.canonicalize()?.parent() {
        sync_dir(parent)?;
    }
    Ok(log)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_directory_that_is_made_is_synced_into_its_parent() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let mut synced = Vec::new();
        let mut sync = |path: &Path| {
            synced.push(path.to_owned());
            sync_dir(path)
        };
        create_dirs(&dir.path().join("a/b/c"), &mut sync).expect("they are made");
        create_dirs(&dir.path().join("a/b/c"), &mut sync).expect("they are there");
        assert_eq!(synced, ["", "a", "a/b"].map(|name| dir.path().join(name)));
    }

    #[test]
    fn a_relative_path_begins_here() {
        create_dirs(Path::new("."), &mut |_| unreachable!("it is there")).expect("it is there");
        let file = Path::new("Cargo.toml/below");
        assert!(create_dirs(file, &mut |_| Ok(())).is_err());
    }
}
