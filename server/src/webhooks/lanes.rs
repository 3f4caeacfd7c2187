//! How many requests are under way. Receivers that take long have places of their own, and accounts take turns, so that
//! receivers that do not answer cost others little, however many they are.
//!
//! A request begins in a lane, where it has a place for [`PATIENCE`] at most. Then it is one of the overdue ones. So who
//! waits in a lane waits for less than `PATIENCE` for each [`MAX_EACH`] accounts whose turn is before, and then as long
//! again.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use tokio::time::timeout;

use super::overdue::{Overdue, Parties};
use super::turns::Turns;
use crate::store::{Lane, Pace};

/// A receiver that answers within this time is fast.
const PATIENCE: Duration = Duration::from_secs(1);
/// How many requests of each lane are under way for up to [`PATIENCE`].
const MAX_EACH: usize = 16;
/// How many requests that take longer are under way. With [`MAX_EACH`] in each lane, there are 256 at most.
const MAX_OVERDUE: usize = 192;

/// The places.
pub(super) struct Lanes {
    new: Turns,
    fast: Turns,
    slow: Turns,
    silent: Turns,
    overdue: Overdue,
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
        let lane = || Turns::new(MAX_EACH);
        Self {
            new: lane(),
            fast: lane(),
            slow: lane(),
            silent: lane(),
            overdue: Overdue::new(MAX_OVERDUE),
        }
    }

    /// Runs a request when it is its turn.
    pub(super) async fn run<T>(&self, lane: Lane, parties: Parties, request: impl Future<Output = T>) -> Finished<T> {
        let lane = match lane {
            Lane::New => &self.new,
            Lane::Fast => &self.fast,
            Lane::Slow => &self.slow,
            Lane::Silent => &self.silent,
        };
        let place = lane.take(parties.account).await;
        let mut request = pin!(request);
        if let Ok(answer) = timeout(PATIENCE, &mut request).await {
            let (answer, pace) = (Some(answer), Pace::Fast);
            return Finished { answer, pace };
        }
        let mut stay = self.overdue.add(parties);
        drop(place);
        let answer = tokio::select! {
            answer = request => Some(answer),
            () = stay.is_given_up() => None,
        };
        let pace = Pace::Slow;
        Finished { answer, pace }
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::sync::Arc;

    use contract::AccountId;
    use tokio::task::JoinSet;
    use tokio::time::{Instant, sleep};

    use super::*;

    const ALL: [Lane; 4] = [Lane::New, Lane::Fast, Lane::Slow, Lane::Silent];
    const SHORT: Duration = Duration::from_millis(10);
    /// After this time an attempt is over.
    const DEADLINE: Duration = Duration::from_secs(15);
    /// The account of the receiver that is measured.
    const HONEST: i64 = 1_000;

    fn parties(account: i64) -> Parties {
        Parties {
            account: AccountId::new(account),
            host: format!("{account}.example.com"),
        }
    }

    /// The time counts from the begin of the request.
    async fn answer(takes: Duration) {
        sleep(takes).await;
    }

    /// Keeps so many requests of each of so many accounts under way, or waiting, that take so long.
    async fn occupy(lanes: &Arc<Lanes>, lane: Lane, accounts: i64, each: usize, takes: Duration) -> JoinSet<()> {
        let mut occupied = JoinSet::new();
        for account in (0..each).flat_map(|_| 0..accounts) {
            let lanes = Arc::clone(lanes);
            occupied.spawn(async move {
                loop {
                    lanes.run(lane, parties(account), answer(takes)).await;
                }
            });
        }
        sleep(SHORT).await;
        occupied
    }

    /// How late the answer to a request that takes so long is, with what comes of it.
    async fn run(lanes: &Lanes, lane: Lane, takes: Duration) -> (Duration, Finished<()>) {
        let begun = Instant::now();
        let finished = lanes.run(lane, parties(HONEST), answer(takes)).await;
        (begun.elapsed().saturating_sub(takes), finished)
    }

    fn answered(pace: Pace) -> Finished<()> {
        Finished { answer: Some(()), pace }
    }

    #[tokio::test(start_paused = true)]
    async fn receivers_that_never_answer_cost_others_nothing() {
        let lanes = Arc::new(Lanes::new());
        let mut hanging = Vec::new();
        for lane in [Lane::New, Lane::Slow, Lane::Silent] {
            hanging.push(occupy(&lanes, lane, 1_000, 1, DEADLINE).await);
        }
        for _ in 0..100 {
            let on_time = (Duration::ZERO, answered(Pace::Fast));
            assert_eq!(run(&lanes, Lane::Fast, SHORT).await, on_time);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn four_hundred_that_hang_delay_one_that_answers_by_five_seconds_at_most() {
        for lane in ALL {
            let lanes = Arc::new(Lanes::new());
            let _hanging = occupy(&lanes, lane, 20, 20, DEADLINE).await;
            for _ in 0..15 {
                let (late, finished) = run(&lanes, lane, 2 * PATIENCE).await;
                assert!(late <= Duration::from_secs(5), "{lane:?}: {late:?}");
                assert_eq!(finished, answered(Pace::Slow), "{lane:?}");
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_lane_is_shared_by_account_whatever_their_receivers_do() {
        // Three rounds of sixteen, and the one under way.
        let bound = 4 * PATIENCE;
        for takes in [PATIENCE * 9 / 10, 3 * PATIENCE, DEADLINE] {
            let lanes = Arc::new(Lanes::new());
            let _others = occupy(&lanes, Lane::Fast, 48, 5, takes).await;
            for _ in 0..20 {
                let (late, finished) = run(&lanes, Lane::Fast, SHORT).await;
                assert_eq!((late <= bound, finished), (true, answered(Pace::Fast)), "{late:?}");
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn requests_that_are_overdue_are_given_up_only_for_others() {
        let lanes = Arc::new(Lanes::new());
        let mut requests = JoinSet::new();
        for account in 0..=MAX_OVERDUE {
            let (lanes, account) = (Arc::clone(&lanes), i64::try_from(account).expect("a small number"));
            requests.spawn(async move {
                // The first two are of one account.
                lanes.run(Lane::New, parties(account.max(1)), pending::<()>()).await
            });
        }
        let given_up = requests.join_next().await.expect("a request").expect("no panic");
        let (answer, pace) = (None, Pace::Slow);
        assert_eq!(given_up, Finished { answer, pace });
        let ended = timeout(10 * DEADLINE, requests.join_next()).await;
        assert!(ended.is_err(), "there are places for all others");
    }

    #[tokio::test(start_paused = true)]
    async fn the_pace_is_that_of_the_request_in_any_lane() {
        let lanes = Lanes::new();
        for lane in ALL {
            for (takes, pace) in [(2 * PATIENCE, Pace::Slow), (SHORT, Pace::Fast)] {
                assert_eq!(run(&lanes, lane, takes).await, (Duration::ZERO, answered(pace)));
            }
        }
    }
}
