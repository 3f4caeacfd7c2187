//! The values of records as they are now: stored, derived from other records, or joined; and records in a view.

use crate::mock::{Mock, State};
use crate::random::{MadeUp, mixed};
use crate::value::Value;
use codegen::model::{Average, Field, Kind, Origin, RecordId, Source, Type, ViewMember};

/// How many sources are followed, one after the other.
const DEEPEST: u32 = 64;

impl Mock {
    /// A field of a record.
    pub(crate) fn field(&self, state: &State, resource: &str, id: RecordId, field: &str) -> Value {
        if field == "id" {
            return Value::id(id);
        }
        let declared_in = self.model.resource(resource);
        let is_stored = declared_in.fields.iter().any(|one| one.name == field);
        let mut fields = declared_in.fields.iter().chain(&declared_in.joined);
        let Some(declared) = fields.find(|one| one.name == field) else {
            return Value::Null;
        };
        match &declared.origin {
            Some(origin) => {
                // Sources can lead in a circle.
                let depth = state.depth.get();
                if depth > DEEPEST {
                    return Value::Null;
                }
                state.depth.set(depth + 1);
                let value = self.derived(state, (resource, id), declared, origin);
                state.depth.set(depth);
                match value == Value::Null && !declared.of.optional {
                    // Nothing has the id that leads to the value.
                    true => self.made_up(state, &declared.of, &[resource, field], id.seed(), 0),
                    false => value,
                }
            }
            None if let Some(average) = declared_in.average.as_ref().filter(|one| one.shows(field)) => {
                self.average(state, (resource, id), average, field)
            }
            None if declared_in.distinct.is_some() => self.spelling(state, declared_in, id, field),
            None => {
                let record = state.store.get(resource, id);
                let stored = record.and_then(|record| record.get(field)).cloned();
                stored.unwrap_or_else(|| match is_stored {
                    // The record is older than the field.
                    true => self.nothing(&declared.of),
                    // A handler looks it up, and the contract does not say where.
                    false => self.made_up(state, &declared.of, &[resource, field], id.seed(), 0),
                })
            }
        }
    }

    /// The mean of what was given and of the values of other records, or of how many values it is.
    fn average(&self, state: &State, (resource, id): (&str, RecordId), average: &Average, field: &str) -> Value {
        let given = |name: &str| {
            let stored = state
                .store
                .get(resource, id)
                .and_then(|record| record.get(name))
                .cloned();
            stored.unwrap_or_else(|| self.nothing(&self.model.resource(resource).field(name).of))
        };
        let counts = |other: &RecordId| {
            let mut only = average.only.iter();
            only.all(|only| self.is_so(state, &average.resource, *other, only))
        };
        let others = state.store.referring(&average.resource, &average.via, id);
        let values: Vec<f64> = others
            .filter(counts)
            .filter_map(|other| self.field(state, &average.resource, other, &average.value).as_number())
            .collect();
        if values.is_empty() {
            return given(field);
        }
        let of_given = given(&average.count).as_integer().unwrap_or_default();
        let count = of_given + values.len() as i64;
        if field == average.count {
            return Value::integer(count);
        }
        // Both are whole numbers of the last decimal place.
        let scale = 10_f64.powi(average.decimals.cast_signed());
        let whole = |value: f64| (value * scale).round() as i128;
        let given = whole(given(&average.field).as_number().unwrap_or_default());
        let sum = given * i128::from(of_given) + values.into_iter().map(whole).sum::<i128>();
        let mean = (2 * sum + i128::from(count)).div_euclid(2 * i128::from(count));
        Value::number(mean as f64 / scale)
    }

    fn derived(&self, state: &State, (owner, id): (&str, RecordId), field: &Field, origin: &Origin) -> Value {
        let stored = |name: &str| state.store.get(owner, id).and_then(|record| record.get(name)).cloned();
        match origin {
            Origin::Count { resource, via, only } => {
                let all = state.store.referring(resource, via, id);
                let counts = |part: &RecordId| {
                    let mut only = only.iter();
                    self.is_shown(state, resource, *part) && only.all(|only| self.is_so(state, resource, *part, only))
                };
                Value::integer(all.filter(counts).count() as i64)
            }
            Origin::Latest { resource, via, field } => {
                let latest = state.store.referring(resource, via, id).next_back();
                latest.map_or(Value::Null, |id| self.field(state, resource, id, field))
            }
            Origin::All { resource, via } => {
                let Kind::View(_, view) = &field.of.kind else {
                    return Value::Null;
                };
                let all = state.store.referring(resource, via, id);
                Value::List(all.map(|id| self.view(state, resource, id, view)).collect())
            }
            Origin::Follow { ids, field } => {
                let end = ids.iter().try_fold((owner, id), |(owner, id), (step, next)| {
                    let id = self.field(state, owner, id, step).as_id()?;
                    Some((next.as_str(), id))
                });
                let end = end.filter(|(owner, id)| state.store.get(owner, *id).is_some());
                end.map_or(Value::Null, |(owner, id)| self.field(state, owner, id, field))
            }
            Origin::Has(credential) => {
                let held = self.digests.iter().find(|one| one.credential == *credential);
                let digest = held.and_then(|held| stored(&held.field));
                Value::Bool(digest.is_some_and(|digest| digest != Value::Null))
            }
            Origin::Left { resource, via } => {
                let quota = self.model.quota_of(resource, owner);
                let counted = quota.map_or(0, |quota| self.counted(state, quota, via, id));
                Value::integer(quota.map_or(0, |quota| quota.max.saturating_sub(counted)) as i64)
            }
            Origin::Rate { max, .. } => Value::integer((*max).into()),
            Origin::Now
            | Origin::NumberOf(_)
            | Origin::Digest(_)
            | Origin::Start(_)
            | Origin::File(_)
            | Origin::LastUse { .. } => stored(&field.name).unwrap_or(Value::Null),
        }
    }

    /// Whether a record is of the realm of the caller to whom values are shown, or that one sees all realms.
    fn is_shown(&self, state: &State, resource: &str, id: RecordId) -> bool {
        state.viewer.as_ref().is_none_or(|(surface, realm)| {
            self.model.realm_seen(surface, resource).is_none() || self.realm(state, resource, id) == *realm
        })
    }

    /// The value of a part of a record, as a view or a filter names it.
    pub(crate) fn source(&self, state: &State, resource: &str, id: RecordId, source: &Source) -> Value {
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
    pub(crate) fn view(&self, state: &State, resource: &str, id: RecordId, view: &str) -> Value {
        let members = self.model.view(resource, view).members.iter();
        shown(members.map(|member| (member, self.source(state, resource, id, &member.source))))
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

/// The members of a view, without those that are left out if they have no value.
pub(crate) fn shown<'m>(members: impl Iterator<Item = (&'m ViewMember, Value)>) -> Value {
    let members = members.filter(|(member, value)| !member.omitted || *value != Value::Null);
    Value::Object(members.map(|(member, value)| (member.shown.clone(), value)).collect())
}
