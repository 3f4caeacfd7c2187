//! Backups as files: written under another name, synced, read back, and only then renamed. They can be encrypted. A server
//! can write them at fixed intervals. The contents of files are copied beside them.

mod contents;
mod copies;
mod encryption;
mod file;
mod files;
mod format;
mod key;
mod rotation;
mod schedule;
mod unnamed;

pub(crate) use self::contents::{Content, Found};
pub(crate) use self::copies::{Copies, Taken};
pub(crate) use self::file::{FinishedBackup, UnfinishedBackup};
pub(crate) use self::files::beside;
pub(crate) use self::format::is_encrypted;
pub use self::format::{BackupOutput, UnreadableBackup, read_backup};
pub(crate) use self::key::KeyFile;
pub use self::key::{Key, KeyError};
pub(crate) use self::rotation::{WatchBackups, rotate};
pub use self::schedule::KeptBackup;
pub(crate) use self::schedule::Schedule;
