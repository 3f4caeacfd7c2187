//! The states of the deliveries of webhooks, as they are stored.

use std::sync::Arc;

use codegen_store::kind::{Column, Entered, read as read_line, remove_entry, written};
use codegen_store::{TransactionError, decode};
use contract::support::Key;
use contract::{Webhook, WebhookId};
use serde::{Deserialize, Serialize};

use super::delivery::DeliveryState;
use super::market::{Kind, Tx};
use super::mirror::Change;
use super::tables;

/// The state of the deliveries of a webhook, as a backup holds it.
#[derive(Serialize, Deserialize)]
struct DeliveryLine {
    webhook: WebhookId,
    state: DeliveryState,
}

/// The kind of these states.
pub(crate) const DELIVERIES: Kind = Kind {
    tree: tables::DELIVERIES,
    noun: "state of deliveries",
    text: None,
    key: &[&[Column::Number("webhook_id")]],
    comes_last: false,
    is_numbered: false,
    line: |key, value| {
        let (webhook, state) = (WebhookId::read(key)?, decode(value).ok()?);
        written(&DeliveryLine { webhook, state })
    },
    enter: |tx, _, json, from| {
        // The secret of the webhook is in its state.
        if !from.keeps_credentials() {
            return Ok(());
        }
        let DeliveryLine { webhook, mut state } = read_line(json)?;
        state.raise_numbers(from.gap());
        match from {
            Entered::Backup(_) => put_state(tx, webhook, &state),
            // It is written after its webhook.
            Entered::Log => {
                let webhook: Webhook = tx.existing(webhook)?;
                write(tx, &webhook, &state);
            }
        }
        Ok(())
    },
    remove: Some(remove_entry),
};

/// The state of the deliveries of a webhook.
fn read(tx: &Tx<'_>, id: WebhookId) -> Result<DeliveryState, TransactionError> {
    let broken = |cause: String| TransactionError::Broken(format!("deliveries of webhook {id}: {cause}"));
    let value = tx.read(tables::DELIVERIES, &id.bytes())?;
    let value = value.ok_or_else(|| broken("missing".to_owned()))?;
    decode(&value).map_err(|error| broken(error.to_string()))
}

/// Writes the state of the deliveries of a webhook, without a change for the mirror.
fn put_state(tx: &mut Tx<'_>, webhook: WebhookId, state: &DeliveryState) {
    let value = serde_json::to_vec(state).expect("the state has text keys");
    tx.write(tables::DELIVERIES, &webhook.bytes(), Some(value.into()));
}

/// Writes the state of the deliveries of a webhook.
pub(crate) fn write(tx: &mut Tx<'_>, webhook: &Webhook, state: &DeliveryState) {
    put_state(tx, webhook.id, state);
    tx.change_view(Change::Webhook(Arc::new(webhook.clone()), Arc::new(state.clone())));
}

/// Removes the state of the deliveries of a webhook.
pub(crate) fn remove(tx: &mut Tx<'_>, webhook: WebhookId) {
    tx.write(tables::DELIVERIES, &webhook.bytes(), None);
}

/// Changes a webhook and the state of its deliveries. `None` if it was deleted meanwhile.
pub(crate) fn change(
    tx: &mut Tx<'_>,
    id: WebhookId,
    change: impl FnOnce(&mut Webhook, &mut DeliveryState),
) -> Result<Option<()>, TransactionError> {
    let Some(former) = tx.get::<Webhook>(id)? else {
        return Ok(None);
    };
    let (mut webhook, mut state) = (former.clone(), read(tx, id)?);
    change(&mut webhook, &mut state);
    if webhook != former {
        tx.put(&webhook)?;
    }
    write(tx, &webhook, &state);
    Ok(Some(()))
}
