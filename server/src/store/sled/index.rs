//! The indexes: trees that repeat facts of records in another order. Declares once, for writing and for verification,
//! which index rows a record has.

use codegen_store::{Bytes, Tree};
use contract::{Application, ApplicationId, Bounty, BountyId, BountyStatus, Conversation, ConversationId};

use super::keys;
use super::record::Record;
use crate::store::tables;

/// One entry of an index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct IndexEntry {
    /// Which index.
    pub(super) tree: Tree,
    /// The key in the index.
    pub(super) key: Bytes,
    /// Empty if the key is enough.
    pub(super) value: Bytes,
}

impl IndexEntry {
    fn of_key(tree: Tree, key: &[u8]) -> Self {
        let (key, value) = (key.into(), Bytes::default());
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
    const INDEXES: &'static [Tree] = &[tables::OPEN_BOUNTIES];

    fn rows(&self) -> impl IntoIterator<Item = IndexEntry> {
        // Also hidden ones, as in earlier versions, which verify this index if somebody goes back to them.
        let is_open = self.status == BountyStatus::Open;
        is_open.then(|| IndexEntry::of_key(tables::OPEN_BOUNTIES, &keys::one(self.id)))
    }
    fn named_by(row: &IndexEntry) -> Option<BountyId> {
        keys::last(&row.key)
    }
}

impl Indexed for Application {
    const INDEXES: &'static [Tree] = &[tables::APPLIED, tables::RECEIVED, tables::SENT];

    fn rows(&self) -> impl IntoIterator<Item = IndexEntry> {
        let applied = keys::pair(self.bounty_id, self.human_id);
        [
            IndexEntry {
                value: Bytes::from(&keys::one(self.id)),
                ..IndexEntry::of_key(tables::APPLIED, &applied)
            },
            IndexEntry::of_key(tables::RECEIVED, &keys::pair(self.bounty_id, self.id)),
            IndexEntry::of_key(tables::SENT, &keys::pair(self.human_id, self.id)),
        ]
    }
    fn named_by(row: &IndexEntry) -> Option<ApplicationId> {
        match row.tree {
            tables::APPLIED => keys::last(&row.value),
            _ => keys::last(&row.key),
        }
    }
}

impl Indexed for Conversation {
    const INDEXES: &'static [Tree] = &[tables::AGENT_INBOX, tables::WORKER_INBOX];

    fn rows(&self) -> impl IntoIterator<Item = IndexEntry> {
        let at = self.last_message_at;
        let agent = keys::latest_first(self.account_id, at, self.id);
        let worker = keys::latest_first(self.human_id, at, self.id);
        [
            IndexEntry::of_key(tables::AGENT_INBOX, &agent),
            IndexEntry::of_key(tables::WORKER_INBOX, &worker),
        ]
    }
    fn named_by(row: &IndexEntry) -> Option<ConversationId> {
        keys::conversation_of(&row.key)
    }
}
