//! Rotating backups: a server writes one into a directory at fixed intervals, and removes the oldest.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use contract::Timestamp;
use thiserror::Error;
use tracing::{error, info, warn};

use super::file::{FinishedBackup, UNFINISHED, UnfinishedBackup};
use super::format::UnreadableBackup;
use super::key::KeyFile;
use crate::app::Hitode;
use crate::store::Engine;
use crate::store::backup::{BackUp, BackupWriteError};

/// What the name of a backup begins and ends with. The time is between.
const NAME: (&str, &str) = ("hitode-", "Z.backup");

/// How long to wait after a failure, if the interval is not shorter.
const RETRY_AFTER: Duration = Duration::from_secs(300);

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
}

/// Observes backups.
pub(crate) trait WatchBackups: Send + Sync {
    /// One was written and read back at this time, with so many bytes; or one of an earlier run was found.
    fn there_is(&self, at: Timestamp, bytes: u64);
    /// One failed.
    fn failed(&self);
}

/// A backup in the directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptBackup {
    /// When it was begun.
    pub at: Timestamp,
    /// The file.
    pub path: PathBuf,
}

#[derive(Debug, Error)]
enum Failed {
    #[error("{0}")]
    NotWritten(#[from] BackupWriteError),
    #[error("{0}")]
    NotWhole(#[from] UnreadableBackup),
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// The backups in a directory, the newest first. An unreadable directory has none.
pub(crate) fn kept(directory: &Path) -> Vec<KeptBackup> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut kept: Vec<_> = entries.filter_map(|entry| kept_at(entry.path())).collect();
    kept.sort_by_key(|kept| std::cmp::Reverse(kept.at));
    kept
}

fn kept_at(path: PathBuf) -> Option<KeptBackup> {
    let name = path.file_name()?.to_str()?;
    let (date, time) = name.strip_prefix(NAME.0)?.strip_suffix(NAME.1)?.split_once('T')?;
    let at = Timestamp::parse(&format!("{date}T{}", time.replace('-', ":")))?;
    Some(KeptBackup { at, path })
}

/// The name of the backup of this time, without characters that some file systems reject.
fn name_of(at: Timestamp) -> String {
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
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }

    /// Writes backups until it is dropped. The first one comes when the newest of earlier runs is old enough.
    pub(crate) async fn run<S: Engine + BackUp>(self, app: Arc<Hitode<S>>, watch: Arc<dyn WatchBackups>) {
        let newest = kept(&self.directory).into_iter().next();
        let mut wait = Duration::ZERO;
        if let Some(newest) = &newest {
            watch.there_is(newest.at, fs::metadata(&newest.path).map_or(0, |file| file.len()));
            let age = app.now().unix().saturating_sub(newest.at.unix());
            wait = self
                .every
                .saturating_sub(Duration::from_secs(age.max(0).unsigned_abs()));
        }
        loop {
            tokio::time::sleep(wait).await;
            let at = app.now();
            wait = match self.write(&app, at).await {
                Ok(FinishedBackup { lines, bytes }) => {
                    info!(records = lines, bytes, "a backup was written");
                    watch.there_is(at, bytes);
                    self.remove_oldest();
                    self.every
                }
                Err(failed) => {
                    error!(cause = %failed, "a backup failed");
                    watch.failed();
                    self.every.min(RETRY_AFTER)
                }
            };
        }
    }

    async fn write<S: Engine + BackUp>(&self, app: &Hitode<S>, at: Timestamp) -> Result<FinishedBackup, Failed> {
        let target = self.directory.join(name_of(at));
        let key = self.key.as_ref().map(|file| file.key.clone());
        let unfinished = UnfinishedBackup::create(&target, key)?;
        let output = app.store().back_up(unfinished.output()?, at).await?;
        let finish = move || unfinished.finish(output, &target);
        let finished = tokio::task::spawn_blocking(finish).await;
        Ok(finished.map_err(io::Error::other)??)
    }

    /// Removes what exceeds the number to keep.
    fn remove_oldest(&self) {
        for old in kept(&self.directory).into_iter().skip(self.keep) {
            if let Err(error) = fs::remove_file(&old.path) {
                warn!(%error, "an old backup cannot be removed: {}", old.path.display());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backups_are_found_by_their_names_the_newest_first() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let at = [5, 1_700_000_000, 60].map(Timestamp::from_unix);
        for at in at {
            fs::write(dir.path().join(name_of(at)), b"").expect("written");
        }
        for other in [
            "hitode-2026.backup",
            "notes.txt",
            "hitode-1970-01-01T00-00-05Z.backup.unfinished",
        ] {
            fs::write(dir.path().join(other), b"").expect("written");
        }
        let found: Vec<_> = kept(dir.path()).into_iter().map(|kept| kept.at.unix()).collect();
        assert_eq!(found, [1_700_000_000, 60, 5]);
        assert_eq!(kept(&dir.path().join("missing")), []);
        let schedule = Schedule {
            directory: dir.path().to_owned(),
            every: Duration::from_secs(1),
            keep: 2,
            key: None,
        };
        schedule.prepare().expect("it can be written");
        schedule.remove_oldest();
        let mut left: Vec<_> = fs::read_dir(dir.path())
            .expect("a directory")
            .map(|entry| entry.expect("an entry").file_name())
            .collect();
        left.sort_unstable();
        let expected = [
            "hitode-1970-01-01T00-01-00Z.backup",
            "hitode-2023-11-14T22-13-20Z.backup",
            "hitode-2026.backup",
            "notes.txt",
        ];
        assert_eq!(left, expected);
    }
}
