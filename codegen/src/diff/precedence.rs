//! The order of `errors`: which of two refusals answers a request that earns both.
//!
//! As few rows as possible are said to have moved, and only if they passed another that one request can meet as well.

use super::Comparison;
use super::paired::operations;
use super::place::Place;
use crate::model::Row;
use crate::step::Step;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Compares the order of the rows that are in both contracts.
pub(super) fn compare(comparison: &mut Comparison<'_>, rows: &[(&Row, &Row)]) {
    let ranks = Ranks::of(comparison, rows);
    let mut told = HashSet::new();
    for moved in ranks.moved() {
        let (old, new) = ranks.rows[moved];
        let passed: Vec<usize> = ranks.passed(moved).filter(|other| !told.contains(other)).collect();
        let shared = shared(
            comparison,
            new,
            &passed.iter().map(|other| ranks.rows[*other].1).collect::<Vec<_>>(),
        );
        told.insert(moved);
        let met = |other: &usize| shared.rows.contains(ranks.rows[*other].1.name.as_str());
        let (behind, before): (Vec<usize>, Vec<usize>) = passed
            .into_iter()
            .filter(met)
            .partition(|other| ranks.is_behind(moved, *other));
        if !(behind.is_empty() && before.is_empty()) {
            let said = [("before", before, "behind"), ("behind", behind, "before")];
            let said = said.into_iter().filter(|(_, others, _)| !others.is_empty());
            let said = said.map(|(is, others, was)| {
                let them = if others.len() == 1 { "it" } else { "them" };
                let others: Vec<_> = others.iter().map(|other| named(ranks.rows[*other].1)).collect();
                format!("answers {is} {}, was {was} {them}", others.join(", "))
            });
            let message = format!("{} {}", named(new), said.collect::<Vec<_>>().join("; "));
            let place = Place::same("errors").under(&old.name, &new.name);
            comparison.between("error-order-changed", &place, shared.operations, message);
        }
    }
}

fn named(row: &Row) -> String {
    format!("`{}` ({})", row.name, row.status)
}

/// Rows that are in both contracts, in the order of the new one, with their places in the old one.
struct Ranks<'r> {
    rows: Vec<(&'r Row, &'r Row)>,
    old: Vec<usize>,
}

impl<'r> Ranks<'r> {
    fn of(comparison: &Comparison<'_>, rows: &[(&'r Row, &'r Row)]) -> Self {
        let places = |rows: &[Row]| -> HashMap<String, usize> {
            let names = rows.iter().map(|row| row.name.clone());
            names.zip(0..).collect()
        };
        let (old, new) = (places(&comparison.old.rows), places(&comparison.new.rows));
        let mut rows = rows.to_vec();
        rows.sort_by_key(|(_, row)| new[&row.name]);
        Ranks {
            old: rows.iter().map(|(row, _)| old[&row.name]).collect(),
            rows,
        }
    }

    /// Those without which the others stand in the old order: what a longest increasing subsequence leaves over.
    fn moved(&self) -> Vec<usize> {
        let mut ends: Vec<usize> = Vec::new();
        let mut before: Vec<Option<usize>> = Vec::new();
        for (index, rank) in self.old.iter().enumerate() {
            let length = ends.partition_point(|end| self.old[*end] < *rank);
            before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
            if length == ends.len() {
                ends.push(index);
            } else {
                ends[length] = index;
            }
        }
        let mut stayed = HashSet::new();
        let mut last = ends.last().copied();
        while let Some(index) = last {
            stayed.insert(index);
            last = before[index];
        }
        (0..self.rows.len()).filter(|index| !stayed.contains(index)).collect()
    }

    /// The rows that were on the other side of this one.
    fn passed(&self, index: usize) -> impl Iterator<Item = usize> {
        let has_passed = move |other: &usize| (*other < index) != (self.old[*other] < self.old[index]);
        (0..self.rows.len()).filter(has_passed)
    }

    fn is_behind(&self, index: usize, other: usize) -> bool {
        other < index
    }
}

/// What rows that one request can meet have in common with another row.
struct Shared<'r> {
    rows: HashSet<&'r str>,
    operations: BTreeSet<String>,
}

/// Those of `others` that a request can meet together with `row`, and where.
fn shared<'r>(comparison: &Comparison<'_>, row: &Row, others: &[&'r Row]) -> Shared<'r> {
    let model = comparison.new;
    let mut rows = HashSet::new();
    let others: Vec<&&Row> = others.iter().filter(|other| !are_one(row.step, other.step)).collect();
    let mut meets = HashSet::new();
    for surface in &model.surfaces {
        for operation in surface
            .operations
            .iter()
            .filter(|one| model.can_refuse(surface, one, row))
        {
            for other in others
                .iter()
                .filter(|other| model.can_refuse(surface, operation, other))
            {
                rows.insert(other.name.as_str());
                meets.insert(operation.at);
            }
        }
    }
    Shared {
        rows,
        operations: operations(model, |_, operation| meets.contains(&operation.at)),
    }
}

/// Whether two steps are one, in which there is no first and second.
fn are_one(one: Step, other: Step) -> bool {
    const ONE: [[Step; 2]; 2] = [
        [Step::CredentialLimit, Step::Credential],
        [Step::BodySize, Step::BodyTime],
    ];
    one != other && ONE.iter().any(|steps| steps.contains(&one) && steps.contains(&other))
}
