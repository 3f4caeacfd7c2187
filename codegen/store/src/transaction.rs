//! One write's view of the trees, and the group of writes that are committed together. The changes of a write are staged
//! until it succeeds, so a rejected write leaves nothing behind. A write sees the changes of earlier writes of its group.
//! Only the committer writes to the trees, so what a write has read stays true until the group is committed.

use std::collections::BTreeMap;
use std::sync::{Arc, RwLock, RwLockReadGuard};

use codegen_support::{Failure, Key, KeyBytes, NewId, OverQuota};

use crate::author::{Author, Unauthorized};
use crate::engine::{Batch, Bytes, Engine, EngineError, prefixed};
use crate::record::Record;
use crate::service::Service;
use crate::sled::number;
use crate::tree::Tree;
use crate::unknown;

/// The highest possible id. JSON numbers represent every integer up to it exactly.
const MAX_ID: i64 = (1 << 53) - 1;

/// Why a write failed, other than by a rule.
#[derive(Debug)]
pub enum TransactionError {
    /// It read inconsistent data. Only this write fails.
    Broken(String),
    /// A server of an earlier version runs, which does not know this kind of records. Only this write fails.
    TooEarly(&'static str),
    /// The engine failed. The whole group fails.
    Engine(EngineError),
}

impl From<EngineError> for TransactionError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Damaged(cause) => Self::Broken(cause),
            error => Self::Engine(error),
        }
    }
}

/// Why a write was aborted.
#[derive(Debug)]
pub enum Abort<D> {
    /// A rule rejected it.
    Rejected(D),
    /// The actor may no longer write.
    Unauthorized(Unauthorized),
    /// It would exceed a quota.
    OverQuota(OverQuota),
    /// Another process has done the same request, with the same idempotency key, since this one looked.
    Repeated,
    /// It failed.
    Failed(TransactionError),
}

/// The result of a write.
pub type Decided<T, D> = Result<T, Abort<D>>;

impl<D> Abort<D> {
    /// The same with another rejection.
    pub(crate) fn map<E>(self, of: impl FnOnce(D) -> E) -> Abort<E> {
        match self {
            Self::Rejected(rejection) => Abort::Rejected(of(rejection)),
            Self::Unauthorized(why) => Abort::Unauthorized(why),
            Self::OverQuota(over) => Abort::OverQuota(over),
            Self::Repeated => Abort::Repeated,
            Self::Failed(error) => Abort::Failed(error),
        }
    }
}

impl<D> From<TransactionError> for Abort<D> {
    fn from(error: TransactionError) -> Self {
        Self::Failed(error)
    }
}

/// The error of an operation is a decision.
impl<D: From<Failure>> From<D> for Abort<D> {
    fn from(error: D) -> Self {
        Self::Rejected(error)
    }
}

/// Changes that are not committed yet.
pub(crate) struct Staged<S: Service> {
    /// The changes of the trees.
    pub(crate) entries: Batch,
    /// The changes for the view.
    pub(crate) changes: Vec<S::Change>,
    /// What was counted beyond the view.
    counts: BTreeMap<KeyBytes, i64>,
}

impl<S: Service> Default for Staged<S> {
    fn default() -> Self {
        Self {
            entries: Batch::default(),
            changes: Vec::new(),
            counts: BTreeMap::new(),
        }
    }
}

/// The writes that are committed together.
pub(crate) struct Group<'t, S: Service> {
    engine: &'t dyn Engine,
    /// The records of all earlier commits.
    view: &'t RwLock<S::View>,
    /// The number of the commit.
    commit: u64,
    has_latest_layout: bool,
    /// The changes of the writes that are kept.
    pub(crate) kept: Staged<S>,
}

impl<'t, S: Service> Group<'t, S> {
    /// A group without writes, which becomes the next commit.
    pub(crate) fn new(engine: &'t dyn Engine, view: &'t RwLock<S::View>, has_latest_layout: bool) -> Self {
        let kept = Staged::default();
        Self {
            commit: engine.last_commit() + 1,
            engine,
            view,
            has_latest_layout,
            kept,
        }
    }

    /// Runs a write, and keeps its changes if it returns true.
    pub(crate) fn run<E>(&mut self, write: impl FnOnce(&mut Tx<'_, S>) -> Result<bool, E>) -> Result<(), E> {
        let mut tx = Tx {
            group: self,
            author: None,
            is_awaited: false,
            staged: Staged::default(),
        };
        if write(&mut tx)? {
            let Staged {
                entries,
                changes,
                counts,
            } = tx.staged;
            self.kept.entries.extend(entries);
            self.kept.changes.extend(changes);
            for (key, more) in counts {
                *self.kept.counts.entry(key).or_default() += more;
            }
        }
        Ok(())
    }
}

/// The trees, as one write sees them.
pub struct Tx<'g, S: Service> {
    group: &'g Group<'g, S>,
    /// `None`: the server itself.
    author: Option<Arc<Author<S::Actor>>>,
    is_awaited: bool,
    staged: Staged<S>,
}

impl<S: Service> Tx<'_, S> {
    /// The number of the commit that this write becomes part of.
    pub fn commit(&self) -> u64 {
        self.group.commit
    }

    /// The write is by this author from now on.
    pub(crate) fn act_as(&mut self, author: &Arc<Author<S::Actor>>) {
        self.author = Some(Arc::clone(author));
    }

    /// Who makes the write. `None`: the server itself.
    pub fn author(&self) -> Option<&Arc<Author<S::Actor>>> {
        self.author.as_ref()
    }

    /// The write makes, ends or changes a credential or a right: it is acknowledged once no process shows the state before
    /// it.
    pub fn await_everywhere(&mut self) {
        self.is_awaited = true;
    }

    /// Whether the write is acknowledged once no process shows the state before it.
    pub(crate) fn is_awaited(&self) -> bool {
        self.is_awaited
    }

    /// One record.
    pub fn get<R: Record<S>>(&self, id: R::Key) -> Result<Option<R>, TransactionError> {
        self.get_at(&id.bytes())
    }

    /// The record with this key.
    pub fn get_at<R: Record<S>>(&self, key: &[u8]) -> Result<Option<R>, TransactionError> {
        let value = self.read(R::TREE, key)?;
        let record = value.map(|value| R::decode(&value)).transpose();
        record.map_err(|misread| TransactionError::Broken(format!("a record of {}: {misread}", R::TREE.name())))
    }

    /// A record that must be there: a guard has found it, or another record names it.
    pub fn existing<R: Record<S>>(&self, id: R::Key) -> Result<R, TransactionError> {
        self.existing_at(&id.bytes())
    }

    /// The same with this key.
    pub fn existing_at<R: Record<S>>(&self, key: &[u8]) -> Result<R, TransactionError> {
        let absent = || TransactionError::Broken(format!("a record of {} is missing", R::TREE.name()));
        self.get_at(key)?.ok_or_else(absent)
    }

    /// Writes a new record with its index rows, and counts it.
    pub fn create<R: Record<S>>(&mut self, record: &R) -> Result<(), TransactionError> {
        if R::IS_NEW && !self.has_latest_layout() {
            return Err(TransactionError::TooEarly(R::NOUN));
        }
        self.set_rows(record, true);
        self.add(&count_name(R::TREE), 1)?;
        self.staged.changes.extend(record.change());
        self.write(R::TREE, &record.key().bytes(), Some(record.encode().into()));
        Ok(())
    }

    /// As [`Self::create`], with the value that was backed up. The view does not receive it.
    pub(crate) fn restore<R: Record<S>>(&mut self, record: &R, value: Vec<u8>) -> Result<(), TransactionError> {
        self.set_rows(record, true);
        self.add(&count_name(R::TREE), 1)?;
        self.write(R::TREE, &record.key().bytes(), Some(value.into()));
        Ok(())
    }

    /// Writes a record with this value, which was committed elsewhere, and collects the change for the view.
    pub(crate) fn replay<R: Record<S>>(&mut self, record: &R, value: &[u8]) -> Result<(), TransactionError> {
        let key = record.key().bytes();
        match self.read(R::TREE, &key)? {
            None => drop(self.add(&count_name(R::TREE), 1)?),
            Some(_) if R::KEPT.is_empty() => {}
            Some(former) => {
                let former = R::decode(&former);
                let former = former.map_err(|misread| TransactionError::Broken(misread.to_string()))?;
                self.set_rows(&former, false);
            }
        }
        self.set_rows(record, true);
        self.staged.changes.extend(record.change());
        self.write(R::TREE, &key, Some(value.into()));
        Ok(())
    }

    /// Sets the last assigned id of a tree, if it is lower.
    pub fn advance(&mut self, tree: Tree, last: i64) -> Result<(), TransactionError> {
        match last - self.last_id(tree)? {
            more if more > 0 => self.add(&last_id_name(tree), more).map(drop),
            _ => Ok(()),
        }
    }

    /// Writes a record in place of its `former` state, with its index rows.
    pub fn replace<R: Record<S>>(&mut self, former: &R, record: &R) -> Result<(), TransactionError> {
        self.set_rows(former, false);
        self.set_rows(record, true);
        self.put(record)
    }

    /// Writes a record whose index rows stay the same, and collects the change for the view.
    pub fn put<R: Record<S>>(&mut self, record: &R) -> Result<(), TransactionError> {
        self.staged.changes.extend(record.change());
        let key = record.key().bytes();
        let broken = |error| TransactionError::Broken(format!("a record of {}: {error}", R::TREE.name()));
        let value = match self.read(R::TREE, &key)? {
            Some(former) if unknown::are_in::<R>(&former).map_err(broken)? => {
                unknown::kept::<R>(&former, record.encode()).map_err(broken)?
            }
            _ => record.encode(),
        };
        self.write(R::TREE, &key, Some(value.into()));
        Ok(())
    }

    /// Removes a record with its index rows.
    pub fn delete<R: Record<S>>(&mut self, record: &R) -> Result<(), TransactionError> {
        let never = || TransactionError::Broken(format!("{}: a record of this kind never goes", R::TREE.name()));
        let change = R::DELETED.ok_or_else(never)?(record.key());
        self.set_rows(record, false);
        self.write(R::TREE, &record.key().bytes(), None);
        self.staged.changes.extend(change);
        self.add(&count_name(R::TREE), -1).map(drop)
    }

    /// Collects a change for the view that no record stands for.
    pub fn change_view(&mut self, change: S::Change) {
        self.staged.changes.push(change);
    }

    /// The records of all earlier commits.
    pub fn view(&self) -> Result<RwLockReadGuard<'_, S::View>, TransactionError> {
        let view = self.group.view.read();
        view.map_err(|error| TransactionError::Broken(format!("memory: {error}")))
    }

    /// The changes that the view does not show yet, in their order: those of earlier writes of the group, and of this one.
    pub fn changes(&self) -> impl Iterator<Item = &S::Change> {
        self.group.kept.changes.iter().chain(&self.staged.changes)
    }

    /// Counts `more` of something, and returns how much was counted beyond the view: by earlier writes of the group, and by
    /// this one.
    pub fn count_beyond_view(&mut self, what: KeyBytes, more: i64) -> i64 {
        let kept = self.group.kept.counts.get(&what).copied().unwrap_or_default();
        let staged = self.staged.counts.entry(what).or_default();
        *staged += more;
        *staged + kept
    }

    /// Whether every process that takes in the commits knows all changes that this program can make. Earlier programs end
    /// when they meet others.
    pub fn has_latest_layout(&self) -> bool {
        self.group.has_latest_layout
    }

    /// The next id of a resource. Numbers are consecutive and never reused.
    pub fn next_id<R: Record<S>>(&mut self) -> Result<R::Id, TransactionError> {
        let millis = self.author.as_ref().map_or(0, |author| author.now.unix() * 1000);
        R::Id::make(millis, |least| self.next_from(R::TREE, least))
    }

    /// The next serial number for a tree.
    pub fn next(&mut self, tree: Tree) -> Result<i64, TransactionError> {
        self.next_from(tree, 0)
    }

    /// The next serial number for a tree, at least this one.
    fn next_from(&mut self, tree: Tree, least: i64) -> Result<i64, TransactionError> {
        let name = last_id_name(tree);
        let next = least.max(self.number(&name)? + 1);
        self.set_number(&name, next)
    }

    /// How many records there are in a tree.
    pub fn count(&self, tree: Tree) -> Result<i64, TransactionError> {
        self.number(&count_name(tree))
    }

    /// The last assigned id of a tree.
    pub fn last_id(&self, tree: Tree) -> Result<i64, TransactionError> {
        self.number(&last_id_name(tree))
    }

    /// The value of an entry.
    pub fn read(&self, tree: Tree, key: &[u8]) -> Result<Option<Bytes>, TransactionError> {
        // Bytes stores keys of up to 22 bytes inline, so that looking up a record or a pair of ids allocates nothing.
        let entry = (tree, Bytes::from(key));
        let kept = &self.group.kept.entries;
        match self.staged.entries.get(&entry).or_else(|| kept.get(&entry)) {
            Some(staged) => Ok(staged.clone()),
            None => Ok(self.group.engine.get(tree, key)?),
        }
    }

    /// Whether another record has the row that this one has in a unique index.
    pub fn is_taken<R: Record<S>>(&self, index: Tree, record: &R) -> Result<bool, TransactionError> {
        let mut rows = record.rows().into_iter();
        let Some(row) = rows.find(|row| row.tree == index) else {
            return Ok(false);
        };
        let holder = self.read(index, &row.key)?;
        Ok(holder.is_some_and(|holder| holder != row.value))
    }

    /// The keys of the first `max` records in an index whose rows begin with `prefix`, in order.
    pub fn listed<R: Record<S>>(
        &self,
        index: Tree,
        prefix: &[u8],
        max: usize,
    ) -> Result<Vec<R::Key>, TransactionError> {
        let rows = self.index(index, prefix, max)?;
        let keys = rows.into_iter().map(|row| R::listed_by(index, row));
        keys.collect::<Result<_, _>>().map_err(TransactionError::Broken)
    }

    /// The first `max` keys of an index that start with `prefix`, in order.
    pub fn index(&self, tree: Tree, prefix: &[u8], max: usize) -> Result<Vec<Bytes>, TransactionError> {
        let first = (tree, Bytes::from(prefix));
        let changes = |entries: &'_ Batch| {
            let of_index = entries.range(&first..);
            let of_index = of_index.take_while(|((of, key), _)| *of == tree && key.starts_with(prefix));
            of_index
                .map(|((_, key), value)| (key.clone(), value.is_some()))
                .collect::<Vec<_>>()
        };
        let changed = [&self.group.kept.entries, &self.staged.entries].map(changes);
        let changed: BTreeMap<Bytes, bool> = changed.into_iter().flatten().collect();
        let (from, to) = prefixed(prefix);
        let range = (from, to.as_ref().map(Vec::as_slice));
        let mut keys = self.group.engine.keys(tree, range, max.saturating_add(changed.len()))?;
        keys.retain(|key| !changed.contains_key(key));
        keys.extend(
            changed
                .iter()
                .filter(|(_, is_set)| **is_set)
                .map(|(key, _)| key.clone()),
        );
        keys.sort_unstable();
        keys.truncate(max);
        Ok(keys)
    }

    /// Sets (`Some`) or removes (`None`) an entry.
    pub fn write(&mut self, tree: Tree, key: &[u8], value: Option<Bytes>) {
        self.staged.entries.insert((tree, key.into()), value);
    }

    /// Adds or removes the index rows of the record.
    pub fn set_rows(&mut self, record: &impl Record<S>, present: bool) {
        for row in record.rows() {
            self.write(row.tree, &row.key, present.then_some(row.value));
        }
    }

    /// A number in `meta`; 0 if it was never set.
    fn number(&self, name: &str) -> Result<i64, TransactionError> {
        let Some(value) = self.read(Tree::META, name.as_bytes())? else {
            return Ok(0);
        };
        number(&value).ok_or_else(|| TransactionError::Broken(format!("meta {name} is no number")))
    }

    fn add(&mut self, name: &str, more: i64) -> Result<i64, TransactionError> {
        let after = self.number(name)? + more;
        self.set_number(name, after)
    }

    fn set_number(&mut self, name: &str, after: i64) -> Result<i64, TransactionError> {
        if !(0..=MAX_ID).contains(&after) {
            return Err(TransactionError::Broken(format!("meta {name} would be {after}")));
        }
        self.write(Tree::META, name.as_bytes(), Some(after.to_be_bytes()[..].into()));
        Ok(after)
    }
}

/// The name in `meta` of the number of records in a tree.
pub fn count_name(tree: Tree) -> String {
    ["count ", tree.name()].concat()
}

/// The name in `meta` of the last id that was assigned in a tree.
pub fn last_id_name(tree: Tree) -> String {
    [LAST_ID, tree.name()].concat()
}

/// What [`last_id_name`] begins with.
pub(crate) const LAST_ID: &str = "last id ";
