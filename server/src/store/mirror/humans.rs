//! The workers of a realm in memory: by id, by token, and as list rows that the search index selects. Only the rows of lists are
//! kept as they are sent; the records are compressed, since most are seldom read.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use contract::agent::list_humans::shows;
use contract::support::text::fold;
use contract::{Encoded, Human, HumanDetail, HumanId, HumanList, OfferedSkillItem, Page, Skill};

use super::offered_skills::OfferedSkills;
use super::packed::Packed;
use super::recent::{Decoded, Recent};
use crate::digest::Digest;
use crate::search::{Index, Profile, Query, RowNumber};
use crate::store::filter::{HumanFilter, PageRequest, count, skill_keys, state_key};

/// All workers of a realm.
#[derive(Default)]
pub(crate) struct Humans {
    /// By row number of the index. In the order of ids, so that the index lists workers with equal ratings by id.
    rows: Vec<HumanRow>,
    /// The records of the rows, as JSON.
    records: Packed,
    by_token: HashMap<Digest, HumanId>,
    suspended: HashSet<HumanId>,
    index: Index,
    skills: OfferedSkills,
    recent: Recent,
}

struct HumanRow {
    id: HumanId,
    list_view: Encoded<HumanList>,
}

/// A worker in its new state, with all that takes long to compute and needs no lock.
pub(super) struct ChangedHuman {
    row: HumanRow,
    record: Vec<u8>,
    profile: Profile,
    skills: Vec<Skill>,
    token: Option<Digest>,
    is_simulated: bool,
    is_suspended: bool,
}

impl ChangedHuman {
    pub(super) fn new(human: &Human) -> Self {
        Self {
            row: HumanRow {
                id: human.id,
                list_view: human.list(),
            },
            record: serde_json::to_vec(human).expect("records have text keys and finite numbers"),
            profile: profile(human),
            skills: human.skills.clone(),
            token: token(human),
            is_simulated: human.sandbox,
            is_suspended: human.suspended,
        }
    }

    /// Whether the worker is one of the sandbox.
    pub(super) fn is_simulated(&self) -> bool {
        self.is_simulated
    }
}

impl Humans {
    /// One worker.
    pub(crate) fn get(&self, id: HumanId) -> Option<Arc<Human>> {
        let decoded = self.decoded(self.number(id)?);
        Some(Arc::clone(&decoded.human))
    }

    /// One worker, in the view for agents.
    pub(crate) fn detail(&self, id: HumanId) -> Option<Encoded<HumanDetail>> {
        let decoded = self.decoded(self.number(id)?);
        Some(decoded.detail.get_or_init(|| decoded.human.detail()).clone())
    }

    /// The worker whose token has this digest.
    pub(crate) fn admit(&self, digest: &Digest) -> Option<HumanId> {
        self.by_token.get(digest).copied()
    }

    /// Whether the worker is suspended.
    pub(crate) fn is_suspended(&self, id: HumanId) -> bool {
        self.suspended.contains(&id)
    }

    /// How many workers there are.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// A page of the matching workers, in the contract's order.
    pub(crate) fn find(&self, filter: &HumanFilter, window: PageRequest) -> Page<HumanList> {
        let found = self.index.search(&query(filter), window.positions());
        let list_view = |row| self.rows[row as usize].list_view.clone();
        Page {
            rows: found.rows.into_iter().map(list_view).collect(),
            total: count(found.total),
        }
    }

    /// A page of the skills that workers have, in the contract's order.
    pub(crate) fn skills(&self, window: PageRequest) -> Page<OfferedSkillItem> {
        self.skills.page(window)
    }

    /// How many workers have this skill.
    pub(super) fn skill_users(&self, id: i64) -> i64 {
        self.skills.users(id)
    }

    /// The names of skills nearest to this one; none if a worker has it.
    pub(crate) fn nearest_skills(&self, name: &str) -> Vec<String> {
        match self.index.has_skill(&fold(name)) {
            true => Vec::new(),
            false => self.skills.nearest(name),
        }
    }

    /// Updates workers to their new state, each once.
    pub(super) fn apply(&mut self, changed: Vec<ChangedHuman>) {
        for changed in changed {
            match self.number(changed.row.id) {
                Some(number) => self.replace(number, changed),
                None => {
                    let is_last = self.rows.last().is_none_or(|last| last.id < changed.row.id);
                    self.insert(changed);
                    if !is_last {
                        self.renumber();
                    }
                }
            }
        }
    }

    /// The row of a worker. Ids are consecutive, so the row of an id is known if no worker is missing before it.
    fn number(&self, id: HumanId) -> Option<RowNumber> {
        let guess = usize::try_from(id.get().checked_sub(1)?).ok()?;
        let number = match self.rows.get(guess) {
            Some(row) if row.id == id => guess,
            _ => self.rows.binary_search_by_key(&id, |row| row.id).ok()?,
        };
        RowNumber::try_from(number).ok()
    }

    fn decoded(&self, row: RowNumber) -> Arc<Decoded> {
        self.recent.get(row, || self.read(row))
    }

    fn read(&self, row: RowNumber) -> Human {
        serde_json::from_slice(&self.records.get(row as usize)).expect("it was encoded here")
    }

    fn insert(&mut self, changed: ChangedHuman) {
        self.index.insert(&changed.profile);
        self.skills.insert(&changed.skills);
        self.set_access(&changed);
        self.records.push(changed.record);
        self.rows.push(changed.row);
    }

    fn replace(&mut self, number: RowNumber, changed: ChangedHuman) {
        let former = self.read(number);
        self.index.update(number, &profile(&former), &changed.profile);
        if former.skills != changed.skills {
            self.skills.remove(&former.skills);
            self.skills.insert(&changed.skills);
        }
        if let Some(digest) = token(&former) {
            self.by_token.remove(&digest);
        }
        self.set_access(&changed);
        self.recent.forget(number);
        self.records.set(number as usize, changed.record);
        self.rows[number as usize] = changed.row;
    }

    fn set_access(&mut self, changed: &ChangedHuman) {
        let id = changed.row.id;
        if let Some(digest) = changed.token {
            self.by_token.insert(digest, id);
        }
        match changed.is_suspended {
            true => self.suspended.insert(id),
            false => self.suspended.remove(&id),
        };
    }

    /// Numbers all rows in the order of ids. Only needed if a worker came after one with a higher id, since it takes
    /// long.
    fn renumber(&mut self) {
        let former = std::mem::take(self);
        let mut rows: Vec<_> = (0..).zip(&former.rows).map(|(number, row)| (row.id, number)).collect();
        rows.sort_unstable();
        for (_, number) in rows {
            self.insert(ChangedHuman::new(&former.read(number)));
        }
    }

    /// Compares the index with up to this many workers. Returns the first that it does not have as they are.
    pub(crate) fn misindexed(&self, workers: usize) -> Option<HumanId> {
        let step = self.rows.len().div_ceil(workers).max(1);
        let mut sample = (0..).zip(&self.rows).step_by(step);
        let misindexed = sample.find(|(number, row)| {
            let human = self.read(*number);
            human.id != row.id || !self.index.has(*number, &profile(&human))
        });
        misindexed.map(|(_, row)| row.id)
    }

    /// Compares the index and the maps with the workers, and the order of the list with the contract's.
    #[cfg(test)]
    pub(crate) fn assert_indexed(&self) {
        use contract::agent::list_humans::order;
        let humans: Vec<_> = (0..).zip(&self.rows).map(|(number, _)| self.read(number)).collect();
        self.index.assert_holds(humans.iter().map(profile));
        for (number, (row, human)) in (0..).zip(self.rows.iter().zip(&humans)) {
            assert_eq!((row.id, self.number(row.id)), (human.id, Some(number)));
            assert_eq!(row.list_view.as_str(), human.list().as_str());
            assert_eq!(*self.decoded(number).human, *human);
            assert_eq!(self.is_suspended(row.id), human.suspended);
        }
        assert_eq!(self.misindexed(10), None);
        let all = self.index.search(&Query::default(), 0..usize::MAX).rows;
        assert_eq!(all.len(), humans.iter().filter(|human| shows(human)).count());
        let human = |row: RowNumber| &humans[row as usize];
        assert!(all.is_sorted_by(|a, b| order(human(*a), human(*b)).is_lt()));
    }
}

fn profile(human: &Human) -> Profile {
    Profile {
        state: state_key(&human.state),
        gender: human.gender,
        rate: human.hourly_rate,
        rating: human.rating,
        is_available: human.is_available,
        is_listed: shows(human),
        skills: skill_keys(human).collect(),
    }
}

fn query(filter: &HumanFilter) -> Query {
    Query {
        skill: filter.skill.as_deref().map(fold),
        state: filter.state.as_deref().map(state_key),
        gender: filter.gender,
        min_rate: filter.min_rate,
        max_rate: filter.max_rate,
        only_available: filter.only_available,
    }
}

fn token(human: &Human) -> Option<Digest> {
    human.token_digest.as_deref().and_then(Digest::from_hex)
}

#[cfg(test)]
mod tests {
    use contract::{Gender, HumanSeed, Number};

    use super::*;

    fn human(id: i64) -> ChangedHuman {
        let text = String::new;
        ChangedHuman::new(&Human::from(HumanSeed {
            id: HumanId::new(id),
            name: text(),
            headline: text(),
            bio: text(),
            city: text(),
            state: text(),
            gender: Gender::Other,
            hourly_rate: Number::ZERO,
            skills: Vec::new(),
        }))
    }

    #[test]
    fn workers_are_listed_by_id_in_whatever_order_they_come() {
        let mut humans = Humans::default();
        for ids in [&[5, 7][..], &[6, 8], &[1], &[7, 9]] {
            humans.apply(ids.iter().map(|id| human(*id)).collect());
            humans.assert_indexed();
        }
        let ids = humans.rows.iter().map(|row| row.id.get());
        assert_eq!(ids.collect::<Vec<_>>(), [1, 5, 6, 7, 8, 9]);
    }

    #[test]
    fn a_worker_whom_the_index_has_otherwise_is_found_in_a_sample() {
        let mut humans = Humans::default();
        humans.apply((1..=100).map(human).collect());
        assert_eq!(humans.misindexed(10), None);
        let (indexed, mut changed) = (human(31).profile, human(31).profile);
        changed.rate = Number::new(1.0).expect("finite");
        humans.index.update(30, &indexed, &changed);
        assert_eq!(humans.misindexed(10), Some(HumanId::new(31)));
        assert_eq!(humans.misindexed(1_000), Some(HumanId::new(31)));
    }
}
