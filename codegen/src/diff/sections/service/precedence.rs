//! Compares the order of `errors`: which of two error responses answers a request that causes both.
//!
//! Reports as few errors as possible as moved, and only those that passed another error that the same request can
//! cause.

use crate::diff::output::{Comparison, PathPair, Rule};
use crate::model::{ErrorEntry, Model};
use crate::step::Step;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Compares the order of the errors that are in both contracts.
pub(crate) fn compare(comparison: &mut Comparison<'_>, errors: &[(&ErrorEntry, &ErrorEntry)]) {
    let ranks = Ranks::from_errors(comparison, errors);
    let moved = ranks.moved();
    if moved.is_empty() {
        return;
    }
    let meetings = Meetings::from_model(comparison.new);
    let mut reported = HashSet::new();
    for moved in moved {
        let (old, new) = ranks.errors[moved];
        let passed: Vec<usize> = ranks.passed(moved).filter(|other| !reported.contains(other)).collect();
        let shared = meetings.shared(new, passed.iter().map(|other| ranks.errors[*other].1));
        reported.insert(moved);
        let met = |other: &usize| shared.errors.contains(ranks.errors[*other].1.name.as_str());
        let (behind, before): (Vec<usize>, Vec<usize>) = passed
            .into_iter()
            .filter(met)
            .partition(|other| ranks.is_behind(moved, *other));
        if !(behind.is_empty() && before.is_empty()) {
            let parts = [("before", before, "after"), ("after", behind, "before")];
            let parts = parts.into_iter().filter(|(_, others, _)| !others.is_empty());
            let parts = parts.map(|(is, others, was)| {
                let them = if others.len() == 1 { "it" } else { "them" };
                let others: Vec<_> = others.iter().map(|other| named(ranks.errors[*other].1)).collect();
                format!("comes {is} {}, was {was} {them}", others.join(", "))
            });
            let message = format!("{} {}", named(new), parts.collect::<Vec<_>>().join("; "));
            let place = PathPair::same("errors").under(&old.name, &new.name);
            comparison.between(Rule::ErrorOrderChanged, &place, shared.operations, message);
        }
    }
}

fn named(error: &ErrorEntry) -> String {
    format!("`{}` ({})", error.name, error.status)
}

/// Errors that are in both contracts, in the order of the new one, with their positions in the old one.
struct Ranks<'r> {
    errors: Vec<(&'r ErrorEntry, &'r ErrorEntry)>,
    old: Vec<usize>,
}

impl<'r> Ranks<'r> {
    fn from_errors(comparison: &Comparison<'_>, errors: &[(&'r ErrorEntry, &'r ErrorEntry)]) -> Self {
        let places = |errors: &[ErrorEntry]| -> HashMap<String, usize> {
            let names = errors.iter().map(|error| error.name.clone());
            names.zip(0..).collect()
        };
        let (old, new) = (places(&comparison.old.errors), places(&comparison.new.errors));
        let mut errors = errors.to_vec();
        errors.sort_by_key(|(_, error)| new[&error.name]);
        Ranks {
            old: errors.iter().map(|(error, _)| old[&error.name]).collect(),
            errors,
        }
    }

    /// The errors outside a longest increasing subsequence: without them the others keep the old order.
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
        (0..self.errors.len()).filter(|index| !stayed.contains(index)).collect()
    }

    /// The errors that were on the other side of this one.
    fn passed(&self, index: usize) -> impl Iterator<Item = usize> {
        let has_passed = move |other: &usize| (*other < index) != (self.old[*other] < self.old[index]);
        (0..self.errors.len()).filter(has_passed)
    }

    fn is_behind(&self, index: usize, other: usize) -> bool {
        other < index
    }
}

/// Which errors one request can cause.
struct Meetings<'m> {
    /// Every operation, as `surface.operation`, with the errors that can reject it.
    operations: Vec<(String, Vec<&'m ErrorEntry>)>,
    /// The indexes in that list of an error's operations, by the name of the error.
    of_row: HashMap<&'m str, Vec<usize>>,
}

/// The errors that one request can cause together with another error, and the operations where it can.
struct SharedErrors<'m> {
    errors: HashSet<&'m str>,
    operations: BTreeSet<String>,
}

impl<'m> Meetings<'m> {
    fn from_model(model: &'m Model) -> Self {
        let mut meetings = Meetings {
            operations: Vec::new(),
            of_row: HashMap::new(),
        };
        for surface in &model.surfaces {
            for operation in &surface.operations {
                let errors = model.errors_of(surface, operation);
                for error in &errors {
                    let operations = meetings.of_row.entry(&error.name).or_default();
                    operations.push(meetings.operations.len());
                }
                let name = format!("{}.{}", surface.name, operation.name);
                meetings.operations.push((name, errors));
            }
        }
        meetings
    }

    /// Those of `others` that one request can cause together with `error`, and the operations where it can.
    fn shared<'r>(&self, error: &ErrorEntry, others: impl Iterator<Item = &'r ErrorEntry>) -> SharedErrors<'m> {
        let others = others.filter(|other| !are_one(error.step, other.step));
        let others: HashSet<&str> = others.map(|other| other.name.as_str()).collect();
        let mut shared = SharedErrors {
            errors: HashSet::new(),
            operations: BTreeSet::new(),
        };
        for operation in self.of_row.get(error.name.as_str()).into_iter().flatten() {
            let (name, errors) = &self.operations[*operation];
            for other in errors.iter().filter(|other| others.contains(other.name.as_str())) {
                shared.errors.insert(&other.name);
                shared.operations.insert(name.clone());
            }
        }
        shared
    }
}

/// Whether two steps are a single one, without an order inside.
fn are_one(one: Step, other: Step) -> bool {
    const ONE: [[Step; 2]; 2] = [
        [Step::CredentialLimit, Step::Credential],
        [Step::BodySize, Step::BodyTime],
    ];
    one != other && ONE.iter().any(|steps| steps.contains(&one) && steps.contains(&other))
}
