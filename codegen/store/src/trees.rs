//! What readers see of an engine.

use std::ops::{Bound, RangeInclusive};
use std::sync::Arc;

use crate::engine::{Bytes, Engine, Entry, prefixed, scan};
use crate::error::StoreError;
use crate::service::Service;
use crate::sled::{SledEngine, number};
use crate::tree::Tree;

/// How many entries are read at once where all are wanted.
const BATCH: usize = 64;

/// The trees of an open data directory. Every read may wait for the disk: callers are on threads that may block.
pub struct Trees<S> {
    place: Place,
    service: Arc<S>,
}

/// Where the entries are.
pub(crate) enum Place {
    Directory(Box<SledEngine>),
    /// Nowhere else.
    Memory(Box<dyn Engine>),
}

impl<S: Service> Trees<S> {
    /// Those in this place.
    pub(crate) fn new(place: Place, service: Arc<S>) -> Self {
        Self { place, service }
    }

    /// The service.
    pub fn service(&self) -> &S {
        &self.service
    }

    /// The service, for others.
    pub(crate) fn shared_service(&self) -> Arc<S> {
        Arc::clone(&self.service)
    }

    /// The engine.
    pub fn engine(&self) -> &dyn Engine {
        match &self.place {
            Place::Directory(engine) => &**engine,
            Place::Memory(engine) => &**engine,
        }
    }

    /// The data directory. A store in memory has none.
    pub fn directory(&self) -> Option<&SledEngine> {
        match &self.place {
            Place::Directory(engine) => Some(engine),
            Place::Memory(_) => None,
        }
    }

    /// The value of an entry.
    pub fn value(&self, tree: Tree, key: &[u8]) -> Result<Option<Bytes>, StoreError> {
        Ok(self.engine().get(tree, key)?)
    }

    /// The entries of a tree in `range`, in key order, read `batch` at a time.
    pub fn range(
        &self,
        tree: Tree,
        range: RangeInclusive<impl AsRef<[u8]>>,
        batch: usize,
    ) -> impl Iterator<Item = Result<Entry, StoreError>> {
        let (from, to) = range.into_inner();
        let range = [from.as_ref().to_vec(), to.as_ref().to_vec()].map(Bound::Included);
        let [from, to] = range;
        scan(self.engine(), tree, (from, to), batch.clamp(1, BATCH)).map(|entry| Ok(entry?))
    }

    /// All entries of a tree, in key order.
    pub fn entries(&self, tree: Tree) -> impl Iterator<Item = Result<Entry, StoreError>> {
        self.first_entries(tree, BATCH)
    }

    /// The same, read `batch` at a time.
    pub fn first_entries(&self, tree: Tree, batch: usize) -> impl Iterator<Item = Result<Entry, StoreError>> {
        let entries = scan(self.engine(), tree, (Bound::Unbounded, Bound::Unbounded), batch);
        entries.map(|entry| Ok(entry?))
    }

    /// The first keys of an index that start with `prefix`, at most `most`, in order.
    pub fn index(&self, tree: Tree, prefix: &[u8], most: usize) -> Result<Vec<Bytes>, StoreError> {
        let (from, to) = prefixed(prefix);
        Ok(self.engine().keys(tree, (from, to.as_ref().map(Vec::as_slice)), most)?)
    }

    /// The keys of a tree in `range`, in order.
    pub fn keys(&self, tree: Tree, range: RangeInclusive<impl AsRef<[u8]>>) -> Result<Vec<Bytes>, StoreError> {
        let (from, to) = (range.start().as_ref(), range.end().as_ref());
        let range = (Bound::Included(from), Bound::Included(to));
        Ok(self.engine().keys(tree, range, usize::MAX)?)
    }

    /// A number in [`Tree::META`]; 0 if it was never set.
    pub fn meta(&self, name: &str) -> Result<i64, StoreError> {
        let value = self.value(Tree::META, name.as_bytes())?;
        value.map_or(Ok(0), |bytes| {
            number(&bytes).ok_or_else(|| StoreError::damaged(format!("meta {name} is no number")))
        })
    }
}
