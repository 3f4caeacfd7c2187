//! Which errors of the error table can answer an operation.

use crate::model::{Enum, ErrorEntry, Kind, Model, Operation, Surface};
use crate::step::Step;

/// The errors that can answer an operation, in order of precedence.
pub(crate) fn errors<'m>(model: &'m Model, surface: &Surface, operation: &Operation) -> Vec<&'m ErrorEntry> {
    let errors = model.errors_of(surface, operation).into_iter();
    // If any state may follow any, no transition is rejected.
    let can_move = |error: &&ErrorEntry| error.step != Step::Transition || rejected_move(model, operation).is_some();
    errors.filter(can_move).collect()
}

/// Whether an error can answer an operation.
pub(crate) fn can_answer(model: &Model, surface: &Surface, operation: &Operation, error: &ErrorEntry) -> bool {
    let errors = errors(model, surface, operation);
    errors.iter().any(|one| one.name == error.name)
}

/// A transition that an operation accepts as input and its states do not allow.
pub(crate) fn rejected_move<'m>(model: &'m Model, operation: &Operation) -> Option<(&'m str, &'m str)> {
    let whole = &operation.transitions.as_ref()?.states;
    let whole = model.enumeration(whole);
    let transitions = whole.states.as_ref()?.transitions.as_ref()?;
    let offered = offered(model, operation, whole);
    let is_allowed = |from: &String, to: &String| {
        let error = transitions.iter().find(|(state, _)| state == from);
        from == to || error.is_some_and(|(_, next)| next.contains(to))
    };
    // The last states allow few transitions.
    let states = whole.values.iter().rev();
    let mut moves = states.flat_map(|from| offered.values.iter().map(move |to| (from, to)));
    let rejected = moves.find(|(from, to)| !is_allowed(from, to));
    rejected.map(|(from, to)| (from.as_str(), to.as_str()))
}

/// The states that an operation accepts as input: the whole enum, or a subset of it.
fn offered<'m>(model: &'m Model, operation: &Operation, whole: &'m Enum) -> &'m Enum {
    let members = model.body(operation).into_iter().flat_map(|body| &body.members);
    let mut enums = members.filter_map(|member| match &member.field.of.kind {
        Kind::Enum(name) => Some(model.enumeration(name)),
        _ => None,
    });
    let is_of_states = |one: &&Enum| one.name == whole.name || one.part_of.as_ref() == Some(&whole.name);
    enums.find(is_of_states).unwrap_or(whole)
}
