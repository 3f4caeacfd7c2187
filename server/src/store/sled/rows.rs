//! Lists that are read from disk while their answer is sent, so that no list is held in memory as a whole.

use std::sync::RwLock;

use contract::support::Batch;
use contract::{Encoded, Rows};

use super::trees::Trees;
use super::{SledStore, blocking, closed};
use crate::store::StoreResult;
use crate::store::memory::Memory;

/// Adds the next rows of a list to a batch until it is full, or the list ends.
pub(super) trait ReadRows<V>:
    FnMut(&Trees, &RwLock<Memory>, &mut Batch<V>) -> StoreResult<()> + Send + Sync + 'static
{
}

impl<V, F> ReadRows<V> for F where
    F: FnMut(&Trees, &RwLock<Memory>, &mut Batch<V>) -> StoreResult<()> + Send + Sync + 'static
{
}

/// One row for each item, in their order.
pub(super) fn of_each<T: Send + Sync + 'static, V>(
    items: Vec<T>,
    row: impl Fn(&Trees, &RwLock<Memory>, &T) -> StoreResult<Encoded<V>> + Send + Sync + 'static,
) -> impl ReadRows<V> {
    let mut items = items.into_iter();
    move |trees: &Trees, memory: &RwLock<Memory>, batch: &mut Batch<V>| {
        while !batch.is_full()
            && let Some(item) = items.next()
        {
            batch.push(row(trees, memory, &item)?);
        }
        Ok(())
    }
}

impl SledStore {
    /// Reads the first rows; the others are read while the answer is sent. An open answer does not keep a closed store
    /// open.
    pub(super) async fn rows<V: 'static>(&self, mut read: impl ReadRows<V>) -> StoreResult<Rows<V>> {
        let (trees, memory) = (self.trees.clone(), self.memory.clone());
        let read = move |batch: &mut Batch<V>| read(&*trees.upgrade().ok_or_else(closed)?, &memory, batch);
        blocking(move || Rows::read(read)).await
    }
}
