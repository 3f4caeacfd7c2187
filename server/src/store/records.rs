//! The records: what each has beside its id, for writing, verification, backups and logs. One entry is all that the store has to
//! know of a kind of records, and its trees in `tables`.

use std::sync::Arc;

use codegen_store::{Bytes, Tree};
use contract::{
    Account, AccountId, ApiKey, ApiKeyId, Application, ApplicationId, Bounty, BountyId, BountyStatus, Conversation,
    ConversationId, Human, HumanId, Message, MessageId, Skill, Webhook, WebhookId,
};

use super::keys::Id;
use super::kind::{Column, Kind};
use super::mirror::Change;
use super::record::{IndexEntry, Record};
use super::{keys, tables};

macro_rules! records {
    ($($record:ident, $id:ident, $tree:ident, $noun:literal { $($item:item)* })*) => {
        $(
            impl Id for $id {
                fn number(self) -> i64 {
                    self.get()
                }
                fn from_number(number: i64) -> Self {
                    Self::new(number)
                }
            }

            impl Record for $record {
                const TREE: Tree = tables::$tree;
                type Id = $id;
                type Counter = $id;

                fn id(&self) -> $id {
                    self.id
                }
                fn key(id: $id) -> impl AsRef<[u8]> {
                    keys::one(id)
                }
                $($item)*
            }
        )*

        /// The kinds of records with ids of their own.
        pub(crate) const KINDS: [Kind; [$($noun),*].len()] = [$(Kind::records::<$record>($noun)),*];

        /// Shows each kind of them.
        pub(crate) fn each<E>(see: &mut impl SeeRecords<E>) -> Result<(), E> {
            $(see.see::<$record>()?;)*
            Ok(())
        }
    };
}

/// Does something for each kind of records.
pub(crate) trait SeeRecords<E> {
    /// For this one.
    fn see<R: Record<Id: Id>>(&mut self) -> Result<(), E>;
}

records! {
    Account, AccountId, ACCOUNTS, "account" {
        fn change(&self) -> Option<Change> {
            Arc::new(self.clone()).loaded()
        }
        fn loaded(self: Arc<Self>) -> Option<Change> {
            Some(Change::Account(self))
        }
        fn end_credentials(&mut self) {
            self.webhooks = 0;
            self.active_keys = 0;
        }
    }
    ApiKey, ApiKeyId, KEYS, "key" {
        const IS_OF_CREDENTIAL: bool = true;

        fn change(&self) -> Option<Change> {
            Arc::new(self.clone()).loaded()
        }
        fn loaded(self: Arc<Self>) -> Option<Change> {
            Some(Change::Key(self))
        }
        const DELETED: Option<fn(ApiKeyId) -> Change> = Some(Change::KeyRevoked);
    }
    Human, HumanId, HUMANS, "worker" {
        const COMES_LAST: bool = true;

        fn change(&self) -> Option<Change> {
            Arc::new(self.clone()).loaded()
        }
        fn loaded(self: Arc<Self>) -> Option<Change> {
            Some(Change::Human(self))
        }
        fn skills(&self) -> &[Skill] {
            &self.skills
        }
        fn end_credentials(&mut self) {
            self.token_digest = None;
        }
    }
    Bounty, BountyId, BOUNTIES, "bounty" {
        const INDEXES: &'static [Tree] = &[tables::OPEN_BOUNTIES];

        fn rows(&self) -> impl IntoIterator<Item = IndexEntry> {
            // Also hidden ones, as in earlier versions, which verify this index if somebody goes back to them.
            let is_open = self.status == BountyStatus::Open;
            is_open.then(|| IndexEntry::of_key(tables::OPEN_BOUNTIES, &keys::one(self.id)))
        }
        fn named_by(row: &IndexEntry) -> Option<BountyId> {
            keys::last(&row.key)
        }
        fn change(&self) -> Option<Change> {
            Some(Change::Bounty(self.into()))
        }
    }
    Application, ApplicationId, APPLICATIONS, "application" {
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
    Conversation, ConversationId, CONVERSATIONS, "conversation" {
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
    // They have a secret.
    Webhook, WebhookId, WEBHOOKS, "webhook" {
        const IS_OF_CREDENTIAL: bool = true;

        const DELETED: Option<fn(WebhookId) -> Change> = Some(Change::WebhookDeleted);
    }
}

/// The kind of messages, whose keys have two ids.
pub(crate) const MESSAGES: Kind =
    Kind::records::<Message>("message").with_key(&[Column::Number("conversation_id"), Column::Number("id")]);

impl Id for MessageId {
    fn number(self) -> i64 {
        self.get()
    }
    fn from_number(number: i64) -> Self {
        Self::new(number)
    }
}

impl Record for Message {
    const TREE: Tree = tables::MESSAGES;
    type Id = (ConversationId, MessageId);
    type Counter = MessageId;

    fn id(&self) -> Self::Id {
        (self.conversation_id, self.id)
    }
    fn key((conversation, message): Self::Id) -> impl AsRef<[u8]> {
        keys::pair(conversation, message)
    }
}
