//! The checks that look at records: existence, ownership, transitions, rules.

use crate::envelope::{Rejection, reject};
use crate::exchange::Exchange;
use crate::mock::{Mock, State};
use crate::store::Record;
use crate::value::Value;
use codegen::model::{Condition, ErrorEntry, FieldIs, IdSource, Kind, RecordId, Target, Transitions};
use codegen::step::Step;

impl Mock {
    pub(crate) fn look_up(&self, state: &State, exchange: &mut Exchange) -> Result<(), Rejection> {
        for exists in exchange.operation.exists() {
            let id = match &exists.id {
                IdSource::Path(name) => exchange.input.path(name),
                IdSource::Body(name) => exchange.input.member(name),
            };
            let Some(id) = id.and_then(Value::as_id) else {
                // The body lacks an optional id.
                continue;
            };
            let record = state.store.get(&exists.resource, id);
            let is_within = exists.parent.as_ref().is_none_or(|(parent, field)| {
                let of = record.and_then(|record| record.get(field)).and_then(Value::as_id);
                of.is_some() && of == exchange.found(parent)
            });
            let is_seen = self.is_seen(state, exchange, &exists.resource, id);
            if record.is_none() || !is_within || !is_seen || self.is_hidden(state, exchange, &exists.resource, id) {
                return Err(self.reject_record(Step::Exists, exchange, &exists.resource, &[]));
            }
            exchange.found.push((exists.resource.clone(), id));
        }
        Ok(())
    }

    /// Whether a record is of the caller's realm, or the caller sees all realms.
    pub(crate) fn is_seen(&self, state: &State, exchange: &Exchange, resource: &str, id: RecordId) -> bool {
        let caller = exchange.id_of(&Target::Caller);
        let Some((caller, caller_id)) = caller.filter(|_| self.model.realm_seen(exchange.surface, resource).is_some())
        else {
            return true;
        };
        self.realm(state, resource, id) == self.realm(state, caller, caller_id)
    }

    /// Whether a record is hidden from the caller.
    fn is_hidden(&self, state: &State, exchange: &Exchange, resource: &str, id: RecordId) -> bool {
        let hidden = self.model.hidden_from(exchange.surface, resource);
        let Some(hidden) = hidden.filter(|hidden| self.is_so(state, resource, id, &hidden.when)) else {
            return false;
        };
        let Some((caller, caller_id)) = exchange.id_of(&Target::Caller) else {
            return true;
        };
        let is_caller = |resource: &str, id: RecordId, field: &str| {
            self.field(state, resource, id, field).as_id() == Some(caller_id)
        };
        let owner = self.model.owner_field(exchange.surface, self.model.resource(resource));
        let is_owner = owner.is_some_and(|field| is_caller(resource, id, field));
        let is_excepted = hidden.exceptions_for(caller).any(|except| {
            let mut naming = state.store.referring(&except.resource, &except.via, id);
            naming.any(|one| is_caller(&except.resource, one, &except.field))
        });
        !is_owner && !is_excepted
    }

    /// The realm of the record with this id.
    pub(crate) fn realm(&self, state: &State, resource: &str, id: RecordId) -> Option<Value> {
        self.realm_of(state, resource, state.store.get(resource, id)?)
    }

    /// The realm of a record.
    pub(crate) fn realm_of(&self, state: &State, resource: &str, record: &Record) -> Option<Value> {
        let realm = self.model.resource(resource).realm.as_ref()?;
        match &realm.through {
            None => record.get(&realm.field).cloned(),
            Some((step, next)) => {
                let next = state.store.get(next, record.get(step)?.as_id()?)?;
                next.get(&realm.field).cloned()
            }
        }
    }

    pub(crate) fn check_owners(&self, state: &State, exchange: &Exchange) -> Result<(), Rejection> {
        for name in exchange.operation.owned() {
            let resource = self.model.resource(name);
            let Some(id) = exchange.found(name) else { continue };
            let record = state.store.get(name, id);
            let is_owner = resource.owner.iter().any(|(caller, field)| {
                let owner = record.and_then(|record| record.get(field)).and_then(Value::as_id);
                owner.is_some() && owner == exchange.caller_as(caller)
            });
            if !is_owner {
                let step = if resource.private { Step::Exists } else { Step::Owner };
                return Err(self.reject_record(step, exchange, name, &[]));
            }
        }
        Ok(())
    }

    /// An error about a record that the request names.
    fn reject_record(&self, step: Step, exchange: &Exchange, resource: &str, more: &[(&str, &str)]) -> Rejection {
        let mut exists = exchange.operation.exists();
        let id = exists
            .find(|exists| exists.resource == resource)
            .map(|exists| exchange.input.sent_id(exists.id.name()));
        let id = id.unwrap_or_default();
        let named = [("noun", self.model.resource(resource).noun.as_str()), ("id", &id)];
        reject(self.model, step, &[&named, more].concat())
    }

    /// Whether a condition is so of a record.
    pub(crate) fn is_so(&self, state: &State, resource: &str, id: RecordId, is: &FieldIs) -> bool {
        is.holds(&self.field(state, resource, id, &is.field).written())
    }

    pub(crate) fn check_transition(&self, state: &State, exchange: &Exchange) -> Result<(), Rejection> {
        match self.forbidden_transition(state, exchange) {
            None => Ok(()),
            Some((resource, from, to)) => {
                let states = [("from", from.as_str()), ("to", to.as_str())];
                Err(self.reject_record(Step::Transition, exchange, resource, &states))
            }
        }
    }

    /// The resource and both states of a transition that the contract does not allow.
    pub(crate) fn forbidden_transition(
        &self,
        state: &State,
        exchange: &Exchange,
    ) -> Option<(&'static str, String, String)> {
        let (resource, field, to) = self.transition(exchange)?;
        let id = exchange.found(resource)?;
        let from = self.field(state, resource, id, field);
        let from = from.as_text().unwrap_or_default();
        let declared = exchange.operation.transitions.as_ref();
        let states = declared.and_then(|moved| self.model.enumeration(&moved.states).states.as_ref());
        let transitions = states.and_then(|states| states.transitions.as_ref());
        let is_allowed = from == to
            || transitions.is_none_or(|all| all.iter().any(|(known, next)| known == from && next.contains(&to)));
        (!is_allowed).then(|| (resource, from.to_owned(), to))
    }

    /// The state that an operation sets: resource, field and value.
    pub(crate) fn transition(&self, exchange: &Exchange) -> Option<(&'static str, &'static str, String)> {
        let Transitions { resource, states, .. } = exchange.operation.transitions.as_ref()?;
        let (_, field) = &self.model.enumeration(states).states.as_ref()?.of;
        let is_state = |kind: &Kind| match kind {
            Kind::Enum(name) => name == states || self.model.enumeration(name).part_of.as_ref() == Some(states),
            _ => false,
        };
        let body = self.model.body(exchange.operation)?;
        let member = body.members.iter().find(|member| is_state(&member.field.of.kind))?;
        let to = exchange.input.member(&member.field.name)?.as_text()?;
        Some((resource, field, to.to_owned()))
    }

    pub(crate) fn check_rule(
        &self,
        state: &State,
        exchange: &Exchange,
        entry: &'static ErrorEntry,
    ) -> Result<(), Rejection> {
        let condition = entry
            .when
            .as_ref()
            .filter(|_| exchange.operation.rules.iter().any(|rule| *rule == entry.name));
        if !condition.is_some_and(|condition| self.holds(state, exchange, condition)) {
            return Ok(());
        }
        let values = exchange
            .input
            .path
            .iter()
            .map(|(name, id)| (name.clone(), id.written()));
        Err(Rejection {
            entry,
            values: values.collect(),
            faults: Vec::new(),
        })
    }

    /// Whether another record has the text that the request gives to this field, or the request gives it twice.
    fn is_taken(&self, state: &State, exchange: &Exchange, resource: &str, field: &str) -> bool {
        let Some(given) = self.model.given(exchange.operation, resource, field) else {
            return false;
        };
        let changed = given.changes.and_then(|target| exchange.id_of(target));
        let changed = changed.map(|(_, id)| id);
        let texts: Vec<&Value> = match given.each.and_then(|each| exchange.input.member(each)) {
            Some(Value::List(items)) => items.iter().filter_map(|item| item.member(given.member)).collect(),
            _ => exchange.input.member(given.member).into_iter().collect(),
        };
        let texts: Vec<&str> = texts.into_iter().filter_map(Value::as_text).collect();
        let is_there = |text: &str| {
            let mut others = state.store.ids(resource).into_iter().filter(|id| Some(*id) != changed);
            others.any(|id| self.field(state, resource, id, field).as_text() == Some(text))
        };
        texts
            .iter()
            .enumerate()
            .any(|(place, text)| texts[..place].contains(text) || is_there(text))
    }

    fn holds(&self, state: &State, exchange: &Exchange, condition: &Condition) -> bool {
        let known = |resource: &str| exchange.found(resource).or_else(|| exchange.caller_as(resource));
        match condition {
            Condition::Field { resource, is } => known(resource).is_some_and(|id| self.is_so(state, resource, id, is)),
            Condition::Exists { resource, none, within } => {
                let wanted = within.iter().map(|(parent, field)| {
                    let id = match parent {
                        Some(parent) => known(parent),
                        None => exchange.id_of(&Target::Caller).map(|(_, id)| id),
                    };
                    (field, id)
                });
                let wanted: Vec<(&String, Option<RecordId>)> = wanted.collect();
                let names_all = |id: RecordId| {
                    let mut wanted = wanted.iter();
                    wanted.all(|(field, of)| self.field(state, resource, id, field).as_id() == *of)
                };
                let ids = match wanted.first() {
                    Some((field, Some(id))) => state.store.referring(resource, field, *id).collect(),
                    _ => state.store.ids(resource),
                };
                ids.into_iter().any(names_all) != *none
            }
            Condition::Taken { resource, field } => self.is_taken(state, exchange, resource, field),
        }
    }
}
