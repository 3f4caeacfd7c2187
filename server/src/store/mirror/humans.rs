//! The workers in memory: by id, by token, and as list rows that the search index selects.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use contract::support::text::fold;
use contract::{Encoded, Human, HumanDetail, HumanId, HumanList, Page};

use crate::digest::Digest;
use crate::search::{Index, Profile, Query, RowNumber};
use crate::store::filter::{skill_keys, state_key};
use crate::store::{HumanFilter, PageRequest};

/// All workers.
#[derive(Default)]
pub(in crate::store) struct Humans {
    /// By row number of the index, which is also the order of ids: so the index lists workers with equal ratings by id.
    rows: Vec<HumanRow>,
    by_id: HashMap<HumanId, RowNumber>,
    by_token: HashMap<Digest, HumanId>,
    index: Index,
}

struct HumanRow {
    human: Arc<Human>,
    /// Encoded on first use: most workers appear only in lists.
    detail: OnceLock<Encoded<HumanDetail>>,
    list_view: Encoded<HumanList>,
}

impl Humans {
    /// One worker.
    pub(in crate::store) fn get(&self, id: HumanId) -> Option<&Arc<Human>> {
        self.row(id).map(|row| &row.human)
    }

    /// One worker, in the view for agents.
    pub(in crate::store) fn detail(&self, id: HumanId) -> Option<Encoded<HumanDetail>> {
        let row = self.row(id)?;
        Some(row.detail.get_or_init(|| row.human.detail()).clone())
    }

    /// The worker whose token has this digest.
    pub(in crate::store) fn admit(&self, digest: &Digest) -> Option<HumanId> {
        self.by_token.get(digest).copied()
    }

    /// How many workers there are.
    pub(in crate::store) fn len(&self) -> usize {
        self.rows.len()
    }

    /// A page of the matching workers, in the contract's order.
    pub(in crate::store) fn find(&self, filter: &HumanFilter, window: PageRequest) -> Page<HumanList> {
        let found = self.index.search(&query(filter), window.positions());
        let list_view = |row| self.rows[row as usize].list_view.clone();
        Page {
            rows: found.rows.into_iter().map(list_view).collect(),
            total: super::count(found.total),
        }
    }

    /// Updates workers to their new state, each once, with their rows.
    pub(super) fn apply(&mut self, changed: Vec<(Arc<Human>, Encoded<HumanList>)>) {
        let mut is_ascending = true;
        self.rows.reserve(changed.len());
        for (human, list_view) in changed {
            let row = HumanRow {
                human,
                detail: OnceLock::new(),
                list_view,
            };
            match self.by_id.get(&row.human.id) {
                Some(number) => self.replace(*number, row),
                None => {
                    is_ascending &= self.rows.last().is_none_or(|last| last.human.id < row.human.id);
                    self.insert(row);
                }
            }
        }
        if !is_ascending {
            self.renumber();
        }
    }

    fn row(&self, id: HumanId) -> Option<&HumanRow> {
        self.by_id.get(&id).map(|row| &self.rows[*row as usize])
    }

    fn insert(&mut self, row: HumanRow) {
        let number = self.index.insert(&profile(&row.human));
        self.by_id.insert(row.human.id, number);
        if let Some(digest) = token(&row.human) {
            self.by_token.insert(digest, row.human.id);
        }
        self.rows.push(row);
    }

    fn replace(&mut self, number: RowNumber, row: HumanRow) {
        let former = std::mem::replace(&mut self.rows[number as usize], row).human;
        let human = &self.rows[number as usize].human;
        self.index.update(number, &profile(&former), &profile(human));
        if let Some(digest) = token(&former) {
            self.by_token.remove(&digest);
        }
        if let Some(digest) = token(human) {
            self.by_token.insert(digest, human.id);
        }
    }

    /// Numbers all rows in the order of ids. Only needed if a worker came after one with a higher id, since it takes
    /// long.
    fn renumber(&mut self) {
        let mut rows = std::mem::take(self).rows;
        rows.sort_by_key(|row| row.human.id);
        rows.into_iter().for_each(|row| self.insert(row));
    }

    /// Compares the index and the maps with the workers, and the order of the list with the contract's.
    #[cfg(test)]
    pub(in crate::store) fn assert_indexed(&self) {
        use contract::agent::list_humans::order;
        self.index.assert_holds(self.rows.iter().map(|row| profile(&row.human)));
        assert_eq!(self.by_id.len(), self.rows.len());
        assert!(
            (0..)
                .zip(&self.rows)
                .all(|(number, row)| self.by_id[&row.human.id] == number)
        );
        let all = self.index.search(&Query::default(), 0..usize::MAX).rows;
        let human = |row: RowNumber| &*self.rows[row as usize].human;
        assert!(all.is_sorted_by(|a, b| order(human(*a), human(*b)).is_lt()));
    }
}

fn profile(human: &Human) -> Profile {
    Profile {
        state: state_key(&human.state),
        gender: human.gender,
        rate: human.hourly_rate,
        rating: human.rating,
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
    }
}

fn token(human: &Human) -> Option<Digest> {
    human.token_digest.as_deref().and_then(Digest::from_hex)
}

#[cfg(test)]
mod tests {
    use contract::{Gender, HumanSeed, Number};

    use super::*;

    fn human(id: i64) -> Arc<Human> {
        let text = String::new;
        Arc::new(Human::from(HumanSeed {
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
            humans.apply(ids.iter().map(|id| (human(*id), human(*id).list())).collect());
            humans.assert_indexed();
        }
        let ids = humans.rows.iter().map(|row| row.human.id.get());
        assert_eq!(ids.collect::<Vec<_>>(), [1, 5, 6, 7, 8, 9]);
    }
}
