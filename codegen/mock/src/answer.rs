//! The answer of an operation: its data, and the members beside it.

use crate::exchange::Exchange;
use crate::mock::{Mock, State};
use crate::outcome::{Answered, Outcome};
use crate::value::Value;
use crate::values::shown;
use codegen::model::{AnswerFrom, Data, Field, Kind, Target};

impl Mock {
    pub(crate) fn answer(&self, state: &State, exchange: &Exchange, outcome: &Outcome, now: u64) -> Answered {
        if let Some(answered) = self.feed(state, exchange, now) {
            return answered;
        }
        let (mut total, mut headers) = (0, Vec::new());
        let data = exchange.operation.data.as_ref().map(|data| match data {
            Data::One { resource, view } => {
                let id = match exchange.operation.answers.first() {
                    Some(AnswerFrom::View(target)) => outcome.id_of(exchange, target).map(|(_, id)| id),
                    _ => exchange.found(resource).or_else(|| exchange.caller_as(resource)),
                };
                match id.or_else(|| state.store.ids(resource).last().copied()) {
                    Some(id) => self.view(state, resource, id, view),
                    None => self.imagined(state, resource, view, now),
                }
            }
            Data::Many { resource, view } => {
                let (rows, all) = self.list(state, exchange, resource);
                total = all;
                if all == 0 {
                    headers = self.proposals(state, exchange);
                }
                Value::List(
                    rows.into_iter()
                        .map(|id| self.view(state, resource, id, view))
                        .collect(),
                )
            }
            Data::Counts(counts) => self.counts(state, exchange, counts),
            Data::Events => Value::List(Vec::new()),
            Data::Members(members) => {
                let members = members.iter().enumerate().map(|(index, field)| {
                    let from = exchange.operation.answers.get(index).unwrap_or(&AnswerFrom::Undeclared);
                    let value = self.member(state, exchange, outcome, (field, from), now);
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
            total,
            headers,
        }
    }

    fn member(
        &self,
        state: &State,
        exchange: &Exchange,
        outcome: &Outcome,
        (field, from): (&Field, &AnswerFrom),
        now: u64,
    ) -> Value {
        let id_of = |target: &Target| outcome.id_of(exchange, target);
        let value = match from {
            AnswerFrom::Id(target) => id_of(target).map(|(_, id)| Value::id(id)),
            AnswerFrom::Ids(resource) => {
                let made = outcome.made.iter().filter(|(known, _)| known == resource);
                Some(Value::List(made.map(|(_, id)| Value::id(*id)).collect()))
            }
            AnswerFrom::Secret(credential) => {
                let mut secrets = outcome.secrets.iter();
                let secret = secrets.find(|(known, _)| known == credential);
                secret.map(|(_, secret)| Value::text(secret))
            }
            AnswerFrom::Field(target, name) => {
                id_of(target).map(|(resource, id)| self.field(state, resource, id, name))
            }
            AnswerFrom::View(target) => match &field.of.kind {
                Kind::View(resource, view) => id_of(target).map(|(_, id)| self.view(state, resource, id, view)),
                _ => None,
            },
            AnswerFrom::Member(name) => exchange.input.member(name).cloned(),
            AnswerFrom::Undeclared => None,
        };
        let place = [exchange.surface.name.as_str(), &exchange.operation.name, &field.name];
        value.unwrap_or_else(|| self.made_up(state, &field.of, &place, now, now))
    }

    /// A view of a record that there is not: of an operation whose meaning is not declared.
    fn imagined(&self, state: &State, resource: &str, view: &str, now: u64) -> Value {
        let members = self.model.view(resource, view).members.iter();
        let members = members.map(|member| {
            let value = self.made_up(state, &member.of, &[resource, view, &member.shown], 0, now);
            (member, value)
        });
        shown(members)
    }
}
