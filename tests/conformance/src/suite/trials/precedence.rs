//! Tests with two errors in one request: the first one in the error table must be the answer.

use crate::contract::Operation;
use crate::suite::leak_all;
use crate::suite::trials::rule::Rule;
use crate::suite::trials::{Trials, calls};
use codegen::model::ErrorEntry;
use codegen::step::Step;

pub(super) fn add(operation: &'static Operation, trials: &mut Trials) {
    let rows = rows(operation);
    let (guessing, others): (Vec<&'static ErrorEntry>, Vec<&'static ErrorEntry>) =
        rows.iter().partition(|row| row.step == Step::CredentialLimit);
    for (index, first) in others.iter().enumerate() {
        let below = others[index + 1..].iter().copied();
        let below = leak_all(below.filter(|other| can_meet(operation, first.step, other.step)));
        if !below.is_empty() {
            let (first, name) = (*first, &first.name);
            let calls = calls!(.precedes(first, below));
            trials.rejects_by(&format!("{name}_comes_first"), name, &above_others(first), calls);
        }
    }
    for row in guessing {
        // This error needs many failed requests, so one test covers all its pairs.
        let place = rows.iter().position(|other| other.name == row.name);
        let (above, below) = rows.split_at(place.unwrap_or_default());
        let [above, below] = [above, &below[1..]].map(|rows| leak_all(rows.iter().copied()));
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
fn rows(operation: &Operation) -> Vec<&'static ErrorEntry> {
    let model = operation.contract.model;
    let moves = operation.transitions.as_ref();
    let can_fail = |row: &&ErrorEntry| match row.step {
        Step::Route => true,
        Step::Method => operation.other_method().is_some(),
        _ if row.is_out_of_reach() => false,
        Step::Quota => operation.quota.is_some(),
        // A server may end a connection before it has read so much.
        Step::BodySize if operation.declared.file.is_some() => false,
        Step::Transition => moves.is_some_and(|moves| moves.rejected().is_some()),
        _ => model.can_respond(operation.surface, operation.declared, row),
    };
    model.errors.iter().filter(can_fail).collect()
}

/// Whether one request can cause both errors: a resource that does not exist has no owner.
fn can_meet(operation: &Operation, first: Step, other: Step) -> bool {
    let is_of_key = |step| matches!(step, Step::KeyReused | Step::KeySecret);
    match [first, other] {
        [a, b] if is_of_key(a) && is_of_key(b) => return false,
        [a, b] if is_of_key(a) && !can_meet_key(operation, a, b) => return false,
        [a, b] if is_of_key(b) && !can_meet_key(operation, b, a) => return false,
        _ => {}
    }
    let last = operation.exists.last();
    let absent_is_owned = last.is_some_and(|exists| operation.owns(exists.resource));
    !(absent_is_owned && [first, other].contains(&Step::Exists) && [first, other].contains(&Step::Owner))
}

/// Whether a request whose key was sent before, by this caller, can also cause an error of this step.
fn can_meet_key(operation: &Operation, of_key: Step, other: Step) -> bool {
    match other {
        Step::Owner => false,
        // Another id makes another request.
        Step::Exists => of_key == Step::KeyReused,
        // The request with the key has caused the error already.
        Step::Rule => !operation.makes_one_for_each_parent(),
        _ => true,
    }
}
