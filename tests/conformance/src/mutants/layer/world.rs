//! The layer as a world: every request of the suite goes to the inner world, and also to twins if there are any.

use super::{Inside, Layer, Registry};
use crate::contract::Operation;
use crate::level::Level;
use crate::world::{Access, Caller, LimitedService, Need, Request, RequestedResources, Response, World};
use codegen::model::{Credential, ErrorEntry};
use serde_json::Value as Json;
use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

impl World for Layer {
    fn call(&self, request: &Request) -> Response {
        self.0
            .answer(request, None, false, &|request| self.0.world.call(request))
    }

    fn call_held(&self, request: &Request, meanwhile: &mut dyn FnMut()) -> Response {
        let meanwhile = RefCell::new(Some(meanwhile));
        self.0.answer(request, None, true, &|request| match meanwhile.take() {
            Some(meanwhile) => self.0.world.call_held(request, meanwhile),
            None => self.0.world.call(request),
        })
    }

    fn is_limited(&self) -> bool {
        self.0.world.is_limited()
    }

    fn level(&self) -> Level {
        self.0.world.level()
    }

    fn unsupported(&self, need: Need) -> Option<String> {
        self.0.world.unsupported(need)
    }

    fn caller(&self, credential: &'static Credential, plan: Option<&str>) -> Caller {
        let caller = self.0.world.caller(credential, plan);
        self.0.registry.add_caller(&caller);
        self.0.shadow_caller(&caller, credential, plan);
        caller
    }

    fn another(&self, caller: &Caller) -> Caller {
        let another = self.0.world.another(caller);
        self.0.registry.add_caller(&another);
        another
    }

    fn set_access(&self, caller: &Caller, to: Access<'_>) {
        self.0.shadow_change(caller, to);
        self.0.world.set_access(caller, to);
    }

    fn create(&self, resource: &str, caller: &Caller, within: Option<(&str, i64)>) -> i64 {
        let id = self.0.world.create(resource, caller, within);
        self.0.registry.add(resource, id, caller, within);
        self.0.shadow_resource(resource, id, caller, within);
        id
    }

    fn request_for(
        &self,
        operation: &'static Operation,
        record: (&'static str, i64),
    ) -> Option<(Option<Caller>, RequestedResources)> {
        let (caller, found) = self.0.world.request_for(operation, record)?;
        caller.iter().for_each(|caller| self.0.registry.add_caller(caller));
        Some((caller, found))
    }

    fn link(&self, record: (&'static str, i64), field: &str) -> Option<i64> {
        self.0.world.link(record, field)
    }

    fn note(
        &self,
        operation: &'static Operation,
        by_and_for: (&Caller, &RequestedResources),
        sent: &Json,
        data: &Json,
    ) {
        self.0.world.note(operation, by_and_for, sent, data);
    }

    fn excuse(&self, operation: &Operation, error: &ErrorEntry) -> Option<String> {
        self.0.world.excuse(operation, error)
    }

    fn prepare_success(&self, operation: &str, caller: &Caller, arranged: &mut RequestedResources) {
        let before = arranged.clone();
        self.0.world.prepare_success(operation, caller, arranged);
        let shadows = self.0.shadow_prepare(operation, caller, &before);
        self.0.replace(caller, &before, arranged, &shadows);
    }

    fn quota_usage(&self, quota: &str) -> u64 {
        self.0.world.quota_usage(quota)
    }

    fn arrange_error(&self, error: &str, caller: &Caller, arranged: &mut RequestedResources) {
        let before = arranged.clone();
        self.0.world.arrange_error(error, caller, arranged);
        let shadows = self.0.shadow_arrange(error, caller, &before);
        self.0.replace(caller, &before, arranged, &shadows);
    }

    fn apart(&self) -> Option<&'static dyn World> {
        let inside = Inside {
            world: self.0.world.apart()?,
            contract: self.0.contract,
            mutant: self.0.mutant.clone(),
            // This world may not know the resources that its own world would accept.
            donors: Arc::default(),
            registry: Registry::default(),
            touched: Arc::clone(&self.0.touched),
            under_way: AtomicUsize::new(0),
            counts: Mutex::default(),
            texts: Mutex::default(),
        };
        Some(Self(Arc::new(inside)).that_stays())
    }

    fn limited_service(&self) -> Box<dyn LimitedService> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        Box::new(MutatedService {
            inside: Arc::clone(&self.0),
            limited_service: self.0.world.limited_service(),
            number: NUMBER.fetch_add(1, Ordering::Relaxed),
        })
    }
}

/// The same with limits.
struct MutatedService {
    inside: Arc<Inside>,
    limited_service: Box<dyn LimitedService>,
    number: usize,
}

impl LimitedService for MutatedService {
    fn call(&self, request: &Request) -> Response {
        let limited = Some((self.limited_service.unix_millis(), self.number));
        self.inside
            .answer(request, limited, false, &|request| self.limited_service.call(request))
    }

    fn unix_millis(&self) -> u64 {
        self.limited_service.unix_millis()
    }

    fn advance(&self, by: Duration) {
        self.limited_service.advance(by);
    }

    fn begin(&self, window: Duration) {
        self.limited_service.begin(window);
    }

    fn slack(&self) -> Duration {
        self.limited_service.slack()
    }
}
