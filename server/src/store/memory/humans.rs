//! The workers in memory: by id, by token, and as list rows in the contract's order.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use contract::agent::list_humans::order;
use contract::support::text::fold;
use contract::{Encoded, Gender, Human, HumanDetail, HumanId, HumanList, Number, Page};

use super::interner::{Interner, TextId};
use super::ranking::{Ranked, Ranking};
use crate::digest::Digest;
use crate::store::filter::{skill_keys, state_key};
use crate::store::{HumanFilter, PageRequest};

/// All workers.
#[derive(Default)]
pub(in crate::store) struct Humans {
    by_id: HashMap<HumanId, IndexedHuman>,
    by_token: HashMap<Digest, HumanId>,
    rows: Ranking<HumanRow>,
    words: Interner,
}

struct IndexedHuman {
    human: Arc<Human>,
    /// Encoded on first use: most workers appear only in lists.
    detail: OnceLock<Encoded<HumanDetail>>,
}

struct HumanRow {
    rate: Number,
    state: TextId,
    gender: Gender,
    skills: Box<[TextId]>,
    human: Arc<Human>,
    list_view: Encoded<HumanList>,
}

impl Ranked for HumanRow {
    type Record = Human;

    fn record(&self) -> &Arc<Human> {
        &self.human
    }
    fn order(a: &Human, b: &Human) -> Ordering {
        order(a, b)
    }
}

/// A filter in terms of the rows.
struct HumanQuery {
    skill: Option<TextId>,
    state: Option<TextId>,
    gender: Option<Gender>,
    min_rate: f64,
    max_rate: f64,
}

impl Humans {
    /// One worker.
    pub(in crate::store) fn get(&self, id: HumanId) -> Option<&Arc<Human>> {
        self.by_id.get(&id).map(|known| &known.human)
    }

    /// One worker, in the view for agents.
    pub(in crate::store) fn detail(&self, id: HumanId) -> Option<Encoded<HumanDetail>> {
        let known = self.by_id.get(&id)?;
        Some(known.detail.get_or_init(|| known.human.detail()).clone())
    }

    /// The worker whose token has this digest.
    pub(in crate::store) fn admit(&self, digest: &Digest) -> Option<HumanId> {
        self.by_token.get(digest).copied()
    }

    /// How many workers there are.
    pub(in crate::store) fn len(&self) -> usize {
        self.rows.len()
    }

    /// A page of the matching workers, in the contract's order. Scans all rows.
    pub(in crate::store) fn find(&self, filter: &HumanFilter, window: PageRequest) -> Page<HumanList> {
        let Some(query) = self.query_of(filter) else {
            return super::page(std::iter::empty(), window);
        };
        let matching = self.rows.iter().filter(|row| query.matches(row));
        super::page(matching.map(|row| &row.list_view), window)
    }

    /// Updates workers to their new state, each once, with their rows.
    pub(super) fn apply(&mut self, changed: Vec<(Arc<Human>, Encoded<HumanList>)>) {
        let (mut leaving, mut coming) = (Vec::new(), Vec::new());
        for (human, list_view) in changed {
            leaving.extend(self.replace(&human));
            coming.push(self.row(human, list_view));
        }
        self.rows.replace(leaving, coming);
    }

    /// Puts the worker into the maps and returns the previous state.
    fn replace(&mut self, human: &Arc<Human>) -> Option<Arc<Human>> {
        let known = IndexedHuman {
            human: Arc::clone(human),
            detail: OnceLock::new(),
        };
        let former = self.by_id.insert(human.id, known).map(|known| known.human);
        if let Some(digest) = former.as_ref().and_then(|former| token(former)) {
            self.by_token.remove(&digest);
        }
        if let Some(digest) = token(human) {
            self.by_token.insert(digest, human.id);
        }
        former
    }

    fn row(&mut self, human: Arc<Human>, list_view: Encoded<HumanList>) -> HumanRow {
        HumanRow {
            rate: human.hourly_rate,
            state: self.words.intern(state_key(&human.state)),
            gender: human.gender,
            skills: skill_keys(&human).map(|skill| self.words.intern(skill)).collect(),
            human,
            list_view,
        }
    }

    /// `None` if no worker has a name that the filter requires.
    fn query_of(&self, filter: &HumanFilter) -> Option<HumanQuery> {
        let word = |text: Option<String>| match text {
            None => Some(None),
            Some(text) => self.words.find(&text).map(Some),
        };
        Some(HumanQuery {
            skill: word(filter.skill.as_deref().map(fold))?,
            state: word(filter.state.as_deref().map(state_key))?,
            gender: filter.gender,
            min_rate: filter.min_rate.map_or(f64::NEG_INFINITY, Number::get),
            max_rate: filter.max_rate.map_or(f64::INFINITY, Number::get),
        })
    }
}

impl HumanQuery {
    fn matches(&self, row: &HumanRow) -> bool {
        let rate = row.rate.get();
        self.min_rate <= rate
            && rate <= self.max_rate
            && self.gender.is_none_or(|gender| gender == row.gender)
            && self.state.is_none_or(|state| state == row.state)
            && self.skill.is_none_or(|skill| row.skills.contains(&skill))
    }
}

fn token(human: &Human) -> Option<Digest> {
    human.token_digest.as_deref().and_then(Digest::from_hex)
}
