//! Reports a declaration that is not the same in both contracts.

use crate::diff::output::{Comparison, PathPair, Rule};
use std::collections::BTreeSet;

/// A declaration in both contracts, with the new names.
pub(super) struct Declared {
    pub(super) place: PathPair,
    /// What it is declared of.
    pub(super) of: String,
    pub(super) was: Option<String>,
    pub(super) is: Option<String>,
    pub(super) operations: BTreeSet<String>,
}

impl Declared {
    pub(super) fn report(self, comparison: &mut Comparison<'_>) {
        let Declared {
            place,
            of,
            was,
            is,
            operations,
        } = self;
        match (was, is) {
            (None, Some(is)) => {
                let message = format!("{of} is declared: `{is}`");
                comparison.between(Rule::MeaningAdded, &place, operations, message);
            }
            (Some(was), None) => {
                let message = format!("{of} is no longer declared, was `{was}`");
                comparison.between(Rule::MeaningRemoved, &place, operations, message);
            }
            (Some(was), Some(is)) if was != is => {
                let message = format!("{of} is `{is}`, was `{was}`");
                comparison.between(Rule::MeaningChanged, &place, operations, message);
            }
            _ => {}
        }
    }
}
