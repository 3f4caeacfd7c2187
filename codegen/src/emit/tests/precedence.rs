//! Pairs of faults in one request: the upper row of the error table answers.

use crate::emit::tests::shared::Subject;
use crate::emit::tests::shared::cells::Cells;
use crate::emit::tests::shared::steps;
use crate::model::Row;
use crate::step::Step;
use quote::quote;

pub(super) fn add(subject: &Subject<'_>, cells: &mut Cells) {
    let rows: Vec<&Row> = subject
        .model
        .rows
        .iter()
        .filter(|row| can_fail_at(subject, row))
        .collect();
    for (index, first) in rows.iter().enumerate() {
        let others: Vec<_> = rows[index + 1..]
            .iter()
            .filter(|other| can_meet(subject, first.step, other.step))
            .map(|row| steps::step(row))
            .collect();
        if !others.is_empty() {
            let step = steps::step(first);
            cells.add(
                &format!("{}_comes_first", first.name),
                quote!(.precedes(#step, &[#(#others),*])),
            );
        }
    }
}

/// Whether a request to this operation can be made that this row refuses. A store that cannot write, a body that is slow
/// and guessing need more than a request; a state that may not follow is tried on its own.
fn can_fail_at(subject: &Subject<'_>, row: &Row) -> bool {
    let (model, operation) = (subject.model, subject.operation);
    let credential = subject.surface.credential.as_ref().map(|name| model.credential(name));
    match row.step {
        Step::Route | Step::Method | Step::Decode => true,
        Step::Credential => credential.is_some(),
        Step::Suspended => credential
            .and_then(|one| one.caller.as_ref())
            .is_some_and(|caller| caller.suspended.is_some()),
        Step::Limit => operation.limit.is_some(),
        Step::MediaType | Step::BodySize => operation.body.is_some(),
        Step::Plan => operation.plan.is_some(),
        Step::Exists => !operation.exists.is_empty(),
        Step::Owner => operation.owned.iter().any(|owned| !model.resource(owned).private),
        Step::Quota => operation.quota.is_some(),
        Step::Rule => operation.rules.contains(&row.name),
        Step::BodyTime | Step::CredentialLimit | Step::Transition | Step::Write | Step::Internal => false,
    }
}

/// Whether both faults can be in one request: what does not exist is nobody's.
fn can_meet(subject: &Subject<'_>, first: Step, other: Step) -> bool {
    let last = subject.operation.exists.last();
    let absent_is_owned = last.is_some_and(|exists| subject.operation.owned.contains(&exists.resource));
    !(absent_is_owned && [first, other].contains(&Step::Exists) && [first, other].contains(&Step::Owner))
}
