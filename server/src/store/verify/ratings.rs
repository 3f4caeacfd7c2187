//! The ratings of workers: each has counted the reviews that there are.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};

use codegen_store::Findings;
use codegen_store::verify::Name;
use contract::{Human, HumanId, Review};

use crate::ratings;

/// What workers state, without what the reviews say. Zero if both agree.
#[derive(Default)]
pub(super) struct Ratings {
    left: BTreeMap<HumanId, (i64, i64)>,
    /// Those whose rating no review changes.
    kept: BTreeSet<HumanId>,
}

impl Ratings {
    /// Counts a record. Workers come before their reviews.
    pub(super) fn check(&mut self, record: &dyn Any, of: &Name, findings: &mut Findings) {
        if let Some(human) = record.downcast_ref::<Human>() {
            if !ratings::follows(human) {
                self.kept.insert(human.id);
            } else if human.review_count != 0 || human.review_stars != 0 {
                self.left.insert(human.id, (human.review_count, human.review_stars));
                if ratings::changed(human, |_| ()) != *human {
                    findings.push(&format!("the rating of {of} is not the mean of its reviews"));
                }
            }
        } else if let Some(review) = record.downcast_ref::<Review>()
            && !review.hidden
            && !self.kept.contains(&review.human_id)
        {
            let (count, stars) = self.left.entry(review.human_id).or_default();
            (*count, *stars) = (*count - 1, *stars - review.rating);
        }
    }

    /// Reports each worker who has counted other reviews.
    pub(super) fn end(self, findings: &mut Findings) {
        for (id, left) in self.left {
            if left != (0, 0) {
                findings.push(&format!("worker {id} has counted other reviews than there are"));
            }
        }
    }
}
