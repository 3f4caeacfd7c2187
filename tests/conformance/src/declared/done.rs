//! What the answer to a call tells: the records and the credentials that it has made.

use super::DeclaredWorld;
use crate::contract::Operation;
use crate::failure::Failure;
use crate::suite::end_test;
use crate::world::{Caller, RequestedResources};
use codegen::model::{AnswerFrom, Effect, Fill, Target};
use serde_json::Value as Json;
use std::collections::HashMap;

/// A call that has succeeded.
pub(super) struct Done {
    pub(super) operation: &'static Operation,
    pub(super) caller: Caller,
    pub(super) found: RequestedResources,
    pub(super) data: Json,
}

impl DeclaredWorld {
    /// Notes the credentials that the call has ended.
    pub(super) fn forget_ended(&self, done: &Done) {
        for kind in &self.contract.model.credentials {
            let holder = kind.caller.as_ref().map(|acting| acting.limited_by.as_str());
            let ended = holder.filter(|holder| done.operation.declared.ends(holder));
            let ended = ended.and_then(|holder| done.id(&Target::Found(holder.to_owned())));
            if let Some(id) = ended.or_else(|| done.renewed(&kind.name)) {
                self.known().end_held(&kind.name, id);
            }
        }
    }

    /// Notes the records and credentials that the call has made.
    pub(super) fn learn(&self, done: &Done, sent: &Json) {
        let model = self.contract.model;
        for effect in &done.operation.declared.effects {
            let Effect::Make {
                resource, each, fills, ..
            } = effect
            else {
                continue;
            };
            let Some(id) = done.made(resource) else { continue };
            let item = each.as_ref().map_or(sent, |each| &sent[each][0]);
            let declared = model.resource(resource);
            let value = |(field, fill): &(String, Fill)| {
                let field = declared.field(field);
                let default = || field.of.default.as_deref().map_or(Json::Null, written);
                let value = match fill {
                    Fill::Id => id.into(),
                    Fill::Member(member) => item.get(member).cloned().unwrap_or_else(default),
                    Fill::IdOf(target) => done.id(target)?.into(),
                    Fill::FieldOf { resource, field } => {
                        let found = done.id(&Target::Found(resource.clone()))?;
                        self.known().value(resource, found, field)?.clone()
                    }
                    Fill::Literal(text) => written(text),
                    Fill::Initial => initial(self, resource, &field.name)?,
                    Fill::Default | Fill::Nothing => default(),
                    Fill::Origin | Fill::Undeclared => return None,
                };
                Some((field.name.clone(), value))
            };
            let values: HashMap<String, Json> = fills.iter().filter_map(value).collect();
            self.known().add(resource, id, values);
        }
        for (member, from) in done.operation.answers() {
            let AnswerFrom::Secret(kind) = from else { continue };
            let kind = model.credential(kind);
            let Some(acting) = &kind.caller else { continue };
            let holder = done.made(&acting.limited_by).or_else(|| done.renewed(&kind.name));
            let owner = model.resource(&acting.limited_by).owner.iter();
            let field = owner
                .filter(|(owner, _)| *owner == acting.resource)
                .map(|(_, field)| field)
                .next();
            let linked = field
                .zip(holder)
                .and_then(|(field, id)| self.known().value(&acting.limited_by, id, field).and_then(Json::as_i64));
            let id = done.made(&acting.resource).or(linked).or(holder);
            if let (Some(id), Some(secret)) = (id, done.data[member].as_str()) {
                let secret = secret.to_owned();
                self.known().add_credential(
                    Caller {
                        secret,
                        id,
                        kind: &kind.name,
                    },
                    holder,
                );
            }
        }
    }
}

impl Done {
    /// The id of the new record of this resource.
    #[track_caller]
    pub(super) fn id_of(&self, resource: &str) -> i64 {
        self.made(resource).unwrap_or_else(|| {
            end_test(Failure::of_panic(format!(
                "{} answers without the id of a {resource}: {}",
                self.operation.name, self.data
            )))
        })
    }

    fn made(&self, resource: &str) -> Option<i64> {
        if let Some(member) = self.operation.id_in_view(resource) {
            return self.data[member].as_i64();
        }
        self.operation.answers().find_map(|(member, from)| match from {
            AnswerFrom::Id(Target::Made(made)) if made == resource => self.data[member].as_i64(),
            AnswerFrom::Ids(made) if made == resource => self.data[member][0].as_i64(),
            _ => None,
        })
    }

    fn renewed(&self, kind: &str) -> Option<i64> {
        self.id(self.operation.renews(kind)?)
    }

    fn id(&self, target: &Target) -> Option<i64> {
        match target {
            Target::Made(resource) => self.made(resource),
            Target::Found(resource) => self
                .found
                .0
                .iter()
                .find(|(known, _)| known == resource)
                .map(|(_, id)| *id),
            Target::Caller => Some(self.caller.id),
        }
    }

    /// The caller with the new credential.
    #[track_caller]
    pub(super) fn caller(&self, kind: &str, id: i64) -> Caller {
        let kind = self.operation.contract.model.credential(kind);
        let mut answers = self.operation.answers();
        let secret = answers.find_map(|(member, from)| match from {
            AnswerFrom::Secret(minted) if *minted == kind.name => self.data[member].as_str(),
            _ => None,
        });
        let Some(secret) = secret else {
            end_test(Failure::of_panic(format!(
                "{} answers without a {}: {}",
                self.operation.name, kind.name, self.data
            )))
        };
        Caller {
            secret: secret.to_owned(),
            id,
            kind: &kind.name,
        }
    }
}

/// A value as the contract writes it: JSON, or a word.
fn written(text: &str) -> Json {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

fn initial(world: &DeclaredWorld, resource: &str, field: &str) -> Option<Json> {
    let states = world.contract.model.enums.iter().filter_map(|one| one.states.as_ref());
    let mut of_field = states.filter(|states| states.of.0 == resource && states.of.1 == field);
    of_field.next().map(|states| states.initial.as_str().into())
}
