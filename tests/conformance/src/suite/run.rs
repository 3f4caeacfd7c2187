//! Runs the tests: each in its own thread, as trials of a test program, or one by its name.

use super::{Suite, Test};
use crate::world::World;
use libtest_mimic::{Arguments, Completion, Failed, Trial};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Once;
use std::time::Instant;

/// The number of threads, as for other test programs.
const THREADS: &str = "RUST_TEST_THREADS";

thread_local! {
    /// Whether this thread runs a test, whose panic is its failure and not printed at once.
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
    /// Where the test of this thread panicked.
    static PANICKED: RefCell<String> = const { RefCell::new(String::new()) };
    /// The reason why the test of this thread is left out, if it is.
    static LEFT_OUT: RefCell<Option<String>> = const { RefCell::new(None) };
    /// The end of the window in which the test of this thread counts requests, in real time.
    static WINDOW_END: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// How often a test is tried if a window ends meanwhile.
const ATTEMPTS: usize = 3;

/// Notes that the running test cannot be tried, and why.
pub(crate) fn leave_out(reason: &str) {
    LEFT_OUT.with_borrow_mut(|left_out| _ = left_out.get_or_insert_with(|| reason.to_owned()));
}

/// Notes that the running test counts requests until this moment. If it fails later, it may be the counts that began
/// again, and it is repeated.
pub(crate) fn counts_until(end: Instant) {
    WINDOW_END.set(Some(end));
}

/// The result of an attempt during which no window ended, or else of the last one.
fn repeated<T, E>(attempt: impl Fn() -> Result<T, E>) -> Result<T, E> {
    let has_ended = || WINDOW_END.take().is_some_and(|end| end <= Instant::now());
    let mut result = attempt();
    for _ in 1..ATTEMPTS {
        if result.is_err() && has_ended() {
            result = attempt();
        }
    }
    WINDOW_END.take();
    result
}

impl Test {
    /// Runs the test in this world; the reason if it is left out.
    ///
    /// # Errors
    /// The message of its failure.
    pub fn outcome(&self, world: &'static dyn World) -> Result<Option<String>, String> {
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
        let result = repeated(|| catch_unwind(AssertUnwindSafe(|| (self.run)(world))));
        IS_CAUGHT.set(false);
        let left_out = LEFT_OUT.take();
        result.map(|()| left_out).map_err(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            format!("{}\n    panicked:  {}", text.unwrap_or_default(), PANICKED.take())
        })
    }
}

impl Suite {
    /// A test program: runs the tests that the arguments of the process select, and one more, which fails if a response is
    /// not covered. The names begin with `generated::`.
    pub fn main(&'static self, world: fn() -> &'static dyn World) -> ExitCode {
        let mut arguments = Arguments::from_args();
        let threads = || std::env::var(THREADS).ok()?.parse().ok();
        arguments.test_threads = arguments.test_threads.or_else(threads);
        let trial = |(name, test): (String, &'static Test)| {
            Trial::ignorable_test(format!("generated::{name}"), move || {
                match test.outcome(world()).map_err(Failed::from)? {
                    None => Ok(Completion::Completed),
                    Some(reason) => Ok(Completion::ignored_with(reason)),
                }
            })
        };
        let gaps = Trial::test("generated::every_response_is_covered", || {
            match self.matrix().gaps().as_slice() {
                [] => Ok(()),
                gaps => Err(gaps.join("\n").into()),
            }
        });
        let trials = self.tests().map(trial).chain([gaps]).collect();
        libtest_mimic::run(&arguments, trials).exit_code()
    }

    /// Runs the test of this name: `agent::get_human::success`.
    ///
    /// # Panics
    /// If it fails, or there is no such test.
    pub fn run(&'static self, name: &str, world: &'static dyn World) {
        let found = self.tests().find(|(known, _)| known == name);
        let (_, test) = found.unwrap_or_else(|| panic!("the contract gives no test of the name {name}"));
        match test.outcome(world) {
            Ok(None) => {}
            Ok(Some(reason)) => eprintln!("left out: {reason}"),
            Err(message) => panic!("{message}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// How often a failing attempt is made whose window ends in this time.
    fn attempts(rest: Option<Duration>) -> usize {
        let count = Cell::new(0);
        let result: Result<(), ()> = repeated(|| {
            count.set(count.get() + 1);
            rest.into_iter().for_each(|rest| counts_until(Instant::now() + rest));
            Err(())
        });
        assert!(result.is_err());
        count.get()
    }

    #[test]
    fn a_failure_is_tried_again_if_a_window_ended_meanwhile() {
        assert_eq!(attempts(Some(Duration::ZERO)), ATTEMPTS);
        assert_eq!(attempts(Some(Duration::from_secs(3600))), 1);
        assert_eq!(attempts(None), 1);
    }
}
