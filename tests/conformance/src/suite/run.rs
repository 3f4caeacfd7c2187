//! Runs the tests: all or some, as trials of a test program, or one by its name.

use super::{Outcome, Suite, Test, Verdict};
use crate::declared::DeclaredWorld;
use crate::histories::ProbeVerdict;
use crate::world::World;
use libtest_mimic::{Arguments, Completion, Failed, Trial};
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The number of threads, as for other test programs.
const THREADS: &str = "RUST_TEST_THREADS";

/// The tests to run, and how.
pub struct RunOptions<'a> {
    /// Whether to run the test of this name: `agent::get_human::success`.
    pub is_tried: &'a dyn Fn(&str) -> bool,
    /// How many tests run at once.
    pub threads: usize,
    /// Sees each outcome when its test has ended.
    pub ended: &'a (dyn Fn(&Outcome) + Sync),
}

impl Default for RunOptions<'_> {
    fn default() -> Self {
        Self {
            is_tried: &|_| true,
            threads: 16,
            ended: &|_| {},
        }
    }
}

/// Tries the probes of a surface, one in so many.
fn probes(world: &DeclaredWorld, surface: &str, one_in: usize) -> Result<Completion, Failed> {
    let outcomes = match world.probe(surface, one_in) {
        Ok(outcomes) => outcomes,
        Err(reason) => return Ok(Completion::ignored_with(reason)),
    };
    const FEW: usize = 20;
    let all = outcomes.len();
    let (mut passed, mut failed, mut reason) = (0, Vec::new(), String::new());
    for outcome in outcomes {
        match outcome.verdict {
            ProbeVerdict::Passed => passed += 1,
            ProbeVerdict::NotTried(why) => reason = format!("{}: {why}", outcome.name),
            ProbeVerdict::Failed(found) => failed.push(format!(
                "{}: {}\n{}  came: {}\n  wanted: {}\n  {}",
                outcome.name, found.cause, found.script, found.got, found.wanted, found.declared
            )),
        }
    }
    match (failed.is_empty(), passed) {
        (false, _) => Err(failed.join("\n").into()),
        (true, 0) => Ok(Completion::ignored_with(reason)),
        (true, _) if all >= FEW && passed * 2 < all => Err(format!("{passed} of {all} were tried; {reason}").into()),
        (true, _) => Ok(Completion::Completed),
    }
}

impl Suite {
    /// A test program: runs the tests that the arguments of the process select, the probes of each surface as one more (one in
    /// so many), and one that fails if a response is not covered. The names begin with `generated::`.
    pub fn main(&'static self, world: fn() -> &'static DeclaredWorld, one_probe_in: usize) -> ExitCode {
        let mut arguments = Arguments::from_args();
        let threads = || std::env::var(THREADS).ok()?.parse().ok();
        arguments.test_threads = arguments.test_threads.or_else(threads);
        let trial = |(name, test): (String, &'static Test)| {
            Trial::ignorable_test(format!("generated::{name}"), move || match test.run(world()) {
                Verdict::Passed => Ok(Completion::Completed),
                Verdict::Failed(failure) => Err(Failed::from(failure)),
                Verdict::Skipped(reason) => Ok(Completion::ignored_with(reason)),
            })
        };
        let probes = self.contract.model.surfaces.iter().map(|surface| {
            let name = format!("generated::{}::probes", surface.name);
            Trial::ignorable_test(name, move || probes(world(), &surface.name, one_probe_in))
        });
        let gaps = Trial::test("generated::every_response_is_covered", || {
            match self.matrix().gaps().as_slice() {
                [] => Ok(()),
                gaps => Err(gaps.join("\n").into()),
            }
        });
        let trials = probes.chain(self.fastest().map(trial)).chain([gaps]).collect();
        libtest_mimic::run(&arguments, trials).exit_code()
    }

    /// Runs tests in this world, several at once. The outcomes are in the order of the contract.
    pub fn run(&'static self, world: &'static dyn World, options: &RunOptions<'_>) -> Vec<Outcome> {
        let tests: Vec<(String, &Test)> = self.fastest().filter(|(name, _)| (options.is_tried)(name)).collect();
        let (next, outcomes) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
        let (tests, ended) = (&tests, options.ended);
        thread::scope(|scope| {
            for _ in 0..options.threads.max(1) {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        if index >= tests.len() {
                            break;
                        }
                        let (name, test) = &tests[index];
                        let outcome = test.outcome(name, world);
                        ended(&outcome);
                        let mut outcomes = outcomes.lock().expect("tests panic in themselves only");
                        outcomes.insert(name.clone(), outcome);
                    }
                });
            }
        });
        let mut outcomes = outcomes.into_inner().expect("tests panic in themselves only");
        self.tests().filter_map(|(name, _)| outcomes.remove(&name)).collect()
    }

    /// Runs the test of this name: `agent::get_human::success`.
    ///
    /// # Panics
    /// If it fails, or there is no such test.
    pub fn run_test(&'static self, name: &str, world: &'static dyn World) {
        let found = self.tests().find(|(known, _)| known == name);
        let (_, test) = found.unwrap_or_else(|| panic!("the contract gives no test of the name {name}"));
        match test.run(world) {
            Verdict::Passed => {}
            Verdict::Skipped(reason) => eprintln!("left out: {reason}"),
            Verdict::Failed(failure) => panic!("{failure}"),
        }
    }
}
