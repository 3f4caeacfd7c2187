//! Searches compared with a filter and a sort over plain profiles, which share no code with the index.

use std::cmp::Reverse;

use super::group::ROWS;
use super::*;

const GENDERS: [Gender; 3] = [Gender::Male, Gender::Female, Gender::Other];

/// Pseudo-random numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % sides
    }

    fn maybe<T>(&mut self, value: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.roll(3) == 0).then(|| value(self))
    }

    /// One of so many names, of which the first ones are more frequent.
    fn name(&mut self, names: usize) -> String {
        let below = 1 + self.roll(names);
        self.roll(below).to_string()
    }

    /// A number up to 100 in a unit: 1 for whole numbers, 100 for two decimals.
    fn number(&mut self, unit: usize) -> Number {
        Number::new(self.roll(100 * unit + 1) as f64 / unit as f64).expect("finite")
    }

    fn worker(&mut self, unit: usize) -> Profile {
        Profile {
            state: self.name(20),
            gender: GENDERS[self.roll(3)],
            rate: self.number(unit),
            rating: Number::from(i32::try_from(self.roll(6)).expect("small")),
            is_available: self.roll(3) > 0,
            is_listed: self.roll(10) > 0,
            skills: (0..self.roll(5)).map(|_| self.name(60)).collect(),
        }
    }

    /// Also asks for names that no worker has.
    fn query(&mut self) -> Query {
        Query {
            skill: self.maybe(|dice| dice.name(64)),
            state: self.maybe(|dice| dice.name(22)),
            gender: self.maybe(|dice| GENDERS[dice.roll(3)]),
            min_rate: self.maybe(|dice| dice.number(1000)),
            max_rate: self.maybe(|dice| dice.number(1)),
            only_available: self.roll(3) == 0,
        }
    }

    fn positions(&mut self, total: usize) -> Range<usize> {
        let start = [0, 0, 1, 20, total / 2, total.saturating_sub(1), total, usize::MAX][self.roll(8)];
        start..start.saturating_add([0, 1, 20, 100, usize::MAX][self.roll(5)])
    }
}

/// The index with the profiles that it must have.
#[derive(Default)]
struct Pair {
    index: Index,
    workers: Vec<Profile>,
}

impl Pair {
    fn insert(&mut self, worker: Profile) {
        assert_eq!(self.index.insert(&worker) as usize, self.workers.len());
        self.workers.push(worker);
    }

    fn update(&mut self, row: usize, change: impl FnOnce(&mut Profile)) {
        let before = self.workers[row].clone();
        change(&mut self.workers[row]);
        self.index.update(row as RowNumber, &before, &self.workers[row]);
    }

    #[track_caller]
    fn check(&self, dice: &mut Dice, queries: usize) {
        self.index.assert_holds(self.workers.iter().cloned());
        let mut ordered: Vec<_> = self.workers.iter().enumerate().collect();
        ordered.sort_by_key(|(row, worker)| (Reverse(worker.rating), *row));
        for _ in 0..queries {
            let query = dice.query();
            let matching = ordered.iter().filter(|(_, worker)| is_match(&query, worker));
            let matching: Vec<_> = matching.map(|(row, _)| *row as RowNumber).collect();
            let positions = dice.positions(matching.len());
            let rows = matching.iter().copied().skip(positions.start).take(positions.len());
            let expected = Found {
                total: matching.len(),
                rows: rows.collect(),
            };
            let found = self.index.search(&query, positions.clone());
            assert_eq!(found, expected, "{query:?} {positions:?}");
        }
    }
}

fn is_match(query: &Query, worker: &Profile) -> bool {
    worker.is_listed
        && query.skill.as_ref().is_none_or(|skill| worker.skills.contains(skill))
        && query.state.as_ref().is_none_or(|state| *state == worker.state)
        && query.gender.is_none_or(|gender| gender == worker.gender)
        && query.min_rate.is_none_or(|min| min <= worker.rate)
        && query.max_rate.is_none_or(|max| worker.rate <= max)
        && (worker.is_available || !query.only_available)
}

#[test]
fn searches_find_what_a_plain_filter_finds() {
    let (mut pair, mut dice) = (Pair::default(), Dice(1));
    pair.check(&mut dice, 20);
    for rows in [1, ROWS - 1, ROWS, ROWS + 1, 6_000] {
        while pair.workers.len() < rows {
            pair.insert(dice.worker(1));
        }
        pair.check(&mut dice, 100);
    }
    for unit in [1, 100, 100_000] {
        for _ in 0..2_000 {
            let (row, other) = (dice.roll(pair.workers.len()), dice.worker(unit));
            match dice.roll(5) {
                3 => pair.update(row, |worker| worker.is_available = other.is_available),
                0 => pair.update(row, |worker| worker.rate = other.rate),
                1 => pair.update(row, |worker| worker.rating = other.rating),
                2 => pair.update(row, |worker| worker.skills = other.skills),
                _ => pair.update(row, |worker| *worker = other),
            }
        }
        pair.check(&mut dice, 100);
    }
}

#[test]
fn a_skill_that_becomes_frequent_and_rare_again_is_found() {
    let (mut pair, mut dice) = (Pair::default(), Dice(2));
    (0..1_000).for_each(|_| pair.insert(dice.worker(1)));
    for (share, skills) in [
        (3, vec!["new".to_owned()]),
        (1, Vec::new()),
        (7, vec!["new".to_owned()]),
    ] {
        for row in (0..1_000).step_by(share) {
            pair.update(row, |worker| {
                worker.skills.clone_from(&skills);
                worker.is_listed = true;
            });
        }
        pair.check(&mut dice, 20);
        let query = Query {
            skill: Some("new".to_owned()),
            ..Query::default()
        };
        let total = pair.index.search(&query, 0..0).total;
        assert_eq!(
            total,
            if skills.is_empty() {
                0
            } else {
                1_000_usize.div_ceil(share)
            }
        );
    }
}

#[test]
fn a_gender_that_no_worker_ever_had_is_not_found() {
    let (mut pair, mut dice) = (Pair::default(), Dice(3));
    pair.insert(Profile {
        gender: GENDERS[0],
        is_listed: true,
        ..dice.worker(1)
    });
    for (gender, total) in GENDERS.into_iter().zip([1, 0, 0]) {
        let query = Query {
            gender: Some(gender),
            ..Query::default()
        };
        assert_eq!(pair.index.search(&query, 0..1).total, total);
    }
}
