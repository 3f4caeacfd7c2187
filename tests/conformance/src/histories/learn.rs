//! What a success tells of the records: which it made, changed and ended, and which credentials it shows.

use super::call::Call;
use super::ids;
use super::known::{Knowledge, Known, NOBODY, Record};
use codegen::Model;
use codegen::model::{AnswerFrom, Data, Effect, Fill, Kind, Operation, RecordId, Target};
use mock::Choices;
use serde_json::Value;
use std::collections::HashMap;

/// A call that has succeeded.
pub(super) struct Success<'m, 'c> {
    pub(super) model: &'m Model,
    pub(super) call: &'c Call<'m>,
    /// `data` of the answer.
    pub(super) data: &'c Value,
}

/// The records that the call has made, by resource.
pub(super) type Made<'m> = Vec<(&'m str, Vec<RecordId>)>;

impl<'m> Success<'m, '_> {
    pub(super) fn learn(&self, known: &mut Knowledge<'m>) {
        let Some((_, operation)) = self.call.operation else {
            return;
        };
        let made = self.made(operation);
        for effect in &operation.effects {
            match effect {
                Effect::Make {
                    resource, each, fills, ..
                } => {
                    let ids = made.iter().find(|(known, _)| known == resource);
                    for (nth, id) in ids.into_iter().flat_map(|(_, ids)| ids).enumerate() {
                        let item = each.as_ref().map(|each| &self.call.json[each][nth]);
                        self.make(known, resource, *id, fills, item, &made);
                    }
                }
                Effect::Change { resource, target, .. } => {
                    let id = self.id_of(known, operation, target, &made);
                    for (member, value) in self.call.json.as_object().into_iter().flatten() {
                        known.note(resource, member, value);
                        if let Some(record) = id.and_then(|id| known.record_mut(resource, id)) {
                            record.values.insert(member.clone(), value.clone());
                        }
                    }
                }
                Effect::End { resource, .. } => {
                    if let Some(id) = self.found(operation, resource) {
                        known.end(self.model, resource, id);
                    }
                }
                Effect::Renew { credential, target, .. } | Effect::Revoke { credential, target, .. } => {
                    let id = self.id_of(known, operation, target, &made);
                    let all = known.credentials.iter_mut();
                    let former = all.filter(|one| one.kind == *credential && Some(one.holder) == id);
                    former.for_each(|one| one.has_ended = true);
                }
            }
        }
        self.transition(known, operation);
        self.secrets(known, operation, &made);
    }

    /// The state that the call has set.
    fn transition(&self, known: &mut Knowledge<'m>, operation: &'m Operation) {
        let Some(moved) = &operation.transitions else { return };
        let states = self.model.enumeration(&moved.states).states.as_ref();
        let members = self.model.body(operation).into_iter().flat_map(|body| &body.members);
        let mut states_given = members.filter(|member| is_state(self.model, &moved.states, &member.field.of.kind));
        let (Some(states), Some(member)) = (states, states_given.next()) else {
            return;
        };
        let id = self.found(operation, &moved.resource);
        if let Some(record) = id.and_then(|id| known.record_mut(&moved.resource, id)) {
            let value = self.call.json[&member.field.name].clone();
            record.values.insert(states.of.1.clone(), value);
        }
    }

    /// The records that the call has made, as far as the answer shows their ids.
    pub(super) fn made(&self, operation: &'m Operation) -> Made<'m> {
        if let (Some(Data::One { resource, .. }), Some(AnswerFrom::View(Target::Made(_)))) =
            (&operation.data, operation.answers.first())
        {
            let id = ids::of_json(&self.data["id"]);
            return id.map(|id| (resource.as_str(), vec![id])).into_iter().collect();
        }
        let Some(Data::Members(members)) = &operation.data else {
            return Vec::new();
        };
        let pairs = members.iter().zip(&operation.answers);
        let made = pairs.filter_map(|(member, from)| {
            let value = &self.data[&member.name];
            match from {
                AnswerFrom::Id(Target::Made(resource)) => Some((resource.as_str(), vec![ids::of_json(value)?])),
                AnswerFrom::Ids(resource) => {
                    let ids = value.as_array()?.iter().filter_map(ids::of_json);
                    Some((resource.as_str(), ids.collect()))
                }
                _ => None,
            }
        });
        made.collect()
    }

    fn make(
        &self,
        known: &mut Knowledge<'m>,
        resource: &'m str,
        id: RecordId,
        fills: &'m [(String, Fill)],
        item: Option<&Value>,
        made: &Made<'m>,
    ) {
        let Some((_, operation)) = self.call.operation else {
            return;
        };
        let (mut links, mut values) = (Vec::new(), HashMap::new());
        for (field, fill) in fills {
            match fill {
                Fill::IdOf(target) => {
                    let id = self.id_of(known, operation, target, made);
                    links.extend(id.map(|id| (field.as_str(), id)));
                }
                Fill::Member(member) => {
                    let value = &item.unwrap_or(&self.call.json)[member];
                    if matches!(self.model.resource(resource).field(field).of.kind, Kind::Id(_)) {
                        links.extend(ids::of_json(value).map(|id| (field.as_str(), id)));
                    }
                    known.note(resource, field, value);
                    values.insert(field.clone(), value.clone());
                }
                Fill::FieldOf {
                    resource: of,
                    field: from,
                } => {
                    let found = self.id_of(known, operation, &Target::Found(of.clone()), made);
                    let found = found.and_then(|id| known.record(of, id));
                    links.extend(found.and_then(|found| found.link(from)).map(|id| (field.as_str(), id)));
                }
                Fill::Initial => {
                    let kind = &self.model.resource(resource).field(field).of.kind;
                    if let Kind::Enum(name) = kind
                        && let Some(states) = &self.model.enumeration(name).states
                    {
                        values.insert(field.clone(), Value::from(states.initial.as_str()));
                    }
                }
                _ => {}
            }
        }
        known.add(resource, Record { id, links, values });
    }

    /// What the server has chosen: the ids of new records, and new secrets.
    pub(super) fn choices(&self) -> Choices {
        let Some((_, operation)) = self.call.operation else {
            return Choices::default();
        };
        let made = self.made(operation).into_iter();
        let ids = made.flat_map(|(resource, ids)| ids.into_iter().map(|id| (resource.to_owned(), id)));
        let members = match &operation.data {
            Some(Data::Members(members)) => members.as_slice(),
            _ => &[],
        };
        let secrets = members.iter().zip(&operation.answers).filter_map(|(member, from)| {
            let AnswerFrom::Secret(kind) = from else { return None };
            let secret = self.data[&member.name].as_str()?;
            Some((kind.clone(), secret.to_owned()))
        });
        Choices {
            ids: ids.collect(),
            secrets: secrets.collect(),
            ..Choices::default()
        }
    }

    fn secrets(&self, known: &mut Knowledge<'m>, operation: &'m Operation, made: &Made<'m>) {
        let Some(Data::Members(members)) = &operation.data else {
            return;
        };
        for (member, from) in members.iter().zip(&operation.answers) {
            let AnswerFrom::Secret(kind) = from else { continue };
            let Some(caller) = &self.model.credential(kind).caller else {
                continue;
            };
            let renewed = operation.renews(kind);
            let kept_by = Target::Made(caller.limited_by.clone());
            let holder = self.id_of(known, operation, renewed.unwrap_or(&kept_by), made);
            let owners = &self.model.resource(&caller.limited_by).owner;
            let owner = owners.iter().find(|(resource, _)| *resource == caller.resource);
            let record = holder.and_then(|holder| known.record(&caller.limited_by, holder));
            let owner = owner.and_then(|(_, field)| match record {
                Some(record) => record.link(field),
                None => self.id_of(known, operation, filled_by(operation, &caller.limited_by, field)?, made),
            });
            // The answer need not name the record that keeps the credential. No record has a negative id.
            let unnamed = owner.map(|_| RecordId::Number(-1 - known.credentials.len() as i64));
            let Some(holder) = holder.or(unnamed) else { continue };
            let is_itself = caller.limited_by == caller.resource;
            known.credentials.push(Known {
                kind: kind.clone(),
                secret: self.data[&member.name].as_str().unwrap_or_default().to_owned(),
                caller: if is_itself { holder } else { owner.unwrap_or(NOBODY) },
                holder,
                has_ended: false,
                uses: 0,
                rests_until: 0,
            });
        }
    }

    fn id_of(
        &self,
        known: &Knowledge<'m>,
        operation: &Operation,
        target: &Target,
        made: &Made<'m>,
    ) -> Option<RecordId> {
        match target {
            Target::Made(resource) => {
                let found = made.iter().find(|(known, _)| known == resource);
                found.and_then(|(_, ids)| ids.first().copied())
            }
            Target::Found(resource) => self.found(operation, resource),
            Target::Caller => Some(known.credentials[self.call.credential?].caller),
        }
    }

    /// The id of the record of this resource that a guard has found.
    fn found(&self, operation: &Operation, resource: &str) -> Option<RecordId> {
        let guard = operation.exists().find(|guard| guard.resource == resource)?;
        self.call.id_of(&guard.id)
    }
}

/// The record whose id fills a field of a new record of this resource.
fn filled_by<'m>(operation: &'m Operation, resource: &str, field: &str) -> Option<&'m Target> {
    match operation.fill(resource, field)? {
        Fill::IdOf(target) => Some(target),
        _ => None,
    }
}

/// Whether calls of an operation are compared: those with effects that the contract does not declare at all are left out.
pub(super) fn is_declared(operation: &Operation) -> bool {
    operation.undeclared.is_none() || !operation.effects.is_empty() || operation.transitions.is_some()
}

/// Whether a member of this kind sets one of these states.
pub(super) fn is_state(model: &Model, states: &str, kind: &Kind) -> bool {
    match kind {
        Kind::Enum(name) => name == states || model.enumeration(name).part_of.as_deref() == Some(states),
        _ => false,
    }
}
