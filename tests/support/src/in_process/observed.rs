//! What an observer is told of each call, compared with what came back.

use codegen_support::{Ended, Observer};
use std::cell::RefCell;

tokio::task_local! {
    static EVENTS: RefCell<Events>;
}

/// Notes what it is told for the task that it is told on.
#[derive(Debug)]
pub(super) struct Recorder;

/// What an observer was told during one call.
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

/// What comes of a call, which must be observed once, with the status that `status_of` finds in it.
pub(super) async fn checked<T>(call: impl Future<Output = T>, status_of: impl Fn(&T) -> u16) -> T {
    let watched = async { (call.await, EVENTS.with(RefCell::take)) };
    let (answer, events) = EVENTS.scope(RefCell::default(), watched).await;
    let [ended] = events.ended.as_slice() else {
        panic!("a call is to end once: {events:?}");
    };
    assert_eq!(
        (events.begun, ended.status),
        (1, Some(status_of(&answer))),
        "{events:?}"
    );
    answer
}
