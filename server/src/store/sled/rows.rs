//! Lists that are read from disk while their answer is sent, so that no list is held in memory as a whole.

use std::sync::RwLock;

use contract::support::Batch;
use contract::{Encoded, Rows};

use super::trees::Trees;
use super::{SledStore, blocking};
use crate::store::mirror::Mirror;
use crate::store::{StoreError, StoreResult};

/// Adds the next rows of a list to a batch until it is full, or the list ends.
pub(super) trait ReadRows<V>:
    FnMut(&Trees, &RwLock<Mirror>, &mut Batch<V>) -> StoreResult<()> + Send + Sync + 'static
{
}

impl<V, F> ReadRows<V> for F where
    F: FnMut(&Trees, &RwLock<Mirror>, &mut Batch<V>) -> StoreResult<()> + Send + Sync + 'static
{
}

/// One row for each item, in their order.
pub(super) fn of_each<T: Send + Sync + 'static, V>(
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

impl SledStore {
    /// Reads the first rows; the others are read while the answer is sent. An open answer does not keep a closed store
    /// open.
    pub(super) async fn rows<V: 'static>(&self, read: impl ReadRows<V>) -> StoreResult<Rows<V>> {
        let read = self.reading(read);
        blocking(move || Rows::read(read)).await
    }

    /// The same if the first batch does not have to wait for the disk.
    pub(super) fn rows_at_hand<V: 'static>(&self, read: impl ReadRows<V>) -> StoreResult<Rows<V>> {
        Rows::read(self.reading(read))
    }

    fn reading<V: 'static, R: ReadRows<V>>(
        &self,
        mut read: R,
    ) -> impl FnMut(&mut Batch<V>) -> StoreResult<()> + Send + Sync + use<V, R> {
        let (trees, mirror) = (self.trees.clone(), self.mirror.clone());
        move |batch: &mut Batch<V>| read(&*trees.upgrade().ok_or(StoreError::Closed)?, &mirror, batch)
    }
}
