//! Where rotating backups are, how many, and which of them are there.

use std::fs::{self, DirBuilder, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use contract::Timestamp;
use thiserror::Error;
use tracing::warn;

use super::file::{UNFINISHED, remove_left};
use super::format::{UnreadableBackup, read_backup};
use super::key::{Key, KeyFile};
use crate::store::backup::BackupWriteError;
use crate::store::is_in_unused;

/// What the name of a backup begins and ends with. The time is between.
const NAME: (&str, &str) = ("hitode-", "Z.backup");

/// How much space a backup must leave on its disk, which may be that of the store: without space nothing can be written.
const RESERVE_BYTES: u64 = 128 << 20;

/// Where, how often and how many.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    /// The directory.
    pub(crate) directory: PathBuf,
    /// The time from one backup to the next.
    pub(crate) every: Duration,
    /// How many are kept.
    pub(crate) keep: usize,
    /// What they are encrypted with.
    pub(crate) key: Option<KeyFile>,
    /// Whether the contents of files are copied.
    pub(crate) has_files: bool,
}

/// A backup in the directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptBackup {
    /// When it was begun.
    pub at: Timestamp,
    /// The file.
    pub path: PathBuf,
}

/// Why a backup failed.
#[derive(Debug, Error)]
pub(super) enum Failed {
    #[error("{0}")]
    NotWritten(#[from] BackupWriteError),
    #[error("{0}")]
    NotWhole(#[from] UnreadableBackup),
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("another server writes its backups into the same directory; give each its own")]
    Shared,
    #[error("only {} MiB are free in its directory, and {} MiB are needed", .free >> 20, .needed >> 20)]
    NoSpace { free: u64, needed: u64 },
}

/// The backups in a directory, the newest first. Those of a clock that was ahead of `now` come last. An unreadable directory
/// has none.
fn kept(directory: &Path, now: Timestamp) -> Vec<KeptBackup> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let is_whole = |entry: &fs::DirEntry| entry.metadata().is_ok_and(|file| file.is_file() && file.len() > 0);
    let entries = entries.filter(is_whole);
    let mut kept: Vec<_> = entries.filter_map(|entry| kept_at(entry.path())).collect();
    kept.sort_by_key(|kept| std::cmp::Reverse((kept.at <= now, kept.at)));
    kept
}

/// The backup at this path, if it is named as one.
pub(super) fn kept_at(path: PathBuf) -> Option<KeptBackup> {
    let name = path.file_name()?.to_str()?;
    let (date, time) = name.strip_prefix(NAME.0)?.strip_suffix(NAME.1)?.split_once('T')?;
    let at = Timestamp::parse(&format!("{date}T{}", time.replace('-', ":")))?;
    Some(KeptBackup { at, path })
}

/// The name of the backup of this time, without characters that some file systems reject.
pub(super) fn name_of(at: Timestamp) -> String {
    format!("{}{}{}", NAME.0, at.to_string().replace(':', "-"), NAME.1)
}

impl Schedule {
    /// Creates the directory if it is missing, for its owner only, and removes what interrupted backups have left.
    ///
    /// # Errors
    /// If it cannot be created or written.
    pub(crate) fn prepare(&self) -> io::Result<()> {
        if !self.directory.is_dir() {
            DirBuilder::new().recursive(true).mode(0o700).create(&self.directory)?;
        }
        for entry in fs::read_dir(&self.directory)?.flatten() {
            let is_left = entry
                .file_name()
                .to_str()
                .is_some_and(|name| name.starts_with(NAME.0) && name.ends_with(UNFINISHED));
            if is_left {
                match remove_left(&entry.path()) {
                    // Another server, such as the leader of a fleet, has not ended.
                    Err(error) if error.kind() == ErrorKind::ResourceBusy => {}
                    done => done?,
                }
            }
        }
        Ok(())
    }

    /// The newest backup.
    pub(crate) fn newest(&self, now: Timestamp) -> Option<KeptBackup> {
        kept(&self.directory, now).into_iter().next()
    }

    /// The newest backup, if it has records.
    pub(crate) fn newest_with_records(&self, now: Timestamp) -> Option<KeptBackup> {
        let newest = self.newest(now)?;
        let key = self.key();
        let is_unused = || {
            let mut backup = read_backup(File::open(&newest.path)?, key.as_ref())?;
            while let Some(entry) = backup.next_entry()? {
                if !is_in_unused(&entry.kind) {
                    return Ok(false);
                }
            }
            Ok::<_, UnreadableBackup>(true)
        };
        // One that cannot be read may have records.
        (!is_unused().unwrap_or(false)).then_some(newest)
    }

    /// The key that they are encrypted with.
    pub(super) fn key(&self) -> Option<Key> {
        self.key.as_ref().map(|file| file.key.clone())
    }

    /// Fails if there is no room for so many bytes.
    pub(super) fn expect_room(&self, bytes: u64) -> Result<(), Failed> {
        let needed = RESERVE_BYTES + bytes;
        let free = fs2::available_space(&self.directory)?;
        match free < needed {
            true => Err(Failed::NoSpace { free, needed }),
            false => Ok(()),
        }
    }

    /// The times of the kept backups.
    pub(super) fn times(&self, now: Timestamp) -> Vec<Timestamp> {
        kept(&self.directory, now).iter().map(|kept| kept.at).collect()
    }

    /// Removes what exceeds the number to keep, after a backup of this time.
    pub(super) fn remove_oldest(&self, at: Timestamp) {
        for old in kept(&self.directory, at).into_iter().skip(self.keep) {
            if let Err(error) = fs::remove_file(&old.path) {
                warn!(%error, "an old backup cannot be removed: {}", old.path.display());
            }
        }
    }
}

/// The size of a backup.
pub(super) fn size(kept: &KeptBackup) -> u64 {
    fs::metadata(&kept.path).map_or(0, |file| file.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backups::UnfinishedBackup;

    #[test]
    fn backups_are_found_by_their_names_the_newest_first() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let now = Timestamp::from_unix(1_700_000_000);
        for at in [5, 1_700_000_000, 1_800_000_000, 60] {
            let name = name_of(Timestamp::from_unix(at));
            fs::write(dir.path().join(name), b"a backup").expect("written");
        }
        // A file that a full disk has left, and others.
        for other in [
            "hitode-2023-11-14T22-00-00Z.backup",
            "hitode-2026.backup",
            "notes.txt",
            "hitode-1970-01-01T00-00-05Z.backup.unfinished",
        ] {
            fs::write(dir.path().join(other), b"").expect("written");
        }
        let found: Vec<_> = kept(dir.path(), now).into_iter().map(|kept| kept.at.unix()).collect();
        // The clock was ahead.
        assert_eq!(found, [1_700_000_000, 60, 5, 1_800_000_000]);
        assert_eq!(kept(&dir.path().join("missing"), now), []);
        let schedule = Schedule {
            directory: dir.path().to_owned(),
            every: Duration::from_secs(1),
            keep: 2,
            key: None,
            has_files: true,
        };
        // Another server writes it.
        let written = UnfinishedBackup::create(&dir.path().join("hitode-2.backup"), None).expect("a file");
        schedule.prepare().expect("it can be written");
        assert!(dir.path().join("hitode-2.backup.unfinished").exists());
        drop(written);
        schedule.remove_oldest(now);
        let mut left: Vec<_> = fs::read_dir(dir.path())
            .expect("a directory")
            .map(|entry| entry.expect("an entry").file_name())
            .collect();
        left.sort_unstable();
        let expected = [
            "hitode-1970-01-01T00-01-00Z.backup",
            "hitode-2023-11-14T22-00-00Z.backup",
            "hitode-2023-11-14T22-13-20Z.backup",
            "hitode-2026.backup",
            "notes.txt",
        ];
        assert_eq!(left, expected);
    }
}
