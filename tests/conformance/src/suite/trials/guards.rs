//! Tests of the checks before a handler: credentials, methods, paths, plans, existence, ownership, quotas, transitions.

use crate::contract::{Contract, Move, Operation, Transitions};
use crate::effects::Filling;
use crate::suite::trials::rule::{self, Rule};
use crate::suite::trials::{Calls, Trials, calls};
use codegen::model::{Caller, Credential, Exists, Guard, GuardKind, Kind, Span, Word};
use codegen::step::Step;

/// The tests that every operation has.
pub(super) fn common(operation: &'static Operation, trials: &mut Trials) {
    let declared = operation.declared;
    let success = Rule::new("what it needs and no more is a success", declared.at);
    trials.accepts("success", &success, calls!(.accepted()));
    if let Some(kind) = operation.credential {
        credential(kind, trials);
    }
    let (path, method) = (operation.path, declared.method.at);
    let methods = Rule::new(format!("the methods of `{path}`, and no others"), method);
    trials.rejects(
        "other_methods",
        Step::Method,
        &methods,
        calls!(.rejects_other_methods()),
    );
    let longer = Rule::new(format!("`{path}`, and nothing behind it"), method);
    trials.rejects("trailing_slash", Step::Route, &longer, calls!(.rejects_longer_paths()));
    for field in &declared.path {
        let name = &field.name;
        if matches!(field.of.kind, Kind::Id(_)) {
            trials.invalid(
                &format!("path_{name}_that_is_no_integer"),
                &rule::of_parameter(field, "an id, which is a whole number"),
                calls!(.rejects_ids_that_are_none(name)),
            );
        }
    }
}

fn credential(credential: &Credential, trials: &mut Trials) {
    let words = |demand: &str| {
        format!(
            "credentials.{}, in the header {}: {demand}",
            credential.name, credential.header
        )
    };
    let rule = |demand: &str| Rule::new(words(demand), credential.at);
    let tests: [(&str, &str, Calls); 4] = [
        ("no_credential", "required", calls!(.rejects_without_credential())),
        (
            "unknown_credential",
            "one that was given out",
            calls!(.rejects_unknown_credentials()),
        ),
        (
            "credential_given_twice",
            "not twice",
            calls!(.rejects_credential_twice()),
        ),
        (
            "credential_of_another_kind",
            "none of another kind",
            calls!(.rejects_credentials_of_other_kinds()),
        ),
    ];
    for (name, demand, calls) in tests {
        trials.rejects(name, Step::Credential, &rule(demand), calls);
    }
}

/// The tests of the guards and rules that the operation declares.
pub(super) fn declared(operation: &'static Operation, trials: &mut Trials) {
    standing(operation, trials);
    let declared = operation.declared;
    for guard in &declared.guards {
        match &guard.kind {
            // Callers of all plans are tried above.
            GuardKind::Plan(_) => {}
            GuardKind::Exists(exists) => {
                existence(exists, guard.at, trials);
                realm(operation, exists, guard.at, trials);
                hidden(operation, exists, trials);
            }
            // A request of another caller meets all of them at once.
            GuardKind::Owner(resource) if declared.owned().next() == Some(resource) => {
                ownership(operation, guard, trials);
            }
            GuardKind::Owner(_) => {}
        }
    }
    for (quota, Word { at, .. }) in operation.quotas.iter().copied().zip(&declared.quotas) {
        let words = format!("quotas.{}: at most {} for each {}", quota.name, quota.max, quota.per);
        let is_filled = operation.quota.is_some_and(|filled| filled.name == quota.name);
        let (name, calls) = match Filling::for_operation(operation, quota) {
            _ if is_filled => ("quota".to_owned(), calls!(.rejects_more_than_quota())),
            Some(filling) if filling.is_long() => (
                format!("large_quota_{}", quota.name),
                calls!(.rejects_more_than(quota, filling)),
            ),
            Some(filling) => (
                format!("quota_{}", quota.name),
                calls!(.rejects_more_than(quota, filling)),
            ),
            None => continue,
        };
        trials.rejects(&name, Step::Quota, &Rule::new(words, *at), calls);
    }
    for row in operation.rules() {
        let rule = Rule::new(format!("errors.{row}, which the handler decides"), row.at);
        trials.rejects_by(&format!("rule_{row}"), row, &rule, calls!(.rejects_by_rule(row)));
        let when = operation.contract.model.error(row).when.as_ref();
        let given = when.and_then(|when| operation.unique_text(when));
        if given.is_some_and(|given| given.changes.is_some() || given.each.is_some()) {
            let rule = Rule::new(
                format!("errors.{row}, for two records of one request, or for one twice"),
                row.at,
            );
            trials.accepts(&format!("apart_{row}"), &rule, calls!(.keeps_texts_apart(row)));
        }
    }
    transitions(operation, trials);
}

fn existence(exists: &'static Exists, at: Span, trials: &mut Trials) {
    let resource = &exists.resource;
    let rule = Rule::new(format!("guard `exists {resource}`"), at);
    let calls = calls!(.rejects_absent(resource));
    trials.rejects(&format!("absent_{resource}"), Step::Exists, &rule, calls);
    if exists.is_optional {
        let member = exists.id.name();
        let rule = Rule::new(format!("guard `exists {resource}`, if `{member}` is given"), at);
        trials.accepts(&format!("without_{member}"), &rule, calls!(.without(member).accepted()));
    }
    if let Some((parent, _)) = &exists.parent {
        let rule = Rule::new(format!("guard `exists {resource} in {parent}`"), at);
        let calls = calls!(.rejects_other_parent(resource));
        trials.rejects(&format!("{resource}_of_another_parent"), Step::Exists, &rule, calls);
    }
}

fn realm(operation: &'static Operation, exists: &'static Exists, at: Span, trials: &mut Trials) {
    let resource = &exists.resource;
    if let Some(realm) = operation.contract.model.realm_seen(operation.surface, resource) {
        let rule = Rule::new(format!("realm `{realm}`: others do not exist"), at);
        let calls = calls!(.rejects_other_realm(resource));
        trials.rejects(&format!("{resource}_of_another_realm"), Step::Exists, &rule, calls);
    }
}

fn hidden(operation: &'static Operation, exists: &'static Exists, trials: &mut Trials) {
    let resource = &exists.resource;
    if let Some(hidden) = operation.contract.model.hidden_from(operation.surface, resource) {
        let rule = Rule::new(format!("`{hidden}`: hidden from others"), hidden.at);
        let calls = calls!(.rejects_hidden(resource));
        trials.rejects(&format!("{resource}_that_is_hidden"), Step::Exists, &rule, calls);
    }
}

fn ownership(operation: &Operation, guard: &Guard, trials: &mut Trials) {
    let (step, words) = match operation.is_private() {
        true => (Step::Exists, "which is private"),
        false => (Step::Owner, "which others may know of"),
    };
    let rule = Rule::new(format!("guard `{}`, {words}", guard.kind), guard.at);
    trials.rejects("not_the_owner", step, &rule, calls!(.rejects_non_owner()));
}

/// The tests of requirements on the caller.
fn standing(operation: &'static Operation, trials: &mut Trials) {
    let Some((credential, caller)) = operation.credential.and_then(|one| Some((one, one.caller.as_ref()?))) else {
        return;
    };
    if operation.body.is_some() {
        held(operation, credential, caller, trials);
    }
    if let Some(field) = &caller.suspended {
        let rule = Rule::new(format!("a caller whose `{field}` is true is suspended"), credential.at);
        trials.rejects(
            "suspended_caller",
            Step::Suspended,
            &rule,
            calls!(.rejects_suspended_caller()),
        );
    }
    for plan in operation.contract.plans(credential) {
        match plan_guard(operation) {
            Some(guard) if operation.plan != Some(plan) => {
                let rule = Rule::new(format!("guard `{}`", guard.kind), guard.at);
                trials.rejects(&format!("plan_{plan}"), Step::Plan, &rule, calls!(.rejects_plan(plan)));
            }
            guard => {
                let at = guard.map_or(operation.declared.at, |guard| guard.at);
                let rule = Rule::new(format!("the plan `{plan}` is enough"), at);
                trials.accepts(&format!("plan_{plan}_suffices"), &rule, calls!(.plan(plan).accepted()));
            }
        }
    }
}

fn plan_guard(operation: &Operation) -> Option<&Guard> {
    let mut guards = operation.declared.guards.iter();
    guards.find(|guard| guard.kind.step() == Step::Plan)
}

/// The tests of a credential or caller that ends while the body of a request is being sent.
fn held(operation: &Operation, credential: &Credential, caller: &Caller, trials: &mut Trials) {
    let contract = operation.contract;
    let rule = |words: &str, at| Rule::new(format!("{words} while the body is on its way"), at);
    if can_end(contract, caller) {
        let words = format!("a `{}` that ends", credential.name);
        let calls = calls!(.rejects_credential_ended_while_held());
        trials.rejects(
            "credential_ended_while_held",
            Step::Credential,
            &rule(&words, credential.at),
            calls,
        );
    }
    if let Some(field) = &caller.suspended {
        let words = format!("a caller whose `{field}` becomes true");
        let calls = calls!(.rejects_caller_suspended_while_held());
        trials.rejects(
            "caller_suspended_while_held",
            Step::Suspended,
            &rule(&words, credential.at),
            calls,
        );
    }
    if let Some(guard) = plan_guard(operation) {
        let mut plans = contract.plans(credential).iter();
        if let Some(other) = plans.find(|plan| operation.plan != Some(plan)) {
            let calls = calls!(.rejects_plan_changed_while_held(other));
            trials.rejects(
                "plan_changed_while_held",
                Step::Plan,
                &rule("a plan that changes", guard.at),
                calls,
            );
        }
    }
}

/// Whether an operation ends a credential of these callers: it deletes the credential's resource, or it replaces a
/// caller's only credential.
fn can_end(contract: &Contract, caller: &Caller) -> bool {
    let is_one_each = caller.limited_by == caller.resource;
    contract.operations().iter().any(|operation| {
        let named = operation.exists.last().map(|exists| &exists.resource.name);
        if is_one_each {
            named == Some(&caller.resource) && operation.declared.shows_secret()
        } else {
            operation.deletes() && named == Some(&caller.limited_by)
        }
    })
}

fn transitions(operation: &'static Operation, trials: &mut Trials) {
    let Some(moves) = &operation.transitions else { return };
    rejected_elsewhere(operation, moves, trials);
    let states = moves.states;
    let (resource, field) = &states.of;
    let rule = |words: String| Rule::new(format!("states of {resource}.{field}: {words}"), states.at);
    for one in moves.each() {
        let Move {
            from,
            by_way_of,
            to,
            is_allowed,
        } = one;
        if is_allowed {
            let rule = rule(format!("`{to}` may follow `{from}`"));
            let calls = calls!(.transitions(&by_way_of, to));
            trials.accepts(&format!("move_{from}_to_{to}"), &rule, calls);
        } else {
            let rule = rule(format!("`{to}` may not follow `{from}`"));
            let calls = calls!(.rejects_move(&by_way_of, from, to));
            trials.rejects(&format!("no_move_{from}_to_{to}"), Step::Transition, &rule, calls);
        }
    }
}

/// If the operation rejects none of the transitions that it can reach itself, the world brings about a rejected one.
fn rejected_elsewhere(operation: &Operation, moves: &Transitions, trials: &mut Trials) {
    let Some(row) = operation.contract.model.error_at(Step::Transition) else {
        return;
    };
    if let (None, Some(to), Some(declared)) = (
        moves.rejected(),
        moves.rejected_from_anywhere(),
        &operation.declared.transitions,
    ) {
        let name = &row.name;
        let rule = Rule::new(
            format!("errors.{name}, in a state from which `{to}` may not follow"),
            declared.at,
        );
        let calls = calls!(.rejects_arranged_move(name, to));
        trials.rejects(&format!("no_move_to_{to}"), Step::Transition, &rule, calls);
    }
}
