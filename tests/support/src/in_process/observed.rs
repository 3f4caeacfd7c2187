//! Compares the calls of an observer with the answers.

use codegen_support::{Ended, Observer};
use std::cell::RefCell;

tokio::task_local! {
    static EVENTS: RefCell<Events>;
}

/// Records the observer's calls in the task in which they happen.
#[derive(Debug)]
pub(super) struct Recorder;

/// The observer's calls during one request.
#[derive(Debug, Default)]
struct Events {
    begun: usize,
    ended: Vec<Ended>,
}

impl Observer for Recorder {
    fn begun(&self) {
        EVENTS.with(|events| events.borrow_mut().begun += 1);
    }

    fn ended(&self, ended: &Ended) {
        EVENTS.with(|events| events.borrow_mut().ended.push(*ended));
    }
}

/// The result of a request, which must be observed once, with the status that `status_of` finds in it, if any.
pub(super) async fn checked<T>(call: impl Future<Output = T>, status_of: impl Fn(&T) -> Option<u16>) -> T {
    let watched = async { (call.await, EVENTS.with(RefCell::take)) };
    let (answer, events) = EVENTS.scope(RefCell::default(), watched).await;
    let [ended] = events.ended.as_slice() else {
        panic!("a call is to end once: {events:?}");
    };
    assert_eq!(
        (events.begun, ended.status),
        (1, status_of(&answer).or(ended.status)),
        "{events:?}"
    );
    answer
}
