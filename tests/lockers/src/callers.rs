//! Finds the callers of credentials.

use crate::support::Failure;
use crate::{AdmitBadge, AdmitPass, AdmitTerminalKey, BadgeCaller, Lockers, PassCaller, TerminalKeyCaller};

impl AdmitTerminalKey for Lockers {
    async fn admit_terminal_key(&self, presented: &str) -> Result<Option<TerminalKeyCaller>, Failure> {
        let now = self.now();
        let mut store = self.store();
        let Some(id) = store.keys.get(presented).copied() else {
            return Ok(None);
        };
        let terminal = store.terminals.get_mut(id).ok_or(Failure::Internal)?;
        terminal.last_used_at = Some(now);
        let owner = terminal.courier_id;
        let courier = store.couriers.get(owner).ok_or(Failure::Internal)?;
        Ok(Some(TerminalKeyCaller {
            id: courier.id,
            limited_by: id,
            plan: courier.plan,
            suspended: courier.is_barred,
            realm: courier.network,
        }))
    }
}

impl AdmitPass for Lockers {
    async fn admit_pass(&self, presented: &str) -> Result<Option<PassCaller>, Failure> {
        let store = self.store();
        let Some(id) = store.passes.get(presented).copied() else {
            return Ok(None);
        };
        let recipient = store.recipients.get(id).ok_or(Failure::Internal)?;
        Ok(Some(PassCaller {
            id,
            limited_by: id,
            realm: recipient.network,
        }))
    }
}

impl AdmitBadge for Lockers {
    async fn admit_badge(&self, presented: &str) -> Result<Option<BadgeCaller>, Failure> {
        // A larger service compares digests: then the time that takes reveals nothing about the badge.
        Ok((presented == self.badge).then_some(BadgeCaller {}))
    }
}
