//! Webhooks of an account. What is sent to them, and when, is decided in `deliveries`.

use std::sync::Arc;

use codegen_store::kept::feeds;
use contract::events::Recipient;
use contract::support::Done;
use contract::support::derived::{Counted, Source};
use contract::{
    Account, AccountId, Failure, FindWebhook, Rows, Timestamp, Webhook, WebhookId, WebhookItem, WebhookSeed, agent,
    quotas,
};

use super::by_key;
use super::deliveries::{replay_after, schedule, test_at};
use crate::app::Hitode;
use crate::store::{Decided, DeliveryItem, DeliveryState, SigningSecret, Tx, deliveries};

impl FindWebhook for Hitode {
    async fn find_webhook(&self, id: WebhookId) -> Result<Option<Arc<Webhook>>, Failure> {
        self.look(|mirror| mirror.webhooks.get(id).map(|(webhook, _)| webhook))
    }
}

impl agent::ListWebhooks for Hitode {
    async fn list_webhooks(
        &self,
        request: agent::list_webhooks::Request,
    ) -> Result<Rows<WebhookItem>, agent::list_webhooks::Error> {
        Ok(self.look(|mirror| mirror.webhooks.list(request.caller.id))?)
    }
}

impl agent::CreateWebhook for Hitode {
    async fn create_webhook(
        &self,
        request: agent::create_webhook::Request,
    ) -> Result<Done<agent::create_webhook::Success>, agent::create_webhook::Error> {
        use agent::create_webhook::{Error, Success};
        if !self.webhook_reach().may_have_host_of(&request.body.url) {
            return Err(Error::UnreachableUrl);
        }
        let secret = SigningSecret::mint();
        let webhook = Webhook {
            events: request.body.events,
            ..Webhook::from(WebhookSeed {
                id: WebhookId::new(0),
                account_id: request.caller.id,
                url: request.body.url,
                created_at: self.now(),
            })
        };
        let shown = secret.expose().to_owned();
        let once = request.once.map(move |id| {
            let secret = shown.clone();
            Success { id, secret }
        });
        self.write_once(by_key(&request.caller), once, move |tx| create(tx, &webhook, &secret))
            .await
    }
}

impl agent::DeleteWebhook for Hitode {
    async fn delete_webhook(
        &self,
        request: agent::delete_webhook::Request,
    ) -> Result<(), agent::delete_webhook::Error> {
        let (by, id) = (by_key(&request.caller), request.owned_webhook.id);
        self.write(by, move |tx| delete(tx, id)).await
    }
}

impl agent::TestWebhook for Hitode {
    async fn test_webhook(&self, request: agent::test_webhook::Request) -> Result<(), agent::test_webhook::Error> {
        let (by, id, now) = (by_key(&request.caller), request.owned_webhook.id, self.now());
        self.write(by, move |tx| test(tx, id, now)).await
    }
}

impl agent::ReplayWebhook for Hitode {
    async fn replay_webhook(
        &self,
        request: agent::replay_webhook::Request,
    ) -> Result<(), agent::replay_webhook::Error> {
        let (by, webhook) = (by_key(&request.caller), request.owned_webhook);
        // The type of the member admits digits only, fewer than would be too large.
        let after = request.body.after.parse().unwrap_or(i64::MAX);
        self.write(by, move |tx| replay(tx, webhook.account_id, webhook.id, after))
            .await
    }
}

/// Creates a webhook of its account. Its id is drawn. It is due to be asked for the challenge; later events are sent.
pub(crate) fn create(
    tx: &mut Tx<'_>,
    webhook: &Webhook,
    secret: &SigningSecret,
) -> Decided<WebhookId, agent::create_webhook::Error> {
    let mut account: Account = tx.existing(webhook.account_id)?;
    if account.webhooks >= quotas::WEBHOOKS {
        return Err(agent::create_webhook::Error::Quota.into());
    }
    let id = tx.next_id::<Webhook>()?;
    let webhook = Webhook { id, ..webhook.clone() };
    webhook.added_to(&mut account);
    let mut state = DeliveryState::new(secret.clone(), feeds::newest(tx, Recipient::Account(account.id))?);
    schedule(&mut state, DeliveryItem::Challenge, webhook.created_at);
    tx.put(&account)?;
    tx.create(&webhook)?;
    deliveries::write(tx, &webhook, &state);
    Ok(id)
}

/// Deletes a webhook. Another request may have done so after the guard found it.
pub(crate) fn delete(tx: &mut Tx<'_>, id: WebhookId) -> Decided<(), agent::delete_webhook::Error> {
    let webhook: Option<Webhook> = tx.get(id)?;
    let webhook = webhook.ok_or(agent::delete_webhook::Error::AbsentWebhook)?;
    let mut account: Account = tx.existing(webhook.account_id)?;
    webhook.removed_from(&mut account);
    tx.put(&account)?;
    deliveries::remove(tx, id);
    Ok(tx.delete(&webhook)?)
}

/// A test of a webhook is due, or the challenge if it is not active.
pub(crate) fn test(tx: &mut Tx<'_>, id: WebhookId, now: Timestamp) -> Decided<(), agent::test_webhook::Error> {
    let tested = deliveries::change(tx, id, |webhook, state| test_at(webhook, state, now))?;
    Ok(tested.ok_or(agent::test_webhook::Error::AbsentWebhook)?)
}

/// All events after this number are due to be sent again to a webhook of an account.
pub(crate) fn replay(
    tx: &mut Tx<'_>,
    owner: AccountId,
    id: WebhookId,
    after: i64,
) -> Decided<(), agent::replay_webhook::Error> {
    let newest = feeds::newest(tx, Recipient::Account(owner))?;
    let replayed = deliveries::change(tx, id, |_, state| replay_after(state, after, newest))?;
    Ok(replayed.ok_or(agent::replay_webhook::Error::AbsentWebhook)?)
}
