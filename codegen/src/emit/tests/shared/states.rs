//! The states that an operation moves.

use crate::model::{Kind, Model, Operation, States};

/// The member of a body that names the new state: its name and its enumeration.
pub(crate) fn moved_member<'m>(model: &'m Model, operation: &'m Operation) -> Option<(&'m str, &'m str)> {
    let (_, states) = operation.transitions.as_ref()?;
    model
        .body(operation)?
        .members
        .iter()
        .find_map(|member| match &member.field.of.kind {
            Kind::Enum(name) if name == states || model.enumeration(name).part_of.as_ref() == Some(states) => {
                Some((member.field.name.as_str(), name.as_str()))
            }
            _ => None,
        })
}

/// Whether one state may follow another; the present one always may.
pub(crate) fn may_become(states: &States, from: &str, to: &str) -> bool {
    let listed = |transitions: &Vec<(String, Vec<String>)>| {
        transitions
            .iter()
            .any(|(state, next)| state == from && next.iter().any(|state| state == to))
    };
    from == to || states.transitions.as_ref().is_none_or(listed)
}
