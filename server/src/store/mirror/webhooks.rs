//! The webhooks in memory, each with the state of its deliveries.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use contract::agent::list_webhooks::order;
use contract::{AccountId, Rows, Webhook, WebhookId, WebhookItem};

use crate::store::delivery::DeliveryState;

/// A webhook with the state of its deliveries.
pub(crate) type WebhookEntry = (Arc<Webhook>, Arc<DeliveryState>);

/// All webhooks.
#[derive(Default)]
pub(crate) struct Webhooks {
    by_id: HashMap<WebhookId, WebhookEntry>,
    by_account: BTreeSet<(AccountId, WebhookId)>,
}

impl Webhooks {
    /// One webhook.
    pub(crate) fn get(&self, id: WebhookId) -> Option<WebhookEntry> {
        self.by_id.get(&id).cloned()
    }

    /// All webhooks.
    pub(crate) fn all(&self) -> impl Iterator<Item = &WebhookEntry> {
        self.by_id.values()
    }

    /// The ids of the webhooks of an account, or of all.
    pub(crate) fn ids(&self, account: Option<AccountId>) -> Vec<WebhookId> {
        match account {
            Some(account) => self.of(account).map(|(webhook, _)| webhook.id).collect(),
            None => self.by_id.keys().copied().collect(),
        }
    }

    /// The webhooks of an account, in the contract's order.
    pub(crate) fn list(&self, account: AccountId) -> Rows<WebhookItem> {
        let mut webhooks: Vec<_> = self.of(account).collect();
        webhooks.sort_by(|(one, _), (other, _)| order(one, other));
        let row = |(webhook, state): &WebhookEntry| {
            let last = state.last;
            webhook.item(last.map(|last| last.result), last.map(|last| last.at))
        };
        webhooks.into_iter().map(row).collect()
    }

    fn of(&self, account: AccountId) -> impl Iterator<Item = &WebhookEntry> {
        let first = (account, WebhookId::new(i64::MIN));
        let last = (account, WebhookId::new(i64::MAX));
        self.by_account.range(first..=last).map(|(_, id)| &self.by_id[id])
    }

    /// Adds or replaces a webhook, or removes it.
    pub(super) fn set(&mut self, id: WebhookId, entry: Option<WebhookEntry>) {
        if let Some((webhook, _)) = self.by_id.remove(&id) {
            self.by_account.remove(&(webhook.account_id, id));
        }
        if let Some(entry) = entry {
            self.by_account.insert((entry.0.account_id, id));
            self.by_id.insert(id, entry);
        }
    }
}
