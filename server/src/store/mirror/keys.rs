//! The active keys in memory: found by digest without a scan. The last use of a key in memory can be newer than the
//! one on disk.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use contract::agent::list_keys::order;
use contract::{AccountId, ApiKey, ApiKeyId, ApiKeyItem, Rows, Timestamp};

use crate::digest::Digest;

/// The last use of a key that was never used.
const NEVER: i64 = i64::MIN;

/// All active keys.
#[derive(Default)]
pub(in crate::store) struct Keys {
    by_id: HashMap<ApiKeyId, Arc<Active>>,
    by_digest: HashMap<Digest, Arc<Active>>,
    by_account: BTreeSet<(AccountId, ApiKeyId)>,
}

struct Active {
    key: Arc<ApiKey>,
    /// Unix seconds.
    used: AtomicI64,
    /// The last use that is on disk.
    saved: AtomicI64,
}

impl Keys {
    /// The key with this digest, and whether this is its first use. Records `now` as its last one.
    pub(in crate::store) fn admit(&self, digest: &Digest, now: Timestamp) -> Option<(&Arc<ApiKey>, bool)> {
        let active = self.by_digest.get(digest)?;
        // Also if `now` is earlier: the clock may have been set back.
        let former = active.used.swap(now.unix(), Ordering::Relaxed);
        Some((&active.key, former == NEVER))
    }

    /// One key. Its last use may be outdated.
    pub(in crate::store) fn get(&self, id: ApiKeyId) -> Option<&Arc<ApiKey>> {
        self.by_id.get(&id).map(|active| &active.key)
    }

    /// How many there are.
    pub(in crate::store) fn len(&self) -> usize {
        self.by_id.len()
    }

    /// The keys of an account, in the contract's order.
    pub(in crate::store) fn list(&self, account: AccountId) -> Rows<ApiKeyItem> {
        let first = (account, ApiKeyId::new(i64::MIN));
        let last = (account, ApiKeyId::new(i64::MAX));
        let mut keys: Vec<_> = self
            .by_account
            .range(first..=last)
            .map(|(_, id)| self.by_id[id].as_used())
            .collect();
        keys.sort_by(order);
        keys.iter().map(ApiKey::item).collect()
    }

    /// The keys whose last use is newer in memory than on disk.
    pub(in crate::store) fn unsaved_uses(&self) -> Vec<(ApiKeyId, Timestamp)> {
        let used = self
            .by_id
            .iter()
            .map(|(id, active)| (id, active, active.used.load(Ordering::Relaxed)));
        used.filter(|(_, active, used)| *used != active.saved.load(Ordering::Relaxed))
            .map(|(id, _, used)| (*id, Timestamp::from_unix(used)))
            .collect()
    }

    /// Records that these uses are on disk.
    pub(in crate::store) fn uses_are_saved(&self, uses: &[(ApiKeyId, Timestamp)]) {
        for (id, used) in uses {
            if let Some(active) = self.by_id.get(id) {
                active.saved.store(used.unix(), Ordering::Relaxed);
            }
        }
    }

    /// Adds a new key, or a use of one that another process has written.
    pub(super) fn insert(&mut self, key: Arc<ApiKey>) {
        let saved = key.last_used_at.map_or(NEVER, Timestamp::unix);
        let known = self.by_id.get(&key.id);
        let used = known.map_or(saved, |known| saved.max(known.used.load(Ordering::Relaxed)));
        let active = Arc::new(Active {
            used: used.into(),
            saved: saved.into(),
            key,
        });
        if let Some(digest) = Digest::from_hex(&active.key.digest) {
            self.by_digest.insert(digest, Arc::clone(&active));
        }
        self.by_account.insert((active.key.account_id, active.key.id));
        self.by_id.insert(active.key.id, active);
    }

    /// Removes a key.
    pub(super) fn remove(&mut self, id: ApiKeyId) {
        let Some(active) = self.by_id.remove(&id) else { return };
        self.by_account.remove(&(active.key.account_id, id));
        if let Some(digest) = Digest::from_hex(&active.key.digest) {
            self.by_digest.remove(&digest);
        }
    }
}

impl Active {
    /// The key with its current last use.
    fn as_used(&self) -> ApiKey {
        let used = self.used.load(Ordering::Relaxed);
        let last_used_at = (used != NEVER).then(|| Timestamp::from_unix(used));
        ApiKey {
            last_used_at,
            ..ApiKey::clone(&self.key)
        }
    }
}
