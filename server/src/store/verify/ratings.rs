//! The ratings of workers: each has counted the reviews that there are.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};

use codegen_store::Findings;
use contract::{Human, HumanId, Review};

use crate::store::ratings;

/// What workers state, without what the reviews say. Zero if both agree.
#[derive(Default)]
pub(super) struct Ratings {
    left: BTreeMap<HumanId, (i64, i64)>,
    /// Those whose rating no review changes.
    kept: BTreeSet<HumanId>,
    /// Those whose rating is another one than their numbers give.
    wrong: Vec<HumanId>,
}

impl Ratings {
    /// Counts a record. Workers come before their reviews.
    pub(super) fn check(&mut self, record: &dyn Any) {
        if let Some(human) = record.downcast_ref::<Human>() {
            if !ratings::follows(human) {
                self.kept.insert(human.id);
            } else if human.review_count != 0 || human.review_stars != 0 {
                self.left.insert(human.id, (human.review_count, human.review_stars));
                if ratings::changed(human, |_| ()) != *human {
                    self.wrong.push(human.id);
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

    /// Reports each worker whose rating is wrong, or who has counted other reviews. Not if anything else is wrong: a record that
    /// cannot be read is not counted here.
    pub(super) fn end(self, findings: &mut Findings) {
        if !findings.is_empty() {
            return;
        }
        for id in self.wrong {
            findings.push(&format!("the rating of worker {id} is not the mean of its reviews"));
        }
        for (id, left) in self.left {
            if left != (0, 0) {
                findings.push(&format!("worker {id} has counted other reviews than there are"));
            }
        }
    }
}
