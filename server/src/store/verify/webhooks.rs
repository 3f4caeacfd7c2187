//! The states of the deliveries of webhooks.

use std::collections::BTreeMap;
use std::sync::Arc;

use codegen_store::verify::{Name, record};
use codegen_store::{EngineError, Hex, Record, decode};
use contract::support::Key;
use contract::{Webhook, WebhookId};

use crate::store::delivery::DeliveryState;
use crate::store::market::{Market, Verification};
use crate::store::mirror::Change;
use crate::store::tables;

/// Checks that each webhook has a state, and that no other states exist.
pub(super) fn deliveries(reading: &mut Verification<'_, '_>) -> Result<(), EngineError> {
    let mut states = states(reading)?;
    for key in reading.keys_again(Webhook::TREE) {
        let key = key?;
        // Malformed keys and unreadable records were reported before.
        let Some(id) = WebhookId::read(&key).filter(|id| id.get() > 0) else {
            continue;
        };
        let state = states.remove(&id);
        if state.is_none() {
            let of = Name::of::<Market, Webhook>(&id);
            reading
                .findings
                .push(&format!("{of} exists, but the state of its deliveries does not"));
        }
        let value = reading.readable(Webhook::TREE, &key)?;
        let webhook = value.and_then(|value| record::<Market, _>(&key, &value).ok());
        if let Some((webhook, state)) = webhook.zip(state.flatten()) {
            reading.learn(Change::Webhook(Arc::new(webhook), Arc::new(state)));
        }
    }
    for id in states.into_keys() {
        let of = Name::of::<Market, Webhook>(&id);
        reading
            .findings
            .push(&format!("the state of the deliveries of {of} exists, but it does not"));
    }
    Ok(())
}

/// The states by the ids of their webhooks; `None` for one that cannot be read.
fn states(reading: &mut Verification<'_, '_>) -> Result<BTreeMap<WebhookId, Option<DeliveryState>>, EngineError> {
    let mut states = BTreeMap::new();
    reading.values(tables::DELIVERIES, |reading, key, value| {
        let state = decode(&value).map_err(|misread| {
            let of = format!("the deliveries {}", Hex(&key));
            reading.misread(of, misread);
        });
        match WebhookId::read(&key) {
            Some(id) => drop(states.insert(id, state.ok())),
            None => reading.malformed_key(tables::DELIVERIES, &key),
        }
    })?;
    Ok(states)
}
