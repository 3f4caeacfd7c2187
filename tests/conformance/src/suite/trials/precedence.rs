//! Tests with two errors in one request: the first one in the error table must be the answer.

use crate::suite::description::step;
use crate::suite::trials::Subject;
use crate::suite::trials::rule::Rule;
use crate::suite::trials::{Trials, calls, leak_all};
use codegen::model::ErrorEntry;
use codegen::step::Step;

pub(super) fn add(subject: &Subject, trials: &mut Trials) {
    let rows = rows(subject);
    let (guessing, others): (Vec<&'static ErrorEntry>, Vec<&'static ErrorEntry>) =
        rows.iter().partition(|row| row.step == Step::CredentialLimit);
    for (index, first) in others.iter().enumerate() {
        let below: Vec<_> = others[index + 1..]
            .iter()
            .filter(|other| can_meet(subject, first.step, other.step))
            .map(|error| step(error))
            .collect();
        if !below.is_empty() {
            let (step, below) = (step(first), leak_all(below));
            let name = &first.name;
            let calls = calls!(.precedes(step, below));
            trials.rejects_by(&format!("{name}_comes_first"), name, &above_others(first), calls);
        }
    }
    for row in guessing {
        // This error needs many failed requests, so one test covers all its pairs.
        let place = rows.iter().position(|other| other.name == row.name);
        let (above, below) = rows.split_at(place.unwrap_or_default());
        let [above, below] = [above, &below[1..]].map(|rows| leak_all(rows.iter().map(|row| step(row))));
        let calls = calls!(.guessing_precedes(above, below));
        let name = &row.name;
        trials.rejects_by(&format!("{name}_comes_in_its_place"), name, &above_others(row), calls);
    }
}

fn above_others(row: &ErrorEntry) -> Rule {
    let words = format!(
        "errors.{} comes before the rows below it, and after those above",
        row.name
    );
    Rule::new(words, row.at)
}

/// The errors that a single request can cause: those of the operation, and those of requests that reach no operation.
/// Not included, because they need more than a request: too many requests in flight, a failing store, a slow body, a
/// full answer budget, an internal error.
fn rows(subject: &Subject) -> Vec<&'static ErrorEntry> {
    let (model, operation) = (subject.model, subject.operation);
    let moves = subject.described().transitions.as_ref();
    let can_fail = |row: &&ErrorEntry| match row.step {
        Step::Route | Step::Method => true,
        Step::InFlight | Step::Busy | Step::BodyTime | Step::Write | Step::Internal => false,
        Step::Transition => moves.is_some_and(|moves| moves.rejected().is_some()),
        _ => model.can_respond(subject.surface, operation, row),
    };
    model.errors.iter().filter(can_fail).collect()
}

/// Whether one request can cause both errors: a resource that does not exist has no owner.
fn can_meet(subject: &Subject, first: Step, other: Step) -> bool {
    let last = subject.operation.exists().last();
    let absent_is_owned = last.is_some_and(|exists| subject.operation.claims(&exists.resource));
    !(absent_is_owned && [first, other].contains(&Step::Exists) && [first, other].contains(&Step::Owner))
}
