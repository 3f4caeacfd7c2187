//! Why an operation failed, as far as it affects the response.

use super::quota::{OverQuota, Quota};

/// A failure of the store, as far as it affects the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Neither reads nor writes work at present. Nothing was done.
    Unavailable,
    /// Writes fail at present; reads work. Nothing was done.
    Unwritable,
    /// It is not known whether the write happened.
    OutcomeUnknown,
    /// The credential ended before the write committed. The response is that of a new request with it.
    Unauthenticated,
    /// The caller was suspended before the write committed. The response is that of a new request by it.
    Suspended,
    /// The write would have exceeded this quota. Nothing was done.
    OverQuota(&'static Quota),
    /// Anything else.
    Internal,
}

impl From<OverQuota> for Failure {
    fn from(OverQuota(quota): OverQuota) -> Self {
        Self::OverQuota(quota)
    }
}
