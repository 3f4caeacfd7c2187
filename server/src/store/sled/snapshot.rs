//! A snapshot of the trees for a backup: it reads all entries as they were when it began, while writes go on. Before a
//! write changes an entry that the snapshot has not read yet, the former value is kept for it.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use sled::IVec;

use super::checksum::Commit;
use super::record::Chunks;
use super::transaction::{count_name, last_id_name};
use super::trees::{Tree, Trees};
use crate::store::StoreError;
use crate::store::backup::BackupWriteError;

/// The trees that a snapshot reads, in this order: what changes most comes early, so that few values are kept. All
/// others follow from these.
pub(in crate::store) const ORDER: [Tree; 15] = [
    Tree::Accounts,
    Tree::Keys,
    Tree::Webhooks,
    Tree::Deliveries,
    Tree::Steps,
    Tree::QuotaUsage,
    Tree::Feeds,
    Tree::Conversations,
    Tree::Bounties,
    Tree::Applications,
    Tree::Events,
    Tree::Answers,
    Tree::Messages,
    Tree::Skills,
    Tree::Humans,
];

/// How many entries are read at once.
const BATCH: usize = if cfg!(test) { 3 } else { 256 };

/// The maximum bytes of former values: a snapshot needs no more memory.
pub(super) const MAX_KEPT_BYTES: usize = if cfg!(test) { 1 << 20 } else { 32 << 20 };

/// What the map needs for each value, beside the bytes of the key and the value.
const ENTRY_BYTES: usize = 96;

/// What a write has to keep for the snapshot that is being read, if one is.
#[derive(Default)]
pub(super) struct SnapshotKeeper {
    is_active: AtomicBool,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    /// The place in [`ORDER`] of the tree that is being read, and its last key that was read.
    position: (usize, IVec),
    /// The former values of entries behind that position; `None` if there was no entry.
    formers: BTreeMap<(Tree, IVec), Option<IVec>>,
    bytes: usize,
}

impl Kept {
    /// From then on the snapshot is not complete.
    fn is_full(&self) -> bool {
        self.bytes >= MAX_KEPT_BYTES
    }

    fn is_unread(&self, tree: Tree, key: &[u8]) -> bool {
        match ORDER.iter().position(|one| *one == tree) {
            Some(place) => (place, key) > (self.position.0, &*self.position.1),
            // They are read with the values that refer to them.
            None => tree == Tree::Pieces,
        }
    }

    /// Removes and returns the former values of a tree up to this key, or of all of it.
    fn take(&mut self, tree: Tree, up_to: Option<&IVec>) -> Vec<(IVec, Option<IVec>)> {
        let is_taken = |of: &(Tree, IVec)| of.0 == tree && up_to.is_none_or(|last| of.1 <= *last);
        let keys = self.formers.range((tree, IVec::default())..).map(|(of, _)| of);
        let keys: Vec<_> = keys.take_while(|of| is_taken(of)).cloned().collect();
        let mut taken = Vec::with_capacity(keys.len());
        for of in keys {
            if let Some(former) = self.formers.remove(&of) {
                self.bytes -= bytes_of(&of.1, former.as_ref());
                taken.push((of.1, former));
            }
        }
        taken
    }
}

fn bytes_of(key: &IVec, former: Option<&IVec>) -> usize {
    ENTRY_BYTES + key.len() + former.map_or(0, |former| former.len())
}

impl SnapshotKeeper {
    /// Called in a transaction for each entry that it changes, with the entry's former value.
    pub(super) fn keep(&self, tree: Tree, key: &IVec, former: Option<&IVec>) {
        if !self.is_active.load(Ordering::Acquire) {
            return;
        }
        let mut kept = self.kept.lock();
        // A new piece belongs to a new value, which the snapshot does not read.
        let is_needed = former.is_some() || tree != Tree::Pieces;
        if is_needed && kept.is_unread(tree, key) && !kept.is_full() {
            let of = (tree, key.clone());
            if !kept.formers.contains_key(&of) {
                kept.bytes += bytes_of(key, former);
                kept.formers.insert(of, former.cloned());
            }
        }
    }

    /// The bytes of what is kept.
    #[cfg(test)]
    pub(super) fn kept_bytes(&self) -> usize {
        self.kept.lock().bytes
    }
}

/// A snapshot that is being read. Writes keep former values for it until it is dropped.
pub(super) struct Snapshot<'t> {
    trees: &'t Trees,
    /// The last commit in it. It may not be on disk yet.
    pub(super) commit: u64,
    /// The last id of each numbered tree, and the number of its records.
    numbers: BTreeMap<String, i64>,
}

impl<'t> Snapshot<'t> {
    /// A snapshot of what has been committed by now. `None` if another one is being read.
    ///
    /// # Errors
    /// If the trees cannot be read.
    pub(super) fn begin(trees: &'t Trees, numbered: &[Tree]) -> Result<Option<Self>, StoreError> {
        // No transaction runs meanwhile.
        let _still = trees.moving().read().map_err(StoreError::damaged)?;
        if trees.keeper().is_active.swap(true, Ordering::AcqRel) {
            return Ok(None);
        }
        *trees.keeper().kept.lock() = Kept::default();
        let mut snapshot = Self {
            trees,
            commit: 0,
            numbers: BTreeMap::new(),
        };
        let meta = |name: &str| trees.value(Tree::Meta, name.as_bytes()).map_err(StoreError::damaged);
        snapshot.commit = meta(Commit::NAME)?
            .and_then(|entry| Commit::decode(&entry))
            .map_or(0, |commit| commit.number);
        for tree in numbered {
            for name in [count_name(*tree), last_id_name(*tree)] {
                let number = meta(&name)?.and_then(|value| super::keys::number(&value));
                snapshot.numbers.insert(name, number.unwrap_or(0));
            }
        }
        Ok(Some(snapshot))
    }

    /// A number of the tree `meta` at that time; 0 if it was never set.
    pub(super) fn number(&self, name: &str) -> i64 {
        self.numbers.get(name).copied().unwrap_or(0)
    }

    /// Passes all entries of a tree to `each`, in key order, with whole values. The trees must be read in [`ORDER`].
    ///
    /// # Errors
    /// If a tree cannot be read, too much has changed meanwhile, or `each` fails.
    pub(super) fn read(
        &self,
        tree: Tree,
        mut each: impl FnMut(&IVec, &IVec) -> Result<(), BackupWriteError>,
    ) -> Result<(), BackupWriteError> {
        let place = ORDER.iter().position(|one| *one == tree).unwrap_or(ORDER.len());
        let mut last = None;
        loop {
            let Entries { entries, end } = self.batch(place, tree, last.as_ref())?;
            for (key, value) in &entries {
                each(key, &self.whole(value)?)?;
            }
            match end {
                Some(end) => last = Some(end),
                None => return Ok(()),
            }
        }
    }

    /// The entries after the key `after`, as they were, and the key where the next ones begin; none at the end.
    fn batch(&self, place: usize, tree: Tree, after: Option<&IVec>) -> Result<Entries, BackupWriteError> {
        let from = after.map_or(Bound::Unbounded, |key| Bound::Excluded(key.as_ref()));
        let found = self.trees.entries_from(tree, from).take(BATCH);
        let entries = found.collect::<sled::Result<BTreeMap<IVec, IVec>>>();
        let mut entries = entries.map_err(StoreError::damaged)?;
        let is_full = entries.len() == BATCH;
        let end = entries.keys().next_back().filter(|_| is_full).cloned();
        // From here on, writes keep nothing for these entries; what they have changed by now was kept.
        let mut kept = self.trees.keeper().kept.lock();
        if kept.is_full() {
            return Err(BackupWriteError::TooManyChanges);
        }
        for (key, former) in kept.take(tree, end.as_ref()) {
            match former {
                Some(former) => drop(entries.insert(key, former)),
                None => drop(entries.remove(&key)),
            }
        }
        kept.position = end
            .as_ref()
            .map_or((place + 1, IVec::default()), |end| (place, end.clone()));
        Ok(Entries { entries, end })
    }

    /// The value that an entry's value stands for: itself, or its pieces as they were.
    fn whole(&self, value: &IVec) -> Result<IVec, BackupWriteError> {
        let Some(pieces) = Chunks::referred_to_by(value) else {
            return Ok(value.clone());
        };
        let mut whole = Vec::new();
        for key in pieces.keys() {
            // Read before the former values: one that is removed meanwhile was kept before.
            let present = self.trees.value(Tree::Pieces, &key).map_err(StoreError::damaged)?;
            let former = || {
                let kept = self.trees.keeper().kept.lock();
                kept.formers
                    .get(&(Tree::Pieces, IVec::from(&key[..])))
                    .cloned()
                    .flatten()
            };
            match present.or_else(former) {
                Some(piece) => whole.extend_from_slice(&piece),
                None if self.trees.keeper().kept.lock().is_full() => return Err(BackupWriteError::TooManyChanges),
                None => return Err(StoreError::damaged("a piece of a value is missing").into()),
            }
        }
        Ok(whole.into())
    }
}

impl Drop for Snapshot<'_> {
    fn drop(&mut self) {
        let keeper = self.trees.keeper();
        // The next snapshot begins with the lock, and must not lose what is kept for it.
        let mut kept = keeper.kept.lock();
        *kept = Kept::default();
        keeper.is_active.store(false, Ordering::Release);
    }
}

struct Entries {
    entries: BTreeMap<IVec, IVec>,
    /// The last key, if more follow.
    end: Option<IVec>,
}
