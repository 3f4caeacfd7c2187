//! Webhooks, each with the state of its deliveries.

use std::collections::BTreeMap;
use std::sync::Arc;

use codegen_store::{EngineError, Hex};
use contract::{Tallied, Webhook, WebhookId};

use super::finding::Finding;
use super::name::Name;
use super::reading::Reading;
use super::tally::Records;
use crate::store::delivery::DeliveryState;
use crate::store::mirror::Change;
use crate::store::record::decode;
use crate::store::{keys, tables};

/// Reads the webhooks. Checks that each belongs to an account and has a state, and that no other states exist.
pub(super) fn webhooks(
    reading: &mut Reading<'_, '_>,
    records: &mut Records,
    learn: &mut dyn FnMut(Change),
) -> Result<(), EngineError> {
    let mut states = states(reading)?;
    reading.records(|findings, of, webhook: Option<Webhook>| {
        let state = states.remove(&of.id);
        if state.is_none() {
            findings.push(&Finding::NoDeliveries { of });
        }
        let Some(webhook) = webhook else { return };
        records.require(&webhook, of, findings);
        webhook.tally(records);
        if let Some(Some(state)) = state {
            learn(Change::Webhook(Arc::new(webhook), Arc::new(state)));
        }
    })?;
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
