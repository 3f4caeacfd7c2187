//! The differences that were found so far. A history goes on behind one that is known, to find those behind it.

use codegen::model::{Operation, Surface};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};

/// Differences by operation and cause.
#[derive(Default)]
pub(super) struct Causes {
    /// The number of answers with it.
    counts: RefCell<BTreeMap<(String, String), usize>>,
    /// How many histories each operation has ended.
    ended: RefCell<HashMap<String, usize>>,
    /// Whether a history is shortened: what it meets again does not count.
    pub(super) is_repeated: Cell<bool>,
}

impl Causes {
    /// Notes a difference that has ended a history.
    pub(super) fn note(&self, operation: &str, cause: &str) {
        *self.counts.borrow_mut().entry(key(operation, cause)).or_default() += 1;
        *self.ended.borrow_mut().entry(operation.to_owned()).or_default() += 1;
    }

    pub(super) fn count(&self, operation: &str, cause: &str) -> usize {
        self.counts.borrow().get(&key(operation, cause)).copied().unwrap_or(0)
    }

    /// The number of answers with any difference.
    pub(super) fn total(&self) -> usize {
        self.counts.borrow().values().sum()
    }

    /// Whether a difference is known. If so, it has occurred once more.
    pub(super) fn is_known(&self, operation: &str, cause: &str) -> bool {
        let mut counts = self.counts.borrow_mut();
        let known = counts.get_mut(&key(operation, cause));
        known
            .map(|count| *count += usize::from(!self.is_repeated.get()))
            .is_some()
    }

    /// Whether a difference with this cause is known of any operation.
    pub(super) fn is_known_anywhere(&self, cause: &str) -> bool {
        self.counts.borrow().keys().any(|(_, known)| known == cause)
    }

    /// Whether a difference is known of an operation.
    pub(super) fn has_any(&self, operation: &str) -> bool {
        self.counts.borrow().keys().any(|(known, _)| known == operation)
    }

    /// By how much an operation is called less often: it ends histories.
    pub(super) fn weight(&self, surface: &Surface, operation: &Operation) -> f64 {
        let all = self.ended.borrow();
        if all.is_empty() {
            return 1.0;
        }
        let ended = all.get(&surface.full_name(operation)).copied().unwrap_or(0);
        1.0 / (1.0 + ended as f64)
    }
}

fn key(operation: &str, cause: &str) -> (String, String) {
    (operation.to_owned(), cause.to_owned())
}
