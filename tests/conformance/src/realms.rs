//! Realms: to callers of another realm a record does not exist, and no list shows it.

use crate::attempt::Attempt;
use crate::stage::Stage;
use crate::suite::skip_test;
use crate::world::Caller;
use codegen::step::Step;
use serde_json::Value as Json;
use std::collections::BTreeSet;

impl Attempt {
    /// A record of another realm than the caller's is not found.
    #[track_caller]
    pub fn rejects_other_realm(self, resource: &'static str) {
        let stage = self.stage(true);
        let (caller, id) = match self.caller_elsewhere() {
            Some(caller) => (caller, stage.arranged.id(resource)),
            None => (stage.caller.clone(), self.record_elsewhere(resource)),
        };
        let stage = Stage {
            caller,
            arranged: stage.arranged.clone(),
        };
        self.absent(resource, id).rejected_at(Step::Exists, &stage);
    }

    /// No row of the list is of another realm than the caller's.
    #[track_caller]
    pub fn lists_own_realm_only(self, resource: &'static str, id: &'static str) {
        let stage = self.stage(false);
        let _ = self.world.create(resource, &stage.caller, None);
        match self.caller_elsewhere() {
            Some(caller) => {
                let here = self.ids_in_list(&stage, id);
                let elsewhere = Stage {
                    caller,
                    arranged: stage.arranged.clone(),
                };
                let there = self.ids_in_list(&elsewhere, id);
                assert!(!here.is_empty(), "the list shows none of the {resource} that were made");
                let both: Vec<_> = here.intersection(&there).collect();
                assert!(both.is_empty(), "callers of two realms are shown {resource} {both:?}");
            }
            None => {
                let other = self.record_elsewhere(resource);
                let here = self.ids_in_list(&stage, id);
                assert!(
                    !here.contains(&other),
                    "{resource} {other} is of another realm, and listed"
                );
            }
        }
    }

    #[track_caller]
    fn ids_in_list(&self, stage: &Stage, id: &str) -> BTreeSet<i64> {
        let answer = self.clone().done(stage);
        let data: Json = answer.data();
        let rows = data.as_array().into_iter().flatten();
        rows.filter_map(|row| row[id].as_i64()).collect()
    }

    /// A caller of another realm than all other tests have.
    fn caller_elsewhere(&self) -> Option<Caller> {
        let kind = self.operation.credential?;
        self.world.caller_elsewhere(kind, self.plan.or(self.operation.plan))
    }

    /// A record of another realm than all other tests have: that of an owner of another realm.
    fn record_elsewhere(&self, resource: &'static str) -> i64 {
        let model = self.operation.contract.model;
        let owners = &model.resource(resource).owner;
        let is_owner = |kind: &&'static codegen::model::Credential| {
            let caller = kind.caller.as_ref();
            caller.is_some_and(|caller| owners.iter().any(|(owner, _)| *owner == caller.resource))
        };
        let mut owners = model.credentials.iter().filter(is_owner);
        let owner = owners.find_map(|kind| self.world.caller_elsewhere(kind, None));
        match owner {
            Some(owner) => self.world.create(resource, &owner, None),
            None => skip_test(format!("no request creates a {resource} of another realm, or a caller")),
        }
    }
}
