//! Records of a trial's own: who may call an operation for one, and where it is shown.

use crate::answer::Answer;
use crate::attempt::Attempt;
use crate::contract::Operation;
use crate::invariants::{Place, Reading};
use crate::stage::Stage;
use crate::suite::leave_out;
use crate::world::Caller;
use codegen::model::{AnswerFrom, Field, Resource, Target};
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

    pub(crate) fn is(self, other: Record) -> bool {
        self.named() == other.named()
    }
}

/// Whether a request that names nothing but resources and pages reads the operation.
pub(crate) fn is_readable(operation: &Operation) -> bool {
    let needs_more = |field: &Field| !field.of.optional && field.of.default.is_none();
    operation.plan.is_none() && !operation.declared.query.iter().any(needs_more)
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

    /// The record that these fields lead to, one after the other.
    pub(crate) fn followed(&self, record: Record, ids: &[(String, String)]) -> Option<Record> {
        ids.iter().try_fold(record, |record, (field, resource)| {
            let id = self.world.link(record.named(), field)?;
            let resource = self.operation.contract.model.resource(resource);
            Some(Record { resource, id })
        })
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

    /// The place, read by a caller to whom it shows the record.
    pub(crate) fn reading(&self, place: Place, record: Record) -> Option<Reading> {
        let attempt = self.anew(place.operation);
        let stage = attempt.stage_for(record)?;
        Some(Reading::at(place, attempt, stage))
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

    /// The new credential of this kind.
    pub(crate) fn secret(&self, kind: &str) -> Option<String> {
        let mut answers = self.operation.answers();
        answers.find_map(|(member, from)| match from {
            AnswerFrom::Secret(minted) if minted == kind => self.data()[member].as_str().map(str::to_owned),
            _ => None,
        })
    }
}
