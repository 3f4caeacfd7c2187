//! Former values of entries, which writes keep for a snapshot that has not read them yet.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::{Mutex, MutexGuard};

use crate::engine::Bytes;
use crate::tree::Tree;

/// The maximum bytes of former values: a snapshot needs no more memory.
pub(super) const MAX_KEPT_BYTES: usize = if cfg!(test) { 1 << 20 } else { 32 << 20 };

/// What the map needs for each value, beside the bytes of the key and the value.
const ENTRY_BYTES: usize = 128;

/// What a write has to keep for the snapshot that is being read, if one is.
#[derive(Default)]
pub(super) struct SnapshotKeeper {
    is_active: AtomicBool,
    kept: Mutex<Kept>,
}

/// What is kept.
#[derive(Default)]
pub(super) struct Kept {
    /// The trees that the snapshot reads, in this order.
    order: Arc<[Tree]>,
    /// The place among them of the tree that is being read, and its last key that was read.
    pub(super) position: (usize, Bytes),
    /// The former values of entries behind that position; `None` if there was no entry.
    pub(super) formers: BTreeMap<(Tree, Bytes), Option<Bytes>>,
    bytes: usize,
}

impl Kept {
    /// From then on the snapshot is not complete.
    pub(super) fn is_full(&self) -> bool {
        self.bytes >= MAX_KEPT_BYTES
    }

    fn is_unread(&self, tree: Tree, key: &[u8]) -> bool {
        match self.order.iter().position(|one| *one == tree) {
            Some(place) => (place, key) > (self.position.0, &*self.position.1),
            // They are read with the values that refer to them.
            None => tree == Tree::PIECES,
        }
    }

    /// Removes and returns the former values of a tree up to this key, or of all of it.
    pub(super) fn take(&mut self, tree: Tree, up_to: Option<&Bytes>) -> Vec<(Bytes, Option<Bytes>)> {
        let is_taken = |of: &(Tree, Bytes)| of.0 == tree && up_to.is_none_or(|last| of.1 <= *last);
        let keys = self.formers.range((tree, Bytes::default())..).map(|(of, _)| of);
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

fn bytes_of(key: &Bytes, former: Option<&Bytes>) -> usize {
    ENTRY_BYTES + key.len() + former.map_or(0, |former| former.len())
}

impl SnapshotKeeper {
    /// Begins to keep values for a snapshot of these trees. False if there is another one.
    pub(super) fn begin(&self, order: Arc<[Tree]>) -> bool {
        if self.is_active.swap(true, Ordering::AcqRel) {
            return false;
        }
        *self.kept() = Kept {
            order,
            ..Kept::default()
        };
        true
    }

    /// What is kept.
    pub(super) fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock()
    }

    /// The snapshot has been read.
    pub(super) fn end(&self) {
        // The next snapshot begins with the lock, and must not lose what is kept for it.
        let mut kept = self.kept();
        *kept = Kept::default();
        self.is_active.store(false, Ordering::Release);
    }

    /// Called in a transaction for each entry that it changes, with the entry's former value.
    pub(super) fn keep(&self, tree: Tree, key: &Bytes, former: Option<&Bytes>) {
        if !self.is_active.load(Ordering::Acquire) {
            return;
        }
        let mut kept = self.kept.lock();
        // A new piece belongs to a new value, which the snapshot does not read.
        let is_needed = former.is_some() || tree != Tree::PIECES;
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
