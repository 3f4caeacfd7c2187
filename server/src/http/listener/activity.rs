//! What a connection waits for, and how far its client is behind. The parts of the connection report it; the
//! connection table reads it to choose a connection to evict.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The state of one connection.
#[derive(Debug)]
pub(super) struct Activity {
    accepted: Instant,
    /// A set of the bits below. One atomic, so that nothing changes between a check and an eviction.
    state: AtomicU8,
    /// The time until which its client kept the minimum rate, in nanoseconds after the connection was accepted.
    level: AtomicU64,
    /// The minimum rate of a client, in bytes per second.
    pace: u32,
}

/// The client has to send bytes.
const AWAITS_BYTES: u8 = 1;
/// The client has to receive bytes of an answer.
const ANSWER_WAITS: u8 = 2;
/// From the end of a request's head until its answer is made.
const IN_REQUEST: u8 = 4;
/// It was evicted and does nothing more.
const EVICTED: u8 = 8;

/// The state of a connection that only waits for its client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WaitState {
    /// Waits for a request: an eviction loses at most part of a head.
    Idle,
    /// Waits for the rest of a body, or for the client to receive an answer.
    InExchange,
}

/// A request in progress, until this is dropped.
#[derive(Debug)]
pub(super) struct RequestGuard(Arc<Activity>);

impl Activity {
    /// The state of a new connection. `pace` is the minimum rate in bytes per second.
    pub(super) fn new(pace: u32) -> Activity {
        Activity {
            accepted: Instant::now(),
            state: AtomicU8::new(0),
            level: AtomicU64::new(0),
            pace: pace.max(1),
        }
    }

    /// A request begins; there is one at a time. `None` if the connection was evicted meanwhile.
    pub(super) fn request(self: &Arc<Self>) -> Option<RequestGuard> {
        self.set_level();
        let before = self.state.fetch_or(IN_REQUEST, Ordering::AcqRel);
        (before & EVICTED == 0).then(|| RequestGuard(self.clone()))
    }

    /// The client has to send more bytes.
    pub(super) fn awaits_bytes(&self) {
        self.state.fetch_or(AWAITS_BYTES, Ordering::AcqRel);
    }

    /// Bytes were received. Bytes of a head earn the client no time, because the request is not complete. Returns false
    /// if the connection was evicted before: then the bytes must not be processed.
    pub(super) fn received(&self, bytes: usize) -> bool {
        let before = self.state.fetch_and(!AWAITS_BYTES, Ordering::AcqRel);
        if before & IN_REQUEST != 0 {
            self.moved(bytes);
        }
        before & EVICTED == 0
    }

    /// Whether an answer waits for its client to receive it.
    pub(super) fn set_answer_waits(&self, waits: bool) {
        self.set_level();
        if waits {
            self.state.fetch_or(ANSWER_WAITS, Ordering::AcqRel);
        } else {
            self.state.fetch_and(!ANSWER_WAITS, Ordering::AcqRel);
        }
    }

    /// Bytes were received or sent. Each earns the client time, but never in advance: a fast client may not be slow
    /// afterwards.
    pub(super) fn moved(&self, bytes: usize) {
        let earned = Duration::from_secs_f64(bytes as f64 / f64::from(self.pace));
        let level = self.level.load(Ordering::Relaxed).saturating_add(nanos(earned));
        self.level.store(level.min(self.now()), Ordering::Relaxed);
    }

    /// What the connection waits for, and how long its client has been behind. `None` while the server processes a
    /// complete request, however long that takes.
    pub(super) fn behind(&self) -> Option<(WaitState, Duration)> {
        let waits = waits(self.state.load(Ordering::Acquire))?;
        let behind = self.now().saturating_sub(self.level.load(Ordering::Relaxed));
        Some((waits, Duration::from_nanos(behind)))
    }

    /// Evicts the connection if it still only waits for its client. Its task can then be ended without cutting off a
    /// request whose outcome would be unknown.
    pub(super) fn try_evict(&self) -> bool {
        let evicted = |state| waits(state).map(|_| state | EVICTED);
        self.state
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, evicted)
            .is_ok()
    }

    fn set_level(&self) {
        self.level.store(self.now(), Ordering::Relaxed);
    }

    fn now(&self) -> u64 {
        nanos(self.accepted.elapsed())
    }
}

fn waits(state: u8) -> Option<WaitState> {
    let has = |bit| state & bit != 0;
    match (has(IN_REQUEST), has(AWAITS_BYTES), has(ANSWER_WAITS)) {
        _ if has(EVICTED) => None,
        (false, true, false) => Some(WaitState::Idle),
        (true, true, _) | (false, _, true) => Some(WaitState::InExchange),
        (true, false, _) | (false, false, false) => None,
    }
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

impl Drop for RequestGuard {
    fn drop(&mut self) {
        self.0.set_level();
        self.0.state.fetch_and(!IN_REQUEST, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn activity() -> Arc<Activity> {
        Arc::new(Activity::new(1_000))
    }

    fn waits_for(activity: &Activity) -> Option<WaitState> {
        activity.behind().map(|(waits, _)| waits)
    }

    #[test]
    fn only_what_waits_for_its_client_can_be_behind() {
        let activity = activity();
        assert_eq!(waits_for(&activity), None);
        activity.awaits_bytes();
        assert_eq!(waits_for(&activity), Some(WaitState::Idle));
        assert!(activity.received(100));
        let request = activity.request();
        assert_eq!(waits_for(&activity), None, "its head came, and no more is asked for");
        activity.awaits_bytes();
        assert_eq!(waits_for(&activity), Some(WaitState::InExchange), "a body is to come");
        assert!(activity.received(100));
        assert_eq!(waits_for(&activity), None, "the handler works");
        // The answer before this one waits for its client, independently of this request.
        activity.set_answer_waits(true);
        assert_eq!(waits_for(&activity), None);
        drop(request);
        assert_eq!(
            waits_for(&activity),
            Some(WaitState::InExchange),
            "an answer is to be taken"
        );
        activity.set_answer_waits(false);
        activity.awaits_bytes();
        assert_eq!(waits_for(&activity), Some(WaitState::Idle));
    }

    #[test]
    fn what_was_evicted_takes_nothing_in_any_more() {
        let activity = activity();
        assert!(!activity.try_evict(), "nothing is known of it yet");
        activity.awaits_bytes();
        assert!(activity.try_evict());
        assert!(!activity.try_evict(), "once is enough");
        assert_eq!(waits_for(&activity), None);
        assert!(!activity.received(1));
        assert!(activity.request().is_none());
    }

    #[test]
    fn a_request_that_is_worked_on_is_not_evicted() {
        let activity = activity();
        activity.awaits_bytes();
        assert!(activity.received(100));
        let request = activity.request();
        assert!(request.is_some() && !activity.try_evict());
    }

    #[test]
    fn bytes_earn_time_and_none_in_advance() {
        let mut activity = Activity::new(1_000);
        activity.accepted -= Duration::from_secs(60);
        activity.awaits_bytes();
        let behind = |activity: &Activity| activity.behind().expect("it waits").1;
        activity.moved(10_000);
        let once = behind(&activity);
        assert!(once >= Duration::from_secs(50), "{once:?}");
        activity.moved(20_000);
        let twice = behind(&activity);
        assert!(twice >= Duration::from_secs(30) && twice < once, "{twice:?}");
        activity.moved(1 << 30);
        let level = activity.level.load(Ordering::Relaxed);
        assert!(level <= activity.now(), "no time is earned in advance");
    }
}
