//! Why a server did not start, or did not stop properly, as a sentence for the operator.

use std::io::{self, ErrorKind};
use std::path::PathBuf;

use codegen_store::OpenError;
use thiserror::Error;

use crate::backups::{KeptBackup, KeyError};
use crate::demo::DemoError;
use crate::operator_token::TokenError;
use crate::store::StoreError;
#[cfg(feature = "postgres")]
use crate::store::postgres::DatabaseError;

/// Why a server did not start, or did not stop properly.
#[derive(Debug, Error)]
pub enum StartError {
    /// The system does not report signals.
    #[error("cannot handle signals: {0}")]
    Signals(io::Error),
    /// Listening on this address, the value of this flag, failed.
    #[error("cannot listen on {address}: {why}", why = advice(flag, error))]
    Listen {
        /// The flag.
        flag: &'static str,
        /// Its value.
        address: String,
        /// The cause.
        error: io::Error,
    },
    /// The operator's address is the main one.
    #[error("cannot listen on {0} twice: --console-listen needs another address or port than --listen")]
    ListenTwice(String),
    /// The system gives no thread.
    #[error("cannot start a thread ({0}); allow this process more threads and memory")]
    Thread(io::Error),
    /// A signal came before the store was open.
    #[error("stopped before the store was open; it is as a crash would leave it, and the next start opens it")]
    Stopped,
    /// The data directory cannot be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The database cannot be used.
    #[cfg(feature = "postgres")]
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The data directory is damaged, and there is this backup. `flags` are what else its restore needs.
    #[error(
        "{error}. The newest backup is {path} of {at} UTC: restore it with `hitode restore {path}{flags} --data NEW`; what was \
         written after that time would be missing",
        path = newest.path.display(),
        at = newest.at
    )]
    Damaged {
        /// The damage.
        error: OpenError,
        /// The newest backup.
        newest: KeptBackup,
        /// More flags of the command that restores it.
        flags: String,
    },
    /// The store is empty, but there is this backup of one that was not.
    #[error(
        "the store is empty, but there is the backup {path} of {at} UTC: restore it with `hitode restore {path}{flags} {target}`, \
         or name the directory that held the records with --data; for a new store, name another directory with --backup-dir",
        path = newest.path.display(),
        at = newest.at
    )]
    Emptied {
        /// The newest backup.
        newest: KeptBackup,
        /// More flags of the command that restores it.
        flags: String,
        /// The flag that says where to.
        target: &'static str,
    },
    /// There is no key for the backups.
    #[error(transparent)]
    BackupKey(#[from] KeyError),
    /// Backups cannot be written into this directory.
    #[error("cannot write backups into {path}: {1}; choose another directory with --backup-dir DIR", path = .0.display())]
    BackupDirectory(PathBuf, io::Error),
    /// Files cannot be stored in this directory.
    #[error("cannot store files in {path}: {1}; choose another directory with --files DIR", path = .0.display())]
    FileDirectory(PathBuf, io::Error),
    /// There is no operator token.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// The store cannot be read.
    #[error(transparent)]
    Read(StoreError),
    /// The demo could not be entered.
    #[error(transparent)]
    Demo(#[from] DemoError),
    /// The server cannot go on.
    #[error("the copy of the database does not follow from the database any more: start again, which makes a new one")]
    Unusable,
    /// The store could not finish its writes.
    #[error(transparent)]
    Close(StoreError),
    /// The store could not finish its writes in time.
    #[error("the store does not close; the process ends without it. Nothing that was acknowledged is lost")]
    NotClosed,
}

/// What to do about an address of this flag on which listening failed.
fn advice(flag: &str, error: &io::Error) -> String {
    let advice = match error.kind() {
        ErrorKind::AddrInUse => "another program uses this address; stop it, or choose another address",
        ErrorKind::AddrNotAvailable => "this machine does not have this address; choose another one",
        ErrorKind::PermissionDenied => "only root may use this port; choose one above 1023",
        ErrorKind::InvalidInput => return "expected HOST:PORT, such as 127.0.0.1:8080".to_owned(),
        _ => return error.to_string(),
    };
    format!("{advice} with {flag} HOST:PORT")
}
