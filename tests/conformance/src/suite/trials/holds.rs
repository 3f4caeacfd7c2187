//! Tests beyond a single answer: written data can be read, rejected requests change nothing, credentials start and end,
//! and concurrent requests get no more than sequential ones.

use crate::contract::{Exists, Operation};
use crate::suite::description::traces;
use crate::suite::trials::rule::Rule;
use crate::suite::trials::{Trials, calls};
use crate::suite::{Covers, leak_all};
use codegen::model::{Data, ErrorEntry, Field, GuardKind, IdSource, Kind};
use codegen::step::Step;

pub(super) fn add(operation: &'static Operation, trials: &mut Trials) {
    let declared = operation.declared;
    if declared.method == "GET" {
        return;
    }
    let traces = operation.traces();
    if operation.deletes() {
        let rule = Rule::new("what is deleted does not exist any more", declared.at);
        trials.accepts("is_deleted_afterwards", &rule, calls!(.is_deleted_afterwards()));
    } else if !traces.is_empty() {
        let rule = Rule::new("what is acknowledged is there", declared.at);
        trials.accepts("is_there_afterwards", &rule, calls!(.is_there_afterwards()));
    }
    named(operation, trials);
    credentials(operation, trials);
    if traces.iter().any(traces::is_there_before) {
        refusals(operation, trials);
    }
    races(operation, trials);
}

/// A created resource can be named by another operation at once.
fn named(operation: &'static Operation, trials: &mut Trials) {
    for member in data_members(operation).iter().filter(|one| !one.of.list) {
        let Kind::Id(resource) = &member.of.kind else { continue };
        if let Some(by) = naming(operation, resource) {
            let name = &member.name;
            let rule = Rule::new(format!("`{name}` is one that can be named"), member.at);
            let calls = calls!(.can_be_named_afterwards(name, resource, by));
            trials.accepts(&format!("{name}_can_be_named"), &rule, calls);
        }
    }
}

/// An operation that takes any such resource, of any owner, and has no other requirement.
fn naming(made_by: &Operation, resource: &str) -> Option<&'static Operation> {
    let mut all = made_by.contract.operations().iter().copied();
    all.find(|operation| {
        let named = operation.exists.iter().find(|exists| exists.resource.name == resource);
        named.is_some_and(|exists| exists.within.is_none())
            && !operation.deletes()
            && operation.owned.is_empty()
            && operation.rules().next().is_none()
            && operation.declared.transitions.is_none()
            && operation.quotas.is_empty()
    })
}

fn credentials(operation: &'static Operation, trials: &mut Trials) {
    let doors = leak_all(doors(operation));
    let is_credential = |one: &&Field| is_secret(one) && !operation.declared.shows_foreign_secret();
    if let Some(made) = data_members(operation).iter().find(is_credential) {
        let rule = Rule::new(format!("`{}` is a credential, which opens at once", made.name), made.at);
        let calls = calls!(.makes_a_credential_that_opens(doors));
        trials.accepts("credential_opens_at_once", &rule, calls);
    }
    if let Some((maker, member)) = maker(operation) {
        let told = format!(
            "once `{}` has taken away what a credential came with, the credential opens nothing",
            operation.name
        );
        let rule = Rule::new(told, operation.declared.at);
        let calls = calls!(.ends_the_credential(maker, member, doors));
        trials.accepts("credential_ends_with_it", &rule, calls);
    }
}

/// The tests of rejected requests, at each step that a test can bring about.
fn refusals(operation: &'static Operation, trials: &mut Trials) {
    let can_be_tried = |row: &&ErrorEntry| {
        !row.is_out_of_reach() && !matches!(row.step, Step::CredentialLimit | Step::Suspended | Step::Limit)
    };
    let rows = operation
        .contract
        .model
        .errors_of(operation.surface, operation.declared);
    let moves = operation.transitions.as_ref();
    let has_rejected_move = moves.is_some_and(|moves| moves.rejected().is_some());
    let rows = rows.into_iter().filter(can_be_tried);
    let rows = rows.filter(|row| row.step != Step::Quota || operation.quota.is_some());
    let errors = leak_all(rows.filter(|row| row.step != Step::Transition || has_rejected_move));
    // Other tests check which error rejects each of them.
    let shows = Covers::Errors(&[]);
    let rule = Rule::new("what is rejected changes nothing", operation.declared.at);
    let calls = calls!(.changes_nothing_when_rejected(errors));
    trials.attempt("refusals_change_nothing", shows, &rule, calls);
}

fn races(operation: &Operation, trials: &mut Trials) {
    let declared = operation.declared;
    let filled = operation.quota.map(|quota| &quota.name);
    if let Some(quota) = declared.quotas.iter().find(|quota| Some(&quota.text) == filled) {
        let words = format!("quotas.{quota}, of which one is left for several at once");
        let rule = Rule::new(words, quota.at);
        let shows = trials.at_steps(&[Step::Quota]);
        trials.attempt(
            "last_of_quota_at_once",
            shows,
            &rule,
            calls!(.gives_the_last_of_a_quota_once()),
        );
    }
    if can_succeed_only_once(operation) {
        let rule = Rule::new("what cannot be done twice is done once by several at once", declared.at);
        let calls = calls!(.is_done_once_however_often_at_once());
        trials.accepts("same_at_once", &rule, calls);
    }
    if let (Some(_), Some(moved)) = (&operation.transitions, &declared.transitions) {
        let rule = Rule::new("several at once move it as if one after the other", moved.at);
        trials.accepts("moves_at_once", &rule, calls!(.moves_one_after_the_other()));
    }
}

/// Whether a success can end what the operation requires, so that the same request is rejected then.
fn can_succeed_only_once(operation: &Operation) -> bool {
    let declared = operation.declared;
    let is_ended = |guard: &GuardKind| match guard {
        GuardKind::Exists(exists) => operation.deletes() && matches!(exists.id, IdSource::Path(_)),
        GuardKind::Plan(_) | GuardKind::Owner(_) => false,
    };
    operation.rules().next().is_some() || declared.guard_kinds().any(is_ended)
}

/// For each kind of credential an operation with no other requirement.
pub(super) fn doors(operation: &Operation) -> impl Iterator<Item = &'static Operation> {
    let contract = operation.contract;
    contract.model.credentials.iter().filter_map(|credential| {
        let is_of_kind = |one: &Operation| one.surface.credential.as_ref() == Some(&credential.name);
        let mut all = contract.operations().iter().copied();
        all.find(|one| is_of_kind(one) && is_open(one))
    })
}

fn is_open(operation: &Operation) -> bool {
    let declared = operation.declared;
    let needs_more = |field: &Field| !field.of.optional && field.of.default.is_none();
    declared.method == "GET"
        && declared.path.is_empty()
        && operation.plan.is_none()
        && !declared.query.iter().any(needs_more)
}

/// The operation that creates, with a credential, what this operation deletes, and the member of its answer with the
/// id.
fn maker(operation: &Operation) -> Option<(&'static Operation, &'static str)> {
    let taken = last_named(operation).filter(|_| operation.deletes())?;
    let caller = operation.credential?.caller.as_ref();
    let caller = caller.filter(|caller| caller.limited_by == *taken)?;
    let mut all = operation.contract.operations().iter().copied();
    all.find_map(|maker| {
        let members = data_members(maker);
        let id = members
            .iter()
            .find(|one| !one.of.list && one.of.kind == Kind::Id(taken.clone()))?;
        let is_callers = |exists: &Exists| exists.resource.name == caller.resource;
        let is_for_caller = !maker.exists.is_empty() && maker.exists.iter().all(is_callers);
        let is_right = members.iter().any(is_secret) && is_for_caller && maker.plan.is_none();
        is_right.then_some((maker, id.name.as_str()))
    })
}

/// The last resource that the path names.
fn last_named(operation: &Operation) -> Option<&'static String> {
    let last = operation.exists.iter().rfind(|exists| exists.is_in_path());
    last.map(|exists| &exists.resource.name)
}

fn data_members(operation: &Operation) -> &'static [Field] {
    match &operation.declared.data {
        Some(Data::Members(members)) => members,
        _ => &[],
    }
}

fn is_secret(member: &Field) -> bool {
    member.of.kind == Kind::Secret
}
