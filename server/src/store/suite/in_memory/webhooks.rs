//! Webhooks in memory.

use super::*;
use crate::store::next_delivery::{self, NextStep};
use crate::store::rules::webhooks;
use crate::store::{Deliveries, DeliveryReport, DeliveryState, NewWebhook, NextDelivery, Ticket, WebhookDenied};

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
        let newest = self.newest(account);
        let (account, webhook, state) = webhooks::create(self.accounts.get(account), id, new, max, newest)?;
        self.put_account(account);
        self.webhooks.last += 1;
        self.put_webhook(webhook, state);
        Ok(id)
    }

    /// The number of the latest event of an account.
    pub(super) fn newest(&self, account: AccountId) -> i64 {
        let feed = self.feeds.get(&Recipient::Account(account));
        feed.map_or(0, |feed| i64::try_from(feed.len()).expect("few events"))
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

    async fn next_delivery(&self, id: WebhookId, now: Timestamp) -> StoreResult<NextDelivery> {
        loop {
            let Some((webhook, state)) = self.state()?.mirror.receiver(id) else {
                return Ok(NextDelivery::Idle);
            };
            let number = match next_delivery::next(self, &webhook, &state, now).await? {
                NextStep::Is(next) => return Ok(next),
                NextStep::Pass(number) => number,
            };
            let pass = |_: &mut _, now: &mut DeliveryState| webhooks::pass(now, state.replays, number);
            let _ = self.state()?.change_webhook(None, id, pass);
        }
    }

    async fn settle_delivery(&self, webhook: WebhookId, ticket: Ticket, report: DeliveryReport) -> StoreResult<()> {
        let (mut state, mut caused) = (self.state()?, Vec::new());
        let settle = |webhook: &mut _, state: &mut _| caused.extend(webhooks::settle(webhook, state, ticket, report));
        let _ = state.change_webhook(None, webhook, settle);
        state.emit(caused, report.at);
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
