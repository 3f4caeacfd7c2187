//! Callers: creates them with their credentials, gives them others, and ends those.

use super::DeclaredWorld;
use super::action::Action;
use crate::contract::Operation;
use crate::suite::skip_test;
use crate::world::Caller;
use codegen::model::{Credential, Fill, Target};
use serde_json::Value;

impl DeclaredWorld {
    /// The caller with this id, by a living credential or a new one.
    pub(super) fn caller_with_id(&self, operation: &Operation, id: i64) -> Caller {
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
        self.sign_up(credential, plan, None)
    }

    /// A new caller with a credential of this kind, with this member in the body if the caller signs up.
    pub(super) fn sign_up(
        &self,
        credential: &'static Credential,
        plan: Option<&str>,
        realm: Option<(String, Value)>,
    ) -> Caller {
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
                action.members.extend(realm);
                if let Some((field, plan)) = &plan
                    && let Some(Fill::Member(member)) = operation.declared.fill(&acting.resource, field)
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
    pub(super) fn signing_up(&self, credential: &Credential) -> Option<&'static Operation> {
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
        match self.end_of(caller, caller) {
            Some(action) => {
                self.run(action);
                self.known().end(&caller.secret);
            }
            None if self
                .minting(caller.kind)
                .is_some_and(|one| one.renews(caller.kind).is_some()) =>
            {
                drop(self.mint(caller.kind, caller.id));
            }
            None => skip_test(format!(
                "no answer says which record a {} is kept by, so it cannot be ended",
                caller.kind
            )),
        }
    }

    /// What deletes the record that keeps a credential. `by` does it, if such a caller can.
    fn end_of(&self, caller: &Caller, by: &Caller) -> Option<Action> {
        let acting = self.contract.model.credential(caller.kind).caller.as_ref()?;
        let operation = self.ending(&acting.limited_by)?;
        let holder = self.known().holder(caller)?;
        let mut action = Action::new(operation);
        action.found.0.push((&acting.limited_by, holder));
        if operation.credential.is_some_and(|kind| kind.name == by.kind) {
            action.caller = Some(by.clone());
        }
        Some(action)
    }

    fn ending(&self, resource: &str) -> Option<&'static Operation> {
        self.best(|one| one.declared.ends(resource))
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
        let Some(mut action) = self.end_of(former, new) else {
            return;
        };
        action.is_patient = false;
        // If the caller may not write any more, the credential stays.
        if self.try_to_run(action).is_ok() {
            self.known().end(&former.secret);
        }
    }
}
