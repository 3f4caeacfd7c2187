//! What readers see of a data directory: its trees, and the former state of what memory still shows.

use std::ops::{Bound, RangeInclusive};

use codegen_store::{Bytes, Engine, Entry, SledEngine, Tree};
use contract::{Bounty, BountyId};

use super::error::StoreError;
use super::keys;
use super::record::Record;
use super::unshown::Unshown;

/// How many entries are read at once where all are wanted.
const BATCH: usize = 64;

/// The trees of an open data directory. Every read may wait for the disk: callers are on threads that may block.
pub(crate) struct Trees {
    place: Place,
    unshown: Unshown,
}

/// Where the entries are.
pub(crate) enum Place {
    Directory(Box<SledEngine>),
    /// Nowhere else. For tests.
    #[cfg(test)]
    Memory(codegen_store::Memory),
}

impl Trees {
    /// Those in this place.
    pub(crate) fn new(place: Place) -> Self {
        let unshown = Unshown::default();
        Self { place, unshown }
    }

    /// The engine.
    pub(crate) fn engine(&self) -> &dyn Engine {
        match &self.place {
            Place::Directory(engine) => &**engine,
            #[cfg(test)]
            Place::Memory(engine) => engine,
        }
    }

    /// The data directory. Only a store of a test has none.
    pub(crate) fn directory(&self) -> Option<&SledEngine> {
        match &self.place {
            Place::Directory(engine) => Some(engine),
            #[cfg(test)]
            Place::Memory(_) => None,
        }
    }

    /// The former states of bounties that memory still shows.
    pub(crate) fn unshown(&self) -> &Unshown {
        &self.unshown
    }

    /// One record.
    pub(crate) fn get<R: Record>(&self, id: R::Id) -> Result<Option<R>, StoreError> {
        let value = self.engine().get(R::TREE, R::key(id).as_ref())?;
        let record = value.map(|value| R::decode(&value)).transpose();
        record.map_err(StoreError::damaged)
    }

    /// A record that another entry names.
    pub(crate) fn named<R: Record>(&self, id: R::Id) -> Result<R, StoreError> {
        let name = R::TREE.name();
        let absent = || StoreError::damaged(format!("an entry names a record of {name} that is not there"));
        self.get(id)?.ok_or_else(absent)
    }

    /// A bounty as memory shows it. If memory takes in a change of it meanwhile, it may be either state.
    pub(crate) fn shown_bounty(&self, id: BountyId) -> Result<Option<Bounty>, StoreError> {
        self.unshown.shown(self.engine(), id)
    }

    /// The value of an entry.
    pub(crate) fn value(&self, tree: Tree, key: &[u8]) -> Result<Option<Bytes>, StoreError> {
        Ok(self.engine().get(tree, key)?)
    }

    /// The entries of a tree in `range`, in key order, read `batch` at a time.
    pub(crate) fn range(
        &self,
        tree: Tree,
        range: RangeInclusive<impl AsRef<[u8]>>,
        batch: usize,
    ) -> impl Iterator<Item = Result<Entry, StoreError>> {
        let (from, to) = range.into_inner();
        let range = [from.as_ref().to_vec(), to.as_ref().to_vec()].map(Bound::Included);
        let [from, to] = range;
        codegen_store::scan(self.engine(), tree, (from, to), batch.clamp(1, BATCH)).map(|entry| Ok(entry?))
    }

    /// The records of a tree whose keys are in `range`, in key order, read `batch` at a time.
    pub(crate) fn scan<R: Record>(
        &self,
        range: RangeInclusive<impl AsRef<[u8]>>,
        batch: usize,
    ) -> impl Iterator<Item = Result<R, StoreError>> {
        let entries = self.range(R::TREE, range, batch);
        entries.map(|entry| R::decode(&entry?.1).map_err(StoreError::damaged))
    }

    /// All entries of a tree, in key order.
    pub(crate) fn entries(&self, tree: Tree) -> impl Iterator<Item = Result<Entry, StoreError>> {
        self.first_entries(tree, BATCH)
    }

    /// The same, read `batch` at a time.
    pub(crate) fn first_entries(&self, tree: Tree, batch: usize) -> impl Iterator<Item = Result<Entry, StoreError>> {
        let entries = codegen_store::scan(self.engine(), tree, (Bound::Unbounded, Bound::Unbounded), batch);
        entries.map(|entry| Ok(entry?))
    }

    /// The first keys of an index that start with `prefix`, at most `most`, in order.
    pub(crate) fn index(&self, tree: Tree, prefix: &[u8], most: usize) -> Result<Vec<Bytes>, StoreError> {
        let (from, to) = codegen_store::prefixed(prefix);
        Ok(self.engine().keys(tree, (from, to.as_ref().map(Vec::as_slice)), most)?)
    }

    /// The keys of a tree in `range`, in order.
    pub(crate) fn keys(&self, tree: Tree, range: RangeInclusive<impl AsRef<[u8]>>) -> Result<Vec<Bytes>, StoreError> {
        let (from, to) = (range.start().as_ref(), range.end().as_ref());
        let range = (Bound::Included(from), Bound::Included(to));
        Ok(self.engine().keys(tree, range, usize::MAX)?)
    }

    /// A number in [`Tree::META`]; 0 if it was never set.
    pub(crate) fn meta(&self, name: &str) -> Result<i64, StoreError> {
        let value = self.value(Tree::META, name.as_bytes())?;
        value.map_or(Ok(0), |bytes| {
            keys::number(&bytes).ok_or_else(|| StoreError::damaged(format!("meta {name} is no number")))
        })
    }
}
