//! Why a database cannot be used.

use codegen_store::OpenError;
use thiserror::Error;

use crate::store::backup::RestoreError;

/// Why the database cannot be used. The text states what to do.
#[derive(Debug, Error)]
pub enum DatabaseError {
    /// The URL has an error.
    #[error("the URL of the database is not valid: {0}; write it as postgres://USER:PASSWORD@HOST/DATABASE")]
    Url(String),
    /// It cannot be reached, or reports an error.
    #[error("the database: {0}")]
    Failed(String),
    /// A restore was interrupted.
    #[error(
        "a restore into the database has not ended, or was interrupted; drop the database, create it, and restore again"
    )]
    Restoring,
    /// A restore needs an empty one.
    #[error("the database is not empty; restore into a new one")]
    NotEmpty,
    /// A restore needs it for itself.
    #[error("other servers use the database, or another restore; stop them, restore, and start the servers again")]
    Used,
    /// A newer version has changed the tables.
    #[error(
        "the tables of the database need a program for their layout {layout}, and this one knows {known}; use a newer program"
    )]
    Newer {
        /// The layout of the tables.
        layout: i32,
        /// The one that this program makes.
        known: i32,
    },
    /// The copy cannot be made.
    #[error("the copy of the database: {0}")]
    Copy(#[from] RestoreError),
}

impl From<OpenError> for DatabaseError {
    fn from(error: OpenError) -> Self {
        Self::Copy(error.into())
    }
}
