//! How many requests are under way. Receivers that take long have places of their own, so that they cost others
//! nothing, however many they are.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout};

use crate::store::Pace;

/// A receiver that answers within this time is fast.
const PATIENCE: Duration = Duration::from_secs(1);
/// How many requests to receivers that were fast are under way for up to [`PATIENCE`], and as many to new ones.
const MAX_FAST: usize = 16;
/// How many of these may take longer.
const MAX_OVERDUE: usize = 64;
/// How many requests to receivers that were slow are under way.
const MAX_SLOW: usize = 16;

/// The places.
pub(super) struct Lanes {
    new: Semaphore,
    fast: Semaphore,
    overdue: Semaphore,
    slow: Semaphore,
}

/// What came of a request.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Finished<T> {
    /// `None` if it was given up, because too many others take long.
    pub(super) answer: Option<T>,
    /// How long it took.
    pub(super) pace: Pace,
}

impl Lanes {
    pub(super) fn new() -> Self {
        Self {
            new: Semaphore::new(MAX_FAST),
            fast: Semaphore::new(MAX_FAST),
            overdue: Semaphore::new(MAX_OVERDUE),
            slow: Semaphore::new(MAX_SLOW),
        }
    }

    /// Runs a request when there is a place for a receiver of this pace.
    pub(super) async fn run<T>(&self, pace: Pace, request: impl Future<Output = T>) -> Finished<T> {
        let lane = match pace {
            Pace::New => &self.new,
            Pace::Fast => &self.fast,
            Pace::Slow => return self.run_slow(request).await,
        };
        let place = lane.acquire().await;
        let mut request = pin!(request);
        if let Ok(answer) = timeout(PATIENCE, &mut request).await {
            let (answer, pace) = (Some(answer), Pace::Fast);
            return Finished { answer, pace };
        }
        let overdue = self.overdue.try_acquire();
        drop(place);
        let answer = match overdue {
            Ok(_place) => Some(request.await),
            Err(_) => None,
        };
        let pace = Pace::Slow;
        Finished { answer, pace }
    }

    async fn run_slow<T>(&self, request: impl Future<Output = T>) -> Finished<T> {
        let _place = self.slow.acquire().await;
        let begun = Instant::now();
        let answer = Some(request.await);
        let pace = if begun.elapsed() > PATIENCE {
            Pace::Slow
        } else {
            Pace::Fast
        };
        Finished { answer, pace }
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::sync::Arc;

    use tokio::task::JoinSet;
    use tokio::time::sleep;

    use super::*;

    const SHORT: Duration = Duration::from_millis(10);

    /// Runs so many requests that never end.
    async fn hang(lanes: &Arc<Lanes>, pace: Pace, many: usize) -> JoinSet<()> {
        let mut hanging = JoinSet::new();
        for _ in 0..many {
            let lanes = Arc::clone(lanes);
            hanging.spawn(async move {
                lanes.run(pace, pending::<()>()).await;
            });
        }
        sleep(SHORT).await;
        hanging
    }

    /// How long a request takes, with what comes of it.
    async fn run(lanes: &Lanes, pace: Pace, request: Duration) -> (Duration, Finished<()>) {
        let begun = Instant::now();
        let finished = lanes.run(pace, sleep(request)).await;
        (begun.elapsed(), finished)
    }

    fn answered(pace: Pace) -> Finished<()> {
        Finished { answer: Some(()), pace }
    }

    #[tokio::test(start_paused = true)]
    async fn receivers_that_never_answer_cost_others_nothing() {
        let lanes = Arc::new(Lanes::new());
        let _slow = hang(&lanes, Pace::Slow, 1_000).await;
        let _new = hang(&lanes, Pace::New, 1_000).await;
        for _ in 0..100 {
            assert_eq!(run(&lanes, Pace::Fast, SHORT).await, (SHORT, answered(Pace::Fast)));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn receivers_that_become_slow_cost_others_a_second_at_most() {
        let lanes = Arc::new(Lanes::new());
        let _hanging = hang(&lanes, Pace::Fast, MAX_FAST).await;
        let (took, finished) = run(&lanes, Pace::Fast, SHORT).await;
        assert_eq!((took <= PATIENCE, finished), (true, answered(Pace::Fast)), "{took:?}");
        assert_eq!(run(&lanes, Pace::Fast, SHORT).await, (SHORT, answered(Pace::Fast)));
    }

    #[tokio::test(start_paused = true)]
    async fn of_too_many_that_become_slow_some_are_given_up() {
        let lanes = Arc::new(Lanes::new());
        let mut hanging = hang(&lanes, Pace::New, MAX_OVERDUE).await;
        let ended = timeout(10 * PATIENCE, hanging.join_next()).await;
        assert!(ended.is_err(), "there are places for all");
        let (answer, pace) = (None, Pace::Slow);
        let given_up = Finished { answer, pace };
        assert_eq!(run(&lanes, Pace::Fast, 3 * PATIENCE).await, (PATIENCE, given_up));
    }

    #[tokio::test(start_paused = true)]
    async fn the_next_lane_follows_from_the_time_taken() {
        let lanes = Lanes::new();
        for (pace, request, expected) in [
            (Pace::New, 2 * PATIENCE, Pace::Slow),
            (Pace::Slow, 2 * PATIENCE, Pace::Slow),
            (Pace::Slow, SHORT, Pace::Fast),
            (Pace::New, SHORT, Pace::Fast),
        ] {
            assert_eq!(run(&lanes, pace, request).await, (request, answered(expected)));
        }
    }
}
