//! Events: brings about their causes, with records of the trial's own, and knows what each must say and who gets it.

use super::record::Record;
use super::values::{changed_member, json_of};
use crate::answer::Answer;
use crate::attempt::Attempt;
use crate::contract::Operation;
use crate::shape;
use crate::stage::Stage;
use crate::suite::leave_out;
use crate::types::{Type, named};
use codegen::model::{Effect, EventKind, FieldPath, Fill, Kind, Origin, Recipient, Resource, States, Target};
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// A kind of event, one of its causes, and one of those who get it then.
pub(crate) struct Caused {
    pub(crate) kind: &'static EventKind,
    pub(crate) by: &'static Operation,
    /// The record that the event is about.
    pub(crate) target: &'static Target,
    pub(crate) to: &'static Recipient,
    /// The type of its data.
    pub(crate) data: &'static Type,
}

/// A cause that is about to happen.
pub(super) struct Cause {
    caused: &'static Caused,
    attempt: Attempt,
    stage: Arc<Stage>,
    /// The record that the event is about, if it exists before.
    subject: Option<Record>,
    pub(super) recipient: Record,
}

/// What a cause has done.
pub(super) struct Done {
    pub(super) attempt: Attempt,
    pub(super) answer: Answer,
    subject: Option<Record>,
    caused: &'static Caused,
}

impl Attempt {
    /// Arranges all that the cause needs; nothing of it has happened yet. `None` if it is unknown who gets the event.
    pub(super) fn cause(&self, caused: &'static Caused) -> Option<Cause> {
        let attempt = self.anew(caused.by);
        let stage = attempt.stage(false);
        let model = caused.by.contract.model;
        let record = |resource: &str, id| Record {
            resource: model.resource(resource),
            id,
        };
        let subject = match caused.target {
            Target::Found(resource) => Some(record(resource, stage.arranged.id(resource))),
            Target::Caller => Some(record(&caused.kind.of, stage.caller.id)),
            Target::Made(_) => None,
        };
        let each = caused.to.each.as_ref().map(|(each, _)| model.resource(each));
        let start = each.map_or(subject, |each| Some(self.new_record(each, subject)));
        let path = &caused.to.path;
        let end = (path.field.clone(), caused.to.caller.clone());
        let links: Vec<(String, String)> = path.ids.iter().cloned().chain([end]).collect();
        let recipient = match start {
            Some(start) => self.followed(start, &links),
            None => {
                let (field, resource) = &links[0];
                let first = attempt.linked(&stage, &caused.kind.of, field);
                first.and_then(|id| self.followed(record(resource, id), &links[1..]))
            }
        };
        if recipient.is_none() {
            leave_out(&format!("it is unknown before `{}` who gets the event", caused.by.name));
        }
        Some(Cause {
            caused,
            attempt,
            stage,
            subject,
            recipient: recipient?,
        })
    }

    /// The id that the field of a new record will have, if the request decides it.
    fn linked(&self, stage: &Stage, resource: &str, field: &str) -> Option<i64> {
        let named_by = match self.operation.declared.fill(resource, field)? {
            Fill::IdOf(Target::Caller) => return Some(stage.caller.id),
            Fill::IdOf(Target::Found(found)) => found,
            Fill::FieldOf { resource, field } => {
                return self.world.link((resource, stage.arranged.id(resource)), field);
            }
            Fill::Member(member) => named(self.operation.members(), member)?.of.id_of()?,
            _ => return None,
        };
        Some(stage.arranged.id(named_by))
    }
}

impl Cause {
    /// Requests that each cause an event, one after the other: at most so many.
    pub(super) fn requests(&self, most: usize) -> Vec<Attempt> {
        let by = self.caused.by;
        let moves = by.transitions.as_ref().map(|moves| (moves.member, moves.states));
        let Some((member, states)) = moves.or_else(|| self.changed_state()) else {
            let ends = by
                .declared
                .effects
                .iter()
                .any(|effect| matches!(effect, Effect::End { .. }));
            let once = ends || by.makes_one_for_each_parent() || by.quota.is_some();
            return (0..if once { 1 } else { most })
                .map(|nth| self.attempt.varied(nth))
                .collect();
        };
        let mut state: Json = states.initial.as_str().into();
        let mut requests = Vec::new();
        while requests.len() < most {
            let Some(next) = self.attempt.other_value(member, &[state]) else {
                break;
            };
            state = json_of(&next);
            requests.push(self.attempt.clone().giving(member, next));
        }
        requests
    }

    /// A member of the body that changes a state of the record. One that has the present state causes nothing.
    fn changed_state(&self) -> Option<(&'static str, &'static States)> {
        let by = self.caused.by;
        let changes =
            |effect: &Effect| matches!(effect, Effect::Change { resource, .. } if *resource == self.caused.kind.of);
        by.declared.effects.iter().find(|effect| changes(effect))?;
        let model = by.contract.model;
        let fields = model.resource(&self.caused.kind.of).fields.iter();
        fields.filter(|field| field.of.has_states).find_map(|field| {
            let Kind::Enum(name) = &field.of.kind else { return None };
            let member = named(by.members(), &field.name)?;
            Some((member.name, model.enumeration(name).states.as_ref()?))
        })
    }

    /// Sends one of these requests.
    #[track_caller]
    pub(super) fn happen(&self, attempt: Attempt) -> Done {
        let answer = attempt.done(&self.stage);
        let made = || answer.made(attempt.operation.contract.model.resource(&self.caused.kind.of));
        let subject = self.subject.or_else(|| made().first().copied());
        Done {
            attempt,
            answer,
            subject,
            caused: self.caused,
        }
    }

    /// The first request once more.
    #[track_caller]
    pub(super) fn repeat(&self, done: &Done) -> Answer {
        done.attempt.done(&self.stage)
    }

    /// Who causes it.
    pub(super) fn caller(&self) -> &Stage {
        &self.stage
    }
}

impl Done {
    /// Checks an event in the answer of a feed: its name, and its data.
    #[track_caller]
    pub(super) fn expect_event(&self, feed: &Answer, event: &Json) {
        let Caused { kind, by, data, .. } = self.caused;
        let after = format!("after {}", self.answer.request.curl());
        if event["name"] != kind.name.as_str() {
            let wanted = format!("`{}`, which `{}` causes", kind.name, by.name);
            feed.fail(&wanted, &format!("it is {} {after}", event["name"]));
        }
        let credentials = &by.contract.model.credentials;
        let violations = shape::violations(&event["data"], data, "data", credentials, feed.level);
        if let Some(violation) = violations.first() {
            feed.fail(
                &format!("the declared data of `{}`", kind.name),
                &format!("{violation} {after}"),
            );
        }
        for member in &kind.data {
            let (name, came) = (&member.field.name, &event["data"][&member.field.name]);
            if let Some(wanted) = self.value(&member.path).filter(|wanted| wanted != came) {
                feed.fail(
                    &format!("`data.{name}` ({}) as {wanted}", member.path),
                    &format!("it is {came} {after}"),
                );
            }
        }
    }

    /// The value at the end of this path, if the request decides it.
    fn value(&self, path: &FieldPath) -> Option<Json> {
        let end = self.attempt.followed(self.subject?, &path.ids)?;
        let field = path.field.as_str();
        if field == "id" {
            return Some(json!(end.id));
        }
        let (resource, operation): (&'static Resource, _) = (end.resource, self.attempt.operation);
        let declared = resource.field(field);
        if let Kind::Id(of) = &declared.of.kind {
            if let Some(Origin::Latest { resource, .. }) = &declared.origin {
                let part = operation.contract.model.resource(resource);
                return self.answer.made(part).last().map(|made| json!(made.id));
            }
            return Some(json!(self.attempt.followed(end, &[(field.to_owned(), of.clone())])?.id));
        }
        self.answer.sent(changed_member(operation, &resource.name, field)?)
    }
}
