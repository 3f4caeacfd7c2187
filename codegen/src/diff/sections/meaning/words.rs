//! The declared meaning of both contracts with the names of the new one.

use crate::diff::matching::{MemberKind, Renames};
use crate::diff::output::Comparison;
use crate::model::{Average, Condition, Credential, Distinct, Effect, FieldIs, Fill, Kind, Model, Origin, Target};

/// Gives the old contract the new names.
pub(super) struct Words<'w> {
    model: &'w Model,
    names: Option<&'w Renames<'w>>,
    /// The credentials of the new contract.
    credentials: &'w [Credential],
}

impl<'w> Words<'w> {
    pub(super) fn from_comparison(comparison: &Comparison<'w>) -> [Words<'w>; 2] {
        let words = |model, names| Words {
            model,
            names,
            credentials: &comparison.new.credentials,
        };
        [
            words(comparison.old, Some(comparison.names)),
            words(comparison.new, None),
        ]
    }

    pub(super) fn resource(&self, name: &str) -> String {
        self.names.map_or(name, |names| names.resource(name)).to_owned()
    }

    pub(super) fn field(&self, resource: &str, name: &str) -> String {
        self.names.map_or(name, |names| names.field(resource, name)).to_owned()
    }

    /// A credential with a new name has the same header.
    pub(super) fn credential(&self, name: &str) -> String {
        let header = &self.model.credential(name).header;
        let mut all = self.credentials.iter();
        let is_kept = self.credentials.iter().any(|one| one.name == name);
        all.find(|one| one.header == *header && !is_kept)
            .map_or(name, |one| &one.name)
            .to_owned()
    }

    pub(super) fn origin(&self, resource: &str, origin: &Origin) -> Origin {
        let mut found = origin.clone();
        match &mut found {
            Origin::Now | Origin::NumberOf(_) | Origin::Rate { .. } | Origin::File(_) => {}
            Origin::Count { resource, via, only } => {
                *only = only.as_ref().map(|only| self.field_is(resource, only));
                *via = self.field(resource, via);
                *resource = self.resource(resource);
            }
            Origin::All { resource, via } | Origin::Left { resource, via } => {
                *via = self.field(resource, via);
                *resource = self.resource(resource);
            }
            Origin::Latest { resource, via, field } => {
                *via = self.field(resource, via);
                *field = self.field(resource, field);
                *resource = self.resource(resource);
            }
            Origin::Follow { ids, field } => {
                let mut at = resource.to_owned();
                for (id, next) in ids {
                    *id = self.field(&at, id);
                    at.clone_from(next);
                    *next = self.resource(next);
                }
                *field = self.field(&at, field);
            }
            Origin::Digest(name) | Origin::Start(name) | Origin::Has(name) => *name = self.credential(name),
            Origin::LastUse { credential, seconds: _ } => *credential = self.credential(credential),
        }
        found
    }

    pub(super) fn average(&self, resource: &str, average: &Average) -> Average {
        let of = &average.resource;
        let only = average.only.as_ref().map(|only| self.field_is(of, only));
        Average {
            field: self.field(resource, &average.field),
            count: self.field(resource, &average.count),
            resource: self.resource(of),
            value: self.field(of, &average.value),
            via: self.field(of, &average.via),
            only,
            ..average.clone()
        }
    }

    pub(super) fn distinct(&self, distinct: &Distinct) -> Distinct {
        Distinct {
            resource: self.resource(&distinct.resource),
            list: self.field(&distinct.resource, &distinct.list),
            ..distinct.clone()
        }
    }

    pub(super) fn field_is(&self, resource: &str, FieldIs { field, not, values }: &FieldIs) -> FieldIs {
        let of = &self.model.resource(resource).field(field).of.kind;
        let value = |value: &String| match (of, self.names) {
            (Kind::Enum(name), Some(names)) => names.inside(MemberKind::Value, name, value).to_owned(),
            _ => value.clone(),
        };
        FieldIs {
            field: self.field(resource, field),
            not: *not,
            values: values.iter().map(value).collect(),
        }
    }

    pub(super) fn condition(&self, condition: &Condition) -> Condition {
        match condition {
            Condition::Field { resource, is } => Condition::Field {
                resource: self.resource(resource),
                is: self.field_is(resource, is),
            },
            Condition::Exists { resource, none, within } => {
                let within = within.iter().map(|(parent, via)| {
                    let parent = parent.as_ref().map(|parent| self.resource(parent));
                    (parent, self.field(resource, via))
                });
                Condition::Exists {
                    resource: self.resource(resource),
                    none: *none,
                    within: within.collect(),
                }
            }
            Condition::Taken { resource, field } => Condition::Taken {
                resource: self.resource(resource),
                field: self.field(resource, field),
            },
        }
    }

    pub(super) fn effect(&self, effect: &Effect) -> Effect {
        let mut found = effect.clone();
        match &mut found {
            Effect::Make {
                resource,
                each: _,
                fills,
                one_for,
                at: _,
            } => {
                for field in &mut *one_for {
                    *field = self.field(resource, field);
                }
                one_for.sort();
                for (field, fill) in fills.iter_mut() {
                    *field = self.field(resource, field);
                    match fill {
                        Fill::IdOf(target) => self.target(target),
                        Fill::FieldOf { resource, field } => {
                            *field = self.field(resource, field);
                            *resource = self.resource(resource);
                        }
                        _ => {}
                    }
                }
                // The order of the fields means nothing.
                fills.sort_by(|(one, _), (other, _)| one.cmp(other));
                *resource = self.resource(resource);
            }
            Effect::Change {
                resource,
                target,
                at: _,
            } => {
                *resource = self.resource(resource);
                self.target(target);
            }
            Effect::End { resource, at: _ } => *resource = self.resource(resource),
            Effect::Renew {
                credential,
                target,
                at: _,
            }
            | Effect::Revoke {
                credential,
                target,
                at: _,
            } => {
                *credential = self.credential(credential);
                self.target(target);
            }
        }
        found
    }

    fn target(&self, target: &mut Target) {
        match target {
            Target::Made(resource) | Target::Found(resource) => *resource = self.resource(resource),
            Target::Caller => {}
        }
    }
}
