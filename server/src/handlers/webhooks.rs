//! Webhooks of an account. What is sent to them, and when, is not decided here.

use contract::support::Done;
use contract::{Failure, Rows, WebhookItem, agent, quotas};

use super::{by_key, missing_after_guard};
use crate::app::Hitode;
use crate::store::{Absent, NewWebhook, SigningSecret, Store, WebhookDenied};

impl<S: Store> agent::ListWebhooks for Hitode<S> {
    async fn list_webhooks(
        &self,
        request: agent::list_webhooks::Request,
    ) -> Result<Rows<WebhookItem>, agent::list_webhooks::Error> {
        let listed = self.store().list_webhooks(request.caller.id).await;
        Ok(listed.map_err(Failure::from)?)
    }
}

impl<S: Store> agent::CreateWebhook for Hitode<S> {
    async fn create_webhook(
        &self,
        request: agent::create_webhook::Request,
    ) -> Result<Done<agent::create_webhook::Success>, agent::create_webhook::Error> {
        if !self.webhook_reach().may_have_host_of(&request.body.url) {
            return Err(agent::create_webhook::Error::UnreachableUrl);
        }
        let secret = SigningSecret::mint();
        let webhook = NewWebhook {
            url: request.body.url,
            events: request.body.events,
            secret: secret.clone(),
            created_at: self.now(),
        };
        let (by, account) = (by_key(&request.caller), request.caller.id);
        let once = request.once.map(move |id| agent::create_webhook::Success {
            id,
            secret: secret.expose().to_owned(),
        });
        let outcome = self
            .store()
            .create_webhook(by, account, webhook, quotas::WEBHOOKS, once)
            .await;
        outcome.map_err(Failure::from)?.map_err(|denied| match denied {
            WebhookDenied::Quota => agent::create_webhook::Error::Quota,
            WebhookDenied::Absent => missing_after_guard("an account").into(),
        })
    }
}

impl<S: Store> agent::DeleteWebhook for Hitode<S> {
    async fn delete_webhook(
        &self,
        request: agent::delete_webhook::Request,
    ) -> Result<(), agent::delete_webhook::Error> {
        let webhook = request.owned_webhook;
        let by = by_key(&request.caller);
        let outcome = self.store().delete_webhook(by, webhook.account_id, webhook.id).await;
        // Another request may have deleted it after the guard found it.
        let outcome = outcome.map_err(Failure::from)?;
        outcome.map_err(|Absent| agent::delete_webhook::Error::AbsentWebhook)
    }
}

impl<S: Store> agent::TestWebhook for Hitode<S> {
    async fn test_webhook(&self, request: agent::test_webhook::Request) -> Result<(), agent::test_webhook::Error> {
        let webhook = request.owned_webhook;
        let (by, now) = (by_key(&request.caller), self.now());
        let outcome = self.store().test_webhook(by, webhook.account_id, webhook.id, now).await;
        let outcome = outcome.map_err(Failure::from)?;
        outcome.map_err(|Absent| agent::test_webhook::Error::AbsentWebhook)
    }
}

impl<S: Store> agent::ReplayWebhook for Hitode<S> {
    async fn replay_webhook(
        &self,
        request: agent::replay_webhook::Request,
    ) -> Result<(), agent::replay_webhook::Error> {
        let webhook = request.owned_webhook;
        let by = by_key(&request.caller);
        // The type of the member admits digits only, fewer than would be too large.
        let after = request.body.after.parse().unwrap_or(i64::MAX);
        let outcome = self
            .store()
            .replay_webhook(by, webhook.account_id, webhook.id, after)
            .await;
        let outcome = outcome.map_err(Failure::from)?;
        outcome.map_err(|Absent| agent::replay_webhook::Error::AbsentWebhook)
    }
}
