//! The cost of a search over workers in the index itself, in this process: CPU time, without store and HTTP.

use std::path::Path;
use std::time::Duration;

use contract::{Gender, Number};
use hitode::search::{Index, Profile, Query, RowNumber};
use rustix::time::{ClockId, clock_gettime};

use crate::machine::Cores;
use crate::table::{Rounds, Table};

const WORKERS: [u64; 3] = [10_000, 100_000, 1_000_000];
const STATES: u64 = 47;
const SKILLS: u64 = 500;
const GENDERS: [Gender; 3] = [Gender::Female, Gender::Male, Gender::Other];
const PAGE: usize = 20;
/// Searches of one shape that are timed together.
const BATCH: usize = 200;
/// Batches of each shape.
const ROUNDS: usize = 10;
const CHANGES: u64 = 10_000;

/// Adds a condition with random values.
type Condition = fn(&mut Query, &mut Dice);

/// The kinds of searches: conditions, and the offset.
const SHAPES: [(&str, &[Condition], usize); 15] = [
    ("all", &[], 0),
    ("all, from 1,000", &[], 1_000),
    ("all, from 100,000", &[], 100_000),
    ("state", &[state], 0),
    ("state, from 1,000", &[state], 1_000),
    ("gender", &[gender], 0),
    ("lowest rate", &[lowest], 0),
    ("rates, from 100,000", &[lowest, highest], 100_000),
    ("skill", &[skill], 0),
    ("frequent skill", &[frequent_skill], 0),
    ("skill, state", &[skill, state], 0),
    ("skill, rates", &[skill, lowest, highest], 0),
    ("state, gender, rates", &[state, gender, lowest, highest], 0),
    (
        "frequent skill, rates, from 1,000",
        &[frequent_skill, lowest, highest],
        1_000,
    ),
    (
        "skill, state, gender, rates",
        &[skill, state, gender, lowest, highest],
        0,
    ),
];

fn state(query: &mut Query, dice: &mut Dice) {
    query.state = Some(name("state", dice.rank(STATES)));
}

fn gender(query: &mut Query, dice: &mut Dice) {
    query.gender = Some(GENDERS[dice.roll(3) as usize]);
}

fn lowest(query: &mut Query, dice: &mut Dice) {
    query.min_rate = Some(hundredths(90_000 + 100 * dice.roll(2_000)));
}

fn highest(query: &mut Query, dice: &mut Dice) {
    query.max_rate = Some(hundredths(290_000 + 100 * dice.roll(3_000)));
}

fn skill(query: &mut Query, dice: &mut Dice) {
    query.skill = Some(name("skill", dice.rank(SKILLS)));
}

fn frequent_skill(query: &mut Query, dice: &mut Dice) {
    query.skill = Some(name("skill", dice.roll(5)));
}

/// Pseudo-random numbers (SplitMix64), the same for each seed.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn roll(&mut self, sides: u64) -> u64 {
        self.next() % sides
    }

    /// A number below `ranks`, `n` with a frequency of about `1 / (n + 1)` (Zipf's law).
    fn rank(&mut self, ranks: u64) -> u64 {
        let share = self.roll(1 << 32) as f64 / (1_u64 << 32) as f64;
        ((ranks as f64 + 1.0).powf(share) - 1.0) as u64
    }
}

fn name(of: &str, number: u64) -> String {
    format!("{of} {number}")
}

fn hundredths(number: u64) -> Number {
    Number::new(number as f64 / 100.0).expect("finite")
}

/// A worker, the same at every call.
fn worker(number: u64) -> Profile {
    let mut dice = Dice(number << 8);
    // A third are not rated yet. The others have ratings around 4.
    let rating = dice.roll(3).min(1) * (300 + dice.roll(101) + dice.roll(101));
    Profile {
        state: name("state", dice.rank(STATES)),
        gender: GENDERS[dice.roll(3) as usize],
        rate: hundredths(90_000 + dice.roll(300_000) + dice.roll(300_000)),
        rating: hundredths(rating),
        skills: (0..1 + dice.roll(8))
            .map(|_| name("skill", dice.rank(SKILLS)))
            .collect(),
    }
}

/// The time that this thread has had a core.
fn cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
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
            let group: Vec<_> = (first..first + 1_000).map(worker).collect();
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
            let before = worker(row);
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

fn query(conditions: &[Condition], dice: &mut Dice) -> Query {
    let mut query = Query::default();
    conditions.iter().for_each(|condition| condition(&mut query, dice));
    query
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
