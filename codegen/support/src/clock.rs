//! The time, as everything in the process is told it. It never steps back, and tests can hold it still.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::scalar::Timestamp;

/// Unix time that only ever goes forward. Clones tell the same time.
#[derive(Clone, Debug)]
pub struct Clock(Source);

#[derive(Clone, Debug)]
enum Source {
    /// The system's time is read once; after that a correction of the system's clock changes nothing here, so that
    /// nobody can be locked out of a window that lies in the future.
    System {
        start_millis: u64,
        since: Instant,
    },
    Manual(Arc<AtomicU64>),
}

impl Clock {
    /// The system's time at this moment and, from there on, the time that has really passed.
    pub fn system() -> Self {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self(Source::System {
            start_millis: millis(since_epoch),
            since: Instant::now(),
        })
    }

    /// A clock that stands still at `unix_secs` until it is told to [`advance`](Self::advance).
    pub fn manual(unix_secs: u64) -> Self {
        Self(Source::Manual(Arc::new(AtomicU64::new(unix_secs.saturating_mul(1000)))))
    }

    /// Moves a manual clock and all its clones forward, in whole milliseconds. The system's clock is not moved.
    pub fn advance(&self, by: Duration) {
        if let Source::Manual(now) = &self.0 {
            now.fetch_add(millis(by), Ordering::SeqCst);
        }
    }

    /// The present second.
    pub fn now(&self) -> Timestamp {
        Timestamp::from_unix(i64::try_from(self.unix_millis() / 1000).unwrap_or(i64::MAX))
    }

    /// Milliseconds since the beginning of 1970, UTC.
    pub fn unix_millis(&self) -> u64 {
        match &self.0 {
            Source::System { start_millis, since } => start_millis.saturating_add(millis(since.elapsed())),
            Source::Manual(now) => now.load(Ordering::SeqCst),
        }
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_of_a_manual_clock_move_together() {
        let clock = Clock::manual(1_700_000_000);
        let other = clock.clone();
        clock.advance(Duration::from_millis(1_999));
        assert_eq!(other.unix_millis(), 1_700_000_001_999);
        assert_eq!(other.now().unix(), 1_700_000_001);
    }

    #[test]
    fn the_system_clock_tells_the_present_and_cannot_be_moved() {
        let clock = Clock::system();
        clock.advance(Duration::from_secs(1_000_000));
        let present = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        assert!(clock.unix_millis() / 1000 <= present);
        assert!(clock.unix_millis() / 1000 > present - 60);
    }
}
