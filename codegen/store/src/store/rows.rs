//! Lists that are read from disk while their answer is sent, so that no list is held in memory as a whole.

use std::sync::RwLock;

use codegen_support::{Batch, Encoded};

use crate::blocking::torn;
use crate::error::{StoreError, StoreResult};
use crate::service::Service;
use crate::trees::Trees;

/// Adds the next rows of a list to a batch until it is full, or the list ends.
pub trait ReadRows<S: Service, V>:
    FnMut(&Trees<S>, &RwLock<S::View>, &mut Batch<V>) -> StoreResult<()> + Send + Sync + 'static
{
}

impl<S: Service, V, F> ReadRows<S, V> for F where
    F: FnMut(&Trees<S>, &RwLock<S::View>, &mut Batch<V>) -> StoreResult<()> + Send + Sync + 'static
{
}

/// One row for each item, in their order.
pub fn of_each<S: Service, T: Send + Sync + 'static, V>(
    items: Vec<T>,
    row: impl Fn(&Trees<S>, &RwLock<S::View>, &T) -> StoreResult<Encoded<V>> + Send + Sync + 'static,
) -> impl ReadRows<S, V> {
    let mut items = items.into_iter();
    move |trees: &Trees<S>, view: &RwLock<S::View>, batch: &mut Batch<V>| {
        while !batch.is_full()
            && let Some(item) = items.next()
        {
            batch.push(row(trees, view, &item)?);
        }
        Ok(())
    }
}

/// A record in memory that one on disk names.
///
/// # Errors
/// If it is not there.
pub fn in_memory<W, T>(view: &RwLock<W>, find: impl FnOnce(&W) -> Option<T>) -> StoreResult<T> {
    let found = find(&*view.read().map_err(torn)?);
    found.ok_or_else(|| StoreError::damaged("a record names another one that is not in memory"))
}
