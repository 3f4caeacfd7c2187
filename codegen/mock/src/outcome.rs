//! What an operation has done, and what its success contains.

use crate::exchange::Exchange;
use crate::value::Value;
use codegen::model::{AnswerFrom, Data, Effect, Operation, RecordId, Target};

/// What the effects of an operation have brought about.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Resources and ids, in order.
    pub(crate) made: Vec<(String, RecordId)>,
    /// Credentials and secrets.
    pub(crate) secrets: Vec<(String, String)>,
}

impl Outcome {
    /// The resource and the id of a record.
    pub(crate) fn id_of<'e>(&'e self, exchange: &'e Exchange, target: &Target) -> Option<(&'e str, RecordId)> {
        let Target::Made(resource) = target else {
            return exchange.id_of(target);
        };
        let mut made = self.made.iter().rev();
        made.find(|(known, _)| known == resource)
            .map(|(known, id)| (known.as_str(), *id))
    }
}

/// What a success contains.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) data: Option<Value>,
    pub(crate) siblings: Vec<(String, Value)>,
    /// The number of records of a list on all pages.
    pub(crate) total: usize,
    /// Headers of its own.
    pub(crate) headers: Vec<(String, String)>,
}

impl Answered {
    /// This answer, with the values of ended records from the answer before they ended.
    pub(crate) fn with_ended(self, operation: &Operation, before: Self) -> Self {
        let is_ended = |from: &AnswerFrom| {
            let of = match from {
                AnswerFrom::Id(target) | AnswerFrom::Field(target, _) | AnswerFrom::View(target) => target,
                _ => return false,
            };
            let mut effects = operation.effects.iter();
            effects.any(|effect| matches!((effect, of), (Effect::End { resource, .. }, Target::Found(found)) if found == resource))
        };
        let mut answers = operation.answers.iter();
        let data = match (&operation.data, self.data, before.data) {
            (Some(Data::One { .. }), _, ended) if answers.clone().any(is_ended) => ended,
            (Some(Data::Members(_)), Some(Value::Object(now)), Some(Value::Object(ended))) => {
                let members = now.into_iter().zip(ended);
                let members = members.map(|(now, ended)| match answers.next().is_some_and(is_ended) {
                    true => ended,
                    false => now,
                });
                Some(Value::Object(members.collect()))
            }
            (_, now, _) => now,
        };
        Self { data, ..self }
    }
}
