//! One call of an operation that brings something about: the caller and the resources that it needs, its request, and what its
//! answer tells.

use super::DeclaredWorld;
use crate::contract::Operation;
use crate::failure::Failure;
use crate::query::encoded;
use crate::sample::{sample, sample_object};
use crate::suite::{TestedRule, end_test, skip_test};
use crate::types::{Member, Type, named};
use crate::value::{Value, nth_text, raw, word};
use crate::world::{Caller, Request, RequestedResources, Response, World};
use codegen::model::{AnswerFrom, Effect, Fill, Target};
use codegen::step::Step;
use serde_json::Value as Json;
use std::collections::HashMap;
use std::sync::atomic::Ordering;
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
    /// Members of the body; by default valid values.
    pub(super) members: Vec<(String, Json)>,
}

/// A call that has succeeded.
pub(super) struct Done {
    operation: &'static Operation,
    caller: Caller,
    found: RequestedResources,
    pub(super) data: Json,
}

impl Action {
    pub(super) fn new(operation: &'static Operation) -> Self {
        Self {
            operation,
            caller: None,
            found: RequestedResources::default(),
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
                    .is_some_and(|came| operation.is_error(error, came));
                self.excuse(operation, error).filter(|_| is_it)
            });
            match excuse {
                Some(excuse) => skip_test(format!("{} is needed: {excuse}", operation.name)),
                None => end_test(*failure),
            }
        })
    }

    pub(super) fn try_to_run(&self, action: Action) -> Result<Done, Box<Failure>> {
        let (operation, mut found) = (action.operation, action.found);
        let caller = action.caller.unwrap_or_else(|| self.caller_for(operation, &found.0));
        self.find(operation, &caller, &mut found, &action.members);
        let former = operation.plan.and_then(|plan| self.put_on_plan(&caller, plan));
        self.prepare(operation, &caller, &found);
        let body = operation.body.map(|of| self.body(operation, of, &action.members));
        let request = request(operation, &caller, &found, body.as_ref());
        let response = self.patiently(operation, &request);
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
        let data = parsed[operation.contract.data_name()].clone();
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
        for guard in operation.declared.exists() {
            if found.has(&guard.resource) {
                continue;
            }
            // A given resource may lie within this one.
            let mut children = operation.declared.exists();
            let given = children.find_map(|child| {
                let (_, field) = child.parent.as_ref().filter(|(parent, _)| *parent == guard.resource)?;
                let (_, id) = found.0.iter().find(|(resource, _)| *resource == child.resource)?;
                self.known().value(&child.resource, *id, field)?.as_i64()
            });
            let within = guard
                .parent
                .as_ref()
                .map(|(parent, _)| (parent.as_str(), found.id(parent)));
            let id = given.unwrap_or_else(|| self.create(&guard.resource, caller, within));
            found
                .0
                .push((operation.contract.model.resource(&guard.resource).name.as_str(), id));
        }
        let needed = operation.members().iter().filter(|member| member.required);
        for (member, of) in operation
            .parameters
            .iter()
            .chain(needed)
            .filter_map(|one| Some((one, one.of.id_of()?)))
        {
            if !found.has(of) && !members.iter().any(|(name, _)| name == member.name) {
                found.0.push((of, self.create(of, caller, None)));
            }
        }
    }

    /// Puts the caller on the plan; returns what to undo.
    fn put_on_plan(&self, caller: &Caller, plan: &str) -> Option<(&'static str, &'static str, Json)> {
        let acting = self.contract.model.credential(caller.kind).caller.as_ref()?;
        let (field, _) = acting.plan.as_ref()?;
        let former = self.known().value(&acting.resource, caller.id, field).cloned();
        self.set_field(&acting.resource, caller.id, field, &plan.into());
        former
            .filter(|former| former != plan)
            .map(|former| (acting.resource.as_str(), field.as_str(), former))
    }

    /// A valid body with these members.
    fn body(&self, operation: &Operation, of: &Type, members: &[(String, Json)]) -> Value {
        let is_given = |member: &Member| members.iter().any(|(name, _)| name == member.name);
        let needed = of
            .members()
            .iter()
            .filter(|member| member.required && !is_given(member));
        let any = of
            .members()
            .iter()
            .filter(|_| operation.is_partial() && members.is_empty())
            .take(1);
        let mut body = sample_object(needed.chain(any));
        vary(&mut body, of, self.values.fetch_add(1, Ordering::Relaxed));
        for (name, value) in members {
            body.put(of, name, raw(&value.to_string()));
        }
        body
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

    /// Notes the records and credentials that the call has made.
    fn learn(&self, done: &Done, sent: &Json) {
        let model = self.contract.model;
        for effect in &done.operation.declared.effects {
            let Effect::Make {
                resource, each, fills, ..
            } = effect
            else {
                continue;
            };
            let Some(id) = done.made(resource) else { continue };
            let item = each.as_ref().map_or(sent, |each| &sent[each][0]);
            let declared = model.resource(resource);
            let value = |(field, fill): &(String, Fill)| {
                let field = declared.field(field);
                let default = || field.of.default.as_deref().map_or(Json::Null, written);
                let value = match fill {
                    Fill::Id => id.into(),
                    Fill::Member(member) => item.get(member).cloned().unwrap_or_else(default),
                    Fill::IdOf(target) => done.id(target)?.into(),
                    Fill::Literal(text) => written(text),
                    Fill::Initial => initial(self, resource, &field.name)?,
                    Fill::Default | Fill::Nothing => default(),
                    Fill::Origin | Fill::Undeclared => return None,
                };
                Some((field.name.clone(), value))
            };
            let values: HashMap<String, Json> = fills.iter().filter_map(value).collect();
            self.known().add(resource, id, values);
        }
        for (member, from) in done.operation.answers() {
            let AnswerFrom::Secret(kind) = from else { continue };
            let kind = model.credential(kind);
            let Some(acting) = &kind.caller else { continue };
            let holder = done.made(&acting.limited_by).or_else(|| done.renewed(&kind.name));
            let owner = model.resource(&acting.limited_by).owner.iter();
            let field = owner
                .filter(|(owner, _)| *owner == acting.resource)
                .map(|(_, field)| field)
                .next();
            let linked = field
                .zip(holder)
                .and_then(|(field, id)| self.known().value(&acting.limited_by, id, field).and_then(Json::as_i64));
            let id = done.made(&acting.resource).or(linked).or(holder);
            if let (Some(id), Some(secret)) = (id, done.data[member].as_str()) {
                let secret = secret.to_owned();
                self.known().add_credential(
                    Caller {
                        secret,
                        id,
                        kind: &kind.name,
                    },
                    holder,
                );
            }
        }
    }
}

impl Done {
    /// The id of the new record of this resource.
    #[track_caller]
    pub(super) fn id_of(&self, resource: &str) -> i64 {
        self.made(resource).unwrap_or_else(|| {
            end_test(Failure::of_panic(format!(
                "{} answers without the id of a {resource}: {}",
                self.operation.name, self.data
            )))
        })
    }

    fn made(&self, resource: &str) -> Option<i64> {
        self.operation.answers().find_map(|(member, from)| match from {
            AnswerFrom::Id(Target::Made(made)) if made == resource => self.data[member].as_i64(),
            AnswerFrom::Ids(made) if made == resource => self.data[member][0].as_i64(),
            _ => None,
        })
    }

    fn renewed(&self, kind: &str) -> Option<i64> {
        self.id(self.operation.renews(kind)?)
    }

    fn id(&self, target: &Target) -> Option<i64> {
        match target {
            Target::Made(resource) => self.made(resource),
            Target::Found(resource) => self
                .found
                .0
                .iter()
                .find(|(known, _)| known == resource)
                .map(|(_, id)| *id),
            Target::Caller => Some(self.caller.id),
        }
    }

    /// The caller with the new credential.
    #[track_caller]
    pub(super) fn caller(&self, kind: &str, id: i64) -> Caller {
        let kind = self.operation.contract.model.credential(kind);
        let mut answers = self.operation.answers();
        let secret = answers.find_map(|(member, from)| match from {
            AnswerFrom::Secret(minted) if *minted == kind.name => self.data[member].as_str(),
            _ => None,
        });
        let Some(secret) = secret else {
            end_test(Failure::of_panic(format!(
                "{} answers without a {}: {}",
                self.operation.name, kind.name, self.data
            )))
        };
        Caller {
            secret: secret.to_owned(),
            id,
            kind: &kind.name,
        }
    }
}

impl Operation {
    /// The failure of a call that had to succeed.
    fn failure(&self, request: Request, response: Response) -> Failure {
        let status = response.status;
        Failure {
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

/// The request of this caller for these resources.
fn request(
    operation: &'static Operation,
    caller: &Caller,
    found: &RequestedResources,
    body: Option<&Value>,
) -> Request {
    let id = |resource: &str| found.id(resource).to_string();
    let segments = operation
        .path
        .split('/')
        .map(|segment| match segment.strip_prefix(':') {
            None => segment.to_owned(),
            Some(name) => match operation.found_by(name) {
                Some(resource) => id(resource),
                None => {
                    let of = named(operation.parameters, name).map(|parameter| sample(parameter.of));
                    encoded(&of.unwrap_or_else(|| word(name)).as_parameter(&id))
                }
            },
        });
    let credential = operation
        .credential
        .map(|kind| (kind.header.clone(), caller.secret.clone()));
    let json = body.map(|_| ("Content-Type".to_owned(), "application/json".to_owned()));
    Request {
        method: operation.declared.method.text.clone(),
        target: segments.collect::<Vec<_>>().join("/"),
        headers: credential.into_iter().chain(json).collect(),
        body: body.map(|body| body.render(&id).into_bytes()),
        peer: None,
    }
}

/// Replaces texts by others of the same types, so that records differ.
fn vary(value: &mut Value, of: &Type, nth: usize) {
    /// The first texts are those that tests send.
    const FIRST: usize = 50;
    match (value, of) {
        (Value::Object(members), of) => {
            for (name, value) in members {
                if let Some(member) = of.member(name) {
                    vary(value, member.of, nth);
                }
            }
        }
        (Value::List(items), Type::List { of, .. }) => {
            if let [only] = items.as_mut_slice() {
                vary(only, of, nth);
            }
        }
        (Value::Text(text), Type::Text { max, .. }) => {
            let other = nth_text(Some(of), FIRST + nth);
            let surplus = max.map_or(0, |max| other.chars().count().saturating_sub(max));
            *text = other.chars().skip(surplus).collect();
        }
        _ => {}
    }
}

/// A value as the contract writes it: JSON, or a word.
fn written(text: &str) -> Json {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

fn initial(world: &DeclaredWorld, resource: &str, field: &str) -> Option<Json> {
    let states = world.contract.model.enums.iter().filter_map(|one| one.states.as_ref());
    let mut of_field = states.filter(|states| states.of.0 == resource && states.of.1 == field);
    of_field.next().map(|states| states.initial.as_str().into())
}
