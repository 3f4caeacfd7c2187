//! The outcome of one test: it passes, fails with the request and the difference, or is skipped. It ends by a panic, which
//! this module catches; tests run in their own threads.

use super::{Covers, Test};
use crate::failure::Failure;
use crate::world::World;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::time::{Duration, Instant};

/// How often a test is tried if a window ends meanwhile.
const ATTEMPTS: usize = 3;

thread_local! {
    /// Whether this thread runs a test, whose panic is its failure and not printed at once.
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
    /// Where the test of this thread panicked.
    static PANICKED: RefCell<String> = const { RefCell::new(String::new()) };
    /// The reason why the test of this thread is left out, if it is.
    static LEFT_OUT: RefCell<Option<String>> = const { RefCell::new(None) };
    /// The end of the window in which the test of this thread counts requests, in real time, and its length.
    static WINDOW: Cell<Option<(Instant, Duration)>> = const { Cell::new(None) };
}

/// Notes that the running test cannot be tried, and why.
pub(crate) fn leave_out(reason: &str) {
    LEFT_OUT.with_borrow_mut(|left_out| _ = left_out.get_or_insert_with(|| reason.to_owned()));
}

/// Notes that the running test counts requests until this moment. If it fails later, it may be the counts that began
/// again, and it is repeated.
pub(crate) fn counts_until(end: Instant, length: Duration) {
    WINDOW.set(Some((end, length)));
}

/// Notes that the running test has waited, on purpose: now it may count in another window.
pub(crate) fn has_waited() {
    if let Some((mut end, length)) = WINDOW.get() {
        while end <= Instant::now() {
            end += length.max(Duration::from_secs(1));
        }
        WINDOW.set(Some((end, length)));
    }
}

/// The result of an attempt during which no window ended; `None` if one ended in each attempt, and all failed.
fn repeated<T, E>(attempt: impl Fn() -> Result<T, E>) -> Option<Result<T, E>> {
    for _ in 0..ATTEMPTS {
        let result = attempt();
        let has_ended = WINDOW.take().is_some_and(|(end, _)| end <= Instant::now());
        if result.is_ok() || !has_ended {
            return Some(result);
        }
    }
    None
}

/// Ends the test of this thread with a failure. Outside of a test of the suite this is a panic with the whole message.
#[track_caller]
pub(crate) fn end_test(failure: Failure) -> ! {
    if IS_CAUGHT.get() {
        std::panic::panic_any(failure)
    }
    panic!("{failure}")
}

/// Why a test ends that cannot be tried.
struct Skip(String);

/// Ends the test of this thread: it cannot be tried in its world, for this reason.
#[track_caller]
pub fn skip_test(reason: String) -> ! {
    if IS_CAUGHT.get() {
        std::panic::panic_any(Skip(reason))
    }
    panic!("{reason}")
}

/// The result of a test.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The answers are those that the contract demands.
    Passed,
    /// One is not.
    Failed(Box<Failure>),
    /// The test cannot be tried in this world, for this reason.
    Skipped(String),
}

impl Verdict {
    /// The failure, if the test failed.
    pub fn failure(self) -> Option<Failure> {
        match self {
            Self::Failed(failure) => Some(*failure),
            Self::Passed | Self::Skipped(_) => None,
        }
    }
}

/// A test of a suite that has run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The whole name of the test: `agent::get_human::success`.
    pub test: String,
    /// What the test covers.
    pub covers: Covers,
    /// The tried rule of the contract, in words.
    pub requirement: &'static str,
    /// The position of that rule in the contract: `api.yaml:120:7`.
    pub at: &'static str,
    /// The result.
    pub verdict: Verdict,
}

impl Outcome {
    /// What the test is about: an operation, `agent::get_human`, or several, `agent::limits` and `failed_credentials`.
    pub fn operation(&self) -> &str {
        self.test.rsplit_once("::").map_or("", |(operation, _)| operation)
    }
}

impl Test {
    pub(super) fn outcome(&self, name: &str, world: &'static dyn World) -> Outcome {
        Outcome {
            test: name.to_owned(),
            covers: self.covers,
            requirement: self.tested.rule,
            at: self.tested.at,
            verdict: self.run(world),
        }
    }

    /// Runs the test in this world.
    pub fn run(&self, world: &'static dyn World) -> Verdict {
        let mut verdict = verdict(world, || (self.run)(world));
        if let Verdict::Failed(failure) = &mut verdict {
            failure.tried.get_or_insert(self.tested);
        }
        verdict
    }
}

/// Runs a test in this world.
pub(crate) fn verdict(world: &'static dyn World, run: impl Fn()) -> Verdict {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let default_hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            match panic.location().filter(|_| IS_CAUGHT.get()) {
                Some(location) => PANICKED.set(location.to_string()),
                None => default_hook(panic),
            }
        }));
    });
    IS_CAUGHT.set(true);
    let result = repeated(|| catch_unwind(AssertUnwindSafe(&run)));
    IS_CAUGHT.set(false);
    let left_out = LEFT_OUT.take();
    let panic = match result {
        None => return Verdict::Skipped(format!("a window of a limit ended in each of {ATTEMPTS} attempts")),
        Some(Ok(())) => return left_out.map_or(Verdict::Passed, Verdict::Skipped),
        Some(Err(panic)) => panic,
    };
    let panic = match panic.downcast::<Skip>() {
        Ok(skip) => return Verdict::Skipped(skip.0),
        Err(panic) => panic,
    };
    let failure = panic.downcast::<Failure>().unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        let text = text.unwrap_or_default();
        Box::new(Failure::of_panic(format!("{text}\n    panicked:  {}", PANICKED.take())))
    });
    if failure.level > world.level() {
        let cause = &failure.cause;
        return Verdict::Skipped(format!(
            "it ends with a difference that this level does not compare: {cause}"
        ));
    }
    Verdict::Failed(failure)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often a failing attempt is made whose window ends in this time.
    fn attempts(rest: Option<Duration>) -> usize {
        let count = Cell::new(0);
        let result: Option<Result<(), ()>> = repeated(|| {
            count.set(count.get() + 1);
            rest.into_iter()
                .for_each(|rest| counts_until(Instant::now() + rest, rest));
            Err(())
        });
        assert!(result.is_none_or(|result| result.is_err()));
        count.get()
    }

    #[test]
    fn a_failure_is_tried_again_if_a_window_ended_meanwhile() {
        assert_eq!(attempts(Some(Duration::ZERO)), ATTEMPTS);
        assert_eq!(attempts(Some(Duration::from_secs(3600))), 1);
        assert_eq!(attempts(None), 1);
    }
}
