//! Which operation does what a test needs, and the best of several: with a root credential, without a plan, without rules.

use super::DeclaredWorld;
use super::action::Action;
use crate::contract::Operation;
use crate::suite::skip_test;
use crate::world::Caller;
use codegen::model::{AnswerFrom, Body, Credential, Data, Effect, Fill, IdSource, Kind, Quota, Target};
use serde_json::Value;

/// A field with the id of another record, and that id.
pub(super) type Link = (&'static str, i64);

impl Operation {
    /// What fills the fields of a new record of this resource.
    pub(super) fn fills(&self, resource: &str) -> Option<&'static [(String, Fill)]> {
        self.declared.effects.iter().find_map(|effect| match effect {
            Effect::Make {
                resource: made, fills, ..
            } if made == resource => Some(fills.as_slice()),
            _ => None,
        })
    }

    /// The list in the body of which each item is a new record of this resource.
    pub(super) fn each(&self, resource: &str) -> Option<&'static str> {
        self.declared.effects.iter().find_map(|effect| match effect {
            Effect::Make {
                resource: made, each, ..
            } if made == resource => each.as_deref(),
            _ => None,
        })
    }

    /// The members of `data`, and where each comes from.
    pub(super) fn answers(&self) -> impl Iterator<Item = (&'static str, &'static AnswerFrom)> {
        let members = match &self.declared.data {
            Some(Data::Members(members)) => members.as_slice(),
            _ => &[],
        };
        let names = members.iter().map(|member| member.name.as_str());
        names.zip(&self.declared.answers)
    }

    /// Whether it answers with the id of a new record of this resource.
    pub(super) fn makes(&self, resource: &str) -> bool {
        self.answers().any(|(_, from)| match from {
            AnswerFrom::Id(Target::Made(made)) | AnswerFrom::Ids(made) => made == resource,
            _ => false,
        })
    }

    /// Whether it answers with a new credential of this kind.
    fn mints(&self, kind: &str) -> bool {
        self.answers()
            .any(|(_, from)| matches!(from, AnswerFrom::Secret(minted) if minted == kind))
    }

    pub(super) fn renews(&self, kind: &str) -> Option<&'static Target> {
        self.declared.effects.iter().find_map(|effect| match effect {
            Effect::Renew { credential, target, .. } if credential == kind => Some(target),
            _ => None,
        })
    }
}

impl DeclaredWorld {
    fn best(&self, is_fit: impl Fn(&Operation) -> bool) -> Option<&'static Operation> {
        let operations = self.contract.operations().iter().copied();
        operations.filter(|one| is_fit(one)).min_by_key(|one| self.cost(one))
    }

    /// How much a call of the operation needs.
    fn cost(&self, operation: &Operation) -> u32 {
        let credential = match operation.credential {
            None => 0,
            Some(kind) if kind.caller.is_some() => 2,
            Some(kind) if self.root(&kind.name).is_some() => 0,
            Some(_) => 100,
        };
        let rules = operation.declared.rules.iter();
        let own_rules = rules.filter(|rule| self.contract.model.error(&rule.text).when.is_none());
        let is_many = operation
            .declared
            .effects
            .iter()
            .any(|effect| matches!(effect, Effect::Make { each: Some(_), .. }));
        credential + 2 * u32::from(operation.plan.is_some()) + 4 * u32::from(own_rules.count() > 0) + u32::from(is_many)
    }

    /// The links that a new resource of this caller and within this parent must have.
    pub(super) fn links(&self, resource: &str, caller: &Caller, within: Option<(&str, i64)>) -> Vec<Link> {
        let model = self.contract.model;
        let resource = model.resource(resource);
        let acting = model.credentials.iter().find(|one| one.name == caller.kind);
        let acting = acting.and_then(|credential| credential.caller.as_ref());
        let own = acting.and_then(|acting| resource.owner.iter().find(|(owner, _)| *owner == acting.resource));
        let own = own.map(|(_, field)| (field.as_str(), caller.id));
        let parent = within.and_then(|(parent, id)| {
            let mut fields = resource.fields.iter();
            let field = fields.find(|field| matches!(&field.of.kind, Kind::Id(of) if of == parent))?;
            Some((field.name.as_str(), id))
        });
        own.into_iter().chain(parent).collect()
    }

    /// Creates a resource with these links; returns its id.
    pub(super) fn make(&self, resource: &str, caller: Option<&Caller>, links: &[Link]) -> i64 {
        let Some(operation) = self.best(|one| one.makes(resource) && can_link(one, resource, links)) else {
            let fields: Vec<&str> = links.iter().map(|(field, _)| *field).collect();
            skip_test(format!(
                "no operation is declared that creates a {resource} with chosen {fields:?}"
            ))
        };
        let mut action = Action::new(operation);
        if let Some(caller) = caller.filter(|caller| operation.credential.is_some_and(|kind| kind.name == caller.kind))
        {
            action.caller = Some(caller.clone());
        }
        for (field, id) in links {
            match fill_of(operation, resource, field) {
                Some(Fill::IdOf(Target::Found(found))) => action.found.0.push((found, *id)),
                Some(Fill::IdOf(Target::Caller)) => action.caller = Some(self.caller_with_id(operation, *id)),
                Some(Fill::Member(member)) => action.members.push((member.clone(), (*id).into())),
                _ => {}
            }
        }
        self.run(action).id_of(resource)
    }

    fn caller_with_id(&self, operation: &Operation, id: i64) -> Caller {
        let kind = operation.credential.map_or("", |kind| kind.name.as_str());
        let known = self.known().credentials(kind, id).next_back().cloned();
        known.unwrap_or_else(|| self.mint(kind, id))
    }

    /// A caller who may act on these records: their owner, or a new one.
    pub(super) fn caller_for(&self, operation: &'static Operation, found: &[(&'static str, i64)]) -> Caller {
        let Some(kind) = operation.credential else {
            return Caller {
                secret: String::new(),
                id: 0,
                kind: "",
            };
        };
        let acting = kind.caller.as_ref();
        let owner = acting.and_then(|acting| {
            found.iter().find_map(|(resource, id)| {
                let owner = &self.contract.model.resource(resource).owner;
                let (_, field) = owner.iter().find(|(owner, _)| *owner == acting.resource)?;
                self.known().value(resource, *id, field).and_then(Value::as_i64)
            })
        });
        match owner {
            Some(id) => self.caller_with_id(operation, id),
            None => self.new_caller(kind, operation.plan),
        }
    }

    /// A new caller with a credential of this kind.
    pub(super) fn new_caller(&self, credential: &'static Credential, plan: Option<&str>) -> Caller {
        let kind = credential.name.as_str();
        let Some(acting) = &credential.caller else {
            let Some(secret) = self.root(kind) else {
                skip_test(format!("there is no secret for {kind}, and no operation creates one"))
            };
            return Caller {
                secret: secret.to_owned(),
                id: 0,
                kind,
            };
        };
        let plan = plan
            .zip(acting.plan.as_ref())
            .map(|(plan, (field, _))| (field.as_str(), Value::from(plan)));
        let caller = match self.signing_up(credential) {
            Some(operation) => {
                let mut action = Action::new(operation);
                if let Some((field, plan)) = &plan
                    && let Some(Fill::Member(member)) = fill_of(operation, &acting.resource, field)
                {
                    action.members.push((member.clone(), plan.clone()));
                }
                let done = self.run(action);
                done.caller(kind, done.id_of(&acting.resource))
            }
            None => {
                let id = self.make(&acting.resource, None, &[]);
                self.mint(kind, id)
            }
        };
        if let Some((field, plan)) = plan {
            self.set_field(&acting.resource, caller.id, field, &plan);
        }
        caller
    }

    /// The operation that creates a caller together with its credential.
    fn signing_up(&self, credential: &Credential) -> Option<&'static Operation> {
        let acting = credential.caller.as_ref()?;
        self.best(|one| {
            one.makes(&acting.resource) && one.each(&acting.resource).is_none() && one.mints(&credential.name)
        })
    }

    /// The operation that creates another credential for a caller, and what it makes for that: a record whose owner it finds,
    /// or a new credential in place of the former one.
    pub(super) fn minting(&self, kind: &str) -> Option<&'static Operation> {
        let acting = self.contract.model.credential(kind).caller.as_ref()?;
        self.best(|one| {
            one.mints(kind) && !one.makes(&acting.resource) && one.found_for(kind, &acting.resource).is_some()
        })
    }

    /// A new credential for this caller.
    pub(super) fn mint(&self, kind: &str, id: i64) -> Caller {
        let credential = self.contract.model.credential(kind);
        let operation = self.minting(kind);
        let acting = credential.caller.as_ref();
        let Some((operation, acting)) = operation.zip(acting) else {
            skip_test(format!(
                "no operation is declared that creates another credential of the kind {kind}"
            ))
        };
        let mut action = Action::new(operation);
        match operation.found_for(kind, &acting.resource) {
            Some(Target::Found(resource)) => action.found.0.push((resource, id)),
            _ => action.caller = Some(self.caller_with_id(operation, id)),
        }
        if let Some(Target::Found(_) | Target::Caller) = operation.renews(kind) {
            let former: Vec<String> = self
                .known()
                .credentials(kind, id)
                .map(|one| one.secret.clone())
                .collect();
            let done = self.run(action);
            former.iter().for_each(|secret| self.known().end(secret));
            return done.caller(kind, id);
        }
        self.run(action).caller(kind, id)
    }

    /// Ends the credential of a caller.
    pub(super) fn end_credential(&self, caller: &Caller) {
        let acting = self.contract.model.credential(caller.kind).caller.as_ref();
        let holder = self.known().holder(caller);
        let ending = acting
            .and_then(|acting| self.ending(&acting.limited_by))
            .zip(acting)
            .zip(holder);
        match ending {
            Some(((operation, acting), holder)) => {
                let mut action = Action::new(operation);
                action.found.0.push((&acting.limited_by, holder));
                if operation.credential.is_some_and(|kind| kind.name == caller.kind) {
                    action.caller = Some(caller.clone());
                }
                self.run(action);
                self.known().end(&caller.secret);
            }
            None => drop(self.mint(caller.kind, caller.id)),
        }
    }

    fn ending(&self, resource: &str) -> Option<&'static Operation> {
        self.best(|one| {
            let mut effects = one.declared.effects.iter();
            effects.any(|effect| matches!(effect, Effect::End { resource: ended, .. } if ended == resource))
        })
    }

    /// Whether an operation ends a credential of this kind.
    pub(super) fn can_end(&self, kind: &str) -> bool {
        let acting = self.contract.model.credential(kind).caller.as_ref();
        let can_delete = acting.is_some_and(|acting| self.ending(&acting.limited_by).is_some());
        can_delete || self.minting(kind).is_some_and(|one| one.renews(kind).is_some())
    }

    /// Ends the caller's former credential by the new one, if the quota allows no further one.
    pub(super) fn make_room(&self, former: &Caller, new: &Caller) {
        let quota = self.minting(former.kind).and_then(|one| one.quota);
        let living = self.known().credentials(former.kind, former.id).count();
        if quota.is_none_or(|quota| (living as u64) < quota.max) {
            return;
        }
        let acting = self.contract.model.credential(former.kind).caller.as_ref();
        let Some((acting, holder)) = acting.zip(self.known().holder(former)) else {
            return;
        };
        let Some(operation) = self.ending(&acting.limited_by) else {
            return;
        };
        let mut action = Action::new(operation);
        action.found.0.push((&acting.limited_by, holder));
        action.caller = Some(new.clone());
        // If the caller may not write any more, the credential stays.
        if self.try_to_run(action).is_ok() {
            self.known().end(&former.secret);
        }
    }

    /// Sets a field of a record, unless it is known to have the value.
    pub(super) fn set_field(&self, resource: &str, id: i64, field: &str, value: &Value) {
        if self.known().value(resource, id, field) == Some(value) {
            return;
        }
        let Some((operation, found)) = self.changing(resource, field) else {
            skip_test(format!("no operation is declared that changes {resource}.{field}"))
        };
        let mut action = Action::new(operation);
        match found {
            Target::Found(resource) => action.found.0.push((resource, id)),
            _ => action.caller = Some(self.caller_with_id(operation, id)),
        }
        action.members.push((field.to_owned(), value.clone()));
        self.run(action);
        self.known().set(resource, id, field, value.clone());
    }

    /// The operation that changes a field, and of which record.
    pub(super) fn changing(&self, resource: &str, field: &str) -> Option<(&'static Operation, &'static Target)> {
        let target = |one: &Operation| {
            one.declared.effects.iter().find_map(|effect| match effect {
                Effect::Change {
                    resource: changed,
                    target,
                    ..
                } if changed == resource => Some(target),
                _ => None,
            })
        };
        let has_field = |body: &Body| body.members.iter().any(|member| member.field.name == field);
        let operation = self.best(|one| target(one).is_some() && one.declared_body().is_some_and(has_field))?;
        let mut operations = self.contract.operations().iter();
        let found = operations.find(|one| std::ptr::eq(**one, operation))?;
        let effects = found.declared.effects.iter();
        let mut targets = effects.filter_map(|effect| match effect {
            Effect::Change {
                resource: changed,
                target,
                ..
            } if changed == resource => Some(target),
            _ => None,
        });
        Some((operation, targets.next()?))
    }

    /// How many records a new one of the quota's owner has from the beginning.
    pub(super) fn initial_usage(&self, quota: &Quota) -> u64 {
        let model = self.contract.model;
        let of_owner = |one: &&Credential| one.caller.as_ref().is_some_and(|acting| acting.resource == quota.per);
        let signing_up = model
            .credentials
            .iter()
            .filter(of_owner)
            .find_map(|one| self.signing_up(one));
        let operation = signing_up.or_else(|| self.best(|one| one.makes(&quota.per)));
        operation.map_or(0, |one| u64::from(one.fills(&quota.of).is_some()))
    }
}

impl Operation {
    /// The record by which it finds the caller of this resource for whom it creates a credential.
    fn found_for(&self, kind: &str, resource: &str) -> Option<&'static Target> {
        let is_its = |target: &&'static Target| match target {
            Target::Found(found) => found == resource,
            Target::Caller => true,
            Target::Made(_) => false,
        };
        self.renews(kind).filter(is_its).or_else(|| {
            let acting = self.contract.model.credential(kind).caller.as_ref()?;
            let owners = &self.contract.model.resource(&acting.limited_by).owner;
            let (_, field) = owners.iter().find(|(owner, _)| owner == resource)?;
            match fill_of(self, &acting.limited_by, field)? {
                Fill::IdOf(target) => Some(target).filter(is_its),
                _ => None,
            }
        })
    }

    /// The resources that a guard finds by the path or the body, by the names of the parameters and members.
    pub(super) fn found_by(&self, name: &str) -> Option<&'static str> {
        self.declared.exists().find_map(|exists| match &exists.id {
            IdSource::Path(known) | IdSource::Body(known) if known == name => Some(exists.resource.as_str()),
            _ => None,
        })
    }
}

fn fill_of(operation: &Operation, resource: &str, field: &str) -> Option<&'static Fill> {
    let mut fills = operation.fills(resource)?.iter();
    fills.find(|(known, _)| known == field).map(|(_, fill)| fill)
}

/// Whether the caller of the operation chooses these links of a new record.
fn can_link(operation: &Operation, resource: &str, links: &[Link]) -> bool {
    links
        .iter()
        .all(|(field, _)| match fill_of(operation, resource, field) {
            Some(Fill::IdOf(Target::Found(_) | Target::Caller)) => true,
            Some(Fill::Member(_)) => operation.each(resource).is_none(),
            _ => false,
        })
}
