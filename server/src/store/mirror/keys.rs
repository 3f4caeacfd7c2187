//! The active keys in memory: found by digest without a scan.

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
pub(crate) struct Keys {
    by_id: HashMap<ApiKeyId, Arc<Active>>,
    by_digest: HashMap<Digest, Arc<Active>>,
    by_account: BTreeSet<(AccountId, ApiKeyId)>,
}

struct Active {
    key: Arc<ApiKey>,
    /// The last use that is on disk, or on its way to it; Unix seconds.
    used: AtomicI64,
}

impl Keys {
    /// The key with this digest, and whether the caller must save this use. Those within
    /// [`ApiKey::LAST_USED_AT_WITHIN_SECONDS`] of a saved one are not recorded.
    pub(crate) fn admit(&self, digest: &Digest, now: Timestamp) -> Option<(&Arc<ApiKey>, bool)> {
        let active = self.by_digest.get(digest)?;
        let (former, now) = (active.used.load(Ordering::Relaxed), now.unix());
        // Also if `now` is earlier: the clock may have been set back.
        let is_new = former.abs_diff(now) >= ApiKey::LAST_USED_AT_WITHIN_SECONDS;
        // Of several requests at once, one saves it.
        let used = &active.used;
        let is_new = is_new
            && used
                .compare_exchange(former, now, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok();
        Some((&active.key, is_new))
    }

    /// One key.
    pub(crate) fn get(&self, id: ApiKeyId) -> Option<&Arc<ApiKey>> {
        self.by_id.get(&id).map(|active| &active.key)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.by_id.len()
    }

    /// The keys of an account, in the contract's order.
    pub(crate) fn list(&self, account: AccountId) -> Rows<ApiKeyItem> {
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

    /// Adds a new key, or a use of one.
    pub(super) fn insert(&mut self, key: Arc<ApiKey>) {
        let saved = key.last_used_at.map_or(NEVER, Timestamp::unix);
        let known = self.by_id.get(&key.id);
        let used = known.map_or(saved, |known| saved.max(known.used.load(Ordering::Relaxed)));
        let active = Arc::new(Active { used: used.into(), key });
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
