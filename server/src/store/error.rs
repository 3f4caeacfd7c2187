//! The errors of the store.

use std::fmt;
use std::sync::Arc;

use contract::Failure;

use super::Unauthorized;

/// A failure of the store, with its cause for the log.
#[derive(Clone, Debug)]
pub enum StoreError {
    /// Writes fail until a restart; reads work.
    Unwritable(Arc<str>),
    /// The data read differs from the data written, or the store is closed.
    Broken(Arc<str>),
    /// The credential ended, or its account was suspended, before the write committed.
    Unauthorized(Unauthorized),
}

impl StoreError {
    /// The store cannot write, because of `cause`.
    pub(super) fn unwritable(cause: impl fmt::Display) -> Self {
        Self::Unwritable(cause.to_string().into())
    }

    /// The store is damaged or closed, because of `cause`.
    pub(super) fn broken(cause: impl fmt::Display) -> Self {
        Self::Broken(cause.to_string().into())
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unwritable(cause) => write!(out, "the store cannot write: {cause}"),
            Self::Broken(cause) => write!(out, "the store failed: {cause}"),
            Self::Unauthorized(Unauthorized::Ended) => out.write_str("the credential has ended"),
            Self::Unauthorized(Unauthorized::Suspended) => out.write_str("the account is suspended"),
        }
    }
}

impl std::error::Error for StoreError {}

/// The cause is logged here; the caller gets only the kind.
impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            // Logged in full when it began.
            StoreError::Unwritable(_) => {
                tracing::debug!(%error, "store");
                Self::Unwritable
            }
            StoreError::Broken(_) => {
                tracing::error!(%error, "store");
                Self::Internal
            }
            StoreError::Unauthorized(Unauthorized::Ended) => Self::Unauthenticated,
            StoreError::Unauthorized(Unauthorized::Suspended) => Self::Suspended,
        }
    }
}
