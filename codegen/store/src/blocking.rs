//! Reads on threads that may block, and locks that a panic has torn.

use std::sync::PoisonError;

use crate::error::{StoreError, StoreResult};

/// A thread panicked while it changed this value, so the value may be inconsistent.
pub fn torn<G>(_: PoisonError<G>) -> StoreError {
    StoreError::damaged("the memory is torn; start again")
}

/// Runs what may wait for the disk.
pub async fn blocking<T: Send + 'static>(read: impl FnOnce() -> StoreResult<T> + Send + 'static) -> StoreResult<T> {
    tokio::task::spawn_blocking(read)
        .await
        .unwrap_or_else(|error| Err(StoreError::damaged(error)))
}
