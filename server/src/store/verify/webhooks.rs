//! The states of the deliveries of webhooks.

use std::collections::BTreeMap;
use std::sync::Arc;

use codegen_store::{EngineError, Hex};
use contract::{Webhook, WebhookId};

use super::finding::Finding;
use super::name::Name;
use super::reading::{Reading, record};
use crate::store::delivery::DeliveryState;
use crate::store::mirror::Change;
use crate::store::record::{Record, decode};
use crate::store::{keys, tables};

/// Checks that each webhook has a state, and that no other states exist.
pub(super) fn deliveries(reading: &mut Reading<'_, '_>, learn: &mut dyn FnMut(Change)) -> Result<(), EngineError> {
    let mut states = states(reading)?;
    for key in reading.keys_again(Webhook::TREE) {
        let key = key?;
        // Malformed keys and unreadable records were reported before.
        let Some(of) = Name::at(Webhook::TREE, &key) else {
            continue;
        };
        let state = states.remove(&of.id);
        if state.is_none() {
            reading.findings.push(&Finding::NoDeliveries { of });
        }
        let value = reading.readable(Webhook::TREE, &key)?;
        let webhook = value.and_then(|value| record(&key, &value).ok());
        if let Some((webhook, state)) = webhook.zip(state.flatten()) {
            learn(Change::Webhook(Arc::new(webhook), Arc::new(state)));
        }
    }
    for id in states.into_keys() {
        let of = Name::of::<Webhook>(WebhookId::new(id));
        reading.findings.push(&Finding::StrayDeliveries { of });
    }
    Ok(())
}

/// The states by the ids of their webhooks; `None` for one that cannot be read.
fn states(reading: &mut Reading<'_, '_>) -> Result<BTreeMap<i64, Option<DeliveryState>>, EngineError> {
    let mut states = BTreeMap::new();
    reading.values(tables::DELIVERIES, |reading, key, value| {
        let state = decode(&value).map_err(|misread| {
            let of = format!("the deliveries {}", Hex(&key));
            reading.findings.push(&Finding::misread(of, misread));
        });
        match keys::number(&key) {
            Some(id) => drop(states.insert(id, state.ok())),
            None => {
                let (tree, key) = (tables::DELIVERIES, key.to_vec());
                reading.findings.push(&Finding::Key { tree, key });
            }
        }
    })?;
    Ok(states)
}
