//! A request that makes a record makes a new one each time, ids are not used again, and an ended record exists nowhere.

use super::record::Record;
use crate::attempt::Attempt;
use crate::contract::Operation;
use codegen::model::Resource;
use codegen::step::Step;

/// How often a record is ended and another one made: others may make records meanwhile.
const ROUNDS: usize = 20;

impl Attempt {
    /// The id of a record that this operation has ended is not the id of a new one.
    #[track_caller]
    pub(crate) fn ends_an_id(self, resource: &'static Resource) {
        let mut ended: Vec<i64> = Vec::new();
        for _ in 0..ROUNDS {
            let record: Record = self.new_record(resource, None);
            let Some(stage) = self.stage_for(record) else { return };
            let answer = self.done(&stage);
            let next = self.new_record(resource, None);
            ended.push(record.id);
            if ended.contains(&next.id) {
                let wanted = format!("that no new {} has the id {} again", resource.noun, next.id);
                answer.fail(&wanted, "one has");
            }
        }
    }
}

impl Attempt {
    /// A record that this operation has ended does not exist for `other`, which could name it before.
    #[track_caller]
    pub(crate) fn ends_it_for(self, resource: &'static Resource, other: &'static Operation) {
        let record = self.new_record(resource, None);
        let mut other = self.anew(other);
        // That the record is gone comes before the rules: no state that this operation forbids is needed.
        other.is_unprepared = !self.operation.agrees_with(other.operation);
        let Some((stage, of_other)) = self.stage_for(record).zip(other.stage_for(record)) else {
            return;
        };
        self.done(&stage);
        let values = [("noun", resource.noun.clone()), ("id", record.id.to_string())];
        let absent = other.operation.contract.error(Step::Exists);
        other.rejected_by(absent, &of_other, &values);
    }

    /// The same request, sent twice, makes two records of this resource, and both exist.
    #[track_caller]
    pub(crate) fn makes_a_new_one_each_time(self, resource: &'static Resource) {
        let stage = self.stage(false);
        let [first, second] = [(); 2].map(|()| self.done(&stage));
        for (one, other) in first.made(resource).into_iter().zip(second.made(resource)) {
            if one.is(other) {
                second.fail(
                    &format!("a new {}", resource.noun),
                    &format!("it has the id {} again", one.id),
                );
            }
            let wanted = second.sent_values(resource);
            for record in [one, other] {
                self.expect_shown(record, &wanted, &second);
            }
        }
    }
}
