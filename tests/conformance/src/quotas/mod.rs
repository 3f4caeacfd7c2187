//! Quotas: they allow their maximum, and not one more.

mod filling;
mod record;
mod variants;

pub(crate) use filling::Filling;

use crate::attempt::Attempt;
use crate::stage::Stage;
use codegen::step::Step;

impl Attempt {
    /// The quota allows its maximum, and not one more.
    #[track_caller]
    pub(crate) fn rejects_more_than_quota(self) {
        let stage = self.stage(false);
        self.fill_quota(&stage);
        self.rejected_at(Step::Quota, &stage);
    }

    #[track_caller]
    pub(crate) fn fill_quota(&self, stage: &Stage) {
        self.fill_quota_but(0, stage);
    }
}
