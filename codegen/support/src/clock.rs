//! The clock of the process. Limits use the elapsed time, which is never corrected; displayed and stored times use the
//! system's date. Tests can control both.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::scalar::Timestamp;

/// The present date and the elapsed time. Clones share one clock.
#[derive(Clone, Debug)]
pub struct Clock(Source);

#[derive(Clone, Debug)]
enum Source {
    System {
        /// The system's date when the clock was made.
        start_millis: u64,
        since: Instant,
    },
    Manual(Arc<Manual>),
}

#[derive(Debug)]
struct Manual {
    steady_millis: AtomicU64,
    /// How far the date is ahead of the elapsed time.
    correction_millis: AtomicI64,
}

impl Clock {
    /// The system's date and the time elapsed from now on.
    pub fn system() -> Self {
        Self(Source::System {
            start_millis: system_millis(),
            since: Instant::now(),
        })
    }

    /// A clock that stays at `unix_secs` until [`advance`](Self::advance) is called.
    pub fn manual(unix_secs: u64) -> Self {
        Self(Source::Manual(Arc::new(Manual {
            steady_millis: AtomicU64::new(unix_secs.saturating_mul(1000)),
            correction_millis: AtomicI64::new(0),
        })))
    }

    /// Advances a manual clock and all its clones, in whole milliseconds. Has no effect on the system's clock.
    pub fn advance(&self, by: Duration) {
        if let Source::Manual(manual) = &self.0 {
            manual.steady_millis.fetch_add(millis(by), Ordering::SeqCst);
        }
    }

    /// Changes the date of a manual clock and all its clones, forward or back, while no time elapses: a correction of
    /// a machine's clock. Has no effect on the system's clock.
    pub fn correct(&self, by_millis: i64) {
        if let Source::Manual(manual) = &self.0 {
            manual.correction_millis.fetch_add(by_millis, Ordering::SeqCst);
        }
    }

    /// The present second, by the system's date. It may be before an earlier result.
    pub fn now(&self) -> Timestamp {
        Timestamp::from_unix(i64::try_from(self.date_millis() / 1000).unwrap_or(i64::MAX))
    }

    /// The system's date, in milliseconds since the beginning of 1970, UTC.
    pub fn date_millis(&self) -> u64 {
        match &self.0 {
            Source::System { .. } => system_millis(),
            Source::Manual(manual) => {
                let correction = manual.correction_millis.load(Ordering::SeqCst);
                self.steady_millis().saturating_add_signed(correction)
            }
        }
    }

    /// The milliseconds since the clock was made, added to the date at that moment. Unlike the date it is never
    /// corrected, so that no window of a limit is repeated or begins in the future.
    pub fn steady_millis(&self) -> u64 {
        match &self.0 {
            Source::System { start_millis, since } => start_millis.saturating_add(millis(since.elapsed())),
            Source::Manual(manual) => manual.steady_millis.load(Ordering::SeqCst),
        }
    }
}

fn system_millis() -> u64 {
    millis(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: u64 = 3_600_000;

    #[test]
    fn clones_of_a_manual_clock_move_together() {
        let clock = Clock::manual(1_700_000_000);
        let other = clock.clone();
        clock.advance(Duration::from_millis(1_999));
        assert_eq!(other.steady_millis(), 1_700_000_001_999);
        assert_eq!(other.now().unix(), 1_700_000_001);
        clock.correct(-3_600_000);
        assert_eq!(other.steady_millis(), 1_700_000_001_999);
        assert_eq!(other.now().unix(), 1_699_996_401);
        clock.correct(7_200_000);
        assert_eq!(other.date_millis(), 1_700_003_601_999);
    }

    /// Checks with a system clock that was corrected by this much since the clock was made.
    #[track_caller]
    fn check(correction_millis: i64) {
        let start_millis = system_millis().checked_add_signed(-correction_millis).unwrap();
        let clock = Clock(Source::System {
            start_millis,
            since: Instant::now(),
        });
        let (before, date, after) = (system_millis(), clock.date_millis(), system_millis());
        assert!(before <= date && date <= after, "{before} {date} {after}");
        assert!(clock.now().unix().abs_diff(i64::try_from(date / 1000).unwrap()) < 3_600);
        let passed = clock.steady_millis() - start_millis;
        assert!(passed < HOUR, "{passed}");
    }

    #[test]
    fn the_date_is_the_systems_and_the_time_that_passes_is_not_corrected() {
        for hours in [0, 12, -12, 24 * 365 * 50] {
            check(hours * 3_600_000);
        }
    }

    #[test]
    fn the_system_clock_cannot_be_moved() {
        let clock = Clock::system();
        clock.advance(Duration::from_secs(1_000_000));
        clock.correct(1_000_000_000);
        assert!(clock.date_millis() < system_millis() + HOUR);
        assert!(clock.steady_millis() < system_millis() + HOUR);
    }
}
