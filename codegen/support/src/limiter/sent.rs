//! Counts the bytes of responses to each caller in windows, while they are sent. Must not know what is sent.

use std::sync::Arc;

use super::Windows;
use super::shared::{SharedCount, SharedQuota};
use crate::clock::Clock;

/// A kind of caller, and the caller's id.
type Receiver = (u16, i64);

/// The bytes that were sent to each caller in this window. They may exceed the maximum: only the next request is rejected.
#[derive(Debug)]
pub struct SentBytes {
    windows: Windows,
    counts: SharedQuota<Receiver>,
}

impl SentBytes {
    /// `max` bytes for each caller in each window of `window_seconds`. 0 seconds count as 1.
    pub fn new(max: u32, window_seconds: u32, clock: Clock) -> Self {
        let windows = Windows::new(window_seconds, clock);
        let counts = SharedQuota::new(max, windows.clone());
        Self { windows, counts }
    }

    /// The seconds until the window ends, at least 1, if the maximum was sent to the caller; else `None`.
    pub fn seconds_to_wait(&self, to: &Receiver) -> Option<u64> {
        (self.counts.left(to) == 0).then(|| self.windows.end().0)
    }

    /// Removes the callers of earlier windows, to free memory. Call it regularly.
    pub fn evict_idle(&self) {
        self.counts.evict_idle();
    }

    /// How many callers are in memory.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether no caller is in memory.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What was sent in this window to callers to whom something was sent since the last exchange that ended.
    pub fn counted(&self, name: &str) -> Vec<SharedCount> {
        self.counts.counted(name)
    }

    /// Takes in the end of an exchange: `sent` was published, and `elsewhere` is what all others have counted of that.
    pub fn exchanged(&self, name: &str, sent: &[SharedCount], elsewhere: &[SharedCount]) {
        let [sent, elsewhere] = [sent, elsewhere].map(|all| all.iter().filter(|one| one.limit == name));
        self.counts.exchanged(sent, elsewhere);
    }
}

/// The caller to whom a response is sent.
#[derive(Debug)]
pub struct SentTo {
    bytes: Arc<SentBytes>,
    to: Receiver,
}

impl SentTo {
    /// A response to a caller.
    pub fn new(bytes: &Arc<SentBytes>, to: Receiver) -> Self {
        Self {
            bytes: Arc::clone(bytes),
            to,
        }
    }

    /// Counts this many bytes.
    pub fn add(&self, bytes: usize) {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        self.bytes.counts.add(&self.to, bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const ONE: Receiver = (0, 1);

    #[test]
    fn a_caller_waits_once_the_maximum_was_sent_until_the_window_ends() {
        let clock = Clock::manual(1_700_000_040 - 43);
        let bytes = Arc::new(SentBytes::new(1_000, 60, clock.clone()));
        let to = SentTo::new(&bytes, ONE);
        to.add(999);
        assert_eq!(bytes.seconds_to_wait(&ONE), None);
        to.add(5_000);
        assert_eq!(bytes.seconds_to_wait(&ONE), Some(43));
        assert_eq!([(0, 2), (1, 1)].map(|other| bytes.seconds_to_wait(&other)), [None; 2]);
        clock.advance(Duration::from_secs(43));
        assert_eq!(bytes.seconds_to_wait(&ONE), None, "nothing is carried over");
        to.add(usize::MAX);
        to.add(usize::MAX);
        assert_eq!(bytes.seconds_to_wait(&ONE), Some(60));
    }

    #[test]
    fn callers_are_forgotten_after_their_window() {
        let clock = Clock::manual(1_700_000_040);
        let bytes = Arc::new(SentBytes::new(1_000, 60, clock.clone()));
        (0..500).for_each(|id| SentTo::new(&bytes, (0, id)).add(1));
        bytes.evict_idle();
        assert_eq!(bytes.len(), 500);
        clock.advance(Duration::from_secs(60));
        bytes.evict_idle();
        assert!(bytes.is_empty());
    }

    #[test]
    fn what_another_process_has_sent_counts() {
        let clock = Clock::manual(1_700_000_040);
        let [one, other] = [(); 2].map(|()| Arc::new(SentBytes::new(1_000, 60, clock.clone())));
        SentTo::new(&one, ONE).add(600);
        SentTo::new(&other, ONE).add(400);
        let (sent, elsewhere) = (one.counted("sent"), other.counted("sent"));
        assert_eq!((sent[0].count, elsewhere[0].count), (600, 400));
        one.exchanged("sent", &sent, &elsewhere);
        assert_eq!(one.seconds_to_wait(&ONE), Some(60));
        assert!(one.counted("sent").is_empty());
    }
}
