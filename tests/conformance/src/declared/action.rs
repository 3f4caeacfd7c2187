//! One call of an operation that brings something about: the caller and the resources that it needs, and its request.

use super::DeclaredWorld;
use super::done::Done;
use super::request::request;
use crate::contract::Operation;
use crate::failure::Failure;
use crate::level::Level;
use crate::suite::{TestedRule, end_test, skip_test};
use crate::types::Member;
use crate::world::{Caller, Request, RequestedResources, Response, World};
use codegen::step::Step;
use serde_json::Value as Json;
use std::time::Duration;

/// The longest wait for a limit that rejects a call.
const PATIENCE: Duration = Duration::from_secs(65);

/// A call, before it is known who makes it, and for which resources.
pub(super) struct Action {
    operation: &'static Operation,
    /// Who calls; by default anybody who may.
    pub(super) caller: Option<Caller>,
    /// The resources that guards find; by default new ones.
    pub(super) found: RequestedResources,
    /// Whether to wait for a limit that rejects the call.
    pub(super) is_patient: bool,
    /// Members of the body; by default valid values.
    pub(super) members: Vec<(String, Json)>,
}

impl Action {
    pub(super) fn new(operation: &'static Operation) -> Self {
        Self {
            operation,
            caller: None,
            found: RequestedResources::default(),
            is_patient: true,
            members: Vec::new(),
        }
    }
}

impl DeclaredWorld {
    /// Makes a call that must succeed.
    #[track_caller]
    pub(super) fn run(&self, action: Action) -> Done {
        let operation = action.operation;
        self.try_to_run(action).unwrap_or_else(|failure| {
            let excuse = operation.contract.model.errors.iter().find_map(|error| {
                let is_it = failure
                    .response
                    .as_ref()
                    .is_some_and(|came| operation.is_error(error, came, self.level));
                self.excuse(operation, error).filter(|_| is_it)
            });
            match excuse {
                Some(excuse) => skip_test(format!("{} is needed: {excuse}", operation.name)),
                None => end_test(*failure),
            }
        })
    }

    pub(super) fn try_to_run(&self, action: Action) -> Result<Done, Box<Failure>> {
        let (operation, mut found, mut members) = (action.operation, action.found, action.members);
        for (name, value) in self.subject.members(operation.name) {
            if !members.iter().any(|(known, _)| known == name) {
                members.push((name.to_owned(), value));
            }
        }
        let given: Vec<&str> = found.0.iter().map(|(resource, _)| *resource).collect();
        // A parent may be the caller's.
        self.find_parents(operation, &mut found);
        let caller = action.caller.unwrap_or_else(|| self.caller_for(operation, &found.0));
        self.find(operation, &caller, &mut found, &members);
        let former = operation.plan.and_then(|plan| self.put_on_plan(&caller, plan));
        self.prepare(operation, &caller, &mut found, &given);
        let body = operation.body.map(|of| self.body(operation, &found, of, &members));
        let request = request(operation, &caller, &found, body.as_ref());
        let response = match action.is_patient {
            true => self.patiently(operation, &request),
            false => self.call(&request),
        };
        if let Some((resource, field, plan)) = former {
            self.set_field(resource, caller.id, field, &plan);
        }
        let parsed: Json = serde_json::from_slice(&response.body).unwrap_or_default();
        if response.status != operation.declared.status {
            return Err(Box::new(operation.failure(request, response)));
        }
        let sent = request
            .body
            .as_deref()
            .and_then(|body| serde_json::from_slice(body).ok());
        let data = operation.data_in(&parsed).clone();
        let done = Done {
            operation,
            caller,
            found,
            data,
        };
        self.learn(&done, &sent.unwrap_or_default());
        Ok(done)
    }

    /// Creates the resources that the request names and that are not given.
    fn find(&self, operation: &Operation, caller: &Caller, found: &mut RequestedResources, members: &[(String, Json)]) {
        self.find_parents(operation, found);
        for exists in &operation.exists {
            let resource = exists.resource.name.as_str();
            if !found.has(resource) && !exists.is_optional {
                let within = exists.within.map(|(parent, _)| (parent, found.id(parent)));
                found.0.push((resource, self.create(resource, caller, within)));
            }
        }
        let needed = operation.members().iter().filter(|member| member.required);
        let is_given = |member: &&Member| members.iter().any(|(name, _)| name == member.name);
        let others = operation.parameters.iter().chain(needed);
        for of in others.filter(|one| !is_given(one)).flat_map(|one| one.of.ids()) {
            if !found.has(of) {
                found.0.push((of, self.create(of, caller, None)));
            }
        }
    }

    /// Puts the caller on the plan; returns what to undo.
    pub(super) fn put_on_plan(&self, caller: &Caller, plan: &str) -> Option<(&'static str, &'static str, Json)> {
        let acting = self.contract.model.credential(caller.kind).caller.as_ref()?;
        let (field, _) = acting.plan.as_ref()?;
        let former = self.known().value(&acting.resource, caller.id, field).cloned();
        self.set_field(&acting.resource, caller.id, field, &plan.into());
        former
            .filter(|former| former != plan)
            .map(|former| (acting.resource.as_str(), field.as_str(), former))
    }

    /// Sends the request; if a limit rejects it, once more when that allows it.
    fn patiently(&self, operation: &Operation, request: &Request) -> Response {
        let response = self.subject.call(request);
        let limit = operation.contract.model.error_at(Step::Limit);
        let seconds = response.header("retry-after").and_then(|seconds| seconds.parse().ok());
        match (limit, seconds.map(Duration::from_secs)) {
            (Some(limit), Some(wait)) if response.status == limit.status && self.is_limited() && wait <= PATIENCE => {
                std::thread::sleep(wait);
                self.subject.call(request)
            }
            _ => response,
        }
    }
}

impl Operation {
    /// The failure of a call that had to succeed.
    fn failure(&self, request: Request, response: Response) -> Failure {
        let status = response.status;
        Failure {
            level: Level::Shape,
            cause: format!(
                "{} answers {status} to a valid request that other tests need",
                self.name
            ),
            operation: self.called(),
            tried: Some(TestedRule {
                rule: "what a test needs is created by requests",
                at: self.at,
            }),
            request: Some(request),
            response: Some(response),
            wanted: format!("{}, as declared at {}", self.declared.status, self.at),
            because: format!("the status is {status}"),
        }
    }
}
