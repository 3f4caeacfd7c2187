//! A replaced credential ends, and no other one.

use super::record::Record;
use crate::attempt::Attempt;
use crate::contract::Operation;
use crate::stage::Stage;
use crate::world::{Caller, RequestedResources};
use codegen::model::{Credential, Resource};
use codegen::step::Step;

impl Attempt {
    /// Of two credentials of a record, the second one is accepted by `door`, and the first one is unknown. That of another
    /// record stays.
    #[track_caller]
    pub(crate) fn replaces_a_credential(
        self,
        kind: &'static Credential,
        of: &'static Resource,
        door: &'static Operation,
    ) {
        let (record, other) = (self.new_record(of, None), self.new_record(of, None));
        let [Some(first), Some(others), Some(second)] =
            [record, other, record].map(|record| self.renewed(kind, record))
        else {
            return;
        };
        let door = self.anew(door);
        let nothing = RequestedResources::default();
        for living in [&second, &others] {
            door.accepted_on(living, &nothing);
        }
        let stage = Stage {
            caller: first,
            arranged: nothing,
        };
        door.rejected_at(Step::Credential, &stage);
    }

    /// The record's credential is rejected afterwards, and that of another record is not.
    #[track_caller]
    pub(crate) fn ends_a_credential(self, kind: &'static Credential, of: &'static Resource, door: &'static Operation) {
        let [ended, other] = [(); 2].map(|()| self.world.caller(kind, None));
        let Some(stage) = self.stage_for(Record {
            resource: of,
            id: ended.id,
        }) else {
            return;
        };
        let nothing = RequestedResources::default();
        let door = self.anew(door);
        door.accepted_on(&ended, &nothing);
        self.done(&stage);
        door.accepted_on(&other, &nothing);
        let stage = Stage {
            caller: ended,
            arranged: nothing,
        };
        door.rejected_at(Step::Credential, &stage);
    }

    /// The caller with a new credential.
    #[track_caller]
    fn renewed(&self, kind: &'static Credential, record: Record) -> Option<Caller> {
        let answer = self.done(&self.stage_for(record)?);
        let Some(secret) = answer.secret(&kind.name) else {
            answer.fail(&format!("a new {}", kind.name), "there is none");
        };
        Some(Caller {
            secret,
            id: record.id,
            kind: &kind.name,
        })
    }
}
