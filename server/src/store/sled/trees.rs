//! The trees of a data directory, and reads outside of a transaction. Every read may wait for the disk: callers are on
//! threads that may block.

use std::ops::{Bound, RangeInclusive};
use std::sync::RwLock;

use sled::IVec;

use super::flusher::Flusher;
use super::record::{Chunks, Record};
use super::snapshot::SnapshotKeeper;
use super::start::is_of_content;
use super::unshown::Unshown;
use crate::store::StoreError;

/// Each tree, by content. The order is that of [`Trees::all`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(in crate::store) enum Tree {
    /// Id counters and record counts, by name; the layout version.
    Meta,
    /// The pieces of long values.
    Pieces,
    /// Digest of a skill's folded name and category → the skill.
    Skills,
    /// Account → its record.
    Accounts,
    /// Key → its record.
    Keys,
    /// Worker → its record.
    Humans,
    /// Bounty → its record.
    Bounties,
    /// The open bounties.
    OpenBounties,
    /// Application → its record.
    Applications,
    /// Bounty, worker → the worker's application to the bounty.
    Applied,
    /// Bounty, application.
    Received,
    /// Worker, application.
    Sent,
    /// Conversation → its record.
    Conversations,
    /// Account, inverted time, inverted conversation.
    AgentInbox,
    /// Worker, inverted time, inverted conversation.
    WorkerInbox,
    /// Conversation, message → its record.
    Messages,
    /// Webhook → its record.
    Webhooks,
    /// Webhook → the state of its deliveries.
    Deliveries,
    /// Idempotency key → when it expires, and what is stored for it.
    Answers,
    /// Expiry, idempotency key.
    AnswerExpiry,
    /// Recipient → the numbers of the first and the last event in its feed.
    Feeds,
    /// Recipient, number → the event.
    Events,
    /// Time, account, serial number → a step of a simulated worker.
    Steps,
    /// Owner, quota → what was counted in a period.
    QuotaUsage,
}

impl Tree {
    const ALL: [Self; 24] = [
        Self::Meta,
        Self::Pieces,
        Self::Skills,
        Self::Accounts,
        Self::Keys,
        Self::Humans,
        Self::Bounties,
        Self::OpenBounties,
        Self::Applications,
        Self::Applied,
        Self::Received,
        Self::Sent,
        Self::Conversations,
        Self::AgentInbox,
        Self::WorkerInbox,
        Self::Messages,
        Self::Webhooks,
        Self::Deliveries,
        Self::Answers,
        Self::AnswerExpiry,
        Self::Feeds,
        Self::Events,
        Self::Steps,
        Self::QuotaUsage,
    ];

    /// The tree of this name.
    pub(in crate::store) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tree| tree.name() == name)
    }

    /// The name of the tree on disk, and of its counters.
    pub(in crate::store) fn name(self) -> &'static str {
        match self {
            Self::Meta => "meta",
            Self::Pieces => "pieces",
            Self::Skills => "skills",
            Self::Accounts => "accounts",
            Self::Keys => "keys",
            Self::Humans => "humans",
            Self::Bounties => "bounties",
            Self::OpenBounties => "open_bounties",
            Self::Applications => "applications",
            Self::Applied => "applied",
            Self::Received => "received",
            Self::Sent => "sent",
            Self::Conversations => "conversations",
            Self::AgentInbox => "agent_inbox",
            Self::WorkerInbox => "worker_inbox",
            Self::Messages => "messages",
            Self::Webhooks => "webhooks",
            Self::Deliveries => "deliveries",
            Self::Answers => "answers",
            Self::AnswerExpiry => "answer_expiry",
            Self::Feeds => "feeds",
            Self::Events => "events",
            Self::Steps => "steps",
            Self::QuotaUsage => "quota_usage",
        }
    }
}

/// All trees of an open data directory.
pub(super) struct Trees {
    flusher: Flusher,
    all: Vec<sled::Tree>,
    /// Locked for writing while a group is written to the trees. A reader that must not miss an index row that moves
    /// locks it for reading. Never held during a sync.
    moving: RwLock<()>,
    keeper: SnapshotKeeper,
    unshown: Unshown,
}

impl Trees {
    /// Whether this log has entries or trees of another program that uses sled. The first tree that this one creates is
    /// that of the layout.
    pub(super) fn are_of_another_program(db: &sled::Db) -> bool {
        let names = db.tree_names();
        let has_layout = names.iter().any(|name| name == Tree::Meta.name().as_bytes());
        // sled itself creates one tree, which is not used here.
        !has_layout && (names.len() > 1 || !db.is_empty())
    }

    /// Opens or creates every tree.
    pub(super) fn open(db: sled::Db) -> sled::Result<Self> {
        let all = Tree::ALL
            .iter()
            .map(|tree| db.open_tree(tree.name()))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            flusher: Flusher::start(db)?,
            all,
            moving: RwLock::new(()),
            keeper: SnapshotKeeper::default(),
            unshown: Unshown::default(),
        })
    }

    /// The trees, for a transaction over all of them.
    pub(super) fn all(&self) -> &[sled::Tree] {
        &self.all
    }

    /// The lock that a reader holds so that no index rows move.
    pub(super) fn moving(&self) -> &RwLock<()> {
        &self.moving
    }

    /// What keeps former values for a snapshot.
    pub(super) fn keeper(&self) -> &SnapshotKeeper {
        &self.keeper
    }

    /// The former states of bounties that memory still shows.
    pub(super) fn unshown(&self) -> &Unshown {
        &self.unshown
    }

    /// Passes everything written so far to the operating system. It is not yet synced.
    pub(super) fn flush(&self) -> sled::Result<()> {
        self.flusher.flush()
    }

    /// The size of the trees on disk.
    pub(super) fn disk_bytes(&self) -> Result<u64, StoreError> {
        self.flusher.db().size_on_disk().map_err(unread)
    }

    /// One record.
    pub(super) fn get<R: Record>(&self, id: R::Id) -> Result<Option<R>, StoreError> {
        self.get_at(R::TREE, R::key(id).as_ref())
    }

    /// The values of a tree of records whose keys are in `range`, in key order.
    pub(super) fn scan<R: Record>(
        &self,
        range: RangeInclusive<impl AsRef<[u8]>>,
    ) -> impl Iterator<Item = Result<R, StoreError>> {
        self.tree(R::TREE).range(range).filter_map(move |entry| match entry {
            Err(error) => Some(Err(unread(error))),
            Ok((key, value)) if Chunks::referred_to_by(&value).is_some() => self.get_at(R::TREE, &key).transpose(),
            Ok((_, value)) => Some(R::decode(&value).map_err(StoreError::damaged)),
        })
    }

    /// The entries of a tree, in key order.
    pub(super) fn entries_of(&self, tree: Tree) -> impl Iterator<Item = sled::Result<(IVec, IVec)>> + '_ {
        self.tree(tree).iter()
    }

    /// The entries of a tree from this key on, in key order.
    pub(super) fn entries_from(
        &self,
        tree: Tree,
        from: Bound<&[u8]>,
    ) -> impl Iterator<Item = sled::Result<(IVec, IVec)>> {
        self.tree(tree).range::<&[u8], _>((from, Bound::Unbounded))
    }

    /// The value that an entry's value stands for: itself, or the pieces that it refers to. `None` if one is missing.
    pub(super) fn whole(&self, value: &IVec) -> sled::Result<Option<IVec>> {
        match Chunks::referred_to_by(value) {
            None => Ok(Some(value.clone())),
            Some(pieces) => Ok(self.join(pieces)?.map(IVec::from)),
        }
    }

    /// The entries of a tree whose keys are in `range`, in key order. There is no way back: sled's would add a table of
    /// 1 MiB to the program.
    pub(super) fn range(
        &self,
        tree: Tree,
        range: RangeInclusive<impl AsRef<[u8]>>,
    ) -> impl Iterator<Item = Result<(IVec, IVec), StoreError>> {
        self.tree(tree).range(range).map(|entry| entry.map_err(unread))
    }

    /// The value of an entry.
    pub(super) fn value(&self, tree: Tree, key: &[u8]) -> sled::Result<Option<IVec>> {
        self.tree(tree).get(key)
    }

    /// The keys of an index that start with `prefix`, in order.
    pub(super) fn index(&self, tree: Tree, prefix: &[u8]) -> impl Iterator<Item = Result<IVec, StoreError>> + '_ {
        self.tree(tree)
            .scan_prefix(prefix)
            .keys()
            .map(|key| key.map_err(unread))
    }

    /// The keys of a tree in `range`, in order.
    pub(super) fn keys(
        &self,
        tree: Tree,
        range: RangeInclusive<impl AsRef<[u8]>>,
    ) -> impl Iterator<Item = Result<IVec, StoreError>> + '_ {
        let keys = self.tree(tree).range(range).keys();
        keys.map(|key| key.map_err(unread))
    }

    /// Writes the layout version into a new directory and flushes it to the operating system.
    pub(super) fn set_layout(&self, layout: i64) -> sled::Result<()> {
        self.tree(Tree::Meta).insert("layout", &layout.to_be_bytes())?;
        self.flush()
    }

    /// The complete value of an entry. A value is long if its key holds a reference to pieces. Pieces are never changed,
    /// only replaced. So a reference without its pieces means that a new value was written meanwhile.
    pub(super) fn whole_value(&self, tree: Tree, key: &[u8]) -> Result<Option<IVec>, StoreError> {
        loop {
            let Some(value) = self.value(tree, key).map_err(unread)? else {
                return Ok(None);
            };
            match self.whole(&value).map_err(unread)? {
                Some(whole) => return Ok(Some(whole)),
                None if self.value(tree, key).map_err(unread)? == Some(value) => {
                    return Err(StoreError::damaged(format!("a piece of {} is missing", tree.name())));
                }
                None => {}
            }
        }
    }

    fn get_at<R: Record>(&self, tree: Tree, key: &[u8]) -> Result<Option<R>, StoreError> {
        let value = self.whole_value(tree, key)?;
        let record = value.map(|value| R::decode(&value)).transpose();
        record.map_err(StoreError::damaged)
    }

    /// Joins the pieces of a long value. `None` if a piece is missing.
    pub(super) fn join(&self, pieces: Chunks) -> sled::Result<Option<Vec<u8>>> {
        let mut whole = Vec::new();
        for key in pieces.keys() {
            match self.value(Tree::Pieces, &key)? {
                Some(piece) => whole.extend_from_slice(&piece),
                None => return Ok(None),
            }
        }
        Ok(Some(whole))
    }

    fn tree(&self, tree: Tree) -> &sled::Tree {
        &self.all[tree as usize]
    }
}

/// An error of a read. sled splits pages also while it reads, which it cannot do once a write has failed: what needs such a
/// page waits for the restart, as writes do.
fn unread(error: sled::Error) -> StoreError {
    match &error {
        sled::Error::Io(cause) if !is_of_content(cause.kind()) => {
            tracing::error!(%error, "reading the store");
            StoreError::unwritable(error)
        }
        _ => StoreError::damaged(error),
    }
}

impl Trees {
    /// A number in the tree `meta`; 0 if it was never set.
    pub(super) fn meta(&self, name: &str) -> Result<i64, StoreError> {
        self.value(Tree::Meta, name.as_bytes())
            .map_err(StoreError::damaged)?
            .map_or(Ok(0), |bytes| {
                super::keys::number(&bytes).ok_or_else(|| StoreError::damaged(format!("meta {name} is no number")))
            })
    }
}

#[cfg(test)]
impl Trees {
    /// Whether `meta` has an entry of this name.
    pub(super) fn meta_is_set(&self, name: &str) -> bool {
        self.tree(Tree::Meta).contains_key(name).expect("the tree can be read")
    }

    /// All entries of all trees.
    pub(super) fn entries(&self) -> Vec<(String, Vec<u8>, Vec<u8>)> {
        let of = |tree: Tree| {
            self.tree(tree)
                .iter()
                .map(move |entry| (tree, entry.expect("the tree can be read")))
        };
        let all = Tree::ALL.into_iter().flat_map(of);
        all.map(|(tree, (key, value))| (tree.name().to_owned(), key.to_vec(), value.to_vec()))
            .collect()
    }

    /// Writes any entry, consistent or not.
    pub(super) fn put(&self, tree: Tree, key: &[u8], value: &[u8]) {
        self.tree(tree).insert(key, value).expect("the tree can be written");
    }

    /// Removes an entry, which must exist.
    pub(super) fn take(&self, tree: Tree, key: &[u8]) -> IVec {
        let taken = self.tree(tree).remove(key).expect("the tree can be written");
        taken.expect("it was there")
    }

    /// How many pieces of long values there are.
    pub(super) fn pieces(&self) -> usize {
        self.tree(Tree::Pieces).len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tree_is_found_at_its_place() {
        for (place, tree) in Tree::ALL.into_iter().enumerate() {
            assert_eq!(tree as usize, place, "{}", tree.name());
        }
    }
}
