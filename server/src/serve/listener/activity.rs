//! What a connection is doing: told by its parts, and read by whoever looks for one that nobody needs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What one connection is doing.
#[derive(Debug)]
pub(super) struct Activity {
    accepted: Instant,
    in_request: AtomicBool,
    answer_waits: AtomicBool,
    /// When it was last busy, in nanoseconds after it was accepted.
    busy_until: AtomicU64,
}

/// A request under way, until this is dropped.
#[derive(Debug)]
pub(super) struct UnderWay(Arc<Activity>);

impl Activity {
    /// That of a connection that was accepted just now.
    pub(super) fn new() -> Activity {
        Activity {
            accepted: Instant::now(),
            in_request: AtomicBool::new(false),
            answer_waits: AtomicBool::new(false),
            busy_until: AtomicU64::new(0),
        }
    }

    /// A request has come. There is one at a time.
    pub(super) fn request(self: &Arc<Self>) -> UnderWay {
        self.in_request.store(true, Ordering::Release);
        UnderWay(self.clone())
    }

    /// An answer has to wait for its client to take it, or no longer has to.
    pub(super) fn set_answer_waits(&self, waits: bool) {
        self.rest();
        self.answer_waits.store(waits, Ordering::Release);
    }

    /// Since when nothing goes on that would be lost with the connection but part of a head; nothing where it is busy.
    pub(super) fn idle_since(&self) -> Option<Instant> {
        if self.in_request.load(Ordering::Acquire) || self.answer_waits.load(Ordering::Acquire) {
            return None;
        }
        Some(self.accepted + Duration::from_nanos(self.busy_until.load(Ordering::Relaxed)))
    }

    fn rest(&self) {
        let nanos = u64::try_from(self.accepted.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.busy_until.store(nanos, Ordering::Relaxed);
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.rest();
        self.0.in_request.store(false, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_idle_between_requests_unless_an_answer_waits() {
        let activity = Arc::new(Activity::new());
        let first = activity.idle_since().expect("idle");
        let request = activity.request();
        assert_eq!(activity.idle_since(), None);
        activity.set_answer_waits(true);
        drop(request);
        assert_eq!(activity.idle_since(), None);
        activity.set_answer_waits(false);
        assert!(activity.idle_since().expect("idle") >= first);
    }
}
