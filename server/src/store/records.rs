//! The records: what each has beside its id. Declares once, for writing and for verification, which index rows a record has.

use std::sync::Arc;

use codegen_store::{Bytes, Tree};
use contract::{
    Account, AccountId, ApiKey, ApiKeyId, Application, ApplicationId, Bounty, BountyId, BountyStatus, Conversation,
    ConversationId, Human, HumanId, Message, MessageId, Webhook, WebhookId,
};

use super::mirror::Change;
use super::record::{IndexEntry, Record};
use super::{keys, tables};

macro_rules! records {
    ($($record:ident, $id:ident, $tree:ident { $($item:item)* })*) => {$(
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
    )*};
}

records! {
    Account, AccountId, ACCOUNTS {
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
    ApiKey, ApiKeyId, KEYS {
        const IS_OF_CREDENTIAL: bool = true;

        fn change(&self) -> Option<Change> {
            Arc::new(self.clone()).loaded()
        }
        fn loaded(self: Arc<Self>) -> Option<Change> {
            Some(Change::Key(self))
        }
        fn references(&self) -> impl IntoIterator<Item = (Tree, i64)> {
            [(tables::ACCOUNTS, self.account_id.get())]
        }
        fn credential(&self) -> Option<&str> {
            Some(&self.digest)
        }
    }
    Human, HumanId, HUMANS {
        fn change(&self) -> Option<Change> {
            Arc::new(self.clone()).loaded()
        }
        fn loaded(self: Arc<Self>) -> Option<Change> {
            Some(Change::Human(self))
        }
        fn credential(&self) -> Option<&str> {
            self.token_digest.as_deref()
        }
        fn end_credentials(&mut self) {
            self.token_digest = None;
        }
    }
    Bounty, BountyId, BOUNTIES {
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
        fn references(&self) -> impl IntoIterator<Item = (Tree, i64)> {
            [(tables::ACCOUNTS, self.account_id.get())]
        }
    }
    Application, ApplicationId, APPLICATIONS {
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
        fn references(&self) -> impl IntoIterator<Item = (Tree, i64)> {
            [
                (tables::BOUNTIES, self.bounty_id.get()),
                (tables::HUMANS, self.human_id.get()),
            ]
        }
    }
    Conversation, ConversationId, CONVERSATIONS {
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
        fn references(&self) -> impl IntoIterator<Item = (Tree, i64)> {
            [
                (tables::ACCOUNTS, self.account_id.get()),
                (tables::HUMANS, self.human_id.get()),
            ]
        }
    }
    // They have a secret.
    Webhook, WebhookId, WEBHOOKS {
        const IS_OF_CREDENTIAL: bool = true;

        fn references(&self) -> impl IntoIterator<Item = (Tree, i64)> {
            [(tables::ACCOUNTS, self.account_id.get())]
        }
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
    fn references(&self) -> impl IntoIterator<Item = (Tree, i64)> {
        [(tables::CONVERSATIONS, self.conversation_id.get())]
    }
}
