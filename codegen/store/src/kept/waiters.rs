//! How a reader waits for the next event of a feed.

use std::collections::HashMap;
use std::hash::Hash;
use std::pin::Pin;
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::futures::OwnedNotified;
use tokio::sync::{Notify, watch};
use tokio::time::Instant;

/// Those who wait for events, by recipient. Recipients for whom nobody waits take no memory.
pub struct Waiters<R>(Arc<Waiting<R>>);

struct Waiting<R> {
    by_recipient: Mutex<HashMap<R, Arc<Notify>>>,
    /// Whether all waiting is to end.
    ends: watch::Sender<bool>,
}

impl<R> Clone for Waiters<R> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<R> Default for Waiters<R> {
    fn default() -> Self {
        let (ends, by_recipient) = (watch::Sender::new(false), Mutex::default());
        Self(Arc::new(Waiting { by_recipient, ends }))
    }
}

/// One who waits for the next event of a recipient.
pub struct NextEvent<R: Copy + Eq + Hash> {
    waiters: Waiters<R>,
    of: R,
    /// Holds a reference to the entry of the recipient.
    seen: Pin<Box<OwnedNotified>>,
}

impl<R: Copy + Eq + Hash> Waiters<R> {
    /// Waits for the events of this recipient that are committed from now on.
    pub fn next(&self, of: R) -> NextEvent<R> {
        let notify = Arc::clone(self.by_recipient().entry(of).or_default());
        NextEvent {
            waiters: self.clone(),
            of,
            // It takes part from now on, although nobody has polled it.
            seen: Box::pin(notify.notified_owned()),
        }
    }

    /// Wakes those who wait for events of these recipients.
    pub fn wake(&self, recipients: impl IntoIterator<Item = R>) {
        let waiting = self.by_recipient();
        for recipient in recipients {
            if let Some(notify) = waiting.get(&recipient) {
                notify.notify_waiters();
            }
        }
    }

    /// Ends all waiting, now and later.
    pub fn end(&self) {
        self.0.ends.send_replace(true);
    }

    /// How many recipients somebody waits for.
    #[cfg(test)]
    fn len(&self) -> usize {
        self.by_recipient().len()
    }

    /// No code panics while it holds the lock.
    fn by_recipient(&self) -> MutexGuard<'_, HashMap<R, Arc<Notify>>> {
        self.0.by_recipient.lock()
    }
}

impl<R: Copy + Eq + Hash> NextEvent<R> {
    /// Resolves once there is an event that is on disk.
    pub async fn comes(&mut self) {
        self.seen.as_mut().await;
    }

    /// The same: `false` if there is none before `deadline`, or before all waiting ends.
    pub async fn comes_before(&mut self, deadline: Instant) -> bool {
        let mut ends = self.waiters.0.ends.subscribe();
        tokio::select! {
            () = self.comes() => true,
            () = tokio::time::sleep_until(deadline) => false,
            // The sender lives as long as this.
            _ = ends.wait_for(|end| *end) => false,
        }
    }
}

impl<R: Copy + Eq + Hash> Drop for NextEvent<R> {
    fn drop(&mut self) {
        let mut waiting = self.waiters.by_recipient();
        // The references are those of the table, of this one, and of others who wait.
        if waiting
            .get(&self.of)
            .is_some_and(|notify| Arc::strong_count(notify) <= 2)
        {
            waiting.remove(&self.of);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn all_who_wait_for_a_recipient_are_woken_and_forgotten() {
        let waiters = Waiters::default();
        let (one, other) = (1, 2);
        let (mut first, mut second, third) = (waiters.next(one), waiters.next(one), waiters.next(other));
        waiters.wake([one]);
        first.comes().await;
        second.comes().await;
        assert_eq!(waiters.len(), 2);
        drop(first);
        assert_eq!(waiters.len(), 2);
        drop((second, third));
        assert_eq!(waiters.len(), 0);
    }

    #[tokio::test]
    async fn an_event_of_another_recipient_wakes_nobody() {
        let waiters = Waiters::default();
        let mut next = waiters.next(1);
        waiters.wake([2, 3]);
        let mut comes = std::pin::pin!(next.comes());
        let polled = std::future::poll_fn(|context| std::task::Poll::Ready(comes.as_mut().poll(context))).await;
        assert!(polled.is_pending());
    }
}
