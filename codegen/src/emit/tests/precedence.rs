//! Pairs of faults in one request: the upper row of the error table answers.

use crate::emit::tests::shared::Subject;
use crate::emit::tests::shared::cells::Cells;
use crate::emit::tests::shared::rule::Rule;
use crate::emit::tests::shared::steps;
use crate::model::Row;
use crate::step::Step;
use quote::quote;

pub(super) fn add(subject: &Subject<'_>, cells: &mut Cells<'_>) {
    let rows = rows(subject);
    for (index, first) in rows.iter().enumerate() {
        let others: Vec<_> = rows[index + 1..]
            .iter()
            .filter(|other| can_meet(subject, first.step, other.step))
            .map(|row| steps::step(row))
            .collect();
        if !others.is_empty() {
            let step = steps::step(first);
            let name = &first.name;
            let rule = Rule::new(format!("errors.{name} comes before the rows below it"), first.at);
            let calls = quote!(.precedes(#step, &[#(#others),*]));
            cells.refuses_by(&format!("{name}_comes_first"), name, &rule, calls);
        }
    }
}

/// The rows that a request can be made for: those of the operation, and those that answer what reaches none. A store that
/// cannot write, a body that is slow and guessing need more than a request; a state that may not follow is tried on its
/// own.
fn rows<'m>(subject: &Subject<'m>) -> Vec<&'m Row> {
    let of_operation = subject.model.rows_of(subject.surface, subject.operation);
    let can_fail = |row: &&Row| match row.step {
        Step::Route | Step::Method => true,
        Step::BodyTime | Step::CredentialLimit | Step::Transition | Step::Write | Step::Internal => false,
        _ => of_operation.iter().any(|other| other.name == row.name),
    };
    subject.model.rows.iter().filter(can_fail).collect()
}

/// Whether both faults can be in one request: what does not exist is nobody's.
fn can_meet(subject: &Subject<'_>, first: Step, other: Step) -> bool {
    let last = subject.operation.exists.last();
    let absent_is_owned = last.is_some_and(|exists| subject.operation.owned.contains(&exists.resource));
    !(absent_is_owned && [first, other].contains(&Step::Exists) && [first, other].contains(&Step::Owner))
}
