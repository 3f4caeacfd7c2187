//! The skills that workers have, with the number of workers of each, in the contract's order.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

use contract::agent::list_skills;
use contract::support::near_names;
use contract::support::text::fold;
use contract::{OfferedSkill, OfferedSkillId, OfferedSkillItem, OfferedSkillSeed, Page, Skill};

use crate::store::filter::{PageRequest, count};

/// How many skills are compared with an unknown name.
const COMPARED: usize = 1_000;

/// The counts. A page takes the time to pass over the rows before it, or behind it if these are fewer; workers are not
/// looked at.
#[derive(Default)]
pub(super) struct OfferedSkills {
    by_id: HashMap<i64, Offered>,
    /// Absent until the first list is read: a server that starts counts many workers at once.
    ordered: OnceLock<BTreeSet<Row>>,
}

struct Offered {
    row: Arc<OfferedSkill>,
    /// How many items of workers have this name and category. The first is shown.
    spellings: BTreeMap<(String, String), usize>,
}

/// A row, compared by the order of the list.
#[derive(Clone)]
struct Row(Arc<OfferedSkill>);

impl OfferedSkills {
    /// Counts a worker with these skills.
    pub(super) fn insert(&mut self, skills: &[Skill]) {
        self.change(skills, |offered, spelling, is_first| {
            *offered.spellings.entry(spelling).or_default() += 1;
            offered.row().workers += i64::from(is_first);
        });
    }

    /// Counts a worker no more that was counted with these skills.
    pub(super) fn remove(&mut self, skills: &[Skill]) {
        self.change(skills, |offered, spelling, is_first| {
            if let Some(items) = offered.spellings.get_mut(&spelling) {
                *items -= 1;
                if *items == 0 {
                    offered.spellings.remove(&spelling);
                }
            }
            offered.row().workers -= i64::from(is_first);
        });
    }

    /// How many workers have this skill.
    pub(super) fn users(&self, id: i64) -> i64 {
        self.by_id.get(&id).map_or(0, |offered| offered.row.workers)
    }

    /// A page of the skills, in the contract's order.
    pub(super) fn page(&self, window: PageRequest) -> Page<OfferedSkillItem> {
        let ordered = self.ordered();
        let behind = ordered.len().saturating_sub(window.positions().end);
        let item = |row: &Row| row.0.item();
        let rows: Vec<_> = if window.offset <= behind {
            window.of(ordered.iter()).map(item).collect()
        } else {
            let on_page = ordered.len().saturating_sub(window.offset).min(window.limit);
            let mut rows: Vec<_> = ordered.iter().rev().skip(behind).take(on_page).map(item).collect();
            rows.reverse();
            rows
        };
        Page {
            rows: rows.into(),
            total: count(ordered.len()),
        }
    }

    /// The names nearest to this one, among those that most workers have.
    pub(super) fn nearest(&self, name: &str) -> Vec<String> {
        let names = self.ordered().iter().take(COMPARED).map(|row| row.0.name.as_str());
        near_names::of_names(name, fold, names)
    }

    fn ordered(&self) -> &BTreeSet<Row> {
        self.ordered.get_or_init(|| {
            let rows = self.by_id.values().map(|offered| Row(Arc::clone(&offered.row)));
            rows.collect()
        })
    }

    /// Calls `change` for each item, with its spelling and whether it is the first of the worker's with its number.
    fn change(&mut self, skills: &[Skill], change: impl Fn(&mut Offered, (String, String), bool)) {
        for (place, skill) in skills.iter().enumerate() {
            let is_first = skills[..place].iter().all(|other| other.id != skill.id);
            let offered = self.by_id.entry(skill.id).or_insert_with(|| Offered::new(skill.id));
            if let Some(ordered) = self.ordered.get_mut() {
                ordered.remove(&Row(Arc::clone(&offered.row)));
            }
            change(offered, (skill.name.clone(), skill.category.clone()), is_first);
            let Some((name, category)) = offered.spellings.keys().next().cloned() else {
                self.by_id.remove(&skill.id);
                continue;
            };
            let row = offered.row();
            (row.name, row.category) = (name, category);
            if let Some(ordered) = self.ordered.get_mut() {
                ordered.insert(Row(Arc::clone(&offered.row)));
            }
        }
    }
}

impl Offered {
    fn new(id: i64) -> Self {
        let row = OfferedSkill::from(OfferedSkillSeed {
            id: OfferedSkillId::new(id),
            name: String::new(),
            category: String::new(),
        });
        Self {
            row: Arc::new(row),
            spellings: BTreeMap::new(),
        }
    }

    /// The row, which the order must not hold meanwhile.
    fn row(&mut self) -> &mut OfferedSkill {
        Arc::make_mut(&mut self.row)
    }
}

impl Ord for Row {
    fn cmp(&self, other: &Self) -> Ordering {
        list_skills::order(&self.0, &other.0)
    }
}

impl PartialOrd for Row {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Row {}
