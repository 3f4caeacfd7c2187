//! What an observer sees of each call, held against what came back.

use contract::support::{Ended, Observer};
use std::cell::RefCell;

tokio::task_local! {
    static SIGHT: RefCell<Sight>;
}

/// Notes what it is told for the task that it is told on.
#[derive(Debug)]
pub(super) struct Seen;

/// What was seen during one call.
#[derive(Debug, Default)]
pub(super) struct Sight {
    begun: usize,
    ended: Vec<Ended>,
}

impl Observer for Seen {
    fn begun(&self) {
        SIGHT.with(|sight| sight.borrow_mut().begun += 1);
    }

    fn ended(&self, ended: &Ended) {
        SIGHT.with(|sight| sight.borrow_mut().ended.push(*ended));
    }
}

/// What comes of a call, and what was seen of it.
pub(super) async fn during<T>(call: impl Future<Output = T>) -> (T, Sight) {
    let watched = async { (call.await, SIGHT.with(RefCell::take)) };
    SIGHT.scope(RefCell::default(), watched).await
}

impl Sight {
    /// Every call is seen once, with the status that came back.
    #[track_caller]
    pub(super) fn as_answered(&self, status: u16) {
        let [ended] = self.ended.as_slice() else {
            panic!("a call is to end once: {self:?}");
        };
        assert_eq!((self.begun, ended.status), (1, Some(status)), "{self:?}");
    }
}
