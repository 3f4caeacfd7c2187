//! Reads of records in the trees.

use std::ops::RangeInclusive;
use std::sync::{Arc, RwLock};

use codegen_support::Key;

use crate::error::StoreError;
use crate::record::Record;
use crate::service::Service;
use crate::tree::Tree;
use crate::trees::Trees;

impl<S: Service> Trees<S> {
    /// One record.
    pub fn get<R: Record<S>>(&self, id: R::Key) -> Result<Option<R>, StoreError> {
        let value = self.engine().get(R::TREE, &id.bytes())?;
        let record = value.map(|value| R::decode(&value)).transpose();
        record.map_err(StoreError::damaged)
    }

    /// A record that another entry names.
    pub fn named<R: Record<S>>(&self, id: R::Key) -> Result<R, StoreError> {
        self.get(id)?.ok_or_else(absent::<S, R>)
    }

    /// The same, as readers see it.
    pub fn shown<R: Record<S>>(&self, view: &RwLock<S::View>, id: R::Key) -> Result<Arc<R>, StoreError> {
        R::shown(self, view, id)?.ok_or_else(absent::<S, R>)
    }

    /// The records of a tree whose keys are in `range`, in key order, read `batch` at a time.
    pub fn scan<R: Record<S>>(
        &self,
        range: RangeInclusive<impl AsRef<[u8]>>,
        batch: usize,
    ) -> impl Iterator<Item = Result<R, StoreError>> {
        let entries = self.range(R::TREE, range, batch);
        entries.map(|entry| R::decode(&entry?.1).map_err(StoreError::damaged))
    }

    /// The keys of the first records in an index whose rows begin with `prefix`, at most `most`, in order.
    pub fn listed<R: Record<S>>(&self, index: Tree, prefix: &[u8], most: usize) -> Result<Vec<R::Key>, StoreError> {
        let rows = self.index(index, prefix, most)?;
        let keys = rows.into_iter().map(|row| R::listed_by(index, row));
        keys.collect::<Result<_, _>>().map_err(StoreError::damaged)
    }
}

fn absent<S: Service, R: Record<S>>() -> StoreError {
    let name = R::TREE.name();
    StoreError::damaged(format!("an entry names a record of {name} that is not there"))
}
