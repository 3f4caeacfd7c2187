//! Webhooks, and what is sent to them.

use std::sync::Arc;

use contract::agent::create_webhook::Error::Quota;
use contract::{DeliveryResult, FindWebhook, Webhook, WebhookId, WebhookStatus, quotas};
use serde_json::{Value, json};

use super::*;
use crate::store::{DeliveryItem, DeliveryReport, NextDelivery, Pace};
use crate::webhooks::Deliveries;

impl TestStore {
    /// A new webhook whose receiver has answered the challenge.
    pub(crate) async fn active_webhook(&self, account: AccountId) -> WebhookId {
        let id = self.new_webhook(account).await;
        self.send(id, 10, DeliveryItem::Challenge, DeliveryResult::Delivered)
            .await;
        id
    }

    async fn found(&self, id: WebhookId) -> Option<Arc<Webhook>> {
        self.app.find_webhook(id).await.expect("an answer")
    }

    /// Status and latest result of each webhook of the account, as its list displays them.
    async fn listed(&self, account: AccountId) -> Vec<[Value; 4]> {
        let rows = whole(
            self.store()
                .look(|mirror| mirror.webhooks.list(account))
                .expect("a list"),
        );
        let members = ["id", "status", "last_result", "last_attempt_at"];
        rows.iter()
            .map(|row| members.map(|member| json_of(row)[member].clone()))
            .collect()
    }

    async fn next(&self, id: WebhookId, now: i64) -> NextDelivery {
        self.app.next_delivery(id, at(now)).await.expect("an answer")
    }

    /// What is sent next, and at once: it must be this.
    async fn send(&self, id: WebhookId, now: i64, item: DeliveryItem, result: DeliveryResult) {
        let NextDelivery::Now(delivery) = self.next(id, now).await else {
            panic!("{item:?} is due");
        };
        assert_eq!(delivery.ticket.item, item);
        let report = DeliveryReport {
            result,
            retry_after: None,
            pace: Pace::Fast,
            at: at(now),
        };
        let settled = self.app.settle_delivery(id, delivery.ticket, report).await;
        settled.expect("a write");
    }

    async fn test(&self, id: WebhookId, now: i64) {
        let tested = self.store().test_webhook(id, at(now)).await;
        assert_eq!(tested.expect("a write"), Ok(()));
    }
}

#[tokio::test]
async fn a_webhook_is_asked_for_the_challenge_before_anything_else() {
    let place = TestStore::new();
    let account = place.account("a").await;
    let id = place.new_webhook(account).await;
    assert_eq!(
        place.listed(account).await,
        [[json!(1), json!("unverified"), Value::Null, Value::Null]]
    );
    place
        .send(id, 10, DeliveryItem::Challenge, DeliveryResult::WrongChallenge)
        .await;
    let at_ten = json!("1970-01-01T00:00:10");
    assert_eq!(
        place.listed(account).await,
        [[json!(1), json!("unverified"), json!("wrong_challenge"), at_ten]]
    );
    assert!(matches!(place.next(id, 13).await, NextDelivery::Wait(until) if (14..=16).contains(&until.unix())));
    let place = place.reopened().await;
    place
        .send(id, 16, DeliveryItem::Challenge, DeliveryResult::Delivered)
        .await;
    assert_eq!(
        place.found(id).await.map(|webhook| webhook.status),
        Some(WebhookStatus::Active)
    );
    assert_eq!(place.next(id, 1_000).await, NextDelivery::Idle);
}

#[tokio::test]
async fn a_test_is_sent_once_and_asks_what_is_disabled_for_the_challenge() {
    let place = TestStore::new();
    let account = place.account("a").await;
    let id = place.active_webhook(account).await;
    place.test(id, 20).await;
    place.send(id, 20, DeliveryItem::Test, DeliveryResult::Http5xx).await;
    assert_eq!(place.next(id, 1_000_000).await, NextDelivery::Idle);
    place.test(id, 30).await;
    place.send(id, 30, DeliveryItem::Test, DeliveryResult::Gone).await;
    assert_eq!(
        place.found(id).await.map(|webhook| webhook.status),
        Some(WebhookStatus::Disabled)
    );
    assert_eq!(place.next(id, 1_000_000).await, NextDelivery::Idle);
    place.test(id, 40).await;
    let place = place.reopened().await;
    assert_eq!(
        place.found(id).await.map(|webhook| webhook.status),
        Some(WebhookStatus::Unverified)
    );
    place
        .send(id, 40, DeliveryItem::Challenge, DeliveryResult::Delivered)
        .await;
}

#[tokio::test]
async fn an_account_has_so_many_webhooks_and_no_more() {
    let place = TestStore::new();
    let account = place.account("a").await;
    let first = place.new_webhook(account).await;
    for _ in 1..quotas::WEBHOOKS {
        place.new_webhook(account).await;
    }
    let more = async |place: &TestStore| {
        place
            .store()
            .create_webhook(Actor::Operator, plain_webhook(account))
            .await
    };
    assert_eq!(more(&place).await.expect("an answer"), Err(Quota));
    let deleted = place.store().delete_webhook(Actor::Operator, first).await;
    assert_eq!(deleted.expect("a write"), Ok(()));
    let last = place.new_webhook(account).await;
    let place = place.reopened().await;
    let listed = place.listed(account).await;
    assert_eq!(
        (listed.len(), &listed[listed.len() - 1][0]),
        (quotas::WEBHOOKS as usize, &json!(last.get()))
    );
    assert_eq!(more(&place).await.expect("an answer"), Err(Quota));
}

#[tokio::test]
async fn a_deleted_webhook_gets_nothing_and_the_result_of_its_last_request_is_dropped() {
    let place = TestStore::new();
    let account = place.account("a").await;
    let id = place.new_webhook(account).await;
    let NextDelivery::Now(delivery) = place.next(id, 10).await else {
        panic!("the challenge is due");
    };
    let delete = place.store().delete_webhook(Actor::Operator, id).await;
    assert_eq!(delete.expect("a write"), Ok(()));
    let report = DeliveryReport {
        result: DeliveryResult::Delivered,
        retry_after: None,
        pace: Pace::Fast,
        at: at(11),
    };
    let settled = place.app.settle_delivery(id, delivery.ticket, report).await;
    settled.expect("an answer");
    assert_eq!(
        (place.found(id).await, place.next(id, 12).await),
        (None, NextDelivery::Idle)
    );
    assert!(place.listed(account).await.is_empty());
    let tested = place.store().test_webhook(id, at(13)).await;
    assert!(tested.expect("a write").is_err());
    let replayed = place.store().replay_webhook(account, id, 0).await;
    assert!(replayed.expect("a write").is_err());
}

#[tokio::test]
async fn nothing_is_sent_for_an_account_while_it_is_suspended() {
    let place = TestStore::new();
    let account = place.account("a").await;
    let id = place.new_webhook(account).await;
    let suspend = async |suspended| {
        let change = move |account: &mut Account| account.suspended = suspended;
        let changed = place.store().update_account(account, change).await;
        changed.expect("a write");
        assert_eq!(place.app.changed().await, [account]);
    };
    suspend(true).await;
    assert_eq!(place.next(id, 20).await, NextDelivery::Idle);
    suspend(false).await;
    place
        .send(id, 21, DeliveryItem::Challenge, DeliveryResult::Delivered)
        .await;
}

#[tokio::test]
async fn what_changes_is_told_to_the_one_who_sends() {
    let place = TestStore::new();
    let (account, other) = (place.account("a").await, place.account("b").await);
    let id = place.new_webhook(account).await;
    assert_eq!(place.app.changed().await, [account]);
    place.new_webhook(other).await;
    assert_eq!(place.app.changed().await, [other]);
    place.test(id, 20).await;
    assert_eq!(place.app.changed().await, [account]);
}
