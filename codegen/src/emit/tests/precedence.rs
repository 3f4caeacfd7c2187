//! Pairs of faults in one request: the upper row of the error table answers.

use crate::emit::tests::shared::Subject;
use crate::emit::tests::shared::cells::Cells;
use crate::emit::tests::shared::rule::Rule;
use crate::emit::tests::shared::states::Moves;
use crate::emit::tests::shared::steps;
use crate::model::ErrorEntry;
use crate::step::Step;
use quote::quote;

pub(super) fn add(subject: &Subject<'_>, cells: &mut Cells<'_>) {
    let rows = rows(subject);
    let (guessing, others): (Vec<&ErrorEntry>, Vec<&ErrorEntry>) =
        rows.iter().partition(|row| row.step == Step::CredentialLimit);
    for (index, first) in others.iter().enumerate() {
        let below: Vec<_> = others[index + 1..]
            .iter()
            .filter(|other| can_meet(subject, first.step, other.step))
            .map(|row| steps::step(row))
            .collect();
        if !below.is_empty() {
            let step = steps::step(first);
            let name = &first.name;
            let calls = quote!(.precedes(#step, &[#(#below),*]));
            cells.rejects_by(&format!("{name}_comes_first"), name, &above_others(first), calls);
        }
    }
    for row in guessing {
        // To fail as often as it takes is dear, so all its pairs are tried at once.
        let place = rows.iter().position(|other| other.name == row.name);
        let (above, below) = rows.split_at(place.unwrap_or_default());
        let [above, below] =
            [above, &below[1..]].map(|rows| rows.iter().map(|row| steps::step(row)).collect::<Vec<_>>());
        let calls = quote!(.guessing_precedes(&[#(#above),*], &[#(#below),*]));
        let name = &row.name;
        cells.rejects_by(&format!("{name}_comes_in_its_place"), name, &above_others(row), calls);
    }
}

fn above_others(row: &ErrorEntry) -> Rule {
    let words = format!(
        "errors.{} comes before the rows below it, and after those above",
        row.name
    );
    Rule::new(words, row.at)
}

/// The rows that a request can be made for: those of the operation, and those that answer what reaches none. A caller
/// with many requests under way, a store that cannot write, a body that is slow, answers that wait and a fault of the service need more than a
/// request.
fn rows<'m>(subject: &Subject<'m>) -> Vec<&'m ErrorEntry> {
    let (model, operation) = (subject.model, subject.operation);
    let can_fail = |row: &&ErrorEntry| match row.step {
        Step::Route | Step::Method => true,
        Step::InFlight | Step::Busy | Step::BodyTime | Step::Write | Step::Internal => false,
        Step::Transition => Moves::of(model, operation).is_some_and(|moves| moves.rejected().is_some()),
        _ => model.can_respond(subject.surface, operation, row),
    };
    model.errors.iter().filter(can_fail).collect()
}

/// Whether both faults can be in one request: what does not exist is nobody's.
fn can_meet(subject: &Subject<'_>, first: Step, other: Step) -> bool {
    let last = subject.operation.exists.last();
    let absent_is_owned = last.is_some_and(|exists| subject.operation.owned.contains(&exists.resource));
    !(absent_is_owned && [first, other].contains(&Step::Exists) && [first, other].contains(&Step::Owner))
}
