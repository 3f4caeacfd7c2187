//! Tests of what a single request does not show: callers that change while a body is being sent, and quotas that random calls do not
//! fill.

use crate::contract::{Contract, Operation};
use crate::quotas::Filling;
use crate::suite::trials::rule::Rule;
use crate::suite::trials::{Trials, calls};
use codegen::model::{Caller, Credential, Guard, Word};
use codegen::step::Step;

pub(super) fn add(operation: &'static Operation, trials: &mut Trials) {
    let declared = operation.declared;
    let success = Rule::new("what it needs and no more is a success", declared.at);
    trials.accepts("success", &success, calls!(.accepted()));
    let caller = operation.credential.and_then(|one| Some((one, one.caller.as_ref()?)));
    if let Some((credential, caller)) = caller.filter(|_| operation.body.is_some()) {
        held(operation, credential, caller, trials);
    }
    quotas(operation, trials);
}

fn quotas(operation: &'static Operation, trials: &mut Trials) {
    for (quota, Word { at, .. }) in operation.quotas.iter().copied().zip(&operation.declared.quotas) {
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
