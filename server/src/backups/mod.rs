//! Backups as files: written under another name, synced, read back, and only then renamed. A server can write them at
//! fixed intervals.

mod file;
mod schedule;

pub(crate) use self::file::UnfinishedBackup;
pub(crate) use self::schedule::{Schedule, WatchBackups, kept};
