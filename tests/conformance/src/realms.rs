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
        let (caller, id) = match self.world.create_elsewhere(resource) {
            Some(other) => (stage.caller.clone(), other),
            None => {
                let caller = self.caller_elsewhere();
                let caller =
                    caller.unwrap_or_else(|| skip_test(format!("no request makes a {resource} of another realm")));
                (caller, stage.arranged.id(resource))
            }
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
        let other = self.world.create_elsewhere(resource);
        let here = self.ids_in_list(&stage, id);
        assert!(!here.is_empty(), "the list shows none of the {resource} that were made");
        let Some(caller) = self.caller_elsewhere() else {
            let other = other.unwrap_or_else(|| skip_test(format!("no request makes a {resource} of another realm")));
            assert!(
                !here.contains(&other),
                "{resource} {other} is of another realm, and listed"
            );
            return;
        };
        let elsewhere = Stage {
            caller,
            arranged: stage.arranged.clone(),
        };
        let there = self.ids_in_list(&elsewhere, id);
        let both: Vec<_> = here.intersection(&there).collect();
        assert!(both.is_empty(), "callers of two realms are shown {resource} {both:?}");
        let is_hidden = other.is_some() && there.is_empty();
        assert!(
            !is_hidden,
            "the list shows none of the {resource} of another realm to a caller of it"
        );
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
}
