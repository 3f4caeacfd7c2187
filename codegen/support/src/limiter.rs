//! Counting against a quota in windows of fixed length. Knows neither what is counted nor who is.
//!
//! The count is `governor`'s alone. It refills a quota bit by bit, which lets almost twice the quota through at first; over
//! a clock that stands still within a window and jumps a whole refill at its end, it counts each window exactly.

use std::fmt;
use std::hash::Hash;
use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::Clock as GovernorClock;
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};

use super::clock::Clock;

/// On the limiter's own clock: what one request uses up, and what it takes to refill it.
const REFILL: Duration = Duration::from_nanos(1);

/// Lets each key through a number of times in a window. Windows begin at multiples of their length in Unix time, so one of
/// 60 seconds is a clock minute: by the date at which the clock was made, since a window is as long as the time that passes
/// in it. A correction of the date neither shortens nor repeats one.
pub struct Limiter<K: Clone + Eq + Hash> {
    windows: Windows,
    keys: RateLimiter<K, HashMapStateStore<K>, Windows, StateInformationMiddleware>,
}

/// What became of one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether it may pass. If not, it was not counted.
    pub allowed: bool,
    /// How many more may pass in this window.
    pub remaining: u32,
    /// Seconds until the window ends, rounded up, at least 1.
    pub seconds: u64,
    /// Unix second in which the window ends, by the present date.
    pub reset_unix: u64,
}

impl<K: Clone + Eq + Hash> Limiter<K> {
    /// `max` requests a key in each window of `window_seconds`. Neither can be 0; 0 is taken as 1.
    pub fn new(max: u32, window_seconds: u32, clock: Clock) -> Self {
        let max = NonZeroU32::new(max).unwrap_or(NonZeroU32::MIN);
        let millis = u64::from(window_seconds.max(1)) * 1000;
        let first = clock.steady_millis() / millis;
        let windows = Windows {
            clock,
            millis,
            first,
            max,
        };
        let quota = Quota::with_period(REFILL)
            .expect("a refill takes time")
            .allow_burst(max);
        let keys = RateLimiter::new(quota, HashMapStateStore::default(), windows.clone());
        Self { windows, keys }
    }

    /// Counts one request of `key`, unless the key has used up its window.
    pub fn check(&self, key: &K) -> Verdict {
        let (seconds, reset_unix) = self.windows.end();
        match self.keys.check_key(key) {
            Ok(state) => Verdict {
                allowed: true,
                remaining: state.remaining_burst_capacity(),
                seconds,
                reset_unix,
            },
            Err(_) => Verdict {
                allowed: false,
                remaining: 0,
                seconds,
                reset_unix,
            },
        }
    }

    /// Forgets the keys that have not been seen since the last window and frees their memory. To be called now and then.
    pub fn sweep(&self) {
        self.keys.retain_recent();
        self.keys.shrink_to_fit();
    }

    /// How many keys are remembered.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether no key is remembered.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}

impl<K: Clone + Eq + Hash> fmt::Debug for Limiter<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limiter")
            .field("windows", &self.windows)
            .finish_non_exhaustive()
    }
}

/// A clock for `governor` that jumps from window to window, each time by as many refills as a key can have used.
#[derive(Clone, Debug)]
struct Windows {
    clock: Clock,
    millis: u64,
    first: u64,
    max: NonZeroU32,
}

impl Windows {
    /// The end of the present window: in how many seconds, and at which Unix second.
    fn end(&self) -> (u64, u64) {
        let left = self.millis - self.clock.steady_millis() % self.millis;
        // To the nearest: it is a whole second by the date at the start, and the two are not read at the same moment.
        let reset = self.clock.date_millis().saturating_add(left).saturating_add(1000 / 2);
        (left.div_ceil(1000), reset / 1000)
    }
}

impl GovernorClock for Windows {
    type Instant = Duration;

    fn now(&self) -> Duration {
        let passed = (self.clock.steady_millis() / self.millis).saturating_sub(self.first);
        REFILL
            .saturating_mul(self.max.get())
            .saturating_mul(u32::try_from(passed).unwrap_or(u32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 17 seconds into a clock minute.
    const START: u64 = 1_700_000_040 - 43;

    fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    #[test]
    fn every_window_lets_exactly_the_quota_through() {
        for max in [1, 2, 3, 7, 20, 100, 999, 99_999] {
            let clock = Clock::manual(START);
            let limiter = Limiter::new(max, 60, clock.clone());
            for window in 0..6 {
                for already in 0..max {
                    let verdict = limiter.check(&1);
                    assert_eq!(
                        (verdict.allowed, verdict.remaining),
                        (true, max - already - 1),
                        "{max} {window} {already}"
                    );
                }
                let refused = limiter.check(&1);
                assert!(!refused.allowed && refused.remaining == 0, "{max} {window}");
                clock.advance(seconds(60));
            }
        }
    }

    #[test]
    fn what_one_window_left_over_is_not_added_to_the_next() {
        let clock = Clock::manual(START);
        let limiter = Limiter::new(100, 60, clock.clone());
        for (used, pause) in [(1, 60), (0, 60), (99, 60), (100, 60), (3, 600), (50, 86_400), (100, 60)] {
            assert!((0..used).all(|_| limiter.check(&"key").allowed));
            clock.advance(seconds(pause));
            let allowed = (0..300).filter(|_| limiter.check(&"key").allowed).count();
            assert_eq!(allowed, 100, "after {used} and {pause} s");
            clock.advance(seconds(60));
        }
    }

    #[test]
    fn a_window_ends_with_the_clock_minute_and_not_before() {
        let clock = Clock::manual(START);
        let limiter = Limiter::new(1, 60, clock.clone());
        let first = limiter.check(&1);
        assert_eq!(
            first,
            Verdict {
                allowed: true,
                remaining: 0,
                seconds: 43,
                reset_unix: START + 43
            }
        );
        clock.advance(Duration::from_millis(42_001));
        let refused = limiter.check(&1);
        assert_eq!(
            refused,
            Verdict {
                allowed: false,
                remaining: 0,
                seconds: 1,
                reset_unix: START + 43
            }
        );
        clock.advance(Duration::from_millis(998));
        assert!(!limiter.check(&1).allowed);
        clock.advance(Duration::from_millis(1));
        let next = limiter.check(&1);
        assert_eq!(
            next,
            Verdict {
                allowed: true,
                remaining: 0,
                seconds: 60,
                reset_unix: START + 103
            }
        );
    }

    #[test]
    fn a_corrected_date_moves_the_end_that_is_told_and_no_window() {
        for correction in [7_200, -7_200, -1_000_000_000] {
            let clock = Clock::manual(START);
            let limiter = Limiter::new(1, 60, clock.clone());
            assert!(limiter.check(&1).allowed);
            clock.correct(correction * 1_000);
            let refused = limiter.check(&1);
            assert!(!refused.allowed && refused.seconds == 43, "{refused:?}");
            let end = START.checked_add_signed(correction).unwrap() + 43;
            assert_eq!(refused.reset_unix, end);
            clock.advance(seconds(42));
            assert!(!limiter.check(&1).allowed);
            clock.advance(seconds(1));
            let next = limiter.check(&1);
            assert!(
                next.allowed && next.seconds == 60 && next.reset_unix == end + 60,
                "{next:?}"
            );
        }
    }

    #[test]
    fn a_date_that_is_read_a_little_later_or_drifts_tells_the_same_end() {
        for drift in [-499, -1, 0, 1, 499] {
            let clock = Clock::manual(START);
            clock.correct(drift);
            let limiter = Limiter::new(1, 60, clock.clone());
            for pause in [0, 1, 998, 41_001, 999] {
                clock.advance(Duration::from_millis(pause));
                assert_eq!(limiter.check(&1).reset_unix, START + 43, "{drift} {pause}");
            }
        }
    }

    #[test]
    fn keys_are_counted_apart_and_forgotten_when_idle() {
        let clock = Clock::manual(START);
        let limiter = Limiter::new(2, 60, clock.clone());
        assert!((0..2_000).all(|count| limiter.check(&(count / 2)).allowed));
        assert!((0..1_000).all(|key| !limiter.check(&key).allowed));
        limiter.sweep();
        assert_eq!(limiter.len(), 1_000);
        clock.advance(seconds(60));
        assert!(limiter.check(&5).allowed);
        limiter.sweep();
        assert_eq!(
            limiter.check(&5).remaining,
            0,
            "a sweep forgets nothing that still counts"
        );
        assert!(!limiter.check(&5).allowed);
        clock.advance(seconds(60));
        limiter.sweep();
        assert!(limiter.len() <= 1);
        clock.advance(seconds(60));
        limiter.sweep();
        assert!(limiter.is_empty());
    }

    #[test]
    fn threads_together_get_no_more_than_one_alone() {
        let limiter = Limiter::new(1_000, 60, Clock::manual(START));
        let allowed = || (0..600).filter(|_| limiter.check(&1).allowed).count();
        let counts: Vec<usize> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(allowed)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(counts.iter().sum::<usize>(), 1_000);
    }

    #[test]
    fn senseless_settings_do_no_harm() {
        for (max, window) in [(0, 0), (u32::MAX, 1), (1, u32::MAX), (u32::MAX, u32::MAX)] {
            let clock = Clock::manual(START);
            let limiter = Limiter::new(max, window, clock.clone());
            assert!(limiter.check(&1).allowed);
            clock.advance(seconds(100 * 365 * 86_400));
            assert!(limiter.check(&1).allowed);
            limiter.sweep();
        }
    }
}
