//! Exhausts the limits: one caller sends more requests than each allows, then one to each operation.

use super::aims::Aims;
use super::generate::Generator;
use super::known::Knowledge;
use super::outcomes::{Goal, failed_credentials};
use super::wish::Wish;
use codegen::step::Step;
use std::collections::HashSet;

/// Plans calls that meet the errors of limits.
pub(super) fn plan<'m>(aims: &mut Aims<'m>, generator: &mut Generator<'m>, known: &Knowledge<'m>, goals: &[Goal<'m>]) {
    let mut done: HashSet<(&str, &str)> = HashSet::new();
    let of_step = |step: Step| {
        goals
            .iter()
            .filter(move |(.., error)| error.is_some_and(|error| error.step == step))
    };
    for (surface, operation, _) in of_step(Step::Limit) {
        let Some(limit) = operation.limit.as_ref() else {
            continue;
        };
        if !done.insert((&surface.name, limit)) {
            continue;
        }
        let first = generator.call(known, (*surface, *operation), &Wish::valid());
        for _ in 0..=generator.model.limit(limit).max {
            aims.call(first.clone());
        }
        for (other, operation, _) in of_step(Step::Limit) {
            if other.name == surface.name && operation.limit.as_ref() == Some(limit) {
                let mut call = generator.call(known, (*other, *operation), &Wish::valid());
                call.credential = first.credential;
                aims.call(call);
            }
        }
    }
    let failed = failed_credentials(generator.model);
    let mut guesses = of_step(Step::CredentialLimit).peekable();
    let (Some(failed), Some((surface, operation, _))) = (failed, guesses.peek()) else {
        return;
    };
    let mut first = generator.call(known, (*surface, *operation), &Wish::valid());
    first.credential = None;
    for _ in 0..=failed.max {
        aims.call(first.clone());
    }
    for (surface, operation, _) in guesses {
        let mut call = generator.call(known, (*surface, *operation), &Wish::valid());
        call.credential = None;
        call.peer = first.peer;
        aims.call(call);
    }
}
