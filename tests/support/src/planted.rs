//! Planted defects of a service: which of them random histories or probes notice.

use crate::judged::probes;
use conformance::{HistoryDifference, HistoryOptions, Level, ProbeOptions, ProbeOutcome, ProbeVerdict};
use std::sync::Mutex;

/// The seeds that are tried: what random histories show of a defect depends on chance.
pub const SEEDS: [u64; 3] = [1, 101, 201];

/// Those that are tried if probes notice nothing either.
pub const LATER_SEEDS: [u64; 3] = [301, 401, 501];

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
