//! The world of any contract that declares its meaning: which operations create callers and resources, change rights, end
//! credentials and bring about errors follows from `makes`, `changes`, `ends`, `renews`, `revokes`, `transitions` and `when`.
//!
//! ```text
//! World ─ what a test needs ─▶ callers, records, conditions ─ operations ─▶ action (and what it needs in turn) ─▶ Subject
//! ```
//!
//! What the contract does not declare, a [`Subject`] may arrange by hand. If it does not, the test is skipped with the reason.

mod action;
mod callers;
mod conditions;
mod done;
mod known;
mod named;
mod operations;
mod records;
mod request;

use crate::contract::{Contract, Operation};
use crate::histories::{HistoryClock, HistoryOptions, ProbeOptions, ProbeOutcome, Probes};
use crate::level::Level;
use crate::network::Network;
use crate::suite::skip_test;
use crate::world::{Access, Caller, LimitedService, Need, Request, RequestedResources, Response, World};
use action::Action;
use codegen::model::{Credential, ErrorEntry};
use codegen::step::Step;
use done::Done;
use known::Known;
use serde_json::Value as Json;
use std::cell::Cell;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;

/// The server under test.
pub trait Subject: Send + Sync {
    /// Sends a request and waits for the answer.
    fn call(&self, request: &Request) -> Response;

    /// As [`World::call_held`].
    fn call_held(&self, request: &Request, meanwhile: &mut dyn FnMut()) -> Response;

    /// As [`World::limited_service`].
    fn limited_service(&self) -> Box<dyn LimitedService>;

    /// As [`World::is_limited`].
    fn is_limited(&self) -> bool {
        false
    }

    /// As [`World::unsupported`].
    fn unsupported(&self, _need: Need) -> Option<String> {
        None
    }

    /// An empty server of the same kind and with the same root credentials, until the process ends.
    fn apart(&self) -> Option<Box<dyn Subject>> {
        None
    }

    /// Members of the body of this operation, `surface::operation`, in place of any valid values.
    fn members(&self, _operation: &str) -> Vec<(&'static str, serde_json::Value)> {
        Vec::new()
    }

    /// Arranges what a success of this operation needs, as far as the contract does not declare it.
    fn prepare_success(&self, _world: &DeclaredWorld, _operation: &str, _arranged: &RequestedResources) {}
}

impl Subject for Network {
    fn call(&self, request: &Request) -> Response {
        Network::call(self, request)
    }

    fn call_held(&self, request: &Request, meanwhile: &mut dyn FnMut()) -> Response {
        Network::call_held(self, request, meanwhile)
    }

    fn limited_service(&self) -> Box<dyn LimitedService> {
        Network::limited_service(self)
    }

    fn is_limited(&self) -> bool {
        Network::is_limited(self)
    }

    fn unsupported(&self, need: Need) -> Option<String> {
        self.lacks(need)
    }
}

/// A world that follows from the contract.
pub struct DeclaredWorld {
    contract: &'static Contract,
    level: Level,
    subject: Box<dyn Subject>,
    /// The secrets of credentials that no operation creates, by the names of the credentials.
    roots: Vec<(String, String)>,
    known: Mutex<Known>,
    /// The number of values made so far.
    values: AtomicUsize,
}

impl DeclaredWorld {
    /// The world of this server. `roots` are the secrets of the credentials that identify no caller, by the names of the
    /// credentials: `("operator_token", …)`.
    pub fn new(contract: &'static Contract, subject: Box<dyn Subject>, roots: Vec<(String, String)>) -> Self {
        Self {
            contract,
            level: Level::default(),
            subject,
            roots,
            known: Mutex::default(),
            values: AtomicUsize::default(),
        }
    }

    /// The same at this level.
    #[must_use]
    pub fn at(self, level: Level) -> Self {
        Self { level, ..self }
    }

    /// Calls an operation, `surface::operation`, for these resources and with these values of members, as a caller who may do
    /// that. Returns the `data` of the answer.
    pub fn act(
        &self,
        operation: &str,
        found: &[(&'static str, i64)],
        members: &[(&str, serde_json::Value)],
    ) -> serde_json::Value {
        let mut operations = self.contract.operations().iter();
        let Some(operation) = operations.find(|one| one.name == operation) else {
            skip_test(format!("the contract has no operation {operation}"))
        };
        let mut action = Action::new(operation);
        action.found.0.extend(found);
        for (name, value) in members {
            action.members.push(((*name).to_owned(), value.clone()));
        }
        self.run(action).data
    }

    /// Tries the probes of a surface, one in so many, with an empty server. The error says why there is none.
    pub(crate) fn probe(&self, surface: &str, one_in: usize) -> Result<Vec<ProbeOutcome>, String> {
        let Some(server) = self.subject.apart() else {
            return Err("probes need a server of their own: `codegen conform` tries them".to_owned());
        };
        let send = |request: &Request| Ok(server.call(request));
        let (own, nth) = (format!("{surface}::"), Cell::new(0));
        let is_tried = |name: &str| {
            let is_own = name.starts_with(&own);
            nth.set(nth.get() + usize::from(is_own));
            is_own && nth.get() % one_in == 0
        };
        let options = ProbeOptions {
            histories: HistoryOptions {
                filter: Some(own.clone()),
                level: self.level,
                is_limited: self.is_limited(),
                shortens: false,
                ..HistoryOptions::default()
            },
            is_tried: &is_tried,
            longest: None,
            ended: &|_| {},
        };
        let model = self.contract.model;
        Ok(Probes::run(
            HistoryClock::Real,
            model,
            &send,
            self.roots.clone(),
            &options,
        ))
    }

    fn root(&self, credential: &str) -> Option<&str> {
        let found = self.roots.iter().find(|(name, _)| name == credential);
        found.map(|(_, secret)| secret.as_str())
    }
}

impl World for DeclaredWorld {
    fn call(&self, request: &Request) -> Response {
        self.subject.call(request)
    }

    fn call_held(&self, request: &Request, meanwhile: &mut dyn FnMut()) -> Response {
        self.subject.call_held(request, meanwhile)
    }

    fn is_limited(&self) -> bool {
        self.subject.is_limited()
    }

    fn level(&self) -> Level {
        self.level
    }

    fn unsupported(&self, need: Need) -> Option<String> {
        let reason = match need {
            Need::AnotherCredential(kind) if self.minting(kind).is_none() => "creates another credential of the kind",
            Need::RevokedCredential(kind) if !self.can_end(kind) => "ends a credential of the kind",
            need => return self.subject.unsupported(need),
        };
        let (Need::AnotherCredential(kind) | Need::RevokedCredential(kind)) = need else {
            return None;
        };
        Some(format!("no operation is declared that {reason} {kind}"))
    }

    fn caller(&self, credential: &'static Credential, plan: Option<&str>) -> Caller {
        self.new_caller(credential, plan)
    }

    fn another(&self, caller: &Caller) -> Caller {
        let another = self.mint(caller.kind, caller.id);
        self.make_room(caller, &another);
        another
    }

    fn set_access(&self, caller: &Caller, to: Access<'_>) {
        let of = self.contract.model.credential(caller.kind).caller.as_ref();
        let Some(of) = of else {
            skip_test(format!("a caller with {} has no rights that can change", caller.kind))
        };
        match (to, &of.plan, &of.suspended) {
            (Access::Plan(plan), Some((field, _)), _) => self.set_field(&of.resource, caller.id, field, &plan.into()),
            (Access::Suspended, _, Some(field)) => self.set_field(&of.resource, caller.id, field, &true.into()),
            (Access::Revoked, ..) => self.end_credential(caller),
            _ => skip_test(format!("{} has neither plans nor suspension", of.resource)),
        }
    }

    fn create(&self, resource: &str, caller: &Caller, within: Option<(&str, i64)>) -> i64 {
        let links = self.links(resource, caller, within);
        self.make(resource, Some(caller), &links)
    }

    fn prepare_success(&self, operation: &str, caller: &Caller, arranged: &mut RequestedResources) {
        let mut operations = self.contract.operations().iter();
        if let Some(operation) = operations.find(|one| one.name == operation) {
            self.prepare(operation, caller, arranged, &[]);
        }
    }

    fn request_for(
        &self,
        operation: &'static Operation,
        record: (&'static str, i64),
    ) -> Option<(Option<Caller>, RequestedResources)> {
        let found = self.named_for(operation, record);
        let mut exists = operation.exists.iter();
        let is_known = |resource| found.has(resource);
        if exists.any(|one| is_known(&one.resource.name) && one.within.is_some_and(|(parent, _)| !is_known(parent))) {
            return None;
        }
        let caller = self.caller_of(operation, record, &found).ok()?;
        Some((caller, found))
    }

    fn note(
        &self,
        operation: &'static Operation,
        (caller, found): (&Caller, &RequestedResources),
        sent: &Json,
        data: &Json,
    ) {
        let done = Done {
            operation,
            caller: caller.clone(),
            found: found.clone(),
            data: data.clone(),
        };
        self.forget_ended(&done);
        self.learn(&done, sent);
    }

    fn excuse(&self, operation: &Operation, error: &ErrorEntry) -> Option<String> {
        let is_own = error.step == Step::Rule && operation.declared.rules.iter().any(|rule| rule.text == error.name);
        let is_unknown = error.when.is_none() && !error.is_out_of_reach()
            || self.known().unprepared.contains(&(operation.name, error.name.clone()));
        (is_own && is_unknown).then(|| {
            let reason = "the contract does not declare how a request gets past it";
            format!("the rule {} rejects the request, and {reason}", error.name)
        })
    }

    fn quota_usage(&self, quota: &str) -> u64 {
        self.initial_usage(self.contract.model.quota(quota))
    }

    fn limited_service(&self) -> Box<dyn LimitedService> {
        self.subject.limited_service()
    }
}
