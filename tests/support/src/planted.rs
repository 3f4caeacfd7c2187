//! Planted defects of a service: which of them random histories or probes notice.

use crate::judged::probes;
use conformance::{
    HistoriesReport, HistoryDifference, HistoryOptions, Level, ProbeOptions, ProbeOutcome, ProbeVerdict,
};
use std::fmt::Debug;
use std::sync::Mutex;
use std::time::Instant;

/// Part of the names of the defects to try.
const FILTER: &str = "HITODE_BROKEN";

/// The seeds that are tried: what random histories show of a defect depends on chance.
pub const SEEDS: [u64; 3] = [1, 101, 201];

/// Those that are tried if probes notice nothing either.
pub const LATER_SEEDS: [u64; 3] = [301, 401, 501];

/// The least percentage of the defects that must be noticed.
const SHARE: usize = 95;

/// Histories without limits that end at the first difference, which is not shortened.
pub fn until_noticed(seed: u64, level: Level) -> HistoryOptions {
    HistoryOptions {
        seed,
        level,
        is_limited: false,
        most_causes: 1,
        shortens: false,
        ..HistoryOptions::default()
    }
}

/// Does this to each of them; several at once.
pub fn for_each<'a, T: Sync>(all: &'a [T], work: impl Fn(&'a T) + Sync) {
    let left = Mutex::new(all.iter());
    let next = || left.lock().expect("no thread panicked").next();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(one) = next() {
                    work(one);
                }
            });
        }
    });
}

/// Services with one defect each.
pub struct Planted<'a, D> {
    /// The defects.
    pub defects: &'a [D],
    /// Histories of calls to a new service with this defect.
    pub histories: &'a (dyn Fn(D, &HistoryOptions) -> HistoriesReport + Sync),
    /// Probes of a new service with this defect.
    pub probes: &'a (dyn Fn(D, &ProbeOptions) -> Vec<ProbeOutcome> + Sync),
}

impl<D: Copy + Debug + Send + Sync> Planted<'_, D> {
    /// Tries each twentieth defect.
    ///
    /// # Panics
    /// If fewer than 95 % are noticed.
    pub fn expect_sample_noticed(&self) {
        self.expect(&self.defects.iter().skip(4).step_by(20).copied().collect::<Vec<_>>());
    }

    /// Tries all defects, or those with the text in the environment variable `HITODE_BROKEN` in their names.
    ///
    /// # Panics
    /// If fewer than 95 % are noticed.
    pub fn expect_all_noticed(&self) {
        let part = std::env::var(FILTER).unwrap_or_default();
        let is_tried = |defect: &&D| format!("{defect:?}").contains(&part);
        self.expect(&self.defects.iter().filter(is_tried).copied().collect::<Vec<_>>());
    }

    fn expect(&self, tried: &[D]) {
        assert!(!tried.is_empty(), "there is no such defect");
        let missed = Mutex::new(Vec::new());
        for_each(tried, |defect| {
            if !self.is_noticed(*defect) {
                missed.lock().expect("no thread panicked").push(defect);
            }
        });
        let missed = missed.into_inner().expect("no thread panicked");
        let noticed = tried.len() - missed.len();
        println!("{noticed} of {} noticed", tried.len());
        assert!(noticed * 100 >= tried.len() * SHARE, "missed: {missed:?}");
    }

    fn is_noticed(&self, defect: D) -> bool {
        let began = Instant::now();
        let by_random = |seeds: [u64; 3]| seeds.into_iter().find_map(|seed| self.by_histories(defect, seed));
        let by = by_random(SEEDS).or_else(|| self.by_probe(defect));
        let by = by.or_else(|| by_random(LATER_SEEDS));
        let seconds = began.elapsed().as_secs_f32();
        println!("{defect:?}: {} ({seconds:.1} s)", by.as_deref().unwrap_or("MISSED"));
        by.is_some()
    }

    fn by_histories(&self, defect: D, seed: u64) -> Option<String> {
        let report = (self.histories)(defect, &until_noticed(seed, Level::Texts));
        let found = report.differences.first()?;
        let (operation, cause) = (&found.operation, &found.cause);
        Some(format!("random calls, seed {seed}: {operation}: {cause}"))
    }

    fn by_probe(&self, defect: D) -> Option<String> {
        let (name, found) = first_failing(Level::Texts, SEEDS[0], &|options| (self.probes)(defect, options))?;
        Some(format!("the probe {name}: {}", found.cause))
    }
}

/// Tries probes until one shows a difference.
pub fn first_failing(
    level: Level,
    seed: u64,
    run: &dyn Fn(&ProbeOptions) -> Vec<ProbeOutcome>,
) -> Option<(String, Box<HistoryDifference>)> {
    first_failing_of(level, seed, &|_| true, run)
}

/// The same with these probes.
pub fn first_failing_of(
    level: Level,
    seed: u64,
    is_tried: &dyn Fn(&str) -> bool,
    run: &dyn Fn(&ProbeOptions) -> Vec<ProbeOutcome>,
) -> Option<(String, Box<HistoryDifference>)> {
    let options = ProbeOptions {
        histories: until_noticed(seed, level),
        is_tried,
        ..probes(level)
    };
    run(&options).into_iter().find_map(|outcome| match outcome.verdict {
        ProbeVerdict::Failed(found) => Some((outcome.name, found)),
        ProbeVerdict::Passed | ProbeVerdict::NotTried(_) => None,
    })
}
