//! Tests beyond a single answer: written data can be read, rejected requests change nothing, credentials start and end,
//! and concurrent requests get no more than sequential ones.

use crate::contract;
use crate::suite::Covers;
use crate::suite::description::step;
use crate::suite::description::traces;
use crate::suite::trials::Subject;
use crate::suite::trials::rule::Rule;
use crate::suite::trials::{Trials, calls, leak_all};
use codegen::model::{Data, Exists, Field, GuardKind, IdSource, Kind, Model, Operation};
use codegen::step::Step;

pub(super) fn add(subject: &Subject, trials: &mut Trials) {
    let operation = subject.operation;
    if operation.method == "GET" {
        return;
    }
    let traces = subject.described().traces();
    let deletes = operation.method == "DELETE" && last_named(operation).is_some();
    if deletes {
        let rule = Rule::new("what is deleted does not exist any more", operation.at);
        trials.accepts("is_deleted_afterwards", &rule, calls!(.is_deleted_afterwards()));
    } else if !traces.is_empty() {
        let rule = Rule::new("what is acknowledged is there", operation.at);
        trials.accepts("is_there_afterwards", &rule, calls!(.is_there_afterwards()));
    }
    named(subject, trials);
    credentials(subject, trials);
    if traces.iter().any(traces::is_there_before) {
        refusals(subject, trials);
    }
    races(subject, trials);
}

/// A created resource can be named by another operation at once.
fn named(subject: &Subject, trials: &mut Trials) {
    let operation = subject.operation;
    for member in data_members(operation).iter().filter(|one| !one.of.list) {
        let Kind::Id(resource) = &member.of.kind else { continue };
        if let Some(by) = naming(subject.model, resource) {
            let name = &member.name;
            let rule = Rule::new(format!("`{name}` is one that can be named"), member.at);
            let by = subject.description.operation(by);
            let calls = calls!(.can_be_named_afterwards(name, resource, by));
            trials.accepts(&format!("{name}_can_be_named"), &rule, calls);
        }
    }
}

/// An operation that takes any such resource, of any owner, and has no other requirement.
fn naming(model: &'static Model, resource: &str) -> Option<&'static Operation> {
    let mut all = model.operations().map(|(_, operation)| operation);
    all.find(|operation| {
        let named = operation.exists().find(|exists| exists.resource == resource);
        named.is_some_and(|exists| exists.parent.is_none())
            && operation.method != "DELETE"
            && operation.owned().next().is_none()
            && operation.rules.is_empty()
            && operation.transitions.is_none()
            && operation.quota.is_none()
    })
}

fn credentials(subject: &Subject, trials: &mut Trials) {
    let doors = leak_all(doors(subject));
    if let Some(made) = data_members(subject.operation).iter().find(|one| is_secret(one)) {
        let rule = Rule::new(format!("`{}` is a credential, which opens at once", made.name), made.at);
        let calls = calls!(.makes_a_credential_that_opens(doors));
        trials.accepts("credential_opens_at_once", &rule, calls);
    }
    if let Some((maker, member)) = maker(subject) {
        let (surface, operation) = (&subject.surface.name, subject.operation);
        let told = format!(
            "once `{surface}::{}` has taken away what a credential came with, the credential opens nothing",
            operation.name
        );
        let rule = Rule::new(told, operation.at);
        let calls = calls!(.ends_the_credential(maker, member, doors));
        trials.accepts("credential_ends_with_it", &rule, calls);
    }
}

/// The tests of rejected requests, at each step that a test can bring about.
fn refusals(subject: &Subject, trials: &mut Trials) {
    let can_be_tried = |step| {
        !matches!(
            step,
            Step::CredentialLimit
                | Step::Suspended
                | Step::Limit
                | Step::InFlight
                | Step::Busy
                | Step::BodyTime
                | Step::Write
                | Step::Internal
        )
    };
    let rows = subject.model.errors_of(subject.surface, subject.operation);
    let has_rejected_move = subject
        .described()
        .transitions
        .as_ref()
        .is_some_and(|moves| moves.rejected().is_some());
    let rows = rows.into_iter().filter(|row| can_be_tried(row.step));
    let rows = rows.filter(|row| row.step != Step::Transition || has_rejected_move);
    // A private resource is rejected as absent; no error of the step `owner` applies.
    let is_private = |owned| subject.model.resource(owned).private;
    let owner = subject
        .operation
        .owned()
        .any(is_private)
        .then_some(contract::Step::Owner);
    let steps = leak_all(rows.map(step).chain(owner));
    // Other tests check which error rejects each of them.
    let shows = Covers::Errors(&[]);
    let rule = Rule::new("what is rejected changes nothing", subject.operation.at);
    let calls = calls!(.changes_nothing_when_rejected(steps));
    trials.attempt("refusals_change_nothing", shows, &rule, calls);
}

fn races(subject: &Subject, trials: &mut Trials) {
    let operation = subject.operation;
    if let Some(name) = &operation.quota {
        let rule = Rule::new(
            format!("quotas.{name}, of which one is left for several at once"),
            name.at,
        );
        let shows = trials.at_steps(&[Step::Quota]);
        trials.attempt(
            "last_of_quota_at_once",
            shows,
            &rule,
            calls!(.gives_the_last_of_a_quota_once()),
        );
    }
    if can_succeed_only_once(operation) {
        let rules = leak_all(operation.rules.iter().map(|rule| rule.as_str()));
        let rule = Rule::new(
            "what cannot be done twice is done once by several at once",
            operation.at,
        );
        let calls = calls!(.is_done_once_however_often_at_once(rules));
        trials.accepts("same_at_once", &rule, calls);
    }
    if let (Some(_), Some(moved)) = (&subject.described().transitions, &operation.transitions) {
        let rule = Rule::new("several at once move it as if one after the other", moved.at);
        trials.accepts("moves_at_once", &rule, calls!(.moves_one_after_the_other()));
    }
}

/// Whether a success can end what the operation requires, so that the same request is rejected then.
fn can_succeed_only_once(operation: &Operation) -> bool {
    let is_ended = |guard: &GuardKind| match guard {
        GuardKind::Exists(exists) => operation.method == "DELETE" && matches!(exists.id, IdSource::Path(_)),
        GuardKind::Plan(_) | GuardKind::Owner(_) => false,
    };
    !operation.rules.is_empty() || operation.guard_kinds().any(is_ended)
}

/// For each kind of credential an operation with no other requirement.
fn doors(subject: &Subject) -> impl Iterator<Item = &'static contract::Operation> {
    let model = subject.model;
    model.credentials.iter().filter_map(|credential| {
        let surfaces = model.surfaces.iter();
        let mut surfaces = surfaces.filter(|surface| surface.credential.as_ref() == Some(&credential.name));
        surfaces.find_map(|surface| {
            let operation = surface.operations.iter().find(|operation| is_open(operation))?;
            Some(subject.description.operation(operation))
        })
    })
}

fn is_open(operation: &Operation) -> bool {
    let needs_more = |field: &Field| !field.of.optional && field.of.default.is_none();
    operation.method == "GET"
        && operation.path.is_empty()
        && operation.plan().is_none()
        && !operation.query.iter().any(needs_more)
}

/// The operation that creates, with a credential, what this operation deletes, and the member of its answer with the
/// id.
fn maker(subject: &Subject) -> Option<(&'static contract::Operation, &'static str)> {
    let (model, operation) = (subject.model, subject.operation);
    let taken = last_named(operation).filter(|_| operation.method == "DELETE")?;
    let credential = model.credential_of(subject.surface)?;
    let caller = credential
        .caller
        .as_ref()
        .filter(|caller| caller.limited_by == *taken)?;
    let mut all = model.operations();
    all.find_map(|(_, maker)| {
        let members = data_members(maker);
        let id = members
            .iter()
            .find(|one| !one.of.list && one.of.kind == Kind::Id(taken.clone()))?;
        let is_for_caller =
            maker.exists().next().is_some() && maker.exists().all(|one| one.resource == caller.resource);
        let is_right = members.iter().any(is_secret) && is_for_caller && maker.plan().is_none();
        is_right.then(|| (subject.description.operation(maker), id.name.as_str()))
    })
}

/// The last resource that the path names.
fn last_named(operation: &Operation) -> Option<&String> {
    let in_path = |exists: &&Exists| matches!(exists.id, IdSource::Path(_));
    operation.exists().rfind(in_path).map(|exists| &exists.resource)
}

fn data_members(operation: &Operation) -> &[Field] {
    match &operation.data {
        Some(Data::Members(members)) => members,
        _ => &[],
    }
}

fn is_secret(member: &Field) -> bool {
    member.of.kind == Kind::Secret
}
