//! The answer of an operation: its data, and the members beside it.

use crate::effects::Outcome;
use crate::exchange::Exchange;
use crate::meaning::AnswerFrom;
use crate::mock::{Mock, State};
use crate::value::Value;
use codegen::model::{Data, Field, Kind};

/// What a success contains.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) data: Option<Value>,
    pub(crate) siblings: Vec<(String, Value)>,
}

impl Mock {
    pub(crate) fn answer(&self, state: &State, exchange: &Exchange, outcome: &Outcome, now: u64) -> Answered {
        let mut total = 0;
        let data = exchange.operation.data.as_ref().map(|data| match data {
            Data::One { resource, view } => match subject(exchange, outcome, resource) {
                Some(id) => self.view(state, resource, id, view),
                None => Value::Null,
            },
            Data::Many { resource, view } => {
                let (rows, all) = self.list(state, exchange, resource);
                total = all;
                Value::List(
                    rows.into_iter()
                        .map(|id| self.view(state, resource, id, view))
                        .collect(),
                )
            }
            Data::Members(members) => {
                let members = members.iter().map(|field| {
                    let value = self.member(state, exchange, outcome, field, now);
                    (field.name.clone(), value)
                });
                Value::Object(members.collect())
            }
        });
        let siblings = exchange.operation.siblings.iter().map(|name| {
            let value = exchange.input.query(name).filter(|_| name != "total");
            (
                name.clone(),
                value.cloned().unwrap_or_else(|| Value::integer(total as i64)),
            )
        });
        Answered {
            data,
            siblings: siblings.collect(),
        }
    }

    fn member(&self, state: &State, exchange: &Exchange, outcome: &Outcome, field: &Field, now: u64) -> Value {
        let plan = self.meaning.plan(&exchange.surface.name, &exchange.operation.name);
        let mut declared = plan.iter().flat_map(|plan| &plan.answer);
        let from = declared.find(|(name, _)| *name == field.name).map(|(_, from)| from);
        let value = match from {
            Some(AnswerFrom::IdOf(resource)) => subject(exchange, outcome, resource).map(Value::integer),
            Some(AnswerFrom::IdsOf(resource)) => {
                let made = outcome.made.iter().filter(|(known, _)| known == resource);
                Some(Value::List(made.map(|(_, id)| Value::integer(*id)).collect()))
            }
            Some(AnswerFrom::Secret(credential)) => {
                let mut secrets = outcome.secrets.iter();
                let secret = secrets.find(|(known, _)| known == credential);
                secret.map(|(_, secret)| Value::text(secret))
            }
            Some(AnswerFrom::Field(resource, name)) => {
                let subject = subject(exchange, outcome, resource);
                subject.map(|id| self.field(state, resource, id, name))
            }
            Some(AnswerFrom::Member(name)) => exchange.input.member(name).cloned(),
            Some(AnswerFrom::Undeclared) | None => None,
        };
        let place = [exchange.surface.name.as_str(), &exchange.operation.name, &field.name];
        let of_view = match &field.of.kind {
            Kind::View(resource, view) if !field.of.list => {
                let subject = subject(exchange, outcome, resource);
                subject.map(|id| self.view(state, resource, id, view))
            }
            _ => None,
        };
        value
            .or(of_view)
            .unwrap_or_else(|| self.made_up(state, &field.of, &place, now, now))
    }
}

/// The record that an answer is about: made, found, or the caller.
fn subject(exchange: &Exchange, outcome: &Outcome, resource: &str) -> Option<i64> {
    let found = || exchange.found(resource).or_else(|| exchange.caller_as(resource));
    outcome.made(resource).or_else(found)
}
