//! What this server did in the last hour: requests by minute and outcome, their durations, and the last failures.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};

use contract::support::{Ended, RequestId};
use contract::{Clock, Timestamp};
use http::StatusCode;
use parking_lot::Mutex;

/// The minutes that are kept.
const MINUTES: usize = 60;
/// The failures that are kept.
const FAILURES: usize = 20;
/// Each power of two of microseconds is divided into so many classes of durations.
const PARTS: u32 = 8;
/// Classes of durations. The last one begins after half a minute.
const CLASSES: usize = 25 * PARTS as usize;
/// The operations that may wait: how long they took says nothing about the server.
const WAITING: &str = "list_events";

/// What the process knows of itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Process {
    /// Its requests, if they are counted.
    pub(crate) recent: Option<Arc<Recent>>,
    /// Where its store is.
    pub(crate) data: Option<PathBuf>,
}

/// The last hour.
#[derive(Debug)]
pub(crate) struct Recent {
    clock: Clock,
    started: Timestamp,
    minutes: Box<[Minute]>,
    failures: Mutex<VecDeque<RecentFailure>>,
    newest_backup: AtomicI64,
}

/// A response with a status from 500.
#[derive(Clone, Debug)]
pub(crate) struct RecentFailure {
    pub(crate) at: Timestamp,
    pub(crate) status: u16,
    pub(crate) operation: Option<&'static str>,
    pub(crate) request_id: RequestId,
}

/// The requests of a minute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// The minute, as minutes since 1970.
    pub(crate) minute: i64,
    pub(crate) succeeded: u32,
    pub(crate) refused: u32,
    pub(crate) failed: u32,
}

#[derive(Debug)]
struct Minute {
    /// Which one, as minutes since 1970.
    at: AtomicI64,
    /// Locked while it becomes a new minute.
    renewal: Mutex<()>,
    succeeded: AtomicU32,
    refused: AtomicU32,
    failed: AtomicU32,
    /// Requests by duration.
    durations: [AtomicU32; CLASSES],
}

impl Default for Minute {
    fn default() -> Self {
        Self {
            at: AtomicI64::new(i64::MIN),
            renewal: Mutex::default(),
            succeeded: AtomicU32::default(),
            refused: AtomicU32::default(),
            failed: AtomicU32::default(),
            durations: std::array::from_fn(|_| AtomicU32::default()),
        }
    }
}

impl Minute {
    /// Counts from zero, if it was another minute.
    fn become_minute(&self, minute: i64) {
        if self.at.load(Ordering::Acquire) == minute {
            return;
        }
        let _alone = self.renewal.lock();
        if self.at.load(Ordering::Acquire) == minute {
            return;
        }
        let counts = [&self.succeeded, &self.refused, &self.failed];
        for count in counts.into_iter().chain(&self.durations) {
            count.store(0, Ordering::Relaxed);
        }
        self.at.store(minute, Ordering::Release);
    }
}

impl Recent {
    /// Of a server that starts now.
    pub(crate) fn new(clock: Clock) -> Self {
        Self {
            started: clock.now(),
            clock,
            minutes: (0..MINUTES).map(|_| Minute::default()).collect(),
            failures: Mutex::default(),
            newest_backup: AtomicI64::new(i64::MIN),
        }
    }

    /// When the server started.
    pub(crate) fn started(&self) -> Timestamp {
        self.started
    }

    /// Counts a request. One that was abandoned has no outcome.
    pub(crate) fn ended(&self, ended: &Ended) {
        let Some(status) = ended.status else { return };
        let now = self.clock.now();
        let present = minute_of(now);
        let minute = self.minute(present);
        minute.become_minute(present);
        let kind = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let count = match (kind.is_client_error(), kind.is_server_error()) {
            (true, _) => &minute.refused,
            (_, true) => &minute.failed,
            _ => &minute.succeeded,
        };
        count.fetch_add(1, Ordering::Relaxed);
        if ended.operation != Some(WAITING) {
            let micros = u64::try_from(ended.duration.as_micros()).unwrap_or(u64::MAX);
            minute.durations[class_of(micros)].fetch_add(1, Ordering::Relaxed);
        }
        if kind.is_server_error() {
            let mut failures = self.failures.lock();
            failures.truncate(FAILURES - 1);
            failures.push_front(RecentFailure {
                at: now,
                status,
                operation: ended.operation,
                request_id: ended.request_id,
            });
        }
    }

    /// A backup was written at this time, or found.
    pub(crate) fn has_backup(&self, at: Timestamp) {
        self.newest_backup.store(at.unix(), Ordering::Relaxed);
    }

    /// When the newest rotating backup was written.
    pub(crate) fn newest_backup(&self) -> Option<Timestamp> {
        let at = self.newest_backup.load(Ordering::Relaxed);
        (at != i64::MIN).then(|| Timestamp::from_unix(at))
    }

    /// The last failures, the latest first.
    pub(crate) fn failures(&self) -> Vec<RecentFailure> {
        self.failures.lock().iter().cloned().collect()
    }

    /// The last minutes, the present one first. One without requests has zeros.
    pub(crate) fn minutes(&self) -> Vec<Counts> {
        let counts = |minute| match self.kept(minute) {
            Some(kept) => Counts {
                minute,
                succeeded: kept.succeeded.load(Ordering::Relaxed),
                refused: kept.refused.load(Ordering::Relaxed),
                failed: kept.failed.load(Ordering::Relaxed),
            },
            None => Counts {
                minute,
                ..Counts::default()
            },
        };
        self.last_minutes().map(counts).collect()
    }

    /// The microseconds in which 99 of 100 requests were answered. `None` if there were none.
    pub(crate) fn p99(&self) -> Option<u64> {
        let mut durations = [0_u64; CLASSES];
        for minute in self.last_minutes().filter_map(|minute| self.kept(minute)) {
            for (sum, count) in durations.iter_mut().zip(&minute.durations) {
                *sum += u64::from(count.load(Ordering::Relaxed));
            }
        }
        let all: u64 = durations.iter().sum();
        let mut slower = all;
        let class = durations.iter().position(|count| {
            slower -= count;
            slower * 100 <= all
        });
        class.filter(|_| all > 0).map(end_of)
    }

    fn last_minutes(&self) -> impl Iterator<Item = i64> {
        let present = minute_of(self.clock.now());
        (0..MINUTES as i64).map(move |before| present - before)
    }

    fn minute(&self, minute: i64) -> &Minute {
        &self.minutes[minute.rem_euclid(MINUTES as i64) as usize]
    }

    fn kept(&self, minute: i64) -> Option<&Minute> {
        let kept = self.minute(minute);
        (kept.at.load(Ordering::Acquire) == minute).then_some(kept)
    }
}

fn minute_of(at: Timestamp) -> i64 {
    at.unix().div_euclid(60)
}

/// The class of a duration in microseconds.
fn class_of(micros: u64) -> usize {
    let micros = micros.max(1);
    let power = micros.ilog2();
    // The three bits after the first one.
    let part = ((u128::from(micros) * u128::from(PARTS)) >> power) as u32 - PARTS;
    ((power * PARTS + part) as usize).min(CLASSES - 1)
}

/// The microseconds at which a class ends.
fn end_of(class: usize) -> u64 {
    let (power, part) = (class as u64 / u64::from(PARTS), class as u64 % u64::from(PARTS));
    ((u64::from(PARTS) + part + 1) << power).div_ceil(u64::from(PARTS))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn ended(status: Option<u16>, micros: u64) -> Ended {
        Ended {
            surface: Some("agent"),
            operation: Some("get_human"),
            request_id: RequestId::next(),
            status,
            duration: Duration::from_micros(micros),
        }
    }

    #[test]
    fn a_class_ends_above_its_durations_and_not_far() {
        for micros in (1..2_000).chain([10_000, 123_456, 9_999_999]) {
            let end = end_of(class_of(micros));
            assert!(end > micros, "{micros}: {end}");
            assert!(end <= micros + micros / 8 + 2, "{micros}: {end}");
        }
        assert_eq!(class_of(u64::MAX), CLASSES - 1);
    }

    #[test]
    fn requests_count_in_their_minute_for_an_hour() {
        let clock = Clock::manual(1_000 * 60);
        let recent = Recent::new(clock.clone());
        assert_eq!(recent.p99(), None);
        for status in [Some(200), Some(201), Some(404), Some(503), None] {
            recent.ended(&ended(status, 50));
        }
        clock.advance(Duration::from_secs(60));
        recent.ended(&ended(Some(200), 50));
        let counts = |minute, succeeded, refused, failed| Counts {
            minute,
            succeeded,
            refused,
            failed,
        };
        let minutes = recent.minutes();
        assert_eq!(minutes.len(), 60);
        assert_eq!(
            minutes[..3],
            [counts(1_001, 1, 0, 0), counts(1_000, 2, 1, 1), counts(999, 0, 0, 0)]
        );
        assert_eq!(
            recent.failures().iter().map(|one| one.status).collect::<Vec<_>>(),
            [503]
        );
        clock.advance(Duration::from_secs(59 * 60));
        assert_eq!(recent.minutes().iter().map(|one| one.succeeded).sum::<u32>(), 1);
        recent.ended(&ended(Some(200), 50));
        assert_eq!(recent.minutes()[0], counts(1_060, 1, 0, 0));
    }

    #[test]
    fn one_slow_request_of_a_hundred_does_not_count() {
        let recent = Recent::new(Clock::manual(0));
        for _ in 0..99 {
            recent.ended(&ended(Some(200), 100));
        }
        recent.ended(&ended(Some(200), 1_000_000));
        assert_eq!(recent.p99(), Some(104));
        recent.ended(&ended(Some(200), 1_000_000));
        assert!(recent.p99().is_some_and(|micros| micros > 1_000_000));
    }

    #[test]
    fn the_last_failures_are_kept() {
        let recent = Recent::new(Clock::manual(0));
        for status in 500..530 {
            recent.ended(&ended(Some(status), 1));
        }
        let failures = recent.failures();
        assert_eq!((failures.len(), failures[0].status), (FAILURES, 529));
    }
}
