//! Rules about states that cannot be reached, and about transitions without effect.

use super::lookup::{LocatedOperation, body_members, enum_of, find, operations, resource_field};
use crate::diagnostic::{Diagnostic, Rule, add_new};
use crate::syntax::{EnumDef, Spec, StateDef, Word};

/// `unreachable-state`: no chain of transitions leads from the first state to this one. An entry in `transitions` with
/// no successors (`lost: []`) is accepted: existing records may have that state.
pub(super) fn unreachable_state(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (place, states) in &spec.states {
        let Some((_, def)) = resource_field(spec, &place.text).and_then(|(.., used)| enum_of(spec, used)) else {
            continue;
        };
        let Some(reached) = reached(states) else { continue };
        let is_value = |name: &Word| def.values.iter().any(|value| value.text == name.text);
        let named = states.transitions.iter().flatten();
        let mut named = named
            .flat_map(|(from, to)| std::iter::once(from).chain(to))
            .chain([&states.initial]);
        // A misspelt state has been reported, and may be the missing transition.
        if !named.all(is_value) {
            continue;
        }
        let is_named = |value: &Word| {
            let transitions = states.transitions.as_ref();
            transitions.is_some_and(|transitions| find(transitions, &value.text).is_some())
        };
        let unreachable = def
            .values
            .iter()
            .filter(|value| !reached.contains(&value.text.as_str()));
        for value in unreachable.filter(|value| !is_named(value)) {
            let message = format!("no transition leads `{}` to `{}`", place.text, value.text);
            let help = format!(
                "let it follow another state in `transitions`, or remove the value; if only older records have it, \
                 write `{}: []` there",
                value.text
            );
            diagnostics.push(Diagnostic::new(Rule::UnreachableState, value.at, message).help(help));
        }
    }
}

/// The states that a chain of transitions leads to. `None` if any state may follow any other.
fn reached(states: &StateDef) -> Option<Vec<&str>> {
    let transitions = states.transitions.as_ref()?;
    let mut reached = vec![states.initial.text.as_str()];
    let mut next = 0;
    while let Some(from) = reached.get(next) {
        let following = find(transitions, from).into_iter().flatten();
        let new: Vec<&str> = following
            .map(|to| to.text.as_str())
            .filter(|to| !reached.contains(to))
            .collect();
        reached.extend(new);
        next += 1;
    }
    Some(reached)
}

/// `idle-transition`: a state that may follow itself, or that an endpoint accepts and that follows no state.
pub(super) fn idle_transition(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (_, states) in &spec.states {
        for (from, to) in states.transitions.iter().flatten() {
            for own in to.iter().filter(|to| to.text == from.text) {
                let message = format!(
                    "`{}` may always stay `{}`: remove it from its own list",
                    from.text, own.text
                );
                diagnostics.push(Diagnostic::new(Rule::IdleTransition, own.at, message));
            }
        }
    }
    add_new(operations(spec).filter_map(offered).flatten(), diagnostics);
}

/// The states that the body accepts by a subset of the enum, and that follow no state.
fn offered(operation: LocatedOperation<'_>) -> Option<Vec<Diagnostic>> {
    let spec = operation.spec;
    let place = operation.endpoint.transitions.as_ref()?;
    let transitions = find(&spec.states, &place.text)?.transitions.as_ref()?;
    let part = body_members(spec, operation.body()?)
        .into_iter()
        .find_map(|(_, used)| enum_of(spec, used).filter(|(_, def)| def.of.is_some()))?;
    let (name, EnumDef { values, .. }) = part;
    let follows = |value: &&Word| {
        !transitions
            .iter()
            .any(|(_, to)| to.iter().any(|to| to.text == value.text))
    };
    let diagnostic = |value: &Word| {
        let message = format!(
            "`{}` accepts `{}`, but no state may change to it",
            name.text, value.text
        );
        let help = format!("let it follow a state in `{}`, or remove it here", place.text);
        Diagnostic::new(Rule::IdleTransition, value.at, message).help(help)
    };
    Some(values.iter().filter(follows).map(diagnostic).collect())
}
