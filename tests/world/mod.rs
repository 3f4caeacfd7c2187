//! The world of the tests: the service in this process, over a store in its own directory, or on another server.

mod market;
pub(crate) mod mocked;
pub(crate) mod network;
mod people;
mod service;

pub(crate) use market::Market;
pub(crate) use people::{Api, Reply, op, request};
pub(crate) use service::Service;

use conformance::{
    Access, Caller, Credential, LimitedService, Need, Request, RequestedResources, Response, RunOptions, Suite, World,
};
use contract::Clock;
use market::Home;
use std::sync::{Arc, LazyLock, OnceLock};
use test_support::in_process::Limited;

/// The market that all tests of the process share; each creates its own users in it.
pub(crate) fn market() -> &'static Market {
    static MARKET: OnceLock<Market> = OnceLock::new();
    MARKET.get_or_init(|| Market::open(Clock::system()))
}

/// The suite of the contract that this program was built for.
pub(crate) fn suite() -> &'static Suite {
    static SUITE: LazyLock<&Suite> = LazyLock::new(|| Suite::of(&contract_source(), "api.yaml"));
    &SUITE
}

/// The text of that contract.
pub(crate) fn contract_source() -> String {
    let file = option_env!("HITODE_API").unwrap_or(concat!(env!("CARGO_MANIFEST_DIR"), "/../api.yaml"));
    std::fs::read_to_string(file).expect("the contract is there")
}

/// Runs these generated tests in a world; returns the names and messages of those that fail.
pub(crate) fn failing(world: Box<dyn World>, is_tried: impl Fn(&str) -> bool) -> Vec<String> {
    let options = RunOptions {
        is_tried: &is_tried,
        ..RunOptions::default()
    };
    let outcomes = suite().run(Box::leak(world), &options).into_iter();
    let failing = outcomes.filter_map(|one| Some(format!("{}: {}", one.test, one.verdict.failure()?)));
    failing.collect()
}

/// The parts of a market's service that tests of its limits need.
trait Place: Api + Sync {
    fn limited_service(&self) -> Box<dyn LimitedService>;

    fn call_held(&self, request: &Request, meanwhile: &mut dyn FnMut()) -> Response;

    fn is_limited(&self) -> bool {
        false
    }

    fn lacks(&self, _need: Need) -> Option<String> {
        None
    }

    fn apart(&self) -> Option<&'static dyn World> {
        None
    }
}

impl<H: Place> World for Market<H> {
    fn call(&self, request: &Request) -> Response {
        self.answer(request)
    }

    fn call_held(&self, request: &Request, meanwhile: &mut dyn FnMut()) -> Response {
        self.home().call_held(request, meanwhile)
    }

    fn is_limited(&self) -> bool {
        self.home().is_limited()
    }

    fn unsupported(&self, need: Need) -> Option<String> {
        self.home().lacks(need)
    }

    fn caller(&self, credential: &'static Credential, plan: Option<&str>) -> Caller {
        let kind = credential.name.as_str();
        match kind {
            "api_key" => Caller {
                kind,
                ..self.agent(plan.unwrap_or("free"))
            },
            "worker_token" => Caller { kind, ..self.worker() },
            "operator_token" => Caller {
                kind,
                ..self.operator()
            },
            other => panic!("who calls with {other}?"),
        }
    }

    fn another(&self, caller: &Caller) -> Caller {
        match caller.kind {
            "api_key" => self.another_key(caller),
            other => panic!("who gives another {other}?"),
        }
    }

    fn set_access(&self, caller: &Caller, to: Access<'_>) {
        match to {
            Access::Plan(plan) => self.set_plan(caller.id, plan),
            Access::Suspended => self.suspend(caller.id, true),
            Access::Revoked => self.end(caller),
        }
    }

    fn create(&self, resource: &str, caller: &Caller, within: Option<(&str, i64)>) -> i64 {
        let is_agent = caller.kind == "api_key";
        match (resource, within) {
            ("Account", _) => self.agent("free").id,
            ("ApiKey", _) => self.key_of(caller.id).id,
            ("Human", _) => self.human(),
            ("Bounty", _) if is_agent => self.bounty_of(caller),
            ("Bounty", _) => self.bounty_of(&self.agent("free")),
            ("Application", Some((_, bounty))) => self.application_to(bounty, &self.worker()),
            ("Conversation", _) if is_agent => self.conversation(caller, self.human()),
            ("Conversation", _) => self.conversation(&self.agent("free"), caller.id),
            other => panic!("nothing here makes {other:?}"),
        }
    }

    fn quota_usage(&self, quota: &str) -> u64 {
        match quota {
            "active_keys" => 1,
            other => panic!("who counts {other}?"),
        }
    }

    fn arrange_error(&self, error: &str, caller: &Caller, arranged: &RequestedResources) {
        let bounty = arranged.id("Bounty");
        match error {
            "not_open" => self.set_status(bounty, "completed"),
            "already_applied" => drop(self.application_to(bounty, caller)),
            other => panic!("nothing here brings about {other}"),
        }
    }

    fn apart(&self) -> Option<&'static dyn World> {
        self.home().apart()
    }

    fn limited_service(&self) -> Box<dyn LimitedService> {
        self.home().limited_service()
    }
}

impl Place for Home {
    fn call_held(&self, request: &Request, meanwhile: &mut dyn FnMut()) -> Response {
        self.service().calls().call_held(request, meanwhile)
    }

    fn apart(&self) -> Option<&'static dyn World> {
        Some(Box::leak(Box::new(Market::open(Clock::system()))))
    }

    fn limited_service(&self) -> Box<dyn LimitedService> {
        let limited = |clock| Service::limited(Arc::clone(&self.app), clock).calls().clone();
        Box::new(Limited::new(limited))
    }
}
