//! Faults of tables, for tests of the tests: an engine in memory that makes one mistake.
//!
//! It knows trees and their entries, and neither requests nor what the records mean.

use codegen_store::{Batch, Bytes, Committed, Engine, EngineError, Entry, KeyRange, Memory, Reads, Tree, last_id_name};
use lockers::stored::SCHEMA;
use parking_lot::{Mutex, RwLockReadGuard};
use std::collections::BTreeMap;
use std::ops::Bound;
use std::thread::{self, ThreadId};

/// What is wrong with a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The second of two changes of a row is acknowledged and not made.
    SecondChangeLost,
    /// No change is made.
    ChangesLost,
    /// A row is read as it was before its last change, also in lists.
    FormerRead,
    /// A row that changes stays where it was in ordered lists.
    FormerPlace,
    /// A row that was removed stays.
    NotRemoved,
    /// The row after the removed one is removed, if there is one.
    NextRemoved,
    /// The id of a new row is the number of rows.
    CountedIds,
    /// The last of several rows is not listed.
    LastNotListed,
    /// The first of several rows is listed twice.
    FirstListedTwice,
    /// At most 10 rows are listed.
    TenListed,
    /// Closing panics, as sled does on a disk that fails.
    PanicsClosing,
}

/// An engine whose table has a fault.
pub(crate) struct Faulty {
    engine: Memory,
    table: Tree,
    fault: Fault,
    rows: Mutex<Rows>,
}

#[derive(Default)]
struct Rows {
    /// The rows before their last change.
    former: BTreeMap<Bytes, Bytes>,
    changed: Option<Bytes>,
    /// The thread of transactions, which read what is stored. Readers meet the faults of reads.
    writer: Option<ThreadId>,
}

impl Drop for Faulty {
    fn drop(&mut self) {
        assert!(self.fault != Fault::PanicsClosing, "the disk fails");
    }
}

impl Faulty {
    pub(crate) fn new(table: &str, fault: Fault) -> Self {
        let table = SCHEMA.trees.iter().find(|tree| tree.name() == table);
        Self {
            engine: Memory::default(),
            table: *table.expect("the contract has this resource"),
            fault,
            rows: Mutex::default(),
        }
    }

    /// Whether a tree is an index of the table.
    fn is_index(&self, tree: Tree) -> bool {
        let of_table = tree.name().strip_prefix(self.table.name());
        of_table.is_some_and(|index| index.starts_with(" by "))
    }

    /// Whether lists read this tree.
    fn is_listed(&self, tree: Tree) -> bool {
        tree == self.table || self.is_index(tree) && !tree.name().contains(" by unique ")
    }

    fn is_transaction(&self) -> bool {
        self.rows.lock().writer == Some(thread::current().id())
    }

    /// The commit of a changed row.
    fn change(&self, batch: &mut Batch, key: &Bytes, former: Bytes) {
        let mut rows = self.rows.lock();
        let is_second = rows.changed.take().as_ref() == Some(key);
        match self.fault {
            Fault::ChangesLost => self.lose(batch),
            Fault::SecondChangeLost if is_second => self.lose(batch),
            Fault::SecondChangeLost => rows.changed = Some(key.clone()),
            Fault::FormerRead => drop(rows.former.insert(key.clone(), former)),
            Fault::FormerPlace => batch.retain(|(tree, _), _| !self.is_index(*tree)),
            _ => {}
        }
    }

    /// The commit of a removed row.
    fn remove(&self, batch: &mut Batch, key: &Bytes) -> Result<(), EngineError> {
        match self.fault {
            Fault::NotRemoved => self.lose(batch),
            Fault::NextRemoved => {
                let after = (Bound::Excluded(&key[..]), Bound::Unbounded);
                if let Some(next) = self.engine.keys(self.table, after, 1)?.pop() {
                    self.lose(batch);
                    batch.insert((self.table, next), None);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn lose(&self, batch: &mut Batch) {
        batch.retain(|(tree, _), _| *tree != self.table && !self.is_index(*tree));
    }

    /// What is listed of these entries.
    fn list<T: Clone>(&self, tree: Tree, mut found: Vec<T>) -> Vec<T> {
        if self.is_listed(tree) && !self.is_transaction() {
            match self.fault {
                Fault::LastNotListed if found.len() > 2 => drop(found.pop()),
                Fault::FirstListedTwice if found.len() > 2 => found.insert(0, found[0].clone()),
                Fault::TenListed => found.truncate(10),
                _ => {}
            }
        }
        found
    }

    /// What is read in place of the present row.
    fn former(&self, tree: Tree, key: &[u8]) -> Option<Bytes> {
        let is_read = tree == self.table && !self.is_transaction();
        is_read.then(|| self.rows.lock().former.get(key).cloned()).flatten()
    }
}

impl Reads for Faulty {
    fn get(&self, tree: Tree, key: &[u8]) -> Result<Option<Bytes>, EngineError> {
        if self.fault == Fault::CountedIds && tree == Tree::META && key == last_id_name(self.table).as_bytes() {
            let all = (Bound::Unbounded, Bound::Unbounded);
            let count = self.engine.keys(self.table, all, usize::MAX)?.len() as i64;
            return Ok(Some(Bytes::from(&count.to_be_bytes())));
        }
        match self.former(tree, key) {
            Some(former) => Ok(Some(former)),
            None => self.engine.get(tree, key),
        }
    }

    fn range(&self, tree: Tree, range: KeyRange<'_>, most: usize) -> Result<Vec<Entry>, EngineError> {
        let mut found = self.engine.range(tree, range, most)?;
        for (key, value) in &mut found {
            if let Some(former) = self.former(tree, key) {
                *value = former;
            }
        }
        Ok(self.list(tree, found))
    }

    fn keys(&self, tree: Tree, range: KeyRange<'_>, most: usize) -> Result<Vec<Bytes>, EngineError> {
        Ok(self.list(tree, self.engine.keys(tree, range, most)?))
    }
}

impl Engine for Faulty {
    fn commit(&self, batch: &Batch) -> Result<Committed, EngineError> {
        self.rows.lock().writer = Some(thread::current().id());
        let mut stored = batch.clone();
        for ((_, key), value) in batch.iter().filter(|((tree, _), _)| *tree == self.table) {
            match (self.engine.get(self.table, key)?, value) {
                (Some(former), Some(_)) => self.change(&mut stored, key, former),
                (Some(_), None) => self.remove(&mut stored, key)?,
                (None, _) => {}
            }
        }
        self.engine.commit(&stored)
    }

    fn last_commit(&self) -> u64 {
        self.engine.last_commit()
    }

    fn still(&self) -> RwLockReadGuard<'_, ()> {
        self.engine.still()
    }
}
