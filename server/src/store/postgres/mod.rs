//! The engine for more than one machine. A PostgreSQL database holds all records and the log of commits; each server
//! holds a copy of them in the embedded engine and in memory, from which it reads as fast as without a database.
//!
//! ```text
//! committer ─ begin ─▶ row lock on `hitode` ─ decide on the copy ─ append ─▶ tables and `commits` ─▶ COMMIT ─▶ copy, mirror
//! ```
//!
//! All commits are in one order: each holds the lock on the one row of the table `hitode` from its beginning to its end.
//! So a decision never races with another one, ids are assigned in the order of commits, and a group of waiting writes
//! costs two round trips. Of several servers one is active, and has a lease; another one takes over when it is over.

mod database;
mod layout;
mod log;
mod tables;
#[cfg(test)]
pub(super) mod tests;

use std::fs;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use thiserror::Error;

pub use self::database::Database;
use self::log::PostgresLog;
use super::backup::{BackupReader, RestoreOptions};
use super::sled::backup::RestoreError;
use super::sled::commit_log::Lease;
use super::sled::{OpenError, SledStore};

/// How long a server may go on without word from the database: it reads from its copy until then, and no other server
/// takes over before.
const LEASE: Duration = Duration::from_secs(2);

/// The directory of the copy in the data directory.
const COPY: &str = "copy";

/// Why the database cannot be used. The text states what to do.
#[derive(Debug, Error)]
pub enum DatabaseError {
    /// The URL has an error.
    #[error("the URL of the database is not valid: {0}; write it as postgres://USER:PASSWORD@HOST/DATABASE")]
    Url(String),
    /// It cannot be reached, or reports an error.
    #[error("the database: {0}")]
    Failed(String),
    /// Another server is active.
    #[error("another server uses the database; it will be free {} s after that one has ended", LEASE.as_secs())]
    InUse,
    /// A restore was interrupted.
    #[error(
        "a restore into the database has not ended, or was interrupted; drop the database, create it, and restore again"
    )]
    Restoring,
    /// A restore needs an empty one.
    #[error("the database is not empty; restore into a new one")]
    NotEmpty,
    /// A newer version has changed the tables.
    #[error("the tables of the database have layout {0}, and this program knows {known}; use a newer program", known = layout::VERSION)]
    Newer(i32),
    /// The copy cannot be made.
    #[error("the copy of the database: {0}")]
    Copy(#[from] RestoreError),
}

impl From<OpenError> for DatabaseError {
    fn from(error: OpenError) -> Self {
        Self::Copy(error.into())
    }
}

/// Opens the store of a database, with a copy of it in the data directory `data`. Creates its tables if it is empty. Blocks:
/// some seconds for each million records, and until another server's lease is over.
///
/// # Errors
/// If the database cannot be used, or the copy cannot be made.
pub fn open(database: &Database, data: &Path) -> Result<SledStore, DatabaseError> {
    let path = data.join(COPY);
    // It is locked while a server uses it.
    if path.exists() {
        SledStore::remove_unused(&path)?;
    }
    fs::create_dir_all(data).map_err(|error| OpenError::io(data, error))?;
    let lease = Lease::new();
    let mut log = PostgresLog::connect(database, lease.clone())?;
    let is_new = log.is_new();
    let options = RestoreOptions {
        keep_credentials: true,
        id_gap: 0,
    };
    let mut documents = log.documents()?;
    SledStore::fill_new(&path, || documents.next(), options, |_| ())?;
    drop(documents);
    let store = SledStore::open_copy(&path, Box::new(log), lease, is_new)?;
    Ok(store)
}

/// Writes a backup into an empty database. Blocks.
///
/// # Errors
/// If the backup cannot be read or does not fit the contract, or the database cannot be used. The database is then
/// incomplete, and no server opens it.
pub fn restore<R: Read>(
    database: &Database,
    backup: &mut BackupReader<R>,
    options: RestoreOptions,
    progress: impl Fn(u64),
) -> Result<u64, DatabaseError> {
    let copy = tempfile::tempdir().map_err(|error| OpenError::io(&std::env::temp_dir(), error))?;
    let store = open(database, copy.path())?;
    if !store.is_new() {
        return Err(DatabaseError::NotEmpty);
    }
    PostgresLog::set_restoring(database, true)?;
    let records = store.fill(|| backup.next_entry().map_err(RestoreError::from), options, progress)?;
    PostgresLog::set_restoring(database, false)?;
    Ok(records)
}
