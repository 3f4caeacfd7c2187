//! Backups as files: written under another name, synced, read back, and only then renamed.

mod file;

pub(crate) use self::file::UnfinishedBackup;
