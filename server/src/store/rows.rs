//! Lists that are read from disk while their answer is sent, so that no list is held in memory as a whole.

use std::sync::RwLock;

use contract::Encoded;
use contract::support::Batch;

use super::blocking::torn;
use super::error::{StoreError, StoreResult};
use super::mirror::Mirror;
use super::trees::Trees;

/// Adds the next rows of a list to a batch until it is full, or the list ends.
pub(crate) trait ReadRows<V>:
    FnMut(&Trees, &RwLock<Mirror>, &mut Batch<V>) -> StoreResult<()> + Send + Sync + 'static
{
}

impl<V, F> ReadRows<V> for F where
    F: FnMut(&Trees, &RwLock<Mirror>, &mut Batch<V>) -> StoreResult<()> + Send + Sync + 'static
{
}

/// One row for each item, in their order.
pub(crate) fn of_each<T: Send + Sync + 'static, V>(
    items: Vec<T>,
    row: impl Fn(&Trees, &RwLock<Mirror>, &T) -> StoreResult<Encoded<V>> + Send + Sync + 'static,
) -> impl ReadRows<V> {
    let mut items = items.into_iter();
    move |trees: &Trees, mirror: &RwLock<Mirror>, batch: &mut Batch<V>| {
        while !batch.is_full()
            && let Some(item) = items.next()
        {
            batch.push(row(trees, mirror, &item)?);
        }
        Ok(())
    }
}

/// A record in memory that one on disk names.
pub(crate) fn in_memory<T>(mirror: &RwLock<Mirror>, find: impl FnOnce(&Mirror) -> Option<T>) -> StoreResult<T> {
    let found = find(&*mirror.read().map_err(torn)?);
    found.ok_or_else(|| StoreError::damaged("a record names an account or a worker that is not there"))
}
