//! Counts requests against a quota in windows of fixed length. Must not know what is counted or who the caller is.
//!
//! A key may have an owner, whose keys share another quota: both are checked under one lock, and a request that one
//! of them rejects does not count for the other. Several processes can share a quota: see `shared`.

mod quota;
mod sent;
mod shared;

use std::hash::Hash;

use super::clock::Clock;
use parking_lot::Mutex;
use quota::KeyedQuota;
pub use sent::{SentBytes, SentTo};
use shared::SharedQuota;
pub use shared::{ExchangeCounts, SharedCount, SharedKey};

/// Allows each key a number of requests in a window. Windows begin at multiples of their length in Unix time, so one
/// of 60 seconds is a clock minute. The date is read once, when the clock is made; after that the elapsed time counts,
/// so that a correction of the date neither shortens nor repeats a window.
#[derive(Debug)]
pub struct Limiter<K: Clone + Eq + Hash> {
    windows: Windows,
    keys: Counter<K>,
    owners: Option<Counter<K>>,
    both: Mutex<()>,
}

/// A quota of this process alone, or one that processes share.
#[derive(Debug)]
enum Counter<K: Clone + Eq + Hash> {
    Own(KeyedQuota<K>),
    Shared(SharedQuota<K>),
}

/// The decision on one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitDecision {
    /// Whether the request is allowed. If not, it was not counted.
    pub allowed: bool,
    /// How many more requests are allowed in this window: the smaller number of key and owner.
    pub remaining: u32,
    /// Whether the owner has fewer left than the key.
    pub is_owners: bool,
    /// Seconds until the window ends, rounded up, at least 1.
    pub seconds: u64,
    /// The Unix second at which the window ends, by the present date.
    pub reset_unix: u64,
}

impl<K: Clone + Eq + Hash> Limiter<K> {
    /// `max` requests for each key in each window of `window_seconds`. 0 counts as 1 in both.
    pub fn new(max: u32, window_seconds: u32, clock: Clock) -> Self {
        let windows = Windows::new(window_seconds, clock);
        Self {
            keys: Counter::Own(KeyedQuota::new(max, windows.clone())),
            windows,
            owners: None,
            both: Mutex::new(()),
        }
    }

    /// Adds a maximum of requests in a window for all keys of one owner together; 0 counts as 1.
    #[must_use]
    pub fn with_owner_max(self, max: u32) -> Self {
        Self {
            owners: Some(Counter::Own(KeyedQuota::new(max, self.windows.clone()))),
            ..self
        }
    }

    /// Shares the quotas of the keys with other processes, if `is_shared`. No request may have been counted.
    #[must_use]
    pub fn sharing_keys(self, is_shared: bool) -> Self {
        let keys = self.keys.shared_if(is_shared, &self.windows);
        Self { keys, ..self }
    }

    /// Shares the quotas of the owners with other processes, if `is_shared`. No request may have been counted.
    #[must_use]
    pub fn sharing_owners(self, is_shared: bool) -> Self {
        let owners = self.owners.map(|owners| owners.shared_if(is_shared, &self.windows));
        Self { owners, ..self }
    }

    /// Counts one request of `key`, unless its quota is exhausted.
    pub fn check(&self, key: &K) -> LimitDecision {
        self.decision(self.keys.count(key), false)
    }

    /// Counts one request for the key and for its owner, unless the quota of one of them is exhausted.
    pub fn check_owned(&self, key: &K, owner: Option<&K>) -> LimitDecision {
        let (Some(owners), Some(owner)) = (&self.owners, owner) else {
            return self.check(key);
        };
        // A panic leaves nothing inconsistent: the lock guards no data.
        let _both = self.both.lock();
        if owners.left(owner) == 0 {
            return self.decision(None, self.keys.left(key) > 0);
        }
        let remaining = self.keys.count(key);
        let owners_remaining = remaining.and_then(|_| owners.count(owner));
        match (remaining, owners_remaining) {
            (Some(of_key), Some(of_owner)) if of_owner < of_key => self.decision(Some(of_owner), true),
            _ => self.decision(remaining, false),
        }
    }

    fn decision(&self, remaining: Option<u32>, is_owners: bool) -> LimitDecision {
        let (seconds, reset_unix) = self.windows.end();
        LimitDecision {
            allowed: remaining.is_some(),
            remaining: remaining.unwrap_or(0),
            is_owners,
            seconds,
            reset_unix,
        }
    }

    /// Removes the keys and owners without requests since the last window, to free memory. Call it regularly.
    pub fn evict_idle(&self) {
        self.keys.evict_idle();
        self.owners.iter().for_each(Counter::evict_idle);
    }

    /// How many keys are in memory.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether no key is in memory.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many owners are in memory.
    pub fn owners(&self) -> usize {
        self.owners.as_ref().map_or(0, Counter::len)
    }
}

impl<K: SharedKey> Limiter<K> {
    /// What shared quotas have counted in this window since the last exchange that ended. `names` are those of the limit
    /// and of its owners.
    pub fn counted(&self, names: (&str, &str)) -> Vec<SharedCount> {
        let quotas = self.shared(names);
        quotas.flat_map(|(name, quota)| quota.counted(name)).collect()
    }

    /// Takes in the end of an exchange: `sent` was published, and `elsewhere` is what all others have counted of that.
    pub fn exchanged(&self, names: (&str, &str), sent: &[SharedCount], elsewhere: &[SharedCount]) {
        for (name, quota) in self.shared(names) {
            let [sent, elsewhere] = [sent, elsewhere].map(|all| all.iter().filter(|one| one.limit == name));
            quota.exchanged(sent, elsewhere);
        }
    }

    fn shared<'n>(&self, (keys, owners): (&'n str, &'n str)) -> impl Iterator<Item = (&'n str, &SharedQuota<K>)> {
        let quotas = [(keys, Some(&self.keys)), (owners, self.owners.as_ref())];
        quotas.into_iter().filter_map(|(name, quota)| match quota? {
            Counter::Own(_) => None,
            Counter::Shared(quota) => Some((name, quota)),
        })
    }
}

impl<K: Clone + Eq + Hash> Counter<K> {
    fn shared_if(self, is_shared: bool, windows: &Windows) -> Self {
        match self {
            Self::Own(quota) if is_shared => Self::Shared(SharedQuota::new(quota.max(), windows.clone())),
            same => same,
        }
    }

    /// How many more requests of the key are allowed. Counts none.
    fn left(&self, key: &K) -> u32 {
        match self {
            Self::Own(quota) => quota.left(key),
            Self::Shared(quota) => quota.left(key),
        }
    }

    /// Counts a request and returns how many more are allowed; `None` if it is not allowed and was not counted.
    fn count(&self, key: &K) -> Option<u32> {
        match self {
            Self::Own(quota) => quota.count(key),
            Self::Shared(quota) => quota.count(key),
        }
    }

    fn evict_idle(&self) {
        match self {
            Self::Own(quota) => quota.evict_idle(),
            Self::Shared(quota) => quota.evict_idle(),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Own(quota) => quota.len(),
            Self::Shared(quota) => quota.len(),
        }
    }
}

/// Windows of one length on a clock.
#[derive(Clone, Debug)]
struct Windows {
    clock: Clock,
    millis: u64,
}

impl Windows {
    /// 0 seconds count as 1.
    fn new(seconds: u32, clock: Clock) -> Self {
        let millis = u64::from(seconds.max(1)) * 1000;
        Self { clock, millis }
    }

    /// The number of the present window.
    fn present(&self) -> u64 {
        self.clock.steady_millis() / self.millis
    }

    /// The Unix second at which the present window ends, by the elapsed time.
    fn end_of_present(&self) -> u64 {
        (self.present() + 1) * self.millis / 1000
    }

    /// The end of the present window: in how many seconds, and at which Unix second.
    fn end(&self) -> (u64, u64) {
        let left = self.millis - self.clock.steady_millis() % self.millis;
        // Rounded to the nearest second: the end is a whole second by the date at the start, and the two clocks are
        // not read at the same moment.
        let reset = self.clock.date_millis().saturating_add(left).saturating_add(1000 / 2);
        (left.div_ceil(1000), reset / 1000)
    }
}

#[cfg(test)]
mod tests;
