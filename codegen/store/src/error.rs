//! The errors of the store.

use std::fmt;
use std::sync::Arc;

use codegen_support::{Failure, OverQuota};

use crate::author::Unauthorized;
use crate::engine::EngineError;

/// The result of what no rule can reject.
pub type StoreResult<T> = Result<T, StoreError>;

/// The result of what a rule can reject. The inner result is the decision, the outer error a failure of the store.
pub type Outcome<T, D> = Result<Result<T, D>, StoreError>;

/// A failure of the store, with its cause for the log.
#[derive(Clone, Debug)]
pub enum StoreError {
    /// The store is closed.
    Closed,
    /// Neither reads nor writes work at present, because another process must be asked and cannot be. Nothing was done.
    Unavailable(Arc<str>),
    /// Writes fail until a restart; reads work, but for those of a page that sled would have to split. This write has
    /// changed nothing.
    Unwritable(Arc<str>),
    /// The commit of this write failed: it may or may not exist after a restart. Repeating it may do it twice.
    OutcomeUnknown(Arc<str>),
    /// The data read differs from the data written.
    Damaged(Arc<str>),
    /// The credential ended, or its account was suspended, before the write committed.
    Unauthorized(Unauthorized),
    /// The write would exceed a quota. Nothing was done.
    OverQuota(OverQuota),
}

impl StoreError {
    /// The store can neither read nor write, because of `cause`.
    pub fn unavailable(cause: impl fmt::Display) -> Self {
        Self::Unavailable(cause.to_string().into())
    }

    /// The store cannot write, because of `cause`.
    pub fn unwritable(cause: impl fmt::Display) -> Self {
        Self::Unwritable(cause.to_string().into())
    }

    /// The write may have happened, because of `cause`.
    pub fn outcome_unknown(cause: impl fmt::Display) -> Self {
        Self::OutcomeUnknown(cause.to_string().into())
    }

    /// Whether the same may succeed a moment later.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Unavailable(_) | Self::OutcomeUnknown(_))
    }

    /// The cause, for the log.
    pub fn cause(&self) -> &str {
        match self {
            Self::Unavailable(cause) | Self::Unwritable(cause) => cause,
            Self::OutcomeUnknown(cause) | Self::Damaged(cause) => cause,
            Self::Closed | Self::Unauthorized(_) | Self::OverQuota(_) => "",
        }
    }

    /// The store is damaged, because of `cause`.
    pub fn damaged(cause: impl fmt::Display) -> Self {
        Self::Damaged(cause.to_string().into())
    }
}

/// The commit of a group failed at this step.
pub(crate) fn unknown(step: &str, error: impl fmt::Display) -> StoreError {
    StoreError::outcome_unknown(format!("{step}: {error}"))
}

impl From<EngineError> for StoreError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Damaged(_) | EngineError::Unreadable(_) => Self::damaged(error),
            EngineError::Io(error) => {
                tracing::error!(%error, "reading the store");
                Self::unwritable(error)
            }
            EngineError::OutcomeUnknown(_) => Self::outcome_unknown(error),
        }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed => out.write_str("the store is closed"),
            Self::Unavailable(cause) => write!(out, "the store is not available: {cause}"),
            Self::Unwritable(cause) => write!(out, "the store cannot write: {cause}"),
            Self::OutcomeUnknown(cause) => write!(out, "a write may or may not be stored: {cause}"),
            Self::Damaged(cause) => write!(out, "the store is damaged: {cause}"),
            Self::Unauthorized(Unauthorized::Ended) => out.write_str("the credential has ended"),
            Self::Unauthorized(Unauthorized::Suspended) => out.write_str("the account is suspended"),
            Self::OverQuota(OverQuota(quota)) => write!(out, "the quota `{}` is used up", quota.name),
        }
    }
}

impl std::error::Error for StoreError {}

/// The cause is logged here; the caller gets only the kind.
impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        // Failures of the disk or of the database are logged in full when they begin.
        match error {
            // A store is closed only while the process stops: a request that comes so late is answered as by a proxy
            // whose server is gone.
            StoreError::Unavailable(_) | StoreError::Closed => {
                tracing::debug!(%error, "store");
                Self::Unavailable
            }
            StoreError::Unwritable(_) => {
                tracing::debug!(%error, "store");
                Self::Unwritable
            }
            StoreError::OutcomeUnknown(_) => {
                tracing::debug!(%error, "store");
                Self::OutcomeUnknown
            }
            StoreError::Damaged(_) => {
                tracing::error!(%error, "store");
                Self::Internal
            }
            StoreError::Unauthorized(Unauthorized::Ended) => Self::Unauthenticated,
            StoreError::Unauthorized(Unauthorized::Suspended) => Self::Suspended,
            StoreError::OverQuota(over) => over.into(),
        }
    }
}
