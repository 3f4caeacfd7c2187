//! The feeds of events: what a reader asks of one, and how a reader waits for the next event.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;

use contract::Timestamp;
use contract::events::{KEEP_SECONDS, MAX_KEPT, Name, Recipient};
use contract::support::feed::After;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::Notify;
use tokio::sync::futures::OwnedNotified;

/// A part of a feed.
#[derive(Clone, Debug)]
pub struct FeedRequest {
    /// The place after which it begins. `None`: before the oldest event that is kept.
    pub after: Option<After>,
    /// The kinds to list. `None`: all.
    pub names: Option<Vec<Name>>,
    /// The maximum number of events.
    pub limit: usize,
    /// The present time. Older events than the contract keeps are left out.
    pub now: Timestamp,
}

/// The feed has no such place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownCursor;

/// How long events are kept, and how many for each recipient.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Retention {
    /// In seconds.
    pub(crate) keep: i64,
    /// The number of events.
    pub(crate) max: i64,
}

impl Retention {
    /// As the contract declares it.
    pub(crate) const DECLARED: Self = Self {
        keep: KEEP_SECONDS,
        max: MAX_KEPT,
    };

    /// Whether an event of this time is too old.
    pub(crate) fn is_over(self, timestamp: Timestamp, now: Timestamp) -> bool {
        timestamp.unix() < now.unix() - self.keep
    }
}

/// Those who wait for events, by recipient. Recipients for whom nobody waits take no memory.
#[derive(Clone, Default)]
pub(crate) struct Waiters(Arc<Mutex<HashMap<Recipient, Arc<Notify>>>>);

/// One who waits for the next event of a recipient.
pub struct NextEvent {
    waiters: Waiters,
    of: Recipient,
    /// Holds a reference to the entry of the recipient.
    seen: Pin<Box<OwnedNotified>>,
}

impl Waiters {
    /// Waits for the events of this recipient that are committed from now on.
    pub(crate) fn next(&self, of: Recipient) -> NextEvent {
        let notify = Arc::clone(self.by_recipient().entry(of).or_default());
        NextEvent {
            waiters: self.clone(),
            of,
            // It takes part from now on, although nobody has polled it.
            seen: Box::pin(notify.notified_owned()),
        }
    }

    /// Wakes those who wait for events of these recipients.
    pub(crate) fn wake(&self, recipients: impl IntoIterator<Item = Recipient>) {
        let waiting = self.by_recipient();
        for recipient in recipients {
            if let Some(notify) = waiting.get(&recipient) {
                notify.notify_waiters();
            }
        }
    }

    /// How many recipients somebody waits for.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.by_recipient().len()
    }

    /// No code panics while it holds the lock.
    fn by_recipient(&self) -> MutexGuard<'_, HashMap<Recipient, Arc<Notify>>> {
        self.0.lock()
    }
}

impl NextEvent {
    /// Resolves once there is an event that is on disk.
    pub async fn comes(&mut self) {
        self.seen.as_mut().await;
    }
}

impl Drop for NextEvent {
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
    use contract::{AccountId, HumanId};

    #[tokio::test]
    async fn all_who_wait_for_a_recipient_are_woken_and_forgotten() {
        let waiters = Waiters::default();
        let (one, other) = (Recipient::Account(AccountId::new(1)), Recipient::Human(HumanId::new(1)));
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
        let mut next = waiters.next(Recipient::Account(AccountId::new(1)));
        waiters.wake([Recipient::Account(AccountId::new(2)), Recipient::Human(HumanId::new(1))]);
        let came = futures_util::FutureExt::now_or_never(next.comes());
        assert_eq!(came, None);
    }
}
