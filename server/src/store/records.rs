//! The records whose trees have names of their own, or that memory shows: what each has beside its id, for writing, verification,
//! backups and logs. All others are emitted.

use std::sync::{Arc, RwLock};

use codegen_store::{Deleted, Index, IndexEntry, Record, StoreResult, Tree, torn};
use contract::support::Key;
use contract::support::index::Row;
use contract::{
    Account, AccountId, ApiKey, ApiKeyId, Application, ApplicationId, Bounty, BountyId, BountyStatus, Conversation,
    DayStart, Human, HumanId, Message, Webhook, WebhookId,
};

use super::market::{Market, Trees, shown_bounty};
use super::mirror::{Change, Mirror};
use super::tables;

impl Record<Market> for Account {
    const TREE: Tree = tables::ACCOUNTS;
    const NOUN: &'static str = "account";
    fn shown(_: &Trees, view: &RwLock<Mirror>, id: AccountId) -> StoreResult<Option<Arc<Self>>> {
        view.read().map(|mirror| mirror.account(id).cloned()).map_err(torn)
    }
    fn end_credentials(&mut self) {
        self.webhooks = 0;
        self.active_keys = 0;
    }
    fn change(&self) -> Option<Change> {
        Arc::new(self.clone()).loaded()
    }
    fn loaded(self: Arc<Self>) -> Option<Change> {
        Some(Change::Account(self))
    }
}

impl Record<Market> for ApiKey {
    const TREE: Tree = tables::KEYS;
    const NOUN: &'static str = "key";
    const IS_OF_CREDENTIAL: bool = true;
    fn change(&self) -> Option<Change> {
        Arc::new(self.clone()).loaded()
    }
    fn loaded(self: Arc<Self>) -> Option<Change> {
        Some(Change::Key(self))
    }
    const DELETED: Option<Deleted<ApiKeyId, Change>> = Some(|id| Some(Change::KeyRevoked(id)));
}

impl Record<Market> for Human {
    const TREE: Tree = tables::HUMANS;
    const NOUN: &'static str = "worker";
    const COMES_LAST: bool = true;
    const KEPT: &'static [Index] = &[Index::new::<Self>(tables::EXTERNAL_IDS, "unique external_id")];

    fn shown(_: &Trees, view: &RwLock<Mirror>, id: HumanId) -> StoreResult<Option<Arc<Self>>> {
        view.read().map(|mirror| mirror.humans.get(id)).map_err(torn)
    }
    fn end_credentials(&mut self) {
        self.token_digest = None;
        end_code(self);
    }
    fn change(&self) -> Option<Change> {
        Arc::new(self.clone()).loaded()
    }
    fn loaded(self: Arc<Self>) -> Option<Change> {
        Some(Change::Human(self))
    }
}

/// Ends the one-time code of a worker.
pub(crate) fn end_code(human: &mut Human) {
    human.code_digest = None;
    human.code_ends_at = None;
    human.code_token = None;
}

impl Record<Market> for Bounty {
    const TREE: Tree = tables::BOUNTIES;
    const NOUN: &'static str = "bounty";
    const KEPT: &'static [Index] = &[Index::of_service(tables::OPEN_BOUNTIES)];

    fn rows(&self) -> impl IntoIterator<Item = IndexEntry> {
        // Also hidden ones, as in earlier versions, which verify this index if somebody goes back to them.
        let is_open = self.status == BountyStatus::Open;
        is_open.then(|| {
            IndexEntry::new(
                tables::OPEN_BOUNTIES,
                Row {
                    key: self.id.bytes(),
                    ..Row::default()
                },
            )
        })
    }
    fn shown(trees: &Trees, _: &RwLock<Mirror>, id: BountyId) -> StoreResult<Option<Arc<Self>>> {
        Ok(shown_bounty(trees, id)?.map(Arc::new))
    }
    fn named_by(row: &IndexEntry) -> Option<BountyId> {
        BountyId::read(&row.key)
    }
    fn change(&self) -> Option<Change> {
        Some(Change::Bounty(self.into()))
    }
}

impl Record<Market> for Application {
    const TREE: Tree = tables::APPLICATIONS;
    const NOUN: &'static str = "application";
    const DELETED: Option<Deleted<ApplicationId, Change>> = Some(|_| None);
    const KEPT: &'static [Index] = &[
        Index::new::<Self>(tables::APPLIED, "unique bounty_id, human_id"),
        Index::new::<Self>(tables::RECEIVED, "bounty_id, id"),
        Index::new::<Self>(tables::SENT, "human_id, id"),
    ];
}

impl Record<Market> for Conversation {
    const TREE: Tree = tables::CONVERSATIONS;
    const NOUN: &'static str = "conversation";
    const KEPT: &'static [Index] = &[
        Index::new::<Self>(tables::AGENT_INBOX, "account_id, last_message_at desc, id desc"),
        Index::new::<Self>(tables::WORKER_INBOX, "human_id, last_message_at desc, id desc"),
    ];
}

// They have a secret.
impl Record<Market> for Webhook {
    const TREE: Tree = tables::WEBHOOKS;
    const NOUN: &'static str = "webhook";
    const IS_OF_CREDENTIAL: bool = true;
    const DELETED: Option<Deleted<WebhookId, Change>> = Some(|id| Some(Change::WebhookDeleted(id)));
}

// Former programs do not know its tree.
impl Record<Market> for DayStart {
    const TREE: Tree = tables::DAYS;
    const NOUN: &'static str = "start of a day";
}

impl Record<Market> for Message {
    const TREE: Tree = tables::MESSAGES;
    const NOUN: &'static str = "message";
    const COMES_LAST: bool = true;

    fn name((conversation, message): &Self::Key) -> String {
        format!("message {message} of conversation {conversation}")
    }
}
