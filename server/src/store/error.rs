//! What storage can fail at.

use std::fmt;
use std::sync::Arc;

use contract::Failure;

use super::Unauthorized;

/// A failure of the store, with its cause for the log.
#[derive(Clone, Debug)]
pub enum StoreError {
    /// Nothing can be written until a restart; reading goes on.
    Unwritable(Arc<str>),
    /// What was read is not what was written, or the store is closed.
    Broken(Arc<str>),
    /// The one who asked for the write may not write any more.
    Unauthorized(Unauthorized),
}

impl StoreError {
    /// The store cannot write, because of `cause`.
    pub(super) fn unwritable(cause: impl fmt::Display) -> Self {
        Self::Unwritable(cause.to_string().into())
    }

    /// The store is damaged or gone, because of `cause`.
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

/// Where a cause ends: it is logged here, and the caller learns only the kind.
impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            // Told at length when it began.
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
