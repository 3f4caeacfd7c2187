//! Tests of the checks before a handler: credentials, methods, paths, plans, existence, ownership, quotas, transitions.

use crate::emit::tests::shared::Subject;
use crate::emit::tests::shared::cells::Cells;
use crate::emit::tests::shared::rule::{self, Rule};
use crate::emit::tests::shared::states::{Move, Moves};
use crate::model::{Caller, Credential, Kind, Model};
use crate::step::Step;
use quote::quote;

/// The tests that every operation has.
pub(super) fn common(subject: &Subject<'_>, cells: &mut Cells<'_>) {
    let operation = subject.operation;
    let success = Rule::new("what it needs and no more is a success", operation.at);
    cells.accepts("success", &success, quote!(.accepted()));
    if let Some(name) = &subject.surface.credential {
        credential(subject.model.credential(name), cells);
    }
    let (path, method) = (
        format!("{}{}", subject.surface.base, operation.route),
        operation.places.method,
    );
    let methods = Rule::new(format!("the methods of `{path}`, and no others"), method);
    cells.rejects(
        "other_methods",
        Step::Method,
        &methods,
        quote!(.rejects_other_methods()),
    );
    let longer = Rule::new(format!("`{path}`, and nothing behind it"), method);
    cells.rejects("trailing_slash", Step::Route, &longer, quote!(.rejects_longer_paths()));
    for field in &operation.path {
        let name = &field.name;
        if matches!(field.of.kind, Kind::Id(_)) {
            cells.rejects(
                &format!("path_{name}_that_is_no_integer"),
                Step::Decode,
                &rule::of_parameter(field, "an id, which is a whole number"),
                quote!(.rejects_ids_that_are_none(#name)),
            );
        }
    }
}

fn credential(credential: &Credential, cells: &mut Cells<'_>) {
    let words = |demand: &str| {
        format!(
            "credentials.{}, in the header {}: {demand}",
            credential.name, credential.header
        )
    };
    let rule = |demand: &str| Rule::new(words(demand), credential.at);
    let tests = [
        ("no_credential", "required", quote!(.rejects_without_credential())),
        (
            "unknown_credential",
            "one that was given out",
            quote!(.rejects_unknown_credentials()),
        ),
        (
            "credential_given_twice",
            "not twice",
            quote!(.rejects_credential_twice()),
        ),
        (
            "credential_of_another_kind",
            "none of another kind",
            quote!(.rejects_credentials_of_other_kinds()),
        ),
    ];
    for (name, demand, calls) in tests {
        cells.rejects(name, Step::Credential, &rule(demand), calls);
    }
}

/// The tests of the guards and rules that the operation declares.
pub(super) fn declared(subject: &Subject<'_>, cells: &mut Cells<'_>) {
    standing(subject, cells);
    let (operation, places) = (subject.operation, &subject.operation.places);
    for (exists, at) in operation.exists.iter().zip(&places.exists) {
        let resource = &exists.resource;
        let rule = Rule::new(format!("guard `exists {resource}`"), *at);
        let calls = quote!(.rejects_absent(#resource));
        cells.rejects(&format!("absent_{resource}"), Step::Exists, &rule, calls);
        if let Some((parent, _)) = &exists.parent {
            let rule = Rule::new(format!("guard `exists {resource} in {parent}`"), *at);
            let calls = quote!(.rejects_other_parent(#resource));
            cells.rejects(&format!("{resource}_of_another_parent"), Step::Exists, &rule, calls);
        }
    }
    if let (Some(resource), Some(at)) = (operation.owned.first(), places.owned.first()) {
        let private = operation
            .owned
            .iter()
            .any(|owned| subject.model.resource(owned).private);
        let (step, words) = match private {
            true => (Step::Exists, "which is private"),
            false => (Step::Owner, "which others may know of"),
        };
        let rule = Rule::new(format!("guard `owner {resource}`, {words}"), *at);
        cells.rejects("not_the_owner", step, &rule, quote!(.rejects_non_owner()));
    }
    if let (Some(name), Some(at)) = (&operation.quota, places.quota) {
        let quota = subject.model.quota(name);
        let words = format!("quotas.{name}: at most {} for each {}", quota.max, quota.per);
        let calls = quote!(.rejects_more_than_quota());
        cells.rejects("quota", Step::Quota, &Rule::new(words, at), calls);
    }
    for (row, at) in operation.rules.iter().zip(&places.rules) {
        let rule = Rule::new(format!("errors.{row}, which the handler decides"), *at);
        cells.rejects_by(&format!("rule_{row}"), row, &rule, quote!(.rejects_by_rule(#row)));
    }
    transitions(subject, cells);
}

/// The tests of requirements on the caller.
fn standing(subject: &Subject<'_>, cells: &mut Cells<'_>) {
    let (model, operation) = (subject.model, subject.operation);
    let credential = model.credential_of(subject.surface);
    let Some((credential, caller)) = credential.and_then(|one| Some((one, one.caller.as_ref()?))) else {
        return;
    };
    if operation.body.is_some() {
        held(subject, credential, caller, cells);
    }
    if let Some(field) = &caller.suspended {
        let rule = Rule::new(format!("a caller whose `{field}` is true is suspended"), credential.at);
        cells.rejects(
            "suspended_caller",
            Step::Suspended,
            &rule,
            quote!(.rejects_suspended_caller()),
        );
    }
    let Some((_, plans)) = &caller.plan else { return };
    for plan in &model.enumeration(plans).values {
        match (&operation.plan, operation.places.plan) {
            (Some(needed), Some(at)) if needed != plan => {
                let rule = Rule::new(format!("guard `plan {needed}`"), at);
                cells.rejects(&format!("plan_{plan}"), Step::Plan, &rule, quote!(.rejects_plan(#plan)));
            }
            (_, at) => {
                let rule = Rule::new(format!("the plan `{plan}` is enough"), at.unwrap_or(operation.at));
                cells.accepts(&format!("plan_{plan}_suffices"), &rule, quote!(.plan(#plan).accepted()));
            }
        }
    }
}

/// The tests of a credential or caller that ends while the body of a request is being sent.
fn held(subject: &Subject<'_>, credential: &Credential, caller: &Caller, cells: &mut Cells<'_>) {
    let (model, operation) = (subject.model, subject.operation);
    let rule = |words: &str, at| Rule::new(format!("{words} while the body is on its way"), at);
    if can_end(model, caller) {
        let words = format!("a `{}` that ends", credential.name);
        let calls = quote!(.rejects_credential_ended_while_held());
        cells.rejects(
            "credential_ended_while_held",
            Step::Credential,
            &rule(&words, credential.at),
            calls,
        );
    }
    if let Some(field) = &caller.suspended {
        let words = format!("a caller whose `{field}` becomes true");
        let calls = quote!(.rejects_caller_suspended_while_held());
        cells.rejects(
            "caller_suspended_while_held",
            Step::Suspended,
            &rule(&words, credential.at),
            calls,
        );
    }
    if let (Some(needed), Some((_, plans)), Some(at)) = (&operation.plan, &caller.plan, operation.places.plan) {
        let other = model.enumeration(plans).values.iter().find(|plan| *plan != needed);
        if let Some(other) = other {
            let calls = quote!(.rejects_plan_changed_while_held(#other));
            cells.rejects(
                "plan_changed_while_held",
                Step::Plan,
                &rule("a plan that changes", at),
                calls,
            );
        }
    }
}

/// Whether an operation ends a credential of these callers: it deletes the credential's resource, or it replaces a
/// caller's only credential.
fn can_end(model: &Model, caller: &Caller) -> bool {
    let is_one_each = caller.limited_by == caller.resource;
    model.operations().any(|(_, operation)| {
        let named = operation.exists.last().map(|exists| &exists.resource);
        if is_one_each {
            named == Some(&caller.resource) && operation.shows_secret()
        } else {
            operation.method == "DELETE" && named == Some(&caller.limited_by)
        }
    })
}

fn transitions(subject: &Subject<'_>, cells: &mut Cells<'_>) {
    let Some(moves) = Moves::of(subject.model, subject.operation) else {
        return;
    };
    rejected_elsewhere(subject, &moves, cells);
    let (resource, field) = &moves.states.of;
    let rule = |words: String| Rule::new(format!("states of {resource}.{field}: {words}"), moves.states.at);
    for Move { from, way, to, allowed } in moves.each() {
        if allowed {
            let rule = rule(format!("`{to}` may follow `{from}`"));
            let calls = quote!(.transitions(&[#(#way),*], #to));
            cells.accepts(&format!("move_{from}_to_{to}"), &rule, calls);
        } else {
            let rule = rule(format!("`{to}` may not follow `{from}`"));
            let calls = quote!(.rejects_move(&[#(#way),*], #from, #to));
            cells.rejects(&format!("no_move_{from}_to_{to}"), Step::Transition, &rule, calls);
        }
    }
}

/// If the operation rejects none of the transitions that it can reach itself, the world brings about a rejected one.
fn rejected_elsewhere(subject: &Subject<'_>, moves: &Moves<'_>, cells: &mut Cells<'_>) {
    let Some(row) = subject.model.error_at(Step::Transition) else {
        return;
    };
    if let (None, Some(to), Some(at)) = (
        moves.rejected(),
        moves.rejected_from_anywhere(),
        subject.operation.places.transitions,
    ) {
        let name = &row.name;
        let rule = Rule::new(
            format!("errors.{name}, in a state from which `{to}` may not follow"),
            at,
        );
        let calls = quote!(.rejects_arranged_move(#name, #to));
        cells.rejects(&format!("no_move_to_{to}"), Step::Transition, &rule, calls);
    }
}
