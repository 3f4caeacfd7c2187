//! What an operation does: records made, changed and ended, credentials made and renewed.

use crate::calendar;
use crate::caller::digest;
use crate::decode::default;
use crate::exchange::Exchange;
use crate::mock::{Mock, State};
use crate::outcome::{Answered, Outcome};
use crate::store::Record;
use crate::value::Value;
use codegen::model::{AnswerFrom, Effect, Field, Fill, Kind, Origin, RecordId, Target, Type};

impl Mock {
    /// Runs an operation whose checks have passed. `now` is in seconds.
    pub(crate) fn run(&self, state: &mut State, exchange: &Exchange, now: u64) -> Answered {
        let mut outcome = Outcome::default();
        let subjects = self.subjects(state, exchange);
        let (ends, others): (Vec<&Effect>, Vec<&Effect>) = exchange
            .operation
            .effects
            .iter()
            .partition(|effect| matches!(effect, Effect::End { .. }));
        for effect in others {
            self.effect(state, exchange, effect, &mut outcome, now);
        }
        if let Some((resource, field, to)) = self.transition(exchange)
            && let Some(id) = exchange.found(resource)
        {
            self.change(state, resource, id, [(field.to_owned(), Value::Text(to))].into());
        }
        let caller = exchange.id_of(&Target::Caller);
        let realm = caller.and_then(|(resource, id)| self.realm(state, resource, id));
        let viewer = Some((exchange.surface, realm));
        let mut before = None;
        if !ends.is_empty() {
            state.viewer.clone_from(&viewer);
            before = Some(self.answer(state, exchange, &outcome, now));
            state.viewer = None;
        }
        for effect in ends {
            self.effect(state, exchange, effect, &mut outcome, now);
        }
        self.emit(state, exchange, &outcome, subjects, now);
        state.viewer = viewer;
        let answered = self.answer(state, exchange, &outcome, now);
        match before {
            Some(before) => answered.with_ended(exchange.operation, before),
            None => answered,
        }
    }

    fn effect(&self, state: &mut State, exchange: &Exchange, effect: &Effect, outcome: &mut Outcome, now: u64) {
        match effect {
            Effect::Make {
                resource,
                fills,
                one_for,
                ..
            } if let Some(id) = self.present(state, exchange, (resource, fills), one_for) => {
                let maker = Maker {
                    exchange,
                    item: None,
                    now,
                };
                let declared = self.model.resource(resource);
                let given = fills
                    .iter()
                    .filter(|(_, fill)| matches!(fill, Fill::Member(_) | Fill::Literal(_)));
                let values = given.map(|(name, fill)| {
                    let of = &declared.field(name).of;
                    let value = self.filled(&maker, fill, declared.field(name), outcome);
                    (
                        name.clone(),
                        self.stored(state, of, value.unwrap_or_else(|| self.nothing(of))),
                    )
                });
                let values = values.collect();
                self.change(state, resource, id, values);
                outcome.made.push((resource.clone(), id));
            }
            Effect::Make {
                resource, each, fills, ..
            } => {
                let items = match each {
                    None => vec![None],
                    Some(member) => {
                        let items = exchange.input.member(member).map(Value::items).unwrap_or_default();
                        items.iter().map(Some).collect()
                    }
                };
                for item in items {
                    self.make(state, &Maker { exchange, item, now }, (resource, fills), outcome);
                }
            }
            Effect::Change { target, .. } => {
                let Some((resource, id)) = exchange.id_of(target) else {
                    return;
                };
                let is_partial = self.model.body(exchange.operation).is_some_and(|body| body.partial);
                let mut values = Record::new();
                for (name, value) in &exchange.input.body {
                    if !exchange.input.is_given(name, is_partial) {
                        continue;
                    }
                    let mut fields = self.model.resource(resource).fields.iter();
                    if let Some(field) = fields.find(|field| field.name == *name && name != "id") {
                        values.insert(name.clone(), self.stored(state, &field.of, value.clone()));
                    }
                }
                self.change(state, resource, id, values);
            }
            Effect::End { resource, .. } => {
                if let Some(id) = exchange.found(resource) {
                    self.take_back_file(state, resource, id);
                    state.store.set(resource, id, None);
                }
            }
            Effect::Renew { credential, target, .. } => {
                let Some((resource, id)) = exchange.id_of(target) else {
                    return;
                };
                let holder = state.store.get(resource, id).cloned().unwrap_or_default();
                let secret = self.mint(state, credential, Some((resource, &holder)));
                let values = self.of_credential(resource, credential, &secret);
                self.change(state, resource, id, values);
                outcome.secrets.push((credential.clone(), secret));
            }
            Effect::Revoke { credential, target, .. } => {
                if let Some((resource, id)) = exchange.id_of(target) {
                    let of_former = self.of_credential(resource, credential, "");
                    let values = of_former.into_keys().map(|name| (name, Value::Null));
                    self.change(state, resource, id, values.collect());
                }
            }
        }
    }

    /// The record that an operation changes instead of making another one for the same records.
    fn present(
        &self,
        state: &State,
        exchange: &Exchange,
        (resource, fills): (&str, &[(String, Fill)]),
        one_for: &[String],
    ) -> Option<RecordId> {
        let outcome = Outcome::default();
        let ids = fills.iter().filter(|(field, _)| one_for.contains(field));
        let ids = ids.filter_map(|(field, fill)| match fill {
            Fill::IdOf(target) => Some((field, outcome.id_of(exchange, target)?.1)),
            _ => None,
        });
        let ids: Vec<_> = ids.collect();
        let (first, rest) = ids.split_first()?;
        let mut found = state.store.referring(resource, first.0, first.1);
        found.find(|one| {
            let mut rest = rest.iter();
            rest.all(|(field, id)| self.field(state, resource, *one, field).as_id() == Some(*id))
        })
    }

    /// Sets fields of a record, if they are others.
    fn change(&self, state: &mut State, resource: &str, id: RecordId, values: Record) {
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
        (resource, fills): (&str, &[(String, Fill)]),
        outcome: &mut Outcome,
    ) {
        let id = self.new_id(state, resource, maker.now);
        let declared = self.model.resource(resource);
        let mut record = Record::new();
        for (name, fill) in fills {
            let Some(field) = declared.fields.iter().find(|field| field.name == *name) else {
                continue;
            };
            let value = match fill {
                Fill::Id => continue,
                Fill::Origin if let Some(Origin::File(fact)) = &field.origin => {
                    let content = maker.exchange.content.as_ref();
                    content.map_or(Value::Null, |content| content.fact(*fact))
                }
                // It is derived, or comes with the credential.
                Fill::Origin if field.origin != Some(Origin::Now) => continue,
                Fill::Undeclared => self.made_up(state, &field.of, &[resource, name], id.seed(), maker.now),
                Fill::FieldOf { resource, field } => {
                    let found = maker.exchange.found(resource);
                    found.map_or(Value::Null, |id| self.field(state, resource, id, field))
                }
                fill => {
                    let value = self.filled(maker, fill, field, outcome);
                    value.unwrap_or_else(|| self.nothing(&field.of))
                }
            };
            let value = self.stored(state, &field.of, value);
            record.insert(name.clone(), value);
        }
        for digest in self.digests.iter().filter(|digest| digest.table == resource) {
            let credential = &digest.credential;
            let is_shown = maker
                .exchange
                .operation
                .answers
                .contains(&AnswerFrom::Secret(credential.clone()));
            let field = declared.fields.iter().find(|field| field.name == digest.field);
            if is_shown || field.is_some_and(|field| !field.of.optional) {
                let secret = self.mint(state, credential, Some((resource, &record)));
                record.extend(self.of_credential(resource, credential, &secret));
                outcome.secrets.push((credential.clone(), secret));
            }
        }
        if let Some(content) = &maker.exchange.content {
            state.files.insert((resource.to_owned(), id), content.clone());
        }
        state.store.set(resource, id, Some(record));
        outcome.made.push((resource.to_owned(), id));
    }

    /// The value of a new field that the contract declares, if there is one.
    fn filled(&self, maker: &Maker<'_>, fill: &Fill, field: &Field, outcome: &Outcome) -> Option<Value> {
        match (fill, &field.of.kind) {
            (Fill::Member(name), _) => {
                let member = maker.item.and_then(|item| item.member(name));
                let member = member.or_else(|| maker.exchange.input.member(name));
                let of_query = maker.exchange.content.as_ref();
                let member = member.or_else(|| of_query.and_then(|_| maker.exchange.input.query(name)));
                member.filter(|value| **value != Value::Null).cloned()
            }
            (Fill::IdOf(target), _) => outcome.id_of(maker.exchange, target).map(|(_, id)| Value::id(id)),
            (Fill::Literal(text), _) => {
                let default_is = Type {
                    default: Some(text.clone()),
                    ..field.of.clone()
                };
                default(self.model, &default_is)
            }
            (Fill::Initial, Kind::Enum(name)) => {
                let states = self.model.enumeration(name).states.as_ref();
                states.map(|states| Value::text(&states.initial))
            }
            (Fill::Origin, _) => Some(Value::Text(calendar::timestamp(maker.now))),
            _ => None,
        }
    }

    /// The fields of a record that show its credential.
    pub(crate) fn of_credential(&self, resource: &str, credential: &str, secret: &str) -> Record {
        let held = self.digests.iter().filter(|digest| digest.credential == credential);
        let mut values: Record = held
            .map(|held| (held.field.clone(), Value::Text(digest(secret))))
            .collect();
        for field in &self.model.resource(resource).fields {
            match &field.origin {
                Some(Origin::Start(of)) if of == credential => {
                    let start = self.model.credential(credential).shown_of(secret);
                    values.insert(field.name.clone(), Value::Text(start));
                }
                Some(Origin::LastUse { credential: of, .. }) if of == credential => {
                    values.insert(field.name.clone(), Value::Null);
                }
                _ => {}
            }
        }
        values
    }

    /// The value of a field that nothing fills: its default, null, or an empty list.
    pub(crate) fn nothing(&self, of: &Type) -> Value {
        let is_list = self.model.item_kind(of).is_some();
        let empty = if is_list && !of.optional {
            Value::List(Vec::new())
        } else {
            Value::Null
        };
        default(self.model, of).unwrap_or(empty)
    }
}

/// What a new record is made from.
struct Maker<'e> {
    exchange: &'e Exchange,
    item: Option<&'e Value>,
    now: u64,
}
