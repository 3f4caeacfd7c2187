//! The trees of an open data directory: reads, and the transaction that writes a batch.

use std::cmp::min;
use std::panic::{AssertUnwindSafe, catch_unwind};

use parking_lot::RwLock;
use sled::Transactional;
use sled::transaction::{ConflictableTransactionError, TransactionalTree, UnabortableTransactionError};

use super::checksum::{Checksum, Commit};
use super::chunks::Chunks;
use super::flusher::Flusher;
use super::keeper::SnapshotKeeper;
use super::reads::{number, unread};
use crate::engine::{Batch, Bytes, EngineError, Entry, KeyRange, Reads};
use crate::panics;
use crate::schema::Schema;
use crate::tree::Tree;

/// The name in [`Tree::META`] of the version of the layout.
const LAYOUT: &str = "layout";

/// The name in [`Tree::META`] of the serial number of the last long value.
pub(super) const LAST_PIECES: &str = "last id pieces";

/// All trees of an open data directory.
pub(crate) struct Trees {
    flusher: Flusher,
    all: Vec<sled::Tree>,
    /// Locked for writing while a batch is written to the trees. A reader that must not miss an index row that moves
    /// locks it for reading. Never held during a sync.
    moving: RwLock<()>,
    keeper: SnapshotKeeper,
}

impl Trees {
    /// Whether this log has entries or trees of another program that uses sled. The first tree that this one creates is
    /// that of the layout.
    pub(super) fn are_of_another_program(db: &sled::Db) -> bool {
        let names = db.tree_names();
        let has_layout = names.iter().any(|name| name == Tree::META.name().as_bytes());
        // sled itself creates one tree, which is not used here.
        !has_layout && (names.len() > 1 || !db.is_empty())
    }

    /// Opens or creates every tree.
    pub(super) fn open(db: sled::Db, schema: &Schema) -> sled::Result<Self> {
        let mut trees = vec![Tree::META, Tree::PIECES];
        trees.extend(schema.trees.iter().filter(|tree| **tree != Tree::META));
        for (place, tree) in trees.iter().enumerate() {
            assert_eq!(tree.place(), place, "the place of `{}`", tree.name());
        }
        let all = trees.iter().map(|tree| db.open_tree(tree.name()));
        let all = all.collect::<Result<_, _>>()?;
        Ok(Self {
            flusher: Flusher::start(db)?,
            all,
            moving: RwLock::new(()),
            keeper: SnapshotKeeper::default(),
        })
    }

    /// The lock that a reader holds so that no index rows move.
    pub(super) fn moving(&self) -> &RwLock<()> {
        &self.moving
    }

    /// What keeps former values for a snapshot.
    pub(super) fn keeper(&self) -> &SnapshotKeeper {
        &self.keeper
    }

    /// Passes everything written so far to the operating system. It is not yet synced.
    pub(super) fn flush(&self) -> sled::Result<()> {
        self.flusher.flush()
    }

    /// The size of the trees on disk.
    pub(super) fn disk_bytes(&self) -> Result<u64, EngineError> {
        self.flusher.db().size_on_disk().map_err(unread)
    }

    /// What is stored under a key: a value, or a reference to its pieces.
    pub(super) fn stored(&self, tree: Tree, key: &[u8]) -> Result<Option<Bytes>, EngineError> {
        self.tree(tree).get(key).map_err(unread)
    }

    /// All that is stored in a tree, in the order of the keys.
    pub(super) fn all_stored(&self, tree: Tree) -> sled::Iter {
        self.tree(tree).iter()
    }

    /// What is stored in a range of a tree, in the order of the keys.
    pub(super) fn stored_in(&self, tree: Tree, range: KeyRange<'_>) -> sled::Iter {
        self.tree(tree).range::<&[u8], _>(range)
    }

    /// Joins the pieces of a long value. `None` if a piece is missing.
    pub(super) fn join(&self, pieces: Chunks) -> Result<Option<Bytes>, EngineError> {
        let mut whole = Vec::new();
        for key in pieces.keys() {
            match self.stored(Tree::PIECES, &key)? {
                Some(piece) => whole.extend_from_slice(&piece),
                None => return Ok(None),
            }
        }
        Ok(Some(whole.into()))
    }

    /// The value for which this is stored.
    fn whole(&self, tree: Tree, key: &[u8], mut stored: Bytes) -> Result<Option<Bytes>, EngineError> {
        // Pieces are never changed, only replaced. So a reference without its pieces means that a new value was written
        // meanwhile.
        loop {
            let Some(pieces) = Chunks::referred_to_by(&stored) else {
                return Ok(Some(stored));
            };
            if let Some(whole) = self.join(pieces)? {
                return Ok(Some(whole));
            }
            match self.stored(tree, key)? {
                None => return Ok(None),
                Some(again) if again == stored => {
                    let cause = format!("a piece of {} is missing", tree.name());
                    return Err(EngineError::Damaged(cause));
                }
                Some(again) => stored = again,
            }
        }
    }

    /// The version of the layout; 0 in a new directory, `None` if it is malformed.
    pub(super) fn layout(&self) -> Result<Option<i64>, EngineError> {
        let entry = self.stored(Tree::META, LAYOUT.as_bytes())?;
        Ok(entry.map_or(Some(0), |entry| number(&entry)))
    }

    /// Writes the layout version into a new directory and flushes it to the operating system.
    pub(super) fn set_layout(&self, layout: i64) -> sled::Result<()> {
        self.tree(Tree::META).insert(LAYOUT, &layout.to_be_bytes())?;
        self.flush()
    }

    /// Writes a batch in one transaction, with the commit entry that follows `last`, which it returns.
    pub(super) fn apply(&self, last: Commit, batch: &Batch) -> Result<Commit, String> {
        let places = places_of(batch);
        let trees: Vec<sled::Tree> = places.iter().map(|place| self.all[*place].clone()).collect();
        let ran = catch_unwind(AssertUnwindSafe(|| {
            trees.transaction(|trees: &Vec<TransactionalTree>| {
                let trees = Written { trees, places: &places };
                let mut writing = Writing {
                    trees,
                    keeper: &self.keeper,
                    checksum: last.checksum,
                    serial: None,
                };
                for ((tree, key), value) in batch {
                    writing.write(*tree, key, value.as_ref())?;
                }
                writing.keep_serial()?;
                let commit = last.next(writing.checksum);
                trees.get(Tree::META).insert(Commit::NAME, &commit.encode()[..])?;
                Ok::<_, ConflictableTransactionError<String>>(commit)
            })
        }));
        match ran {
            Ok(Ok(commit)) => Ok(commit),
            Ok(Err(error)) => Err(format!("{error:?}")),
            Err(panic) => Err(panics::text(&*panic)),
        }
    }

    pub(super) fn tree(&self, tree: Tree) -> &sled::Tree {
        &self.all[tree.place()]
    }
}

impl Reads for Trees {
    fn get(&self, tree: Tree, key: &[u8]) -> Result<Option<Bytes>, EngineError> {
        match self.stored(tree, key)? {
            Some(stored) => self.whole(tree, key, stored),
            None => Ok(None),
        }
    }

    fn range(&self, tree: Tree, range: KeyRange<'_>, most: usize) -> Result<Vec<Entry>, EngineError> {
        let mut found = Vec::with_capacity(min(most, 64));
        for entry in self.stored_in(tree, range) {
            if found.len() == most {
                break;
            }
            let (key, stored) = entry.map_err(unread)?;
            // `None`: it was removed meanwhile.
            if let Some(value) = self.whole(tree, &key, stored)? {
                found.push((key, value));
            }
        }
        Ok(found)
    }

    fn keys(&self, tree: Tree, range: KeyRange<'_>, most: usize) -> Result<Vec<Bytes>, EngineError> {
        let keys = self.stored_in(tree, range).keys().take(most);
        keys.map(|key| key.map_err(unread)).collect()
    }
}

/// The places of the trees that a batch needs, ascending. A transaction costs an allocation and a lock for each of its trees.
fn places_of(batch: &Batch) -> Vec<usize> {
    let trees = batch.keys().map(|(tree, _)| tree.place());
    let mut places: Vec<_> = trees.chain([Tree::META.place(), Tree::PIECES.place()]).collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// The trees of a transaction.
#[derive(Clone, Copy)]
struct Written<'t> {
    trees: &'t [TransactionalTree],
    /// Their places.
    places: &'t [usize],
}

impl<'t> Written<'t> {
    fn get(self, tree: Tree) -> &'t TransactionalTree {
        let place = self.places.binary_search(&tree.place());
        &self.trees[place.expect("it has each tree of its batch")]
    }
}

/// A transaction that writes a batch.
struct Writing<'t> {
    trees: Written<'t>,
    keeper: &'t SnapshotKeeper,
    checksum: Checksum,
    /// The serial number of the last long value, once it is known.
    serial: Option<i64>,
}

type Outcome<T> = Result<T, ConflictableTransactionError<String>>;

impl Writing<'_> {
    /// Writes or removes a value. The pieces of the former one go.
    fn write(&mut self, tree: Tree, key: &Bytes, value: Option<&Bytes>) -> Outcome<()> {
        let in_pieces = value.filter(|value| Chunks::are_needed_for(value));
        let reference = in_pieces.map(|value| self.write_pieces(value)).transpose()?;
        let former = self.store(tree, key, reference.as_ref().or(value))?;
        let former = former.and_then(|former| Chunks::referred_to_by(&former));
        for piece in former.into_iter().flat_map(Chunks::keys) {
            self.store(Tree::PIECES, &Bytes::from(&piece), None)?;
        }
        Ok(())
    }

    /// Writes the pieces of a value, and returns the reference to them.
    fn write_pieces(&mut self, value: &Bytes) -> Outcome<Bytes> {
        let last = match self.serial {
            Some(last) => last,
            None => self.last_serial()?,
        };
        let serial = last + 1;
        self.serial = Some(serial);
        let pieces = Chunks::split(value, serial);
        let pieces = pieces.ok_or_else(|| aborted(format!("a value of {} bytes", value.len())))?;
        for (key, piece) in pieces.keys().zip(value.chunks(Chunks::MAX_BYTES)) {
            self.store(Tree::PIECES, &Bytes::from(&key), Some(&Bytes::from(piece)))?;
        }
        Ok(pieces.reference().into())
    }

    fn last_serial(&self) -> Outcome<i64> {
        match self.trees.get(Tree::META).get(LAST_PIECES)? {
            None => Ok(0),
            Some(last) => number(&last).ok_or_else(|| aborted(format!("meta {LAST_PIECES} is no number"))),
        }
    }

    fn keep_serial(&mut self) -> Outcome<()> {
        match self.serial {
            None => Ok(()),
            Some(last) => {
                let last = Bytes::from(&last.to_be_bytes());
                self.store(Tree::META, &Bytes::from(LAST_PIECES), Some(&last))?;
                Ok(())
            }
        }
    }

    /// Stores or removes an entry, and returns what was stored before.
    fn store(
        &mut self,
        tree: Tree,
        key: &Bytes,
        stored: Option<&Bytes>,
    ) -> Result<Option<Bytes>, UnabortableTransactionError> {
        let of_tree = self.trees.get(tree);
        let former = match stored {
            Some(stored) => {
                self.checksum.add(tree, key, stored);
                of_tree.insert(key.clone(), stored.clone())?
            }
            None => of_tree.remove(key.clone())?,
        };
        self.keeper.keep(tree, key, former.as_ref());
        if let Some(former) = &former {
            self.checksum.remove(tree, key, former);
        }
        Ok(former)
    }
}

fn aborted(cause: String) -> ConflictableTransactionError<String> {
    ConflictableTransactionError::Abort(cause)
}
