//! A quota counts the records that there are: one that ends, or does not count any more, makes room for exactly one.

use super::record::Record;
use crate::attempt::Attempt;
use crate::contract::Operation;
use crate::suite::leave_out;
use codegen::step::Step;

impl Attempt {
    /// At the quota of `maker`, this operation makes room for one more record, and for no second one. `member` is given this
    /// value if the operation takes the record out of the count by its state.
    #[track_caller]
    pub(crate) fn makes_room(self, maker: &'static Operation, moved: Option<(&'static str, &'static str)>) {
        let model = self.operation.contract.model;
        let quota = maker.quota.expect("called for an operation with a quota");
        let of = quota.records().expect("such a quota counts records");
        let (of, per) = (model.resource(of), model.resource(&quota.per));
        let owner = self.new_record(per, None);
        let used = self.world.quota_usage(&quota.name);
        let records: Vec<Record> = (used..quota.max).map(|_| self.new_record(of, Some(owner))).collect();
        let Some(last) = records.last() else {
            return leave_out("its quota is used up from the beginning");
        };
        let making = self.anew(maker);
        let Some((by, stage)) = self.stage_for(*last).zip(making.stage_for(owner)) else {
            return;
        };
        making.rejected_at(Step::Quota, &stage);
        let moved = moved.map(|(member, state)| self.clone().giving(member, crate::value::word(state)));
        moved.as_ref().unwrap_or(&self).done(&by);
        // It may have been the caller's own credential.
        let Some(stage) = making.stage_for(owner) else { return };
        making.done(&stage);
        making.rejected_at(Step::Quota, &stage);
    }
}
