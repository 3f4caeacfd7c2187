//! A quota that several processes share: each counts for itself, and they exchange their counts from time to time. Must
//! not know how. An exchange is about the keys that were counted since the last one; so a process allows too much for at
//! most as long as two exchanges are apart.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::net::IpAddr;

use futures_util::future::BoxFuture;
use parking_lot::Mutex;

use super::Windows;

/// How many keys one exchange has at most. The others come with the next one.
const MOST: usize = 10_000;

/// What one process has counted for a key in a window, or all others together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedCount {
    /// The name of the limit, `NAME` or `NAME:owner`.
    pub limit: String,
    /// The key, as [`SharedKey::to_text`] writes it.
    pub key: String,
    /// The Unix second at which the window ends, by the elapsed time of the process.
    pub window_end: u64,
    /// The number of requests, or of bytes.
    pub count: u32,
}

/// Where processes exchange what they have counted.
pub trait ExchangeCounts: Send + Sync {
    /// Publishes `sent`, and returns what all others have counted of the same keys in the same windows.
    fn exchange<'e>(&'e self, sent: &'e [SharedCount]) -> BoxFuture<'e, Result<Vec<SharedCount>, String>>;
}

/// A key that other processes can read. It is no credential.
pub trait SharedKey: Clone + Eq + Hash {
    /// Writes it.
    fn to_text(&self) -> String;
    /// Reads what [`to_text`](Self::to_text) wrote.
    fn parse(text: &str) -> Option<Self>;
}

impl SharedKey for IpAddr {
    fn to_text(&self) -> String {
        self.to_string()
    }

    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

/// A kind and an id.
impl SharedKey for (u16, i64) {
    fn to_text(&self) -> String {
        format!("{} {}", self.0, self.1)
    }

    fn parse(text: &str) -> Option<Self> {
        let (kind, id) = text.split_once(' ')?;
        Some((kind.parse().ok()?, id.parse().ok()?))
    }
}

/// Allows each key a number of requests in a window, less those that other processes have counted.
pub(super) struct SharedQuota<K> {
    max: u32,
    windows: Windows,
    counts: Mutex<Counts<K>>,
}

struct Counts<K> {
    of: HashMap<K, Count>,
    /// The keys that were counted since the last exchange, each once.
    changed: Vec<K>,
}

#[derive(Clone, Copy, Default)]
struct Count {
    window: u64,
    own: u32,
    elsewhere: u32,
    is_changed: bool,
}

impl<K: Clone + Eq + Hash> SharedQuota<K> {
    pub(super) fn new(max: u32, windows: Windows) -> Self {
        let counts = Mutex::new(Counts {
            of: HashMap::new(),
            changed: Vec::new(),
        });
        Self { max, windows, counts }
    }

    /// How many more requests of the key are allowed. Counts none.
    pub(super) fn left(&self, key: &K) -> u32 {
        let present = self.windows.present();
        let counts = self.counts.lock();
        let count = counts.of.get(key).filter(|count| count.window == present);
        count.map_or(self.max, |count| self.left_of(*count))
    }

    /// Counts a request and returns how many more are allowed; `None` if it is not allowed and was not counted.
    pub(super) fn count(&self, key: &K) -> Option<u32> {
        self.add_if(key, 1, |left| left > 0)
    }

    /// Adds a number to the count of the key, also beyond the maximum.
    pub(super) fn add(&self, key: &K, number: u32) {
        let _ = self.add_if(key, number, |_| true);
    }

    /// Adds a number if what is left allows it, and returns how much is left then.
    fn add_if(&self, key: &K, number: u32, is_allowed: impl FnOnce(u32) -> bool) -> Option<u32> {
        let window = self.windows.present();
        let mut counts = self.counts.lock();
        let Counts { of, changed } = &mut *counts;
        let count = of.entry(key.clone()).or_default();
        if count.window != window {
            *count = Count {
                window,
                is_changed: count.is_changed,
                ..Count::default()
            };
        }
        if !is_allowed(self.left_of(*count)) {
            return None;
        }
        count.own = count.own.saturating_add(number);
        if !count.is_changed {
            count.is_changed = true;
            changed.push(key.clone());
        }
        Some(self.left_of(*count))
    }

    fn left_of(&self, count: Count) -> u32 {
        self.max.saturating_sub(count.own).saturating_sub(count.elsewhere)
    }

    /// Removes the keys of earlier windows.
    pub(super) fn evict_idle(&self) {
        let present = self.windows.present();
        let mut counts = self.counts.lock();
        let Counts { of, changed } = &mut *counts;
        of.retain(|_, count| count.window == present);
        of.shrink_to_fit();
        changed.retain(|key| of.contains_key(key));
    }

    /// How many keys are in memory.
    pub(super) fn len(&self) -> usize {
        self.counts.lock().of.len()
    }
}

impl<K: SharedKey> SharedQuota<K> {
    /// What was counted in this window for the keys that have changed since the last exchange.
    pub(super) fn counted(&self, limit: &str) -> Vec<SharedCount> {
        let (present, window_end) = (self.windows.present(), self.windows.end_of_present());
        let counts = self.counts.lock();
        let changed = counts.changed.iter().take(MOST);
        let counted = changed.filter_map(|key| {
            let count = counts.of.get(key).filter(|count| count.window == present)?;
            Some(SharedCount {
                limit: limit.to_owned(),
                key: key.to_text(),
                window_end,
                count: count.own,
            })
        });
        counted.collect()
    }

    /// Takes in the end of an exchange: `sent` was published, and `elsewhere` is what all others have counted of that.
    pub(super) fn exchanged<'c>(
        &self,
        sent: impl Iterator<Item = &'c SharedCount>,
        elsewhere: impl Iterator<Item = &'c SharedCount>,
    ) {
        let (present, window_end) = (self.windows.present(), self.windows.end_of_present());
        let mut counts = self.counts.lock();
        let Counts { of, changed } = &mut *counts;
        // What was counted meanwhile is published the next time; what a past window has, never.
        for (key, sent) in sent.filter_map(|sent| Some((K::parse(&sent.key)?, sent))) {
            if let Some(count) = of.get_mut(&key) {
                count.is_changed = count.window == present && (count.own, window_end) != (sent.count, sent.window_end);
            }
        }
        changed.retain(|key| of.get(key).is_some_and(|count| count.is_changed));
        for other in elsewhere.filter(|other| other.window_end == window_end) {
            let count = K::parse(&other.key).and_then(|key| of.get_mut(&key));
            if let Some(count) = count.filter(|count| count.window == present) {
                count.elsewhere = other.count;
            }
        }
    }
}

impl<K: Clone + Eq + Hash> fmt::Debug for SharedQuota<K> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("SharedQuota").field("keys", &self.len()).finish()
    }
}

#[cfg(test)]
mod tests;
