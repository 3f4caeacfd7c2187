//! Records of a trial's own: who may call an operation for one, and where it is shown.

use crate::answer::Answer;
use crate::attempt::Attempt;
use crate::stage::Stage;
use crate::suite::leave_out;
use crate::world::Caller;
use codegen::model::{AnswerFrom, Resource, Target};
use serde_json::Value as Json;

/// A stored record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub(crate) resource: &'static Resource,
    pub(crate) id: i64,
}

impl Record {
    fn named(self) -> (&'static str, i64) {
        (&self.resource.name, self.id)
    }
}

impl Attempt {
    /// A new record. Its owners and whatever else it names are new, too, or `within`.
    pub(crate) fn new_record(&self, resource: &'static Resource, within: Option<Record>) -> Record {
        let anybody = Caller {
            secret: String::new(),
            id: 0,
            kind: "",
        };
        let id = self.world.create(&resource.name, &anybody, within.map(Record::named));
        Record { resource, id }
    }

    /// A caller who may do this for the record, and resources to name: new ones, except for those that the record decides.
    pub(crate) fn stage_for(&self, record: Record) -> Option<Stage> {
        let Some((caller, known)) = self.world.request_for(self.operation, record.named()) else {
            leave_out(&format!(
                "it is unknown who may call {} for a {}",
                self.operation.name, record.resource.name
            ));
            return None;
        };
        let is_read = self.operation.declared.method == "GET";
        let caller = caller.unwrap_or_else(|| match is_read {
            // Limits count each caller.
            true if !self.world.is_limited() => self.stage(true).caller.clone(),
            _ => self.fresh_caller(),
        });
        let arranged = self.arrange_with(&caller, |resource, within| match known.has(resource) {
            true => known.id(resource),
            false => self.world.create(resource, &caller, within),
        });
        if known.0.iter().any(|(resource, id)| arranged.id(resource) != *id) {
            leave_out(&format!(
                "{} needs another {} than a new one",
                self.operation.name, record.resource.name
            ));
            return None;
        }
        Some(Stage { caller, arranged })
    }

    /// The answer to this request, which must be accepted. The world knows the new records afterwards.
    #[track_caller]
    pub(crate) fn done(&self, stage: &Stage) -> Answer {
        let answer = self.send(&stage.caller, &stage.arranged);
        self.expect_declared(&answer);
        let sent = answer.request.body.as_deref();
        let sent: Json = sent
            .and_then(|body| serde_json::from_slice(body).ok())
            .unwrap_or_default();
        let by_and_for = (&stage.caller, &stage.arranged);
        self.world.note(self.operation, by_and_for, &sent, &answer.data());
        answer
    }
}

impl Answer {
    /// The new records of this resource that the answer names.
    pub(crate) fn made(&self, resource: &'static Resource) -> Vec<Record> {
        let ids = self.operation.answers().flat_map(|(member, from)| match from {
            AnswerFrom::Id(Target::Made(made)) if *made == resource.name => vec![self.data()[member].take()],
            AnswerFrom::Ids(made) if *made == resource.name => match self.data()[member].take() {
                Json::Array(ids) => ids,
                _ => Vec::new(),
            },
            _ => Vec::new(),
        });
        let record = |id: Json| {
            let id = id.as_i64()?;
            Some(Record { resource, id })
        };
        ids.filter_map(record).collect()
    }
}
