//! A write that waits for the committer.

use std::panic::{AssertUnwindSafe, catch_unwind};

use codegen_support::Timestamp;
use tokio::sync::oneshot;

use crate::engine::EngineError;
use crate::error::{Outcome, StoreError};
use crate::panics;
use crate::service::Service;
use crate::transaction::{Abort, TransactionError, Tx};

/// What the committer waits for.
pub(crate) enum Message<S> {
    /// A write.
    Job(Box<dyn Job<S>>),
    /// The log of commits may have news.
    Wake,
    /// Somebody waits until the copy holds what the log holds now. Dropped without an answer if the log cannot be read.
    CatchUp(oneshot::Sender<()>),
}

/// A waiting write.
pub trait Job<S: Service>: Send {
    /// Decides and writes; returns whether its writes are kept. It may run again if the first group was not committed.
    fn run(&mut self, tx: &mut Tx<'_, S>) -> Result<bool, EngineError>;
    /// The time of the request, if it has an idempotency key.
    fn now(&self) -> Option<Timestamp>;
    /// Whether `run` has decided to write something that no process may ignore once it is answered, such as the end of a
    /// credential.
    fn is_awaited(&self) -> bool;
    /// Answers the caller with the decision of `run`, or with the failure of the whole group.
    fn answer(self: Box<Self>, failure: Option<StoreError>);
}

/// Makes a job of a decision, with the receiver of its outcome. `now` is the time of the request, if it has an idempotency
/// key.
pub fn job<S, T, D, F>(now: Option<Timestamp>, decide: F) -> (Box<dyn Job<S>>, oneshot::Receiver<Outcome<T, D>>)
where
    S: Service,
    T: Send + 'static,
    D: Send + 'static,
    F: FnMut(&mut Tx<'_, S>) -> Result<T, Abort<D>> + Send + 'static,
{
    let (answer, outcome) = oneshot::channel();
    (
        Box::new(Waiting {
            now,
            decide,
            is_awaited: false,
            decided: None,
            answer,
        }),
        outcome,
    )
}

struct Waiting<T, D, F> {
    now: Option<Timestamp>,
    decide: F,
    is_awaited: bool,
    decided: Option<Outcome<T, D>>,
    answer: oneshot::Sender<Outcome<T, D>>,
}

impl<S, T, D, F> Job<S> for Waiting<T, D, F>
where
    S: Service,
    T: Send,
    D: Send,
    F: FnMut(&mut Tx<'_, S>) -> Result<T, Abort<D>> + Send,
{
    fn run(&mut self, tx: &mut Tx<'_, S>) -> Result<bool, EngineError> {
        let decided = catch_unwind(AssertUnwindSafe(|| (self.decide)(tx)));
        self.is_awaited = tx.is_awaited();
        let decided = decided.unwrap_or_else(|panic| Err(Abort::from(TransactionError::Broken(panics::text(&*panic)))));
        self.decided = Some(match decided {
            Ok(done) => Ok(Ok(done)),
            Err(Abort::Rejected(denied)) => Ok(Err(denied)),
            Err(Abort::Unauthorized(why)) => Err(StoreError::Unauthorized(why)),
            Err(Abort::OverQuota(over)) => Err(StoreError::OverQuota(over)),
            Err(Abort::Repeated) => Err(StoreError::unavailable(
                "another process has just answered this request",
            )),
            Err(Abort::Failed(TransactionError::Broken(cause))) => Err(StoreError::damaged(cause)),
            Err(Abort::Failed(TransactionError::TooEarly(noun))) => Err(StoreError::unavailable(format!(
                "a server of an earlier version runs, which does not know what a {noun} is: replace it first"
            ))),
            Err(Abort::Failed(TransactionError::Engine(error))) => return Err(error),
        });
        Ok(matches!(self.decided, Some(Ok(Ok(_)))))
    }

    fn now(&self) -> Option<Timestamp> {
        self.now
    }

    fn is_awaited(&self) -> bool {
        self.is_awaited && matches!(self.decided, Some(Ok(Ok(_))))
    }

    fn answer(self: Box<Self>, failure: Option<StoreError>) {
        let Self {
            decide,
            decided,
            answer,
            ..
        } = *self;
        let outcome = match failure {
            Some(failure) => Err(failure),
            None => decided.expect("a group that did not fail has run each of its writes"),
        };
        // It owns the idempotency key, which must be free before the client can send it again.
        drop(decide);
        // If the client has disconnected, nobody receives this. The write stays.
        let _ = answer.send(outcome);
    }
}
