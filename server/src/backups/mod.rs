//! Backups as files: written under another name, synced, read back, and only then renamed. They can be encrypted. A server
//! can write them at fixed intervals.

mod encryption;
mod file;
mod format;
mod key;
mod schedule;

pub(crate) use self::file::UnfinishedBackup;
pub(crate) use self::format::is_encrypted;
pub use self::format::{BackupOutput, UnreadableBackup, read_backup};
pub(crate) use self::key::KeyFile;
pub use self::key::{Key, KeyError};
pub use self::schedule::KeptBackup;
pub(crate) use self::schedule::{Schedule, WatchBackups};
