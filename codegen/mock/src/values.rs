//! The values of records as they are now: stored, derived from other records, or joined; and records in a view.

use crate::meaning::Origin;
use crate::mock::{Mock, State};
use crate::random::{MadeUp, mixed};
use crate::value::Value;
use codegen::model::{Kind, Source, Type};

impl Mock {
    /// A field of a record.
    pub(crate) fn field(&self, state: &State, resource: &str, id: i64, field: &str) -> Value {
        if field == "id" {
            return Value::integer(id);
        }
        let declared = self.model.resource(resource);
        let joined = declared.joined.iter().find(|one| one.name == field);
        match self.meaning.origin(resource, field) {
            Some(Origin::Count { resource, via, only }) => {
                let all = state.store.referring(resource, via, id);
                let counted = all.filter(|id| self.is_counted(state, resource, *id, only.as_ref()));
                Value::integer(counted.count() as i64)
            }
            Some(Origin::Latest { resource, via, field }) => {
                let latest = state.store.referring(resource, via, id).next_back();
                latest.map_or(Value::Null, |id| self.field(state, resource, id, field))
            }
            Some(Origin::All { resource, via, view }) => {
                let all = state.store.referring(resource, via, id);
                Value::List(all.map(|id| self.view(state, resource, id, view)).collect())
            }
            Some(Origin::Follow { path, field }) => self
                .follow(state, resource, id, path)
                .map_or(Value::Null, |(resource, id)| self.field(state, &resource, id, field)),
            _ => match joined {
                Some(joined) => self.made_up(state, &joined.of, &[resource, field], id.unsigned_abs(), 0),
                None => {
                    let record = state.store.get(resource, id);
                    record
                        .and_then(|record| record.get(field))
                        .cloned()
                        .unwrap_or(Value::Null)
                }
            },
        }
    }

    /// The record at the end of these ids.
    pub(crate) fn follow(&self, state: &State, resource: &str, id: i64, path: &[String]) -> Option<(String, i64)> {
        let mut at = (resource.to_owned(), id);
        for step in path {
            let declared = self.model.resource(&at.0);
            let mut fields = declared.fields.iter().chain(&declared.joined);
            let Kind::Id(next) = &fields.find(|field| field.name == *step)?.of.kind else {
                return None;
            };
            let id = self.field(state, &at.0, at.1, step).as_integer()?;
            at = (next.clone(), id);
        }
        state.store.get(&at.0, at.1).map(|_| at)
    }

    /// The value of a part of a record, as a view or a filter names it.
    pub(crate) fn source(&self, state: &State, resource: &str, id: i64, source: &Source) -> Value {
        match source {
            Source::Stored(field) | Source::Joined(field) => self.field(state, resource, id, field),
            Source::Each(list, member) => {
                let list = self.field(state, resource, id, list);
                let members = list.items().iter();
                Value::List(
                    members
                        .map(|item| item.member(member).cloned().unwrap_or(Value::Null))
                        .collect(),
                )
            }
        }
    }

    /// A record in a view.
    pub(crate) fn view(&self, state: &State, resource: &str, id: i64, view: &str) -> Value {
        let views = &self.model.resource(resource).views;
        let members = views
            .iter()
            .find(|one| one.name == view)
            .map(|view| view.members.iter());
        let members = members.into_iter().flatten();
        let members = members.map(|member| (member.shown.clone(), self.source(state, resource, id, &member.source)));
        Value::Object(members.collect())
    }

    /// A value of a type that the contract leaves open. It is the same for the same place.
    pub(crate) fn made_up(&self, state: &State, of: &Type, place: &[&str], number: u64, now: u64) -> Value {
        let bytes = place.iter().flat_map(|part| part.bytes());
        let place = bytes.fold(0, |hash, byte| mixed(hash, u64::from(byte) + 1));
        let ids = |resource: &str| state.store.ids(resource);
        let seed = mixed(mixed(self.seed, place), number);
        let made_up = MadeUp {
            model: self.model,
            ids: &ids,
            now,
            seed,
        };
        let all_of_view = |resource: &str, view: &str| {
            let ids = ids(resource);
            ids.into_iter()
                .take(2)
                .map(|id| self.view(state, resource, id, view))
                .collect()
        };
        match &of.kind {
            Kind::View(resource, view) if of.list => Value::List(all_of_view(resource, view)),
            Kind::View(resource, view) => {
                let rows: Vec<Value> = all_of_view(resource, view);
                rows.into_iter().next().unwrap_or(Value::Null)
            }
            _ => made_up.value(of),
        }
    }
}
