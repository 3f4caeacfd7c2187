//! Webhooks with the state of their deliveries: what they write, and what is sent next.

use std::sync::Arc;

use contract::events::Recipient;
use contract::{Account, AccountId, Timestamp, Webhook, WebhookId};
use serde::{Deserialize, Serialize};

use super::kind::{Column, Entered, Kind, read, remove_entry, written};
use super::record::decode;
use super::transaction::{Abort, Decided, TransactionError, Tx};
use super::{SledStore, feeds, keys};
use crate::store::events::Retention;
use crate::store::mirror::Change;
use crate::store::next_delivery::{self, NextStep};
use crate::store::rules::webhooks;
use crate::store::tables;
use crate::store::{
    Absent, Actor, Deliveries, DeliveryReport, DeliveryState, NewWebhook, NextDelivery, StoreResult, Ticket,
    WebhookDenied,
};

/// The state of the deliveries of a webhook, as a backup holds it.
#[derive(Serialize, Deserialize)]
struct DeliveryLine {
    webhook: WebhookId,
    state: DeliveryState,
}

/// The kind of these states.
pub(super) const DELIVERIES: Kind = Kind {
    tree: tables::DELIVERIES,
    noun: "state of deliveries",
    key: &[Column::Number("webhook_id")],
    is_numbered: false,
    line: |key, value| {
        let (webhook, state) = (keys::last(key)?, decode(value).ok()?);
        written(&DeliveryLine { webhook, state })
    },
    enter: |tx, json, from| {
        // The secret of the webhook is in its state.
        if !from.keeps_credentials() {
            return Ok(());
        }
        let DeliveryLine { webhook, mut state } = read(json)?;
        state.raise_numbers(from.gap());
        match from {
            Entered::Backup(_) => put_state(tx, webhook, &state),
            // It is written after its webhook.
            Entered::Log => {
                let absent = || TransactionError::Broken("deliveries without their webhook".to_owned());
                let webhook: Webhook = tx.get(webhook)?.ok_or_else(absent)?;
                write_state(tx, &webhook, &state);
            }
        }
        Ok(())
    },
    remove: Some(remove_entry),
};

/// Creates a webhook of an account.
pub(super) fn create(
    tx: &mut Tx<'_>,
    account: AccountId,
    new: &NewWebhook,
    max: i64,
) -> Decided<WebhookId, WebhookDenied> {
    let newest = feeds::newest(tx, Recipient::Account(account))?;
    let (account, id) = (tx.get::<Account>(account)?, tx.next_id::<Webhook>()?);
    let created = webhooks::create(account, id, new, max, newest).map_err(Abort::Rejected);
    let (account, webhook, state) = created?;
    tx.put(&account)?;
    tx.create(&webhook)?;
    write_state(tx, &webhook, &state);
    Ok(id)
}

/// Deletes a webhook of an account.
pub(super) fn delete(tx: &mut Tx<'_>, owner: AccountId, id: WebhookId) -> Decided<(), Absent> {
    let webhook: Option<Webhook> = tx.get(id)?;
    let account = webhooks::delete(tx.get(owner)?, webhook.as_ref()).map_err(Abort::Rejected)?;
    tx.put(&account)?;
    tx.write(tables::DELIVERIES, &keys::one(id), None);
    Ok(tx.delete::<Webhook>(id, Change::WebhookDeleted(id))?)
}

/// A test of a webhook of an account is due.
pub(super) fn test(tx: &mut Tx<'_>, owner: AccountId, id: WebhookId, now: Timestamp) -> Decided<(), Absent> {
    change(tx, Some(owner), id, |webhook, state| {
        webhooks::test(webhook, state, now)
    })
}

/// All events after this number are due to be sent again to a webhook of an account.
pub(super) fn replay(tx: &mut Tx<'_>, owner: AccountId, id: WebhookId, after: i64) -> Decided<(), Absent> {
    let newest = feeds::newest(tx, Recipient::Account(owner))?;
    change(tx, Some(owner), id, |_, state| webhooks::replay(state, after, newest))
}

/// Changes a webhook of an account, or of any if there is no `owner`, and the state of its deliveries.
fn change(
    tx: &mut Tx<'_>,
    owner: Option<AccountId>,
    id: WebhookId,
    change: impl FnOnce(&mut Webhook, &mut DeliveryState),
) -> Decided<(), Absent> {
    let webhook: Option<Webhook> = tx.get(id)?;
    let is_meant = |webhook: &Webhook| owner.is_none_or(|owner| owner == webhook.account_id);
    let mut webhook = webhook.filter(is_meant).ok_or(Abort::Rejected(Absent))?;
    let former = webhook.clone();
    let mut state = read_state(tx, id)?;
    change(&mut webhook, &mut state);
    if webhook != former {
        tx.put(&webhook)?;
    }
    write_state(tx, &webhook, &state);
    Ok(())
}

/// The state of the deliveries of a webhook.
fn read_state(tx: &Tx<'_>, id: WebhookId) -> Result<DeliveryState, TransactionError> {
    let broken = |cause: String| TransactionError::Broken(format!("deliveries of webhook {id}: {cause}"));
    let value = tx.read(tables::DELIVERIES, &keys::one(id))?;
    let value = value.ok_or_else(|| broken("missing".to_owned()))?;
    decode(&value).map_err(|error| broken(error.to_string()))
}

/// Writes the state of the deliveries of a webhook, without a change for the mirror.
fn put_state(tx: &mut Tx<'_>, webhook: WebhookId, state: &DeliveryState) {
    let value = serde_json::to_vec(state).expect("the state has text keys");
    tx.write(tables::DELIVERIES, &keys::one(webhook), Some(value.into()));
}

fn write_state(tx: &mut Tx<'_>, webhook: &Webhook, state: &DeliveryState) {
    put_state(tx, webhook.id, state);
    tx.change_memory(Change::Webhook(Arc::new(webhook.clone()), Arc::new(state.clone())));
}

impl Deliveries for SledStore {
    fn webhooks(&self, account: Option<AccountId>) -> StoreResult<Vec<WebhookId>> {
        self.read_mirror(|mirror| mirror.webhooks.ids(account))
    }

    async fn next_delivery(&self, id: WebhookId, now: Timestamp) -> StoreResult<NextDelivery> {
        loop {
            let Some((webhook, state)) = self.read_mirror(|mirror| mirror.receiver(id))? else {
                return Ok(NextDelivery::Idle);
            };
            let number = match next_delivery::next(self, &webhook, &state, now).await? {
                NextStep::Is(next) => return Ok(next),
                NextStep::Pass(number) => number,
            };
            let replays = state.replays;
            let passed = self.write(Actor::Operator, move |tx| {
                change(tx, None, id, |_, state| webhooks::pass(state, replays, number))
            });
            // It may have been deleted meanwhile.
            let (Ok(()) | Err(Absent)) = passed.await?;
        }
    }

    async fn settle_delivery(&self, webhook: WebhookId, ticket: Ticket, report: DeliveryReport) -> StoreResult<()> {
        let settled = self.write(Actor::Operator, move |tx| {
            let mut caused = Vec::new();
            change(tx, None, webhook, |webhook, state| {
                caused.extend(webhooks::settle(webhook, state, ticket, report));
            })?;
            Ok(feeds::append(tx, caused, report.at, Retention::DECLARED)?)
        });
        // It may have been deleted meanwhile.
        settled.await.map(|settled| settled.unwrap_or(()))
    }

    async fn changed(&self) -> Vec<AccountId> {
        self.changed.next().await
    }
}
