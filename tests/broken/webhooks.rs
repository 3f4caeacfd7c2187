//! What is sent to webhooks, without a defect: the suite cannot receive.

use super::store::BrokenStore;
use contract::{AccountId, Timestamp, WebhookId};
use hitode::store::{Deliveries, DeliveryReport, NextDelivery, Store, StoreResult, Ticket};

impl<S: Store> Deliveries for BrokenStore<S> {
    fn webhooks(&self, account: Option<AccountId>) -> StoreResult<Vec<WebhookId>> {
        self.store.webhooks(account)
    }

    async fn next_delivery(&self, webhook: WebhookId, now: Timestamp) -> StoreResult<NextDelivery> {
        self.store.next_delivery(webhook, now).await
    }

    async fn settle_delivery(&self, webhook: WebhookId, ticket: Ticket, report: DeliveryReport) -> StoreResult<()> {
        self.store.settle_delivery(webhook, ticket, report).await
    }

    async fn changed(&self) -> Vec<AccountId> {
        self.store.changed().await
    }
}
