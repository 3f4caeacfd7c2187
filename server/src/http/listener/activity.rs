//! What a connection waits for, and how far its client is behind: reported by its parts, and read to choose the one to
//! evict.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What one connection is doing.
#[derive(Debug)]
pub(super) struct Activity {
    accepted: Instant,
    /// Which of the bits below hold. All of them in one place, so that nothing comes between looking and evicting.
    state: AtomicU8,
    /// Up to when its client kept to the pace, in nanoseconds after it was accepted.
    level: AtomicU64,
    /// The bytes per second that keep a client level.
    pace: u32,
}

/// The client has to send something before anything goes on.
const AWAITS_BYTES: u8 = 1;
/// The client has to take something of an answer.
const ANSWER_WAITS: u8 = 2;
/// From the end of a request's head until its answer is made.
const IN_REQUEST: u8 = 4;
/// It was evicted, and does nothing any more.
const EVICTED: u8 = 8;

/// What a connection is doing that only waits for its client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WaitState {
    /// For a request: nothing would be lost with it but part of a head.
    Idle,
    /// For the rest of a body, or for an answer to be taken.
    InExchange,
}

/// A request under way, until this is dropped.
#[derive(Debug)]
pub(super) struct RequestGuard(Arc<Activity>);

impl Activity {
    /// That of a connection that was accepted just now; so many bytes per second keep its client level.
    pub(super) fn new(pace: u32) -> Activity {
        Activity {
            accepted: Instant::now(),
            state: AtomicU8::new(0),
            level: AtomicU64::new(0),
            pace: pace.max(1),
        }
    }

    /// A request has come, of which there is one at a time; nothing where the connection was evicted meanwhile.
    pub(super) fn request(self: &Arc<Self>) -> Option<RequestGuard> {
        self.set_level();
        let before = self.state.fetch_or(IN_REQUEST, Ordering::AcqRel);
        (before & EVICTED == 0).then(|| RequestGuard(self.clone()))
    }

    /// The client has to send more.
    pub(super) fn awaits_bytes(&self) {
        self.state.fetch_or(AWAITS_BYTES, Ordering::AcqRel);
    }

    /// So many bytes have come; those of a head earn nothing, because until it ends nobody knows what for. False where the
    /// connection was evicted before: they must not be worked on.
    pub(super) fn received(&self, bytes: usize) -> bool {
        let before = self.state.fetch_and(!AWAITS_BYTES, Ordering::AcqRel);
        if before & IN_REQUEST != 0 {
            self.moved(bytes);
        }
        before & EVICTED == 0
    }

    /// An answer has to wait for its client to take it, or no longer has to.
    pub(super) fn set_answer_waits(&self, waits: bool) {
        self.set_level();
        if waits {
            self.state.fetch_or(ANSWER_WAITS, Ordering::AcqRel);
        } else {
            self.state.fetch_and(!ANSWER_WAITS, Ordering::AcqRel);
        }
    }

    /// So many bytes came, or were taken. Each earns the client time, but none in advance: who is fast for a while has no
    /// licence to be slow afterwards.
    pub(super) fn moved(&self, bytes: usize) {
        let earned = Duration::from_secs_f64(bytes as f64 / f64::from(self.pace));
        let level = self.level.load(Ordering::Relaxed).saturating_add(nanos(earned));
        self.level.store(level.min(self.now()), Ordering::Relaxed);
    }

    /// What the connection waits for its client to do, and for how long the client has been behind. Nothing while the
    /// server works on a whole request, however long that takes.
    pub(super) fn behind(&self) -> Option<(WaitState, Duration)> {
        let waits = waits(self.state.load(Ordering::Acquire))?;
        let behind = self.now().saturating_sub(self.level.load(Ordering::Relaxed));
        Some((waits, Duration::from_nanos(behind)))
    }

    /// Has the connection do nothing any more, if it still only waits for its client. Its task can then be ended without a
    /// request being cut off whose outcome would be unknown.
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
        // An answer before this one waits for its client, which says nothing of this request.
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
