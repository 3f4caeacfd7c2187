//! Webhooks, and what is sent to them.

use std::sync::Arc;

use contract::{DeliveryResult, Webhook, WebhookId, WebhookStatus};
use serde_json::{Value, json};

use super::*;
use crate::store::{
    Absent, Deliveries, DeliveryItem, DeliveryReport, NewWebhook, NextDelivery, Outcome, Pace, SigningSecret, WebhookDenied,
};

const MAX: i64 = 2;
const URL: &str = "https://agent.example.com/hook";

impl TestStore {
    async fn webhook(&self, account: AccountId) -> Outcome<WebhookId, WebhookDenied> {
        let new = NewWebhook {
            url: URL.to_owned(),
            events: Vec::new(),
            secret: SigningSecret::new("whsec_c2VjcmV0".to_owned()),
            created_at: at(10),
        };
        self.store.unkeyed().create_webhook(Actor::Operator, account, new, MAX).await
    }

    pub(in crate::store) async fn new_webhook(&self, account: AccountId) -> WebhookId {
        self.webhook(account).await.expect("a write").expect("a webhook")
    }

    /// A new webhook whose receiver has answered the challenge.
    pub(in crate::store) async fn active_webhook(&self, account: AccountId) -> WebhookId {
        let id = self.new_webhook(account).await;
        self.send(id, 10, DeliveryItem::Challenge, DeliveryResult::Delivered).await;
        id
    }

    async fn found(&self, id: WebhookId) -> Option<Arc<Webhook>> {
        self.store.find_webhook(id).await.expect("an answer")
    }

    /// Status and latest result of each webhook of the account, as its list displays them.
    async fn listed(&self, account: AccountId) -> Vec<[Value; 4]> {
        let rows = whole(self.store.list_webhooks(account).await.expect("a list"));
        let members = ["id", "status", "last_result", "last_attempt_at"];
        rows.iter().map(|row| members.map(|member| json_of(row)[member].clone())).collect()
    }

    async fn next(&self, id: WebhookId, now: i64) -> NextDelivery {
        self.store.next_delivery(id, at(now)).await.expect("an answer")
    }

    /// What is sent next, and at once: it must be this.
    async fn send(&self, id: WebhookId, now: i64, item: DeliveryItem, result: DeliveryResult) {
        let NextDelivery::Now(delivery) = self.next(id, now).await else {
            panic!("{item:?} is due");
        };
        assert_eq!((delivery.ticket.item, delivery.url.as_str()), (item, URL));
        assert_eq!(delivery.secret.expose(), "whsec_c2VjcmV0");
        let report = DeliveryReport {
            result,
            retry_after: None,
            pace: Pace::Fast,
            at: at(now),
        };
        let settled = self.store.settle_delivery(id, delivery.ticket, report).await;
        settled.expect("a write");
    }

    async fn test(&self, owner: AccountId, id: WebhookId, now: i64) -> Result<(), Absent> {
        let tested = self.store.test_webhook(Actor::Operator, owner, id, at(now)).await;
        tested.expect("a write")
    }
}

#[tokio::test]
async fn a_webhook_is_asked_for_the_challenge_before_anything_else() {
    let place = TestStore::new();
    let account = place.account("a").await;
    let id = place.new_webhook(account).await;
    assert_eq!(place.listed(account).await, [[json!(1), json!("unverified"), Value::Null, Value::Null]]);
    place.send(id, 10, DeliveryItem::Challenge, DeliveryResult::WrongChallenge).await;
    let at_ten = json!("1970-01-01T00:00:10");
    assert_eq!(place.listed(account).await, [[json!(1), json!("unverified"), json!("wrong_challenge"), at_ten]]);
    assert!(matches!(place.next(id, 13).await, NextDelivery::Wait(until) if (14..=16).contains(&until.unix())));
    let place = place.reopened().await;
    place.send(id, 16, DeliveryItem::Challenge, DeliveryResult::Delivered).await;
    assert_eq!(place.found(id).await.map(|webhook| webhook.status), Some(WebhookStatus::Active));
    assert_eq!(place.next(id, 1_000).await, NextDelivery::Idle);
}

#[tokio::test]
async fn a_test_is_sent_once_and_asks_what_is_disabled_for_the_challenge() {
    let place = TestStore::new();
    let account = place.account("a").await;
    let id = place.active_webhook(account).await;
    assert_eq!(place.test(account, id, 20).await, Ok(()));
    place.send(id, 20, DeliveryItem::Test, DeliveryResult::Http5xx).await;
    assert_eq!(place.next(id, 1_000_000).await, NextDelivery::Idle);
    assert_eq!(place.test(account, id, 30).await, Ok(()));
    place.send(id, 30, DeliveryItem::Test, DeliveryResult::Gone).await;
    assert_eq!(place.found(id).await.map(|webhook| webhook.status), Some(WebhookStatus::Disabled));
    assert_eq!(place.next(id, 1_000_000).await, NextDelivery::Idle);
    assert_eq!(place.test(account, id, 40).await, Ok(()));
    let place = place.reopened().await;
    assert_eq!(place.found(id).await.map(|webhook| webhook.status), Some(WebhookStatus::Unverified));
    place.send(id, 40, DeliveryItem::Challenge, DeliveryResult::Delivered).await;
}

#[tokio::test]
async fn an_account_has_so_many_webhooks_and_no_more() {
    let place = TestStore::new();
    let account = place.account("a").await;
    let first = place.new_webhook(account).await;
    let second = place.new_webhook(account).await;
    assert_eq!(place.webhook(account).await.expect("an answer"), Err(WebhookDenied::Quota));
    let deleted = place.store.delete_webhook(Actor::Operator, account, first).await;
    assert_eq!(deleted.expect("a write"), Ok(()));
    let third = place.new_webhook(account).await;
    let place = place.reopened().await;
    let ids = place.listed(account).await.into_iter().map(|[id, ..]| id);
    assert_eq!(ids.collect::<Vec<_>>(), [json!(second.get()), json!(third.get())]);
    assert_eq!(place.webhook(account).await.expect("an answer"), Err(WebhookDenied::Quota));
    assert_eq!(place.webhook(AccountId::new(9)).await.expect("an answer"), Err(WebhookDenied::Absent));
}

#[tokio::test]
async fn a_deleted_webhook_gets_nothing_and_the_result_of_its_last_request_is_dropped() {
    let place = TestStore::new();
    let account = place.account("a").await;
    let id = place.new_webhook(account).await;
    let NextDelivery::Now(delivery) = place.next(id, 10).await else {
        panic!("the challenge is due");
    };
    let delete = place.store.delete_webhook(Actor::Operator, account, id).await;
    assert_eq!(delete.expect("a write"), Ok(()));
    let report = DeliveryReport {
        result: DeliveryResult::Delivered,
        retry_after: None,
        pace: Pace::Fast,
        at: at(11),
    };
    let settled = place.store.settle_delivery(id, delivery.ticket, report).await;
    settled.expect("an answer");
    assert_eq!((place.found(id).await, place.next(id, 12).await), (None, NextDelivery::Idle));
    assert!(place.listed(account).await.is_empty());
}

#[tokio::test]
async fn a_webhook_belongs_to_its_account() {
    let place = TestStore::new();
    let (account, other) = (place.account("a").await, place.account("b").await);
    let id = place.new_webhook(account).await;
    assert!(place.listed(other).await.is_empty());
    assert_eq!(place.test(other, id, 20).await, Err(Absent));
    let replayed = place.store.replay_webhook(Actor::Operator, other, id, 0).await;
    assert_eq!(replayed.expect("an answer"), Err(Absent));
    let deleted = place.store.delete_webhook(Actor::Operator, other, id).await;
    assert_eq!(deleted.expect("an answer"), Err(Absent));
    assert_eq!(place.store.webhooks(Some(account)).expect("an answer"), [id]);
    assert_eq!(place.store.webhooks(Some(other)).expect("an answer"), []);
    assert_eq!(place.store.webhooks(None).expect("an answer"), [id]);
}

#[tokio::test]
async fn nothing_is_sent_for_an_account_while_it_is_suspended() {
    let place = TestStore::new();
    let account = place.account("a").await;
    let id = place.new_webhook(account).await;
    let suspend = async |suspended| {
        let change = move |account: &mut Account| account.suspended = suspended;
        let changed = place.store.update_account(account, change).await;
        assert_eq!(changed.expect("a write"), Ok(()));
        assert_eq!(place.store.changed().await, [account]);
    };
    suspend(true).await;
    assert_eq!(place.next(id, 20).await, NextDelivery::Idle);
    suspend(false).await;
    place.send(id, 21, DeliveryItem::Challenge, DeliveryResult::Delivered).await;
}

#[tokio::test]
async fn what_changes_is_told_to_the_one_who_sends() {
    let place = TestStore::new();
    let (account, other) = (place.account("a").await, place.account("b").await);
    let id = place.new_webhook(account).await;
    assert_eq!(place.store.changed().await, [account]);
    place.new_webhook(other).await;
    assert_eq!(place.store.changed().await, [other]);
    assert_eq!(place.test(account, id, 20).await, Ok(()));
    assert_eq!(place.store.changed().await, [account]);
}
