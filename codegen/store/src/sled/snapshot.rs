//! A snapshot of the trees for a backup: it reads all entries as they were when it began, while writes go on. Before a
//! write changes an entry that the snapshot has not read yet, the former value is kept for it.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Bound;
use std::sync::Arc;

use super::checksum::Commit;
use super::chunks::Chunks;
use super::reads::{number, unread};
use super::trees::Trees;
use crate::engine::{Bytes, EngineError};
use crate::error::StoreError;
use crate::tree::Tree;

/// How many entries are read at once.
const BATCH: usize = if cfg!(test) { 3 } else { 256 };

/// Why a snapshot cannot be read.
#[derive(Debug)]
pub enum SnapshotError {
    /// What changed since it began does not fit into the memory for that.
    TooManyChanges,
    /// A tree cannot be read.
    Engine(EngineError),
}

impl From<EngineError> for SnapshotError {
    fn from(error: EngineError) -> Self {
        Self::Engine(error)
    }
}

impl From<SnapshotError> for StoreError {
    fn from(error: SnapshotError) -> Self {
        match error {
            SnapshotError::TooManyChanges => Self::unavailable(error),
            SnapshotError::Engine(error) => error.into(),
        }
    }
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyChanges => out.write_str("too much changed while it was read"),
            Self::Engine(error) => error.fmt(out),
        }
    }
}

impl std::error::Error for SnapshotError {}

/// A snapshot that is being read. Writes keep former values for it until it is dropped.
pub struct Snapshot<'t> {
    trees: &'t Trees,
    order: Arc<[Tree]>,
    commit: u64,
    /// The entries of [`Tree::META`].
    meta: BTreeMap<Bytes, Bytes>,
}

impl<'t> Snapshot<'t> {
    /// A snapshot of what has been committed by now. `None` if another one is being read.
    pub(super) fn begin(trees: &'t Trees, order: Arc<[Tree]>) -> Result<Option<Self>, EngineError> {
        // No transaction runs meanwhile.
        let _still = trees.moving().read();
        if !trees.keeper().begin(Arc::clone(&order)) {
            return Ok(None);
        }
        let mut snapshot = Self {
            trees,
            order,
            commit: 0,
            meta: BTreeMap::new(),
        };
        for entry in trees.all_stored(Tree::META) {
            let (name, value) = entry.map_err(unread)?;
            snapshot.meta.insert(name, value);
        }
        let commit = snapshot.meta.get(Commit::NAME.as_bytes());
        let commit = commit.and_then(|entry| Commit::decode(entry));
        snapshot.commit = commit.map_or(0, |commit| commit.number);
        Ok(Some(snapshot))
    }

    /// The number of the last commit in it. It may not be on disk yet.
    #[must_use]
    pub fn commit(&self) -> u64 {
        self.commit
    }

    /// A number of [`Tree::META`] at that time; 0 if it was never set.
    #[must_use]
    pub fn number(&self, name: &str) -> i64 {
        self.meta
            .get(name.as_bytes())
            .and_then(|value| number(value))
            .unwrap_or(0)
    }

    /// Passes all entries of a tree to `each`, in the order of their keys. The trees must be read in the order with which the
    /// snapshot began.
    ///
    /// # Errors
    /// If a tree cannot be read, too much has changed meanwhile, or `each` fails.
    pub fn read<E: From<SnapshotError>>(
        &self,
        tree: Tree,
        mut each: impl FnMut(&Bytes, &Bytes) -> Result<(), E>,
    ) -> Result<(), E> {
        let place = self
            .order
            .iter()
            .position(|one| *one == tree)
            .unwrap_or(self.order.len());
        let mut last = None;
        loop {
            let Stored { entries, end } = self.batch(place, tree, last.as_ref())?;
            for (key, stored) in &entries {
                each(key, &self.whole(stored)?)?;
            }
            match end {
                Some(end) => last = Some(end),
                None => return Ok(()),
            }
        }
    }

    /// The entries after the key `after`, as they were, and the key where the next ones begin; none at the end.
    fn batch(&self, place: usize, tree: Tree, after: Option<&Bytes>) -> Result<Stored, SnapshotError> {
        let from = after.map_or(Bound::Unbounded, |key| Bound::Excluded(key.as_ref()));
        let found = self.trees.stored_in(tree, (from, Bound::Unbounded)).take(BATCH);
        let entries = found.collect::<sled::Result<BTreeMap<Bytes, Bytes>>>();
        let mut entries = entries.map_err(unread)?;
        let is_full = entries.len() == BATCH;
        let end = entries.keys().next_back().filter(|_| is_full).cloned();
        // From here on, writes keep nothing for these entries; what they have changed by now was kept.
        let mut kept = self.trees.keeper().kept();
        if kept.is_full() {
            return Err(SnapshotError::TooManyChanges);
        }
        for (key, former) in kept.take(tree, end.as_ref()) {
            match former {
                Some(former) => drop(entries.insert(key, former)),
                None => drop(entries.remove(&key)),
            }
        }
        kept.position = end
            .as_ref()
            .map_or((place + 1, Bytes::default()), |end| (place, end.clone()));
        Ok(Stored { entries, end })
    }

    /// The value for which this is stored: itself, or its pieces as they were.
    fn whole(&self, stored: &Bytes) -> Result<Bytes, SnapshotError> {
        let Some(pieces) = Chunks::referred_to_by(stored) else {
            return Ok(stored.clone());
        };
        let mut whole = Vec::new();
        for key in pieces.keys() {
            // Read before the former values: one that is removed meanwhile was kept before.
            let present = self.trees.stored(Tree::PIECES, &key)?;
            let former = || {
                let kept = self.trees.keeper().kept();
                kept.formers.get(&(Tree::PIECES, Bytes::from(&key))).cloned().flatten()
            };
            match present.or_else(former) {
                Some(piece) => whole.extend_from_slice(&piece),
                None if self.trees.keeper().kept().is_full() => return Err(SnapshotError::TooManyChanges),
                None => return Err(EngineError::Damaged("a piece of a value is missing".to_owned()).into()),
            }
        }
        Ok(whole.into())
    }
}

impl Drop for Snapshot<'_> {
    fn drop(&mut self) {
        self.trees.keeper().end();
    }
}

struct Stored {
    entries: BTreeMap<Bytes, Bytes>,
    /// The last key, if more follow.
    end: Option<Bytes>,
}
