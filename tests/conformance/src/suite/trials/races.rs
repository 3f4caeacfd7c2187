//! Tests of requests that are sent at once: they get no more than one after the other.

use crate::contract::Operation;
use crate::suite::trials::rule::Rule;
use crate::suite::trials::{Trials, calls};
use codegen::model::{GuardKind, IdSource};
use codegen::step::Step;

pub(super) fn add(operation: &'static Operation, trials: &mut Trials) {
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
        let calls = calls!(.succeeds_once_however_often_at_once());
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
