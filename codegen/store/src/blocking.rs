//! Reads on threads that may block, and locks that a panic has torn.

use std::any::Any;
use std::sync::PoisonError;

use crate::error::{StoreError, StoreResult};

/// A thread panicked while it changed this value, so the value may be inconsistent.
pub fn torn<G>(_: PoisonError<G>) -> StoreError {
    StoreError::damaged("the memory is torn; start again")
}

/// Runs what may wait for the disk.
pub async fn blocking<T: Send + 'static>(read: impl FnOnce() -> StoreResult<T> + Send + 'static) -> StoreResult<T> {
    let done = on_a_thread(Box::new(move || Box::new(read()))).await?;
    *done
        .downcast()
        .expect("what was read is of the type that it was read as")
}

/// A read without its type: a task is compiled once, not once for each read.
type Read = Box<dyn FnOnce() -> Box<dyn Any + Send> + Send>;

async fn on_a_thread(read: Read) -> StoreResult<Box<dyn Any + Send>> {
    tokio::task::spawn_blocking(read).await.map_err(StoreError::damaged)
}
