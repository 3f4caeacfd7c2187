//! The indexes: trees that repeat facts of records in another order. Declares once, for writing and for verification,
//! which index rows a record has.

use contract::{Application, ApplicationId, Bounty, BountyId, BountyStatus, Conversation, ConversationId};
use sled::IVec;

use super::keys;
use super::record::Record;
use super::trees::Tree;

/// One entry of an index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct IndexEntry {
    /// Which index.
    pub(super) tree: Tree,
    /// The key in the index.
    pub(super) key: IVec,
    /// Empty if the key is enough.
    pub(super) value: IVec,
}

impl IndexEntry {
    fn of_key(tree: Tree, key: &[u8]) -> Self {
        let (key, value) = (key.into(), IVec::default());
        Self { tree, key, value }
    }
}

/// A record with index rows.
pub(super) trait Indexed: Record {
    /// Its indexes. No other kind of record has rows in them.
    const INDEXES: &'static [Tree];

    /// The index rows of the record in its present state.
    fn rows(&self) -> impl IntoIterator<Item = IndexEntry>;
    /// The record to which a row of [`Self::INDEXES`] belongs. `None` if no record can have this row.
    fn named_by(row: &IndexEntry) -> Option<Self::Id>;
}

impl Indexed for Bounty {
    const INDEXES: &'static [Tree] = &[Tree::OpenBounties];

    fn rows(&self) -> impl IntoIterator<Item = IndexEntry> {
        // Also hidden ones, as in earlier versions, which verify this index if somebody goes back to them.
        let is_open = self.status == BountyStatus::Open;
        is_open.then(|| IndexEntry::of_key(Tree::OpenBounties, &keys::one(self.id)))
    }
    fn named_by(row: &IndexEntry) -> Option<BountyId> {
        keys::last(&row.key)
    }
}

impl Indexed for Application {
    const INDEXES: &'static [Tree] = &[Tree::Applied, Tree::Received, Tree::Sent];

    fn rows(&self) -> impl IntoIterator<Item = IndexEntry> {
        let applied = keys::pair(self.bounty_id, self.human_id);
        [
            IndexEntry {
                value: IVec::from(&keys::one(self.id)),
                ..IndexEntry::of_key(Tree::Applied, &applied)
            },
            IndexEntry::of_key(Tree::Received, &keys::pair(self.bounty_id, self.id)),
            IndexEntry::of_key(Tree::Sent, &keys::pair(self.human_id, self.id)),
        ]
    }
    fn named_by(row: &IndexEntry) -> Option<ApplicationId> {
        match row.tree {
            Tree::Applied => keys::last(&row.value),
            _ => keys::last(&row.key),
        }
    }
}

impl Indexed for Conversation {
    const INDEXES: &'static [Tree] = &[Tree::AgentInbox, Tree::WorkerInbox];

    fn rows(&self) -> impl IntoIterator<Item = IndexEntry> {
        let at = self.last_message_at;
        let agent = keys::latest_first(self.account_id, at, self.id);
        let worker = keys::latest_first(self.human_id, at, self.id);
        [
            IndexEntry::of_key(Tree::AgentInbox, &agent),
            IndexEntry::of_key(Tree::WorkerInbox, &worker),
        ]
    }
    fn named_by(row: &IndexEntry) -> Option<ConversationId> {
        keys::conversation_of(&row.key)
    }
}
