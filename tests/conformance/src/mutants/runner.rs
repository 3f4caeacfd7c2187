//! Runs mutants: each against the tests of its operation, in this process, until the first one fails.

use super::layer::{Donors, Layer};
use super::report::{MutantResult, Report};
use super::{Mutant, TestScope, catalogue};
use crate::suite::{Suite, Test};
use crate::world::World;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// A suite, and a server that passes it.
#[derive(Clone, Copy)]
pub struct MutationTests {
    /// The suite.
    pub suite: &'static Suite,
    /// Makes a correct world; each worker has one.
    pub world: fn() -> &'static dyn World,
}

/// The mutants to run.
#[derive(Clone, Debug)]
pub enum Run {
    /// All.
    Whole,
    /// This number of mutants, drawn with this seed. The order of simultaneous requests is chance, so a surviving
    /// mutant is tried once more.
    Sample(usize, u64),
    /// Those whose [name](Mutant::name) contains this.
    Named(String),
}

impl MutationTests {
    /// All mutants of the contract.
    pub fn mutants(&self) -> Vec<Mutant> {
        catalogue::mutants(self.suite.contract, &self.suite.operations)
    }

    /// Runs mutants.
    pub fn run(&self, run: &Run) -> Report {
        let mut mutants = self.mutants();
        match run {
            Run::Whole => {}
            Run::Sample(count, seed) => mutants = drawn(mutants, *count, *seed),
            Run::Named(part) => mutants.retain(|mutant| mutant.name().contains(part.as_str())),
        }
        let mutants: Vec<Arc<Mutant>> = mutants.into_iter().map(Arc::new).collect();
        let tries = if matches!(run, Run::Sample(..)) { 2 } else { 1 };
        Report::new(self.verdicts(&mutants, tries))
    }

    /// The names of the tests that fail without a mutant: there must be none.
    pub fn failing_without_mutant(&self) -> Vec<String> {
        let world = (self.world)();
        let layer = Layer::new(world, self.suite.contract, None, Arc::default()).that_stays();
        let failing = |(name, test): (String, &'static Test)| Some(format!("{name}: {}", test.run(layer).failure()?));
        self.suite.tests().filter_map(failing).collect()
    }

    fn verdicts(&self, mutants: &[Arc<Mutant>], tries: usize) -> Vec<MutantResult> {
        let next = AtomicUsize::new(0);
        let verdicts = Mutex::new(Vec::new());
        let workers = std::thread::available_parallelism().map_or(2, usize::from);
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    let world = (self.world)();
                    let donors = Arc::<Donors>::default();
                    while let Some(mutant) = mutants.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let layer = || {
                            let mutant = Some(Arc::clone(mutant));
                            Layer::new(world, self.suite.contract, mutant, Arc::clone(&donors))
                        };
                        let mut verdict = self.verdict(layer(), mutant);
                        for _ in 1..tries {
                            if !verdict.is_killed() {
                                verdict = self.verdict(layer(), mutant);
                            }
                        }
                        verdicts.lock().expect("no worker panics in here").push(verdict);
                    }
                });
            }
        });
        let mut verdicts = verdicts.into_inner().expect("no worker panics in here");
        verdicts.sort_by_key(|verdict: &MutantResult| {
            mutants.iter().position(|mutant| Arc::ptr_eq(mutant, &verdict.mutant))
        });
        verdicts
    }

    fn verdict(&self, layer: Layer, mutant: &Arc<Mutant>) -> MutantResult {
        let layer = layer.that_stays();
        let killed = self
            .tests_of(mutant)
            .into_iter()
            .find_map(|test| Some((test.name, test.run(layer).failure()?.to_string())));
        MutantResult {
            mutant: Arc::clone(mutant),
            killed,
            touched: layer.touched(),
        }
    }

    /// The mutant's tests. Those that are likely to fail come first.
    fn tests_of(&self, mutant: &Mutant) -> Vec<&'static Test> {
        let Some(of) = self
            .suite
            .operations
            .iter()
            .find(|tests| std::ptr::eq(tests.operation, mutant.operation))
        else {
            return Vec::new();
        };
        let about = mutant
            .place
            .rsplit([' ', '.'])
            .next()
            .unwrap_or_default()
            .trim_end_matches("[]")
            .to_lowercase();
        let shared = of
            .shared
            .iter()
            .copied()
            .flatten()
            .filter(|_| mutant.tests == TestScope::Limits);
        let mut tests: Vec<&Test> = of.tests.iter().collect();
        tests.sort_by_key(|test| !(test.name.contains(&about) || mutant.sentence.contains(test.name)));
        if mutant.tests == TestScope::Limits {
            return shared.chain(tests).collect();
        }
        tests
    }
}

/// A sample, always the same for a seed (splitmix64).
fn drawn(mut mutants: Vec<Mutant>, count: usize, mut seed: u64) -> Vec<Mutant> {
    let mut next = || {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    let mut sample = Vec::new();
    while sample.len() < count && !mutants.is_empty() {
        let at = next() % mutants.len() as u64;
        sample.push(mutants.swap_remove(usize::try_from(at).expect("it is an index")));
    }
    sample
}
