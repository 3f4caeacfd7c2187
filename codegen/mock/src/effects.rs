//! What an operation does: records made, changed and ended, credentials made and renewed.

use crate::answer::Answered;
use crate::calendar;
use crate::caller::digest;
use crate::decode::default;
use crate::exchange::Exchange;
use crate::meaning::{Effect, Fill, Origin};
use crate::mock::{Mock, State};
use crate::store::Record;
use crate::value::Value;
use codegen::model::{Kind, Type, TypeRule};

/// What the effects of an operation have brought about.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Resources and ids, in order.
    pub(crate) made: Vec<(String, i64)>,
    /// Credentials and secrets.
    pub(crate) secrets: Vec<(String, String)>,
}

impl Outcome {
    /// The last record of this resource that was made.
    pub(crate) fn made(&self, resource: &str) -> Option<i64> {
        let mut made = self.made.iter().rev();
        made.find(|(known, _)| known == resource).map(|(_, id)| *id)
    }
}

impl Mock {
    /// Runs an operation whose checks have passed. `now` is in seconds.
    pub(crate) fn run(&self, state: &mut State, exchange: &Exchange, now: u64) -> Answered {
        let mut outcome = Outcome::default();
        let plan = self.meaning.plan(&exchange.surface.name, &exchange.operation.name);
        for effect in plan.iter().flat_map(|plan| &plan.effects) {
            self.effect(state, exchange, effect, &mut outcome, now);
        }
        if let Some((resource, field, to)) = self.transition(exchange)
            && let Some(id) = exchange.found(resource)
        {
            self.change(state, resource, id, [(field.to_owned(), Value::Text(to))].into());
        }
        self.answer(state, exchange, &outcome, now)
    }

    fn effect(&self, state: &mut State, exchange: &Exchange, effect: &Effect, outcome: &mut Outcome, now: u64) {
        let target = |resource: &str| exchange.found(resource).or_else(|| exchange.caller_as(resource));
        match effect {
            Effect::Make {
                resource,
                each: None,
                fills,
            } => {
                let maker = Maker {
                    exchange,
                    item: None,
                    now,
                };
                self.make(state, &maker, resource, fills, outcome);
            }
            Effect::Make {
                resource,
                each: Some(member),
                fills,
            } => {
                let items = exchange.input.member(member).map(Value::items).unwrap_or_default();
                for item in items {
                    let maker = Maker {
                        exchange,
                        item: Some(item),
                        now,
                    };
                    self.make(state, &maker, resource, fills, outcome);
                }
            }
            Effect::Change { resource } => {
                let Some(id) = target(resource) else { return };
                let fields = &self.model.resource(resource).fields;
                let mut values = Record::new();
                for (name, value) in &exchange.input.body {
                    if let Some(field) = fields.iter().find(|field| field.name == *name && name != "id") {
                        values.insert(name.clone(), self.stored(state, &field.of, value.clone()));
                    }
                }
                self.change(state, resource, id, values);
            }
            Effect::End { resource } => {
                if let Some(id) = exchange.found(resource) {
                    state.store.set(resource, id, None);
                }
            }
            Effect::Renew { credential, resource } => {
                let fields = self
                    .digests
                    .iter()
                    .filter(|(table, _, name)| table == resource && name == credential);
                if let (Some(id), Some((_, field, _))) = (target(resource), fields.into_iter().next()) {
                    let secret = self.mint(state, credential);
                    let mut values: Record = [(field.clone(), Value::Text(digest(&secret)))].into();
                    for field in &self.model.resource(resource).fields {
                        if matches!(self.meaning.origin(resource, &field.name), Some(Origin::Start(of)) if of == credential)
                        {
                            values.insert(field.name.clone(), self.start(credential, &secret));
                        }
                    }
                    self.change(state, resource, id, values);
                    outcome.secrets.push((credential.clone(), secret));
                }
            }
        }
    }

    /// Sets fields of a record, if they are others.
    fn change(&self, state: &mut State, resource: &str, id: i64, values: Record) {
        let Some(former) = state.store.get(resource, id) else {
            return;
        };
        let mut record = former.clone();
        record.extend(values);
        if record != *former {
            state.store.set(resource, id, Some(record));
        }
    }

    fn make(
        &self,
        state: &mut State,
        maker: &Maker<'_>,
        resource: &str,
        fills: &[(String, Fill)],
        outcome: &mut Outcome,
    ) {
        let id = state.store.next_id(resource);
        let mut secret_of = Vec::new();
        let mut record = Record::new();
        for (name, fill) in fills {
            let Some(field) = self
                .model
                .resource(resource)
                .fields
                .iter()
                .find(|field| field.name == *name)
            else {
                continue;
            };
            let value = match fill {
                Fill::Id | Fill::Derived => continue,
                Fill::Digest(credential) | Fill::Start(credential) => {
                    let secret = self.secret(state, credential, &mut secret_of);
                    match fill {
                        Fill::Digest(_) => Value::Text(digest(&secret)),
                        _ => self.start(credential, &secret),
                    }
                }
                Fill::Undeclared => self.made_up(state, &field.of, &[resource, name], id.unsigned_abs(), maker.now),
                fill => maker.value(fill, &field.of, outcome).unwrap_or_else(|| {
                    default(self.model, &field.of).unwrap_or(if is_list(self, &field.of) {
                        Value::List(Vec::new())
                    } else {
                        Value::Null
                    })
                }),
            };
            let value = self.stored(state, &field.of, value);
            record.insert(name.clone(), value);
        }
        // A credential for which the contract has no field.
        let hidden = self
            .digests
            .iter()
            .filter(|(table, field, _)| table == resource && field.starts_with('#'));
        for (_, field, credential) in hidden.cloned().collect::<Vec<_>>() {
            let secret = self.secret(state, &credential, &mut secret_of);
            record.insert(field, Value::Text(digest(&secret)));
        }
        state.store.set(resource, id, Some(record));
        outcome.made.push((resource.to_owned(), id));
        outcome.secrets.extend(secret_of);
    }

    /// The secret of a new record, which is made once.
    fn secret(&self, state: &mut State, credential: &str, known: &mut Vec<(String, String)>) -> String {
        if let Some((_, secret)) = known.iter().find(|(name, _)| name == credential) {
            return secret.clone();
        }
        let secret = self.mint(state, credential);
        known.push((credential.to_owned(), secret.clone()));
        secret
    }

    fn start(&self, credential: &str, secret: &str) -> Value {
        let shown = self.model.credential(credential).shown.unwrap_or_default();
        let start: String = secret.chars().take(usize::try_from(shown).unwrap_or(0)).collect();
        Value::Text(start + "...")
    }
}

fn is_list(mock: &Mock, of: &Type) -> bool {
    let is_named = |name: &str| matches!(mock.model.named_type(name).rule, TypeRule::List { .. });
    of.list || matches!(&of.kind, Kind::Named(name) if is_named(name))
}

/// What a new record is made from.
struct Maker<'e> {
    exchange: &'e Exchange,
    item: Option<&'e Value>,
    now: u64,
}

impl Maker<'_> {
    /// The value that the contract declares; `None` for the default of the field.
    fn value(&self, fill: &Fill, of: &Type, outcome: &Outcome) -> Option<Value> {
        let id = |id: Option<i64>| id.map(Value::integer);
        match fill {
            Fill::Member(name) => self.exchange.input.member(name).cloned(),
            Fill::Item(name) => self.item?.member(name).cloned(),
            Fill::Caller => match &of.kind {
                Kind::Id(resource) => id(self.exchange.caller_as(resource)),
                _ => None,
            },
            Fill::Found(resource) => id(self.exchange.found(resource)),
            Fill::Made(resource) => id(outcome.made(resource)),
            Fill::Literal(text) => Some(match of.kind {
                Kind::Boolean => Value::Bool(text == "true"),
                _ => Value::text(text),
            }),
            Fill::Initial(state) => Some(Value::text(state)),
            Fill::Now => Some(Value::Text(calendar::timestamp(self.now))),
            Fill::Null => Some(Value::Null),
            Fill::Empty => Some(Value::List(Vec::new())),
            _ => None,
        }
    }
}
