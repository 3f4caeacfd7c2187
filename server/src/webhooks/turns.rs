//! Places that accounts take in turn: each free place goes to the account that has waited for its turn the longest, and
//! within an account to the request that came first. So an account delays others by one request at a time, however many
//! of its requests wait. Must not know what is requested.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use contract::AccountId;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::oneshot;

/// So many places, with those who wait for one.
#[derive(Clone)]
pub(super) struct Turns(Arc<Mutex<State>>);

struct State {
    free: usize,
    /// The accounts with requests that wait. The next place goes to the first one.
    order: VecDeque<AccountId>,
    /// The requests that wait, by account. No queue is empty.
    waiting: HashMap<AccountId, VecDeque<oneshot::Sender<Place>>>,
}

/// A place, until this is dropped.
pub(super) struct Place(Turns);

impl Turns {
    pub(super) fn new(places: usize) -> Self {
        Self(Arc::new(Mutex::new(State {
            free: places,
            order: VecDeque::new(),
            waiting: HashMap::new(),
        })))
    }

    /// A place, when it is the turn of a request of this account.
    pub(super) async fn take(&self, account: AccountId) -> Place {
        let (request, place) = oneshot::channel();
        self.state().add(account, request);
        self.serve();
        place.await.expect("a request that waits is kept until it is served")
    }

    fn serve(&self) {
        loop {
            let next = self.state().next();
            let Some(request) = next else { return };
            // If nobody waits for it any more, the place is dropped here, and thereby free again.
            let _ = request.send(Place(self.clone()));
        }
    }

    /// No code panics while it holds the lock.
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock()
    }
}

impl State {
    fn add(&mut self, account: AccountId, request: oneshot::Sender<Place>) {
        let queue = self.waiting.entry(account).or_default();
        if queue.is_empty() {
            self.order.push_back(account);
        }
        queue.push_back(request);
    }

    /// The request whose turn it is, if there is a place for it, which then is taken.
    fn next(&mut self) -> Option<oneshot::Sender<Place>> {
        while self.free > 0 {
            let account = self.order.pop_front()?;
            let queue = self.waiting.get_mut(&account)?;
            let request = queue.pop_front()?;
            if queue.is_empty() {
                self.waiting.remove(&account);
            } else {
                self.order.push_back(account);
            }
            if !request.is_closed() {
                self.free -= 1;
                return Some(request);
            }
        }
        None
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.state().free += 1;
        self.0.serve();
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures_util::FutureExt;
    use futures_util::future::join_all;

    use super::*;

    const ONE: AccountId = AccountId::new(1);
    const OTHER: AccountId = AccountId::new(2);

    #[tokio::test]
    async fn accounts_take_turns_and_their_requests_stay_in_order() {
        let turns = Turns::new(1);
        let first = turns.take(ONE).await;
        let served = Mutex::new(Vec::new());
        let request = |account: AccountId, number: u32| {
            let (turns, served) = (&turns, &served);
            async move {
                let _place = turns.take(account).await;
                served.lock().push((account, number));
            }
        };
        let mut requests = pin!(join_all([
            request(ONE, 1),
            request(ONE, 2),
            request(ONE, 3),
            request(OTHER, 1),
            request(OTHER, 2),
        ]));
        assert!(requests.as_mut().now_or_never().is_none(), "there is one place");
        drop(first);
        requests.await;
        let expected = [(ONE, 1), (OTHER, 1), (ONE, 2), (OTHER, 2), (ONE, 3)];
        assert_eq!(*served.lock(), expected);
    }

    #[tokio::test]
    async fn requests_that_are_dropped_hold_no_place() {
        let turns = Turns::new(1);
        let first = turns.take(ONE).await;
        {
            let mut waits = pin!(turns.take(ONE));
            assert!(waits.as_mut().now_or_never().is_none());
            let mut gets_it = pin!(turns.take(OTHER));
            assert!(gets_it.as_mut().now_or_never().is_none());
            drop(first);
        }
        assert!(turns.take(ONE).now_or_never().is_some());
    }
}
