//! The records: what each has beside its id. Declares once, for writing and for verification, which index rows a record has.

use std::sync::Arc;

use codegen_store::{Bytes, Tree};
use contract::{
    Account, AccountId, ApiKey, ApiKeyId, Application, ApplicationId, Bounty, BountyId, BountyStatus, Conversation,
    ConversationId, Human, HumanId, Message, MessageId, Webhook, WebhookId,
};

use super::keys;
use super::record::{IndexEntry, Record};
use crate::store::mirror::Change;
use crate::store::tables;

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
            Some(Change::Account(Arc::new(self.clone())))
        }
        fn end_credentials(&mut self) {
            self.webhooks = 0;
            self.active_keys = 0;
        }
    }
    ApiKey, ApiKeyId, KEYS {
        const IS_OF_CREDENTIAL: bool = true;

        fn change(&self) -> Option<Change> {
            Some(Change::Key(Arc::new(self.clone())))
        }
    }
    Human, HumanId, HUMANS {
        fn change(&self) -> Option<Change> {
            Some(Change::Human(Arc::new(self.clone())))
        }
        fn end_credentials(&mut self) {
            self.token_digest = None;
        }
    }
    Bounty, BountyId, BOUNTIES {
        const INDEXES: &'static [Tree] = &[tables::OPEN_BOUNTIES];

        fn rows(&self) -> Vec<IndexEntry> {
            // Also hidden ones, as in earlier versions, which verify this index if somebody goes back to them.
            let is_open = self.status == BountyStatus::Open;
            let row = is_open.then(|| IndexEntry::of_key(tables::OPEN_BOUNTIES, &keys::one(self.id)));
            row.into_iter().collect()
        }
        fn named_by(row: &IndexEntry) -> Option<BountyId> {
            keys::last(&row.key)
        }
        fn change(&self) -> Option<Change> {
            Some(Change::Bounty(self.into()))
        }
    }
    Application, ApplicationId, APPLICATIONS {
        const INDEXES: &'static [Tree] = &[tables::APPLIED, tables::RECEIVED, tables::SENT];

        fn rows(&self) -> Vec<IndexEntry> {
            let applied = keys::pair(self.bounty_id, self.human_id);
            vec![
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
    Conversation, ConversationId, CONVERSATIONS {
        const INDEXES: &'static [Tree] = &[tables::AGENT_INBOX, tables::WORKER_INBOX];

        fn rows(&self) -> Vec<IndexEntry> {
            let at = self.last_message_at;
            let agent = keys::latest_first(self.account_id, at, self.id);
            let worker = keys::latest_first(self.human_id, at, self.id);
            vec![
                IndexEntry::of_key(tables::AGENT_INBOX, &agent),
                IndexEntry::of_key(tables::WORKER_INBOX, &worker),
            ]
        }
        fn named_by(row: &IndexEntry) -> Option<ConversationId> {
            keys::conversation_of(&row.key)
        }
    }
    // They have a secret.
    Webhook, WebhookId, WEBHOOKS {
        const IS_OF_CREDENTIAL: bool = true;
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
