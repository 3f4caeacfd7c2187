//! Arranges the conditions of a request: a caller, and the resources that the request names.

use crate::attempt::Attempt;
use crate::world::{Caller, RequestedResources};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};
use std::thread::{self, ThreadId};

/// The caller and the resources of a request.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    pub(crate) caller: Caller,
    pub(crate) arranged: RequestedResources,
}

impl Attempt {
    /// Arranges what the request needs. A `shared` stage may belong to another test as well, so the request must change
    /// nothing. Where a caller may have only so many requests in progress, it belongs to tests of the same thread, of which only
    /// one runs at a time.
    pub(crate) fn stage(&self, shared: bool) -> Arc<Stage> {
        type Key = (usize, usize, Option<&'static str>, Option<ThreadId>);
        type Stages = Mutex<HashMap<Key, (Arc<Stage>, u32)>>;
        static SHARED: LazyLock<Stages> = LazyLock::new(Mutex::default);
        if !shared {
            return Arc::new(self.fresh_stage());
        }
        let plan = self.plan.or(self.operation.plan);
        let world = std::ptr::from_ref(self.world).addr();
        let thread = self.at_once().map(|_| thread::current().id());
        let key = (world, std::ptr::from_ref(self.operation).addr(), plan, thread);
        let shared = || SHARED.lock().expect("no test panics in here");
        if let Some((stage, left @ 1..)) = shared().get_mut(&key) {
            *left -= 1;
            return Arc::clone(stage);
        }
        let stage = Arc::new(self.fresh_stage());
        shared().insert(key, (Arc::clone(&stage), self.uses() - 1));
        stage
    }

    /// How many requests a caller may have in progress.
    pub(crate) fn at_once(&self) -> Option<u32> {
        let (model, operation) = (self.operation.contract.model, self.operation);
        model.at_once(operation.surface, operation.declared)
    }

    /// How many requests may use one stage: with limits, half of what they allow, since making a stage takes some.
    fn uses(&self) -> u32 {
        let limit = self.operation.limit.filter(|_| self.world.is_limited());
        limit.map_or(u32::MAX, |limit| (limit.max / 2).max(1))
    }

    /// The stage of a limit's trial: a caller without counted requests. The owner of the resources does not matter.
    pub(crate) fn uncounted_stage(&self) -> Stage {
        Stage {
            caller: self.fresh_caller(),
            arranged: self.stage(true).arranged.clone(),
        }
    }

    /// Arranges what the request needs, for one test.
    pub(crate) fn fresh_stage(&self) -> Stage {
        let caller = self.fresh_caller();
        let arranged = self.arrange_for(&caller);
        Stage { caller, arranged }
    }

    /// A caller who is allowed to do this.
    pub(crate) fn fresh_caller(&self) -> Caller {
        match self.operation.credential {
            Some(kind) => {
                let mut plans = self.operation.contract.plans(kind).iter();
                let plan = self.plan.or(self.operation.plan);
                self.world.caller(kind, plan.or_else(|| Some(plans.next()?)))
            }
            None => Caller {
                secret: String::new(),
                id: 0,
                kind: "",
            },
        }
    }

    /// The resources that the request names, made for this caller.
    pub(crate) fn arrange_for(&self, caller: &Caller) -> RequestedResources {
        self.arrange_with(caller, |resource, within| self.world.create(resource, caller, within))
    }

    /// The resources that the request names. `create` makes each one, within its parent.
    pub(crate) fn arrange_with(
        &self,
        caller: &Caller,
        mut make: impl FnMut(&'static str, Option<(&str, i64)>) -> i64,
    ) -> RequestedResources {
        let mut arranged = RequestedResources::default();
        for exists in &self.operation.exists {
            let within = exists.within.map(|(parent, _)| (parent, arranged.id(parent)));
            let resource = exists.resource.name.as_str();
            arranged.0.push((resource, make(resource, within)));
        }
        for of in self.ids_without_a_guard() {
            if !arranged.0.iter().any(|(known, _)| *known == of) {
                arranged.0.push((of, make(of, None)));
            }
        }
        if !self.is_unprepared {
            self.world.prepare_success(self.operation.name, caller, &mut arranged);
        }
        arranged
    }

    fn ids_without_a_guard(&self) -> Vec<&'static str> {
        let all = self.operation.parameters.iter().chain(self.operation.members());
        all.flat_map(|one| one.of.ids()).collect()
    }
}
