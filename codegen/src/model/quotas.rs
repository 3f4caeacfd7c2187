//! How requests count towards quotas.

use super::{Effect, Enum, FieldIs, Kind, Model, Operation, Quota};

impl Model {
    /// Whether the operation can make a record count that exists and does not count: by the state or by the field that
    /// the `where` of the quota names.
    pub fn can_count_again(&self, operation: &Operation, quota: &Quota) -> bool {
        let (Some(of), Some(only), Some(body)) = (quota.records(), &quota.only, self.body(operation)) else {
            return false;
        };
        let members = || body.members.iter().map(|member| &member.field);
        let moves = operation.transitions.iter().filter(|moved| moved.resource == of);
        let mut states = moves.map(|moved| self.enumeration(&moved.states));
        let enums = members().filter_map(|field| match &field.of.kind {
            Kind::Enum(name) => Some(self.enumeration(name)),
            _ => None,
        });
        let is_move = states.any(|states| {
            let sets = |to: &str| {
                enums
                    .clone()
                    .any(|one| is_part(one, states) && one.values.iter().any(|value| value == to))
            };
            is_field(states, only) && counts_again(states, only, sets)
        });
        let changes = |effect: &Effect| matches!(effect, Effect::Change { resource, .. } if resource == of);
        is_move || operation.effects.iter().any(changes) && members().any(|field| field.name == only.field)
    }
}

/// Whether these are the states of the field that the condition names.
fn is_field(states: &Enum, only: &FieldIs) -> bool {
    states.states.as_ref().is_some_and(|states| states.of.1 == only.field)
}

fn is_part(one: &Enum, states: &Enum) -> bool {
    one.name == states.name || one.part_of.as_ref() == Some(&states.name)
}

/// Whether a state that counts may follow one that does not.
fn counts_again(states: &Enum, only: &FieldIs, sets: impl Fn(&str) -> bool) -> bool {
    let transitions = states.states.as_ref().and_then(|states| states.transitions.as_ref());
    let may_follow = |from: &String, to: &String| {
        transitions.is_none_or(|all| all.iter().any(|(known, next)| known == from && next.contains(to)))
    };
    let mut pairs = states
        .values
        .iter()
        .flat_map(|from| states.values.iter().map(move |to| (from, to)));
    pairs.any(|(from, to)| !only.holds(from) && only.holds(to) && sets(to) && may_follow(from, to))
}
