//! An engine in memory, for tests.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::{RwLock, RwLockReadGuard};

use crate::engine::{Batch, Bytes, Committed, Engine, EngineError, Entry, KeyRange, Reads};
use crate::tree::Tree;

/// Keeps everything in memory.
#[derive(Default)]
pub struct Memory {
    entries: RwLock<BTreeMap<(Tree, Bytes), Bytes>>,
    still: RwLock<()>,
    commits: AtomicU64,
}

impl Memory {
    fn read<T>(&self, tree: Tree, (from, to): KeyRange<'_>, most: usize, one: impl Fn(&Bytes, &Bytes) -> T) -> Vec<T> {
        let entries = self.entries.read();
        let start = match from {
            Bound::Unbounded => Bound::Included((tree, Bytes::default())),
            from => from.map(|key| (tree, Bytes::from(key))),
        };
        let is_before_end = |key: &[u8]| match to {
            Bound::Included(to) => key <= to,
            Bound::Excluded(to) => key < to,
            Bound::Unbounded => true,
        };
        let found = entries.range((start, Bound::Unbounded));
        let found = found.take_while(|((of, key), _)| *of == tree && is_before_end(key));
        found.take(most).map(|((_, key), value)| one(key, value)).collect()
    }
}

impl Reads for Memory {
    fn get(&self, tree: Tree, key: &[u8]) -> Result<Option<Bytes>, EngineError> {
        Ok(self.entries.read().get(&(tree, Bytes::from(key))).cloned())
    }

    fn range(&self, tree: Tree, range: KeyRange<'_>, most: usize) -> Result<Vec<Entry>, EngineError> {
        Ok(self.read(tree, range, most, |key, value| (key.clone(), value.clone())))
    }

    fn keys(&self, tree: Tree, range: KeyRange<'_>, most: usize) -> Result<Vec<Bytes>, EngineError> {
        Ok(self.read(tree, range, most, |key, _| key.clone()))
    }
}

impl Engine for Memory {
    fn commit(&self, batch: &Batch) -> Result<Committed, EngineError> {
        let _still = self.still.write();
        let mut entries = self.entries.write();
        for (key, value) in batch {
            match value {
                Some(value) => drop(entries.insert(key.clone(), value.clone())),
                None => drop(entries.remove(key)),
            }
        }
        let number = self.commits.fetch_add(1, Ordering::Release) + 1;
        let sync = Duration::ZERO;
        Ok(Committed { number, sync })
    }

    fn last_commit(&self) -> u64 {
        self.commits.load(Ordering::Acquire)
    }

    fn still(&self) -> RwLockReadGuard<'_, ()> {
        self.still.read()
    }
}
