//! A credential is valid from its acknowledgement until the resource that it came with ends.

use super::reading::has_form;
use crate::attempt::Attempt;
use crate::contract::Operation;
use crate::world::{Caller, RequestedResources};
use codegen::model::Quota;
use codegen::step::Step;

impl Attempt {
    /// A new credential is accepted at once by one of these operations that needs nothing else, chosen by its kind.
    #[track_caller]
    pub fn makes_a_credential_that_opens(self, doors: &[&'static Operation]) {
        let stage = self.stage(false);
        let answer = self.accepted_on(&stage.caller, &stage.arranged);
        let secrets = answer.declared_secrets();
        for secret in &secrets {
            if let Some(door) = self.door(doors, secret) {
                door.accepted_on(&holder_of(&door, secret), &RequestedResources::default());
            }
        }
        if secrets.is_empty() {
            answer.fail("a new credential", "there is none");
        }
    }

    /// A credential ends with the resource that it came with. `maker` makes both for the caller; the resource is then
    /// deleted, once with another credential of the caller and once with this one.
    #[track_caller]
    pub fn ends_the_credential(self, maker: &'static Operation, member: &'static str, doors: &[&'static Operation]) {
        let stage = self.stage(false);
        let last = self.operation.exists.last().expect("something is deleted");
        // Another one, made by an equal request, stays.
        let left = |quota: &Quota| quota.max.saturating_sub(self.world.quota_usage(&quota.name));
        self.accepted_on(&stage.caller, &stage.arranged);
        let has_room = maker.quota.is_none_or(|quota| left(quota) >= 2);
        let spare = has_room.then(|| self.created_credential(&stage.caller, maker, member).0);
        for by_itself in [false, true] {
            let (secret, id) = self.created_credential(&stage.caller, maker, member);
            let Some(door) = self.door(doors, &secret) else { return };
            let holder = holder_of(&door, &secret);
            door.accepted_on(&holder, &RequestedResources::default());
            let caller = if by_itself { &holder } else { &stage.caller };
            let mut arranged = stage.arranged.clone();
            arranged.0.retain(|(resource, _)| *resource != last.resource.name);
            arranged.0.push((&last.resource.name, id));
            self.accepted_on(caller, &arranged);
            let header = (
                "header",
                door.operation.credential.map_or("", |kind| &kind.header).to_owned(),
            );
            let rejected = door.send(&holder, &RequestedResources::default());
            rejected.expect_error(self.operation.contract.error(Step::Credential), &[header]);
            door.accepted_on(&stage.caller, &RequestedResources::default());
            if let Some(spare) = &spare {
                door.accepted_on(&holder_of(&door, spare), &RequestedResources::default());
            }
        }
    }

    /// A credential that `maker` makes for the caller, and the id of the resource that comes with it.
    #[track_caller]
    fn created_credential(&self, caller: &Caller, maker: &'static Operation, member: &str) -> (String, i64) {
        let maker = self.anew(maker);
        let is_same_kind = maker.operation.credential.is_some_and(|kind| kind.name == caller.kind);
        let by = if is_same_kind {
            caller.clone()
        } else {
            maker.fresh_caller()
        };
        let named = maker
            .operation
            .exists
            .iter()
            .map(|exists| (exists.resource.name.as_str(), caller.id));
        let answer = maker.accepted_on(&by, &RequestedResources(named.collect()));
        let secret = answer.declared_secrets().into_iter().next();
        match (secret, answer.data()[member].as_i64()) {
            (Some(secret), Some(id)) => (secret, id),
            _ => answer.fail("a new credential and an id", "one of them is missing"),
        }
    }

    /// The operation that accepts a credential of this kind.
    fn door(&self, doors: &[&'static Operation], secret: &str) -> Option<Self> {
        let is_opened = |door: &&&'static Operation| door.credential.is_some_and(|kind| has_form(kind, secret));
        let door = doors.iter().find(is_opened)?;
        Some(self.anew(door))
    }
}

/// The caller with this credential.
fn holder_of(door: &Attempt, secret: &str) -> Caller {
    Caller {
        secret: secret.to_owned(),
        id: 0,
        kind: door.operation.credential.map_or("", |kind| &kind.name),
    }
}
