//! A quota for each key in each window, counted by `governor`.
//!
//! governor refills a quota gradually, which at first allows almost twice the quota, so it runs on a clock that stays
//! constant within a window and jumps by a whole refill at its end. It cannot read a count without raising it: the
//! state store here can.

use std::fmt;
use std::hash::Hash;
use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::Clock;
use governor::middleware::StateInformationMiddleware;
use governor::nanos::Nanos;
use governor::state::StateStore;
use governor::state::keyed::{HashMapStateStore, ShrinkableKeyedStateStore};
use governor::{Quota, RateLimiter};

use super::Windows;

/// The cost of one request on the limiter's own clock, and the time to refill it.
const REFILL: Duration = Duration::from_nanos(1);

/// Allows each key a number of requests in a window.
pub(super) struct KeyedQuota<K: Clone + Eq + Hash>(
    RateLimiter<QuotaDecision<K>, Counts<K>, Refills, StateInformationMiddleware>,
    NonZeroU32,
);

impl<K: Clone + Eq + Hash> KeyedQuota<K> {
    /// 0 counts as 1.
    pub(super) fn new(max: u32, windows: Windows) -> Self {
        let max = NonZeroU32::new(max).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::with_period(REFILL)
            .expect("a refill takes time")
            .allow_burst(max);
        let first = windows.present();
        let clock = Refills { windows, first, max };
        Self(
            RateLimiter::new(quota, Counts(HashMapStateStore::default()), clock),
            max,
        )
    }

    /// How many requests of a key are allowed in a window.
    pub(super) fn max(&self) -> u32 {
        self.1.get()
    }

    /// How many more requests of the key are allowed. Counts none.
    pub(super) fn left(&self, key: &K) -> u32 {
        self.remaining(key, false)
            .map_or(0, |remaining| remaining.saturating_add(1))
    }

    /// Counts a request and returns how many more are allowed; `None` if it is not allowed and was not counted.
    pub(super) fn count(&self, key: &K) -> Option<u32> {
        self.remaining(key, true)
    }

    fn remaining(&self, key: &K, counts: bool) -> Option<u32> {
        let key = key.clone();
        let passed = self.0.check_key(&QuotaDecision { key, counts }).ok()?;
        Some(passed.remaining_burst_capacity())
    }

    /// Removes the keys of earlier windows.
    pub(super) fn evict_idle(&self) {
        self.0.retain_recent();
        self.0.shrink_to_fit();
    }

    /// How many keys are in memory.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

/// A key, and whether the request is counted.
#[derive(Clone, PartialEq, Eq, Hash)]
struct QuotaDecision<K> {
    key: K,
    counts: bool,
}

struct Counts<K: Clone + Eq + Hash>(HashMapStateStore<K>);

impl<K: Clone + Eq + Hash> StateStore for Counts<K> {
    type Key = QuotaDecision<K>;

    fn measure_and_replace<T, F, E>(&self, asked: &QuotaDecision<K>, measure: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        if asked.counts {
            return self.0.measure_and_replace(&asked.key, measure);
        }
        // An error leaves the state unchanged.
        let look = |state| -> Result<((), Nanos), Result<T, E>> { Err(measure(state).map(|(seen, _)| seen)) };
        match self.0.measure_and_replace(&asked.key, look) {
            Err(seen) => seen,
            Ok(()) => unreachable!("a look is an error"),
        }
    }
}

impl<K: Clone + Eq + Hash> ShrinkableKeyedStateStore<QuotaDecision<K>> for Counts<K> {
    fn retain_recent(&self, drop_below: Nanos) {
        self.0.retain_recent(drop_below);
    }

    fn shrink_to_fit(&self) {
        self.0.shrink_to_fit();
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A clock that jumps, at each new window, by the time to refill a whole quota.
#[derive(Clone, Debug)]
struct Refills {
    windows: Windows,
    first: u64,
    max: NonZeroU32,
}

impl Clock for Refills {
    type Instant = Duration;

    fn now(&self) -> Duration {
        let passed = self.windows.present().saturating_sub(self.first);
        REFILL
            .saturating_mul(self.max.get())
            .saturating_mul(u32::try_from(passed).unwrap_or(u32::MAX))
    }
}

impl<K: Clone + Eq + Hash> fmt::Debug for KeyedQuota<K> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("KeyedQuota").field("keys", &self.len()).finish()
    }
}
