//! Webhooks in memory.

use super::*;
use crate::store::rules::webhooks::{self, Next};
use crate::store::{
    Content, Deliveries, Delivery, DeliveryItem, DeliveryReport, DeliveryState, NewWebhook, NextDelivery, Ticket,
    WebhookDenied,
};

impl State {
    fn put_webhook(&mut self, webhook: Webhook, state: DeliveryState) {
        self.webhooks.put(webhook.id, &webhook);
        self.deliveries.insert(webhook.id, state.clone());
        self.changed.add(std::iter::once(webhook.account_id));
        self.show(vec![Change::Webhook(webhook.into(), state.into())]);
    }

    pub(super) fn create_webhook(
        &mut self,
        account: AccountId,
        new: &NewWebhook,
        max: i64,
    ) -> Result<WebhookId, WebhookDenied> {
        let id = WebhookId::new(self.webhooks.next());
        let (account, webhook, state) = webhooks::create(self.accounts.get(account), id, new, max, 0)?;
        self.put_account(account);
        self.webhooks.last += 1;
        self.put_webhook(webhook, state);
        Ok(id)
    }

    pub(super) fn delete_webhook(&mut self, owner: AccountId, id: WebhookId) -> Result<(), Absent> {
        let account = webhooks::delete(self.accounts.get(owner), self.webhooks.get(id).as_ref())?;
        self.put_account(account);
        self.webhooks.rows.remove(&id);
        self.deliveries.remove(&id);
        self.show(vec![Change::WebhookDeleted(id)]);
        Ok(())
    }

    pub(super) fn change_webhook(
        &mut self,
        owner: Option<AccountId>,
        id: WebhookId,
        change: impl FnOnce(&mut Webhook, &mut DeliveryState),
    ) -> Result<(), Absent> {
        let webhook = self.webhooks.get(id);
        let webhook = webhook.filter(|webhook| owner.is_none_or(|owner| owner == webhook.account_id));
        let (mut webhook, mut state) = (webhook.ok_or(Absent)?, self.deliveries[&id].clone());
        change(&mut webhook, &mut state);
        self.put_webhook(webhook, state);
        Ok(())
    }
}

impl Deliveries for InMemory {
    fn webhooks(&self, account: Option<AccountId>) -> StoreResult<Vec<WebhookId>> {
        Ok(self.state()?.mirror.webhooks.ids(account))
    }

    async fn next_delivery(&self, webhook: WebhookId, now: Timestamp) -> StoreResult<NextDelivery> {
        let state = self.state()?;
        let Some(webhook) = state.webhooks.get(webhook) else {
            return Ok(NextDelivery::Idle);
        };
        let state = &state.deliveries[&webhook.id];
        Ok(match webhooks::next(&webhook, state, None, now) {
            Next::Idle => NextDelivery::Idle,
            Next::Wait(until) => NextDelivery::Wait(until),
            Next::Send(item) => {
                let content = match item {
                    DeliveryItem::Challenge => Content::Challenge,
                    DeliveryItem::Test | DeliveryItem::Event(_) => Content::Test,
                };
                NextDelivery::Now(Box::new(Delivery::new(&webhook, state, item, content)))
            }
        })
    }

    async fn settle_delivery(&self, webhook: WebhookId, ticket: Ticket, report: DeliveryReport) -> StoreResult<()> {
        let settle = |webhook: &mut _, state: &mut _| webhooks::settle(webhook, state, ticket, report);
        let _ = self.state()?.change_webhook(None, webhook, settle);
        Ok(())
    }

    async fn changed(&self) -> Vec<AccountId> {
        let changed = self.state().map(|state| Arc::clone(&state.changed));
        match changed {
            Ok(changed) => changed.next().await,
            Err(_) => std::future::pending().await,
        }
    }
}
