//! The engine for more than one machine. A PostgreSQL database holds all records and the log of commits; each of many
//! servers holds a copy of them in the embedded engine and in memory, from which it reads as fast as without a database.
//!
//! ```text
//! committer ─ begin ─▶ row lock on `hitode` ─ take in news, decide on the copy ─ append ─▶ tables and `commits` ─▶ COMMIT
//!           ─▶ copy, mirror ─ NOTIFY ─▶ other servers take the commit in
//! ```
//!
//! All commits are in one order: each holds the lock on the one row of the table `hitode` from its beginning until it is
//! visible. So a decision never races with another one, ids and numbers of commits are assigned in the order in which commits
//! become visible, and a group of waiting writes costs two round trips.
//!
//! A server answers from its copy as long as it holds its lease: two seconds from the last time at which it said, by a commit
//! of its own, that it was alive, and took in all news after that. So when a commit is older than that, no copy without it
//! is read, whatever the clocks of the machines say. A write that ends a credential is acknowledged when all servers have
//! reported that they took it in, or at that time.

mod counts;
mod database;
mod documents;
mod error;
mod layout;
mod log;
mod logged;
mod position;
mod session;
mod statements;
#[cfg(test)]
pub(crate) mod tests;

use std::fs;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use codegen_store::commit_log::Lease;
use codegen_store::kind::RestoreOptions;
use codegen_store::{COPY, OpenFailure, remove_unused};

pub use self::counts::Counts;
pub use self::database::Database;
pub use self::error::DatabaseError;
use super::StoreResult;
use super::backup::{BackupReader, RestoreError};
use super::market::Store;
use super::postgres::log::PostgresLog;
use super::tables::{SCHEMA, rejected};

/// How long a server that was killed is taken for one that uses the database.
const FORGOTTEN: Duration = Duration::from_secs(7);

/// How long to wait before the database is asked again.
const PAUSE: Duration = Duration::from_millis(300);

/// How long a start waits for its first lease.
const FIRST_LEASE: Duration = Duration::from_secs(10);

/// Opens the store of a database, with a copy of it in the data directory `data`. Creates its tables if it is empty. Blocks:
/// some seconds for each million records.
///
/// # Errors
/// If the database cannot be used, or the copy cannot be made.
pub fn open(database: &Database, data: &Path) -> Result<Store, DatabaseError> {
    let path = data.join(COPY);
    // It is locked while a server uses it.
    if path.exists() {
        remove_unused(&path, &SCHEMA.program)?;
    }
    fs::create_dir_all(data).map_err(|error| rejected(OpenFailure::io(data, error)))?;
    let lease = Lease::default();
    let mut log = PostgresLog::connect(database, lease.clone())?;
    let options = RestoreOptions {
        keep_credentials: true,
        id_gap: 0,
    };
    let mut documents = log.documents()?;
    let position = documents.position;
    Store::fill_new(&path, || documents.next(), options, |_| (), async |_| Ok(()))?;
    drop(documents);
    log.set_position(position);
    let store = Store::open_copy(&path, Box::new(log), lease.clone(), position.number == 0)?;
    let begun = Instant::now();
    while !lease.is_held() {
        if begun.elapsed() > FIRST_LEASE {
            return Err(DatabaseError::Failed(
                "it does not take the first write; see the log for the cause".to_owned(),
            ));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    // It may have begun before this server said that it is alive.
    let is_restoring = loop {
        match PostgresLog::is_restoring(database) {
            // Others may write for long.
            Err(_) if begun.elapsed() < FIRST_LEASE => std::thread::sleep(PAUSE),
            done => break done?,
        }
    };
    match is_restoring {
        true => Err(DatabaseError::Restoring),
        false => Ok(store),
    }
}

/// Writes a backup into an empty database. Blocks.
///
/// # Errors
/// If the backup cannot be read or does not fit the contract, or the database cannot be used or is in use. What was begun is
/// incomplete, and no server opens it.
pub fn restore<R: Read>(
    database: &Database,
    backup: &mut BackupReader<R>,
    options: RestoreOptions,
    progress: impl Fn(u64),
    then: impl AsyncFnOnce(&Store) -> StoreResult<()>,
) -> Result<u64, DatabaseError> {
    let copy = tempfile::tempdir();
    let copy = copy.map_err(|error| rejected(OpenFailure::io(&std::env::temp_dir(), error)))?;
    let store = open(database, copy.path())?;
    if !store.is_new() {
        return Err(DatabaseError::NotEmpty);
    }
    let begun = Instant::now();
    while !PostgresLog::begin_restore(database)? {
        if begun.elapsed() > FORGOTTEN {
            return Err(DatabaseError::Used);
        }
        std::thread::sleep(PAUSE);
    }
    let records = store.fill(
        || backup.next_entry().map_err(RestoreError::from),
        options,
        progress,
        then,
    )?;
    PostgresLog::end_restore(database)?;
    Ok(records)
}
