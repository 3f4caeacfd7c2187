//! One write's view of the trees, and the group of writes that are committed together. The changes of a write are staged
//! until it succeeds, so a rejected write leaves nothing behind. A write sees the changes of earlier writes of its group.
//! Only the committer writes to the trees, so what a write has read stays true until the group is committed.

use std::collections::BTreeMap;
use std::sync::{Arc, RwLock, RwLockReadGuard};

use codegen_store::{Batch, Bytes, Engine, EngineError, Tree, prefixed};
use contract::events::Recipient;
use contract::support::OverQuota;
use contract::{AccountId, BountyId, Failure};

use super::actor::{Author, Unauthorized};
use super::keys::{self, Id};
use super::mirror::{Change, Mirror};
use super::record::Record;
use super::unknown;

/// The highest possible id. JSON numbers represent every integer up to it exactly.
const MAX_ID: i64 = (1 << 53) - 1;

/// Why a write failed, other than by a rule.
#[derive(Debug)]
pub(crate) enum TransactionError {
    /// It read inconsistent data. Only this write fails.
    Broken(String),
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
pub(crate) enum Abort<D> {
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
pub(crate) type Decided<T, D> = Result<T, Abort<D>>;

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
#[derive(Default)]
pub(crate) struct Staged {
    /// The changes of the trees.
    pub(crate) entries: Batch,
    /// The changes for the mirror.
    pub(crate) changes: Vec<Change>,
    /// Skill → how many more workers have it than the mirror counts.
    skill_users: BTreeMap<i64, i64>,
}

/// The writes that are committed together.
pub(crate) struct Group<'t> {
    engine: &'t dyn Engine,
    /// The records of all earlier commits.
    mirror: &'t RwLock<Mirror>,
    /// The number of the commit.
    commit: u64,
    has_second_layout: bool,
    /// The changes of the writes that are kept.
    pub(crate) kept: Staged,
}

impl<'t> Group<'t> {
    /// A group without writes, which becomes the next commit.
    pub(crate) fn new(engine: &'t dyn Engine, mirror: &'t RwLock<Mirror>, has_second_layout: bool) -> Self {
        let kept = Staged::default();
        Self {
            commit: engine.last_commit() + 1,
            engine,
            mirror,
            has_second_layout,
            kept,
        }
    }

    /// Runs a write, and keeps its changes if it returns true.
    pub(crate) fn run<E>(&mut self, write: impl FnOnce(&mut Tx<'_>) -> Result<bool, E>) -> Result<(), E> {
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
                skill_users,
            } = tx.staged;
            self.kept.entries.extend(entries);
            self.kept.changes.extend(changes);
            for (id, more) in skill_users {
                *self.kept.skill_users.entry(id).or_default() += more;
            }
        }
        Ok(())
    }

    /// The records of all earlier commits.
    fn mirror(&self) -> Result<RwLockReadGuard<'_, Mirror>, TransactionError> {
        let mirror = self.mirror.read();
        mirror.map_err(|error| TransactionError::Broken(format!("memory: {error}")))
    }
}

/// The trees, as one write sees them.
pub(crate) struct Tx<'g> {
    group: &'g Group<'g>,
    /// `None`: the server itself.
    author: Option<Arc<Author>>,
    is_awaited: bool,
    staged: Staged,
}

impl Tx<'_> {
    /// The number of the commit that this write becomes part of.
    pub(crate) fn commit(&self) -> u64 {
        self.group.commit
    }

    /// The write is by this author from now on.
    pub(super) fn act_as(&mut self, author: &Arc<Author>) {
        self.author = Some(Arc::clone(author));
    }

    /// Who makes the write. `None`: the server itself.
    pub(super) fn author(&self) -> Option<&Arc<Author>> {
        self.author.as_ref()
    }

    /// The write makes, ends or changes a credential or a right: it is acknowledged once no process shows the state before
    /// it.
    pub(crate) fn await_everywhere(&mut self) {
        self.is_awaited = true;
    }

    /// Whether the write is acknowledged once no process shows the state before it.
    pub(super) fn is_awaited(&self) -> bool {
        self.is_awaited
    }

    /// There is a new event for this recipient.
    pub(crate) fn woken(&mut self, of: Recipient) {
        self.change_memory(Change::Event(of));
    }

    /// One record.
    pub(crate) fn get<R: Record>(&self, id: R::Id) -> Result<Option<R>, TransactionError> {
        self.get_at(R::key(id).as_ref())
    }

    /// The record with this key.
    pub(crate) fn get_at<R: Record>(&self, key: &[u8]) -> Result<Option<R>, TransactionError> {
        let value = self.read(R::TREE, key)?;
        let record = value.map(|value| R::decode(&value)).transpose();
        record.map_err(|misread| TransactionError::Broken(format!("a record of {}: {misread}", R::TREE.name())))
    }

    /// A record that must be there: a guard has found it, or another record names it.
    pub(crate) fn existing<R: Record>(&self, id: R::Id) -> Result<R, TransactionError> {
        self.existing_at(R::key(id).as_ref())
    }

    /// The same with this key.
    pub(crate) fn existing_at<R: Record>(&self, key: &[u8]) -> Result<R, TransactionError> {
        let absent = || TransactionError::Broken(format!("a record of {} is missing", R::TREE.name()));
        self.get_at(key)?.ok_or_else(absent)
    }

    /// Writes a new record with its index rows, and counts it.
    pub(crate) fn create<R: Record>(&mut self, record: &R) -> Result<(), TransactionError> {
        self.set_rows(record, true);
        self.add(&count_name(R::TREE), 1)?;
        self.staged.changes.extend(record.change());
        self.write(R::TREE, R::key(record.id()).as_ref(), Some(record.encode().into()));
        Ok(())
    }

    /// As [`Self::create`], with the value that was backed up. The mirror does not receive it.
    pub(crate) fn restore<R: Record>(&mut self, record: &R, value: Vec<u8>) -> Result<(), TransactionError> {
        self.set_rows(record, true);
        self.add(&count_name(R::TREE), 1)?;
        self.write(R::TREE, R::key(record.id()).as_ref(), Some(value.into()));
        Ok(())
    }

    /// Writes a record with this value, which was committed elsewhere, and collects the change for the mirror.
    pub(crate) fn replay<R: Record>(&mut self, record: &R, value: &[u8]) -> Result<(), TransactionError> {
        let key = R::key(record.id());
        match self.read(R::TREE, key.as_ref())? {
            None => drop(self.add(&count_name(R::TREE), 1)?),
            Some(_) if R::INDEXES.is_empty() => {}
            Some(former) => {
                let former = R::decode(&former);
                let former = former.map_err(|misread| TransactionError::Broken(misread.to_string()))?;
                self.set_rows(&former, false);
            }
        }
        self.set_rows(record, true);
        self.staged.changes.extend(record.change());
        self.write(R::TREE, key.as_ref(), Some(value.into()));
        Ok(())
    }

    /// Sets the last assigned id of a tree, if it is lower.
    pub(crate) fn advance(&mut self, tree: Tree, last: i64) -> Result<(), TransactionError> {
        match last - self.last_id(tree)? {
            more if more > 0 => self.add(&last_id_name(tree), more).map(drop),
            _ => Ok(()),
        }
    }

    /// Writes a record in place of its `former` state, with its index rows.
    pub(crate) fn replace<R: Record>(&mut self, former: &R, record: &R) -> Result<(), TransactionError> {
        self.set_rows(former, false);
        self.set_rows(record, true);
        self.put(record)
    }

    /// Writes a record whose index rows stay the same, and collects the change for the mirror.
    pub(crate) fn put<R: Record>(&mut self, record: &R) -> Result<(), TransactionError> {
        self.staged.changes.extend(record.change());
        let key = R::key(record.id());
        let broken = |error| TransactionError::Broken(format!("a record of {}: {error}", R::TREE.name()));
        let value = match self.read(R::TREE, key.as_ref())? {
            Some(former) if unknown::are_in::<R>(&former).map_err(broken)? => {
                unknown::kept(&former, record.encode()).map_err(broken)?
            }
            _ => record.encode(),
        };
        self.write(R::TREE, key.as_ref(), Some(value.into()));
        Ok(())
    }

    /// Removes a record with its index rows.
    pub(crate) fn delete<R: Record>(&mut self, record: &R) -> Result<(), TransactionError> {
        let never = || TransactionError::Broken(format!("{}: a record of this kind never goes", R::TREE.name()));
        let change = R::DELETED.ok_or_else(never)?(record.id());
        self.set_rows(record, false);
        self.write(R::TREE, R::key(record.id()).as_ref(), None);
        self.change_memory(change);
        self.add(&count_name(R::TREE), -1).map(drop)
    }

    /// How many bounties of an account count towards the quota on open ones.
    pub(crate) fn open_bounties(&self, account: AccountId) -> Result<i64, TransactionError> {
        let mirror = self.group.mirror()?;
        // Those that this group has changed, which the mirror does not show yet.
        let changes = self.group.kept.changes.iter().chain(&self.staged.changes);
        let changed: BTreeMap<BountyId, bool> = changes
            .filter_map(|change| match change {
                Change::Bounty(bounty) if bounty.account_id == account => Some((bounty.id, bounty.counts_as_open)),
                _ => None,
            })
            .collect();
        let more = changed
            .iter()
            .map(|(id, counts)| i64::from(*counts) - i64::from(mirror.counts_as_open(account, *id)));
        Ok(mirror.open_bounties(account) + more.sum::<i64>())
    }

    /// Collects a change for the mirror that no record stands for.
    pub(crate) fn change_memory(&mut self, change: Change) {
        self.staged.changes.push(change);
    }

    /// So many more workers have this skill. Returns how many have it now.
    pub(crate) fn add_skill_users(&mut self, id: i64, more: i64) -> Result<i64, TransactionError> {
        let mirror = self.group.mirror()?;
        let staged = self.staged.skill_users.entry(id).or_default();
        *staged += more;
        let kept = self.group.kept.skill_users.get(&id).copied().unwrap_or_default();
        Ok(mirror.skill_users(id) + kept + *staged)
    }

    /// Whether all servers take in that a skill is removed, and what was counted towards quotas.
    pub(crate) fn has_second_layout(&self) -> bool {
        self.group.has_second_layout
    }

    /// The next id of a resource. Ids are consecutive and never reused.
    pub(crate) fn next_id<R: Record>(&mut self) -> Result<R::Counter, TransactionError> {
        self.next(R::TREE).map(R::Counter::from_number)
    }

    /// The next serial number for a tree.
    pub(crate) fn next(&mut self, tree: Tree) -> Result<i64, TransactionError> {
        self.add(&last_id_name(tree), 1)
    }

    /// The last assigned id of a tree.
    pub(crate) fn last_id(&self, tree: Tree) -> Result<i64, TransactionError> {
        self.number(&last_id_name(tree))
    }

    /// The value of an entry.
    pub(crate) fn read(&self, tree: Tree, key: &[u8]) -> Result<Option<Bytes>, TransactionError> {
        // Bytes stores keys of up to 22 bytes inline, so that looking up a record or a pair of ids allocates nothing.
        let entry = (tree, Bytes::from(key));
        let kept = &self.group.kept.entries;
        match self.staged.entries.get(&entry).or_else(|| kept.get(&entry)) {
            Some(staged) => Ok(staged.clone()),
            None => Ok(self.group.engine.get(tree, key)?),
        }
    }

    /// The first `max` keys of an index that start with `prefix`, in order.
    pub(crate) fn index(&self, tree: Tree, prefix: &[u8], max: usize) -> Result<Vec<Bytes>, TransactionError> {
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
        let mut keys = self.group.engine.keys(tree, range, max + changed.len())?;
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
    pub(crate) fn write(&mut self, tree: Tree, key: &[u8], value: Option<Bytes>) {
        self.staged.entries.insert((tree, key.into()), value);
    }

    /// Adds or removes the index rows of the record.
    pub(crate) fn set_rows(&mut self, record: &impl Record, present: bool) {
        for row in record.rows() {
            self.write(row.tree, &row.key, present.then_some(row.value));
        }
    }

    /// A number in `meta`; 0 if it was never set.
    fn number(&self, name: &str) -> Result<i64, TransactionError> {
        let Some(value) = self.read(Tree::META, name.as_bytes())? else {
            return Ok(0);
        };
        keys::number(&value).ok_or_else(|| TransactionError::Broken(format!("meta {name} is no number")))
    }

    fn add(&mut self, name: &str, more: i64) -> Result<i64, TransactionError> {
        let after = self.number(name)? + more;
        if !(0..=MAX_ID).contains(&after) {
            return Err(TransactionError::Broken(format!("meta {name} would be {after}")));
        }
        self.write(Tree::META, name.as_bytes(), Some(after.to_be_bytes()[..].into()));
        Ok(after)
    }
}

/// The name in `meta` of the number of records in a tree.
pub(crate) fn count_name(tree: Tree) -> String {
    ["count ", tree.name()].concat()
}

/// The name in `meta` of the last id that was assigned in a tree.
pub(crate) fn last_id_name(tree: Tree) -> String {
    [LAST_ID, tree.name()].concat()
}

/// What [`last_id_name`] begins with.
pub(crate) const LAST_ID: &str = "last id ";
