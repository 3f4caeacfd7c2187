//! An index over workers that answers a search with the exact number of matches and one page of them. Workers go in as
//! [`Profile`]s, whose names are already normalized; row numbers come out. Must not know storage, HTTP or JSON.
//!
//! The method is the bit-sliced index of O'Neil and Quass, "Improved query performance with variant indexes" (SIGMOD
//! 1997): each bit of a number is a bitmap over all rows, so that a comparison needs a few operations for 64 rows. The
//! page is selected bit by bit on the rating, from the most significant on.

mod group;
mod interner;
mod matches;
mod numbers;
mod posting;
mod selection;
mod skills;
mod slices;

#[cfg(test)]
mod tests;

#[cfg(test)]
use std::collections::HashSet;
use std::ops::Range;

use contract::{Gender, Number};

pub use group::RowNumber;

pub(crate) use interner::{Interner, TextId};

use matches::{Filter, Matches};
use numbers::Numbers;
use selection::select;
use skills::Skills;
use slices::Slices;

/// The properties of a worker that searches compare. Equal names must be equal texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// The name of the state.
    pub state: String,
    /// The gender.
    pub gender: Gender,
    /// The price of an hour.
    pub rate: Number,
    /// Higher ratings come first.
    pub rating: Number,
    /// Whether the worker is available at present.
    pub is_available: bool,
    /// Whether searches find the worker at all.
    pub is_listed: bool,
    /// The names of the skills.
    pub skills: Vec<String>,
}

/// The conditions of a search, all of which a worker must meet. `None` does not restrict.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// The name of a skill.
    pub skill: Option<String>,
    /// The name of the state.
    pub state: Option<String>,
    /// The gender.
    pub gender: Option<Gender>,
    /// The lowest rate, inclusive.
    pub min_rate: Option<Number>,
    /// The highest rate, inclusive.
    pub max_rate: Option<Number>,
    /// Whether only available workers match.
    pub only_available: bool,
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// How many workers match.
    pub total: usize,
    /// The page, by rating descending and then by row number.
    pub rows: Vec<RowNumber>,
}

/// All workers. Workers with equal ratings are listed in the order of their insertion.
#[derive(Default)]
pub struct Index {
    len: RowNumber,
    states: Interner,
    state: Slices,
    gender: Slices,
    rate: Numbers,
    rating: Numbers,
    available: Slices,
    /// Of the rows that no search finds. Usually there are none, and then it is not read.
    unlisted: Slices,
    unlisted_count: usize,
    skills: Skills,
}

impl Index {
    /// How many workers there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a worker.
    ///
    /// # Panics
    /// If there are 2³² workers already.
    pub fn insert(&mut self, worker: &Profile) -> RowNumber {
        let row = self.len;
        self.len = row.checked_add(1).expect("fewer than 2^32 workers");
        self.set_state(row, worker);
        self.set_columns(row, worker);
        self.unlisted_count += usize::from(!worker.is_listed);
        self.skills.insert(row, &worker.skills, self.len());
        row
    }

    /// Changes a worker. `before` is the profile that was last inserted or updated at this row.
    pub fn update(&mut self, row: RowNumber, before: &Profile, after: &Profile) {
        if before.state != after.state {
            self.states.release(&before.state);
            self.set_state(row, after);
        }
        self.set_columns(row, after);
        self.unlisted_count += usize::from(!after.is_listed);
        self.unlisted_count -= usize::from(!before.is_listed);
        if before.skills != after.skills {
            self.skills.remove(row, &before.skills, self.len());
            self.skills.insert(row, &after.skills, self.len());
        }
    }

    /// The matching workers at these positions of the list of all matching workers.
    #[must_use]
    pub fn search(&self, query: &Query, positions: Range<usize>) -> Found {
        let Some(matches) = self.matches(query) else {
            return Found::default();
        };
        let total = matches.count();
        let rows = select(matches, self.rating.codes(), positions);
        Found { total, rows }
    }

    /// Whether a worker has a skill of this name, also one whom no search finds.
    #[must_use]
    pub fn has_skill(&self, name: &str) -> bool {
        self.skills.posting(name).is_some()
    }

    /// The bytes of memory that the index takes, without those of the names.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let columns = [
            &self.state,
            &self.gender,
            self.rate.codes(),
            self.rating.codes(),
            &self.available,
            &self.unlisted,
        ];
        columns.map(Slices::memory_bytes).iter().sum::<usize>() + self.skills.memory_bytes()
    }

    /// Whether the row has this profile. It may have further skills.
    pub(crate) fn has(&self, row: RowNumber, worker: &Profile) -> bool {
        let state = self.states.find(&worker.state).map(|state| state.code());
        let has = |skill: &String| self.skills.posting(skill).is_some_and(|rows| rows.contains(row));
        Some(self.state.get(row)) == state
            && self.gender.get(row) == gender_code(worker.gender)
            && self.available.get(row) == u64::from(worker.is_available)
            && self.unlisted.get(row) == u64::from(!worker.is_listed)
            && [self.rate.get(row), self.rating.get(row)] == [worker.rate, worker.rating]
            && worker.skills.iter().all(has)
    }

    /// Compares the index with the profiles of all rows.
    #[cfg(test)]
    pub(crate) fn assert_holds(&self, workers: impl Iterator<Item = Profile>) {
        let (mut rows, mut skills, mut unlisted) = (0, 0, 0);
        let (mut states, mut names) = (HashSet::new(), HashSet::new());
        for (row, mut worker) in (0..).zip(workers) {
            assert!(self.has(row, &worker), "row {row}: {worker:?}");
            worker.skills.sort();
            worker.skills.dedup();
            rows += 1;
            unlisted += usize::from(!worker.is_listed);
            skills += worker.skills.len();
            states.insert(worker.state);
            names.extend(worker.skills);
        }
        assert_eq!((self.len(), self.skills.count()), (rows, skills));
        assert_eq!(self.unlisted_count, unlisted);
        assert_eq!((self.states.len(), self.skills.names()), (states.len(), names.len()));
    }

    fn set_state(&mut self, row: RowNumber, worker: &Profile) {
        self.state.set(row, self.states.intern(&worker.state).code());
    }

    fn set_columns(&mut self, row: RowNumber, worker: &Profile) {
        self.gender.set(row, gender_code(worker.gender));
        self.rate.set(row, worker.rate);
        self.rating.set(row, worker.rating);
        self.available.set(row, u64::from(worker.is_available));
        self.unlisted.set(row, u64::from(!worker.is_listed));
    }

    /// All rows that match, or `None` if no row can.
    fn matches(&self, query: &Query) -> Option<Matches> {
        let mut filter = Filter::default();
        if self.unlisted_count > 0 {
            filter.equal.push((&self.unlisted, 0));
        }
        if let Some(state) = &query.state {
            filter.equal.push((&self.state, self.states.find(state)?.code()));
        }
        if let Some(gender) = query.gender {
            let code = Some(gender_code(gender)).filter(|code| self.gender.is_wide_enough(*code))?;
            filter.equal.push((&self.gender, code));
        }
        if query.only_available {
            let code = Some(1).filter(|code| self.available.is_wide_enough(*code))?;
            filter.equal.push((&self.available, code));
        }
        if query.min_rate.is_some() || query.max_rate.is_some() {
            let range = self.rate.range(query.min_rate, query.max_rate)?;
            filter.range = Some((self.rate.codes(), range));
        }
        let mut rows = match &query.skill {
            Some(skill) => Matches::from_posting(self.skills.posting(skill)?),
            None => Matches::all(self.len()),
        };
        rows.filter(&filter);
        Some(rows)
    }
}

fn gender_code(gender: Gender) -> u64 {
    gender as u64
}
