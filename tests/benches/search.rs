//! The cost of a search over workers in the index itself, in this process: CPU time, without store and HTTP.

use std::path::Path;
use std::time::Duration;

use hitode::search::{Index, Profile, RowNumber};
use rustix::time::{ClockId, clock_gettime};

use crate::machine::Cores;
use crate::population::{Dice, SHAPES, hundredths, profile, query};
use crate::table::{Rounds, Table};

const WORKERS: [u64; 3] = [10_000, 100_000, 1_000_000];
const PAGE: usize = 20;
/// Searches of one shape that are timed together.
const BATCH: usize = 200;
/// Batches of each shape.
const ROUNDS: usize = 10;
const CHANGES: u64 = 10_000;

/// The time that the threads of this process have had a core. Another thread reads what is not in the cache.
fn cpu() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let before = cpu();
    let done = work();
    (done, cpu() - before)
}

struct Filled {
    index: Index,
    workers: u64,
    building: Duration,
    changing: Duration,
    shapes: [Rounds; SHAPES.len()],
    mix: Rounds,
}

impl Filled {
    fn new(workers: u64) -> Self {
        let mut filled = Self {
            index: Index::default(),
            workers,
            building: Duration::ZERO,
            changing: Duration::ZERO,
            shapes: Default::default(),
            mix: Rounds::default(),
        };
        for first in (0..workers).step_by(1_000) {
            let group: Vec<_> = (first..first + 1_000).map(profile).collect();
            let insert = || {
                for worker in &group {
                    filled.index.insert(worker);
                }
            };
            filled.building += timed(insert).1;
        }
        filled
    }

    fn change_rates(&mut self) {
        let mut dice = Dice(self.workers);
        for _ in 0..CHANGES {
            let row = dice.roll(self.workers);
            let before = profile(row);
            let rate = hundredths(90_000 + dice.roll(600_000));
            let after = Profile { rate, ..before.clone() };
            self.changing += timed(|| self.index.update(row as RowNumber, &before, &after)).1;
        }
    }

    fn measure(&mut self, round: usize) {
        for (place, (_, conditions, offset)) in SHAPES.iter().enumerate() {
            let mut dice = Dice(((round * SHAPES.len() + place) as u64) << 32);
            let queries: Vec<_> = (0..BATCH).map(|_| query(conditions, &mut dice)).collect();
            let page = *offset..offset + PAGE;
            let search = |query| self.index.search(query, page.clone()).total;
            let (_, took) = timed(|| queries.iter().map(search).map(std::hint::black_box).sum::<usize>());
            let micros = took.as_secs_f64() * 1e6 / BATCH as f64;
            self.shapes[place].push(micros);
            self.mix.push(micros);
        }
    }
}

pub(crate) fn measure(_: &Path, rounds: Option<usize>, _: Cores) {
    let rounds = rounds.unwrap_or(ROUNDS);
    let filled = WORKERS.map(|workers| {
        eprintln!("searches over {workers} workers");
        let mut filled = Filled::new(workers);
        (0..rounds).for_each(|round| filled.measure(round));
        filled.change_rates();
        filled
    });
    println!("## The index over workers, CPU time in this process\n");
    let mut table = Table::new(&[
        "workers",
        "µs a search, p50",
        "p99",
        "bytes a worker",
        "built in s",
        "µs a changed rate",
    ]);
    for filled in &filled {
        table.row([
            filled.workers.to_string(),
            filled.mix.cell(1),
            format!("{:.1}", filled.mix.quantile(0.99)),
            format!("{:.1}", filled.index.memory_bytes() as f64 / filled.workers as f64),
            format!("{:.2}", filled.building.as_secs_f64()),
            format!("{:.2}", filled.changing.as_secs_f64() * 1e6 / CHANGES as f64),
        ]);
    }
    table.print();
    println!("Medians of batches of {BATCH} searches for a page of {PAGE}, in µs:\n");
    let head = WORKERS.map(|workers| format!("{workers} workers"));
    let mut table = Table::new(&["search", &head[0], &head[1], &head[2]]);
    for (place, (name, _, _)) in SHAPES.iter().enumerate() {
        let cells = filled.iter().map(|filled| filled.shapes[place].cell(1));
        table.row([(*name).to_owned()].into_iter().chain(cells));
    }
    table.print();
}
