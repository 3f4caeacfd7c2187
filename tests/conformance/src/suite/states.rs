//! The states that an operation changes.

use codegen::model::{Kind, Model, Operation, States};
use std::collections::VecDeque;

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

/// Whether one state may follow another. The current state always may.
pub(crate) fn may_become(states: &States, from: &str, to: &str) -> bool {
    let listed = |transitions: &Vec<(String, Vec<String>)>| {
        transitions
            .iter()
            .any(|(state, next)| state == from && next.iter().any(|state| state == to))
    };
    from == to || states.transitions.as_ref().is_none_or(listed)
}

/// The transitions that an operation can be asked for.
pub(crate) struct Moves<'m> {
    pub(crate) states: &'m States,
    /// All states.
    all: &'m [String],
    /// The states that its body can name.
    words: &'m [String],
}

/// A transition that the operation alone can bring about.
pub(crate) struct Move<'m> {
    pub(crate) from: String,
    /// The states on the path from the initial one to `from`.
    pub(crate) way: Vec<String>,
    pub(crate) to: &'m str,
    pub(crate) allowed: bool,
}

impl<'m> Moves<'m> {
    pub(crate) fn of(model: &'m Model, operation: &'m Operation) -> Option<Self> {
        let (_, of) = operation.transitions.as_ref()?;
        let (_, words) = moved_member(model, operation)?;
        Some(Self {
            states: model.enumeration(of).states.as_ref()?,
            all: &model.enumeration(of).values,
            words: &model.enumeration(words).values,
        })
    }

    /// Every transition from a state that the operation itself can reach.
    pub(crate) fn each(&self) -> impl Iterator<Item = Move<'m>> {
        let (states, words) = (self.states, self.words);
        ways(states, words).into_iter().flat_map(move |(from, way)| {
            words.iter().map(move |to| Move {
                allowed: may_become(states, &from, to),
                from: from.clone(),
                way: way.clone(),
                to,
            })
        })
    }

    /// Whether any transition is rejected, from any state.
    pub(crate) fn can_be_rejected(&self) -> bool {
        self.rejected_from_anywhere().is_some()
    }

    /// A state that may not follow some other state, however that one was reached.
    pub(crate) fn rejected_from_anywhere(&self) -> Option<&'m str> {
        self.all.iter().find_map(|from| {
            let mut words = self.words.iter();
            words.find(|to| !may_become(self.states, from, to)).map(String::as_str)
        })
    }

    /// The paths to all states but the initial one that the operation itself can reach.
    pub(crate) fn ways(&self) -> Vec<Vec<String>> {
        let ways = ways(self.states, self.words).into_iter();
        ways.map(|(_, way)| way).filter(|way| !way.is_empty()).collect()
    }

    /// The first transition that is rejected.
    pub(crate) fn rejected(&self) -> Option<Move<'m>> {
        self.each().find(|one| !one.allowed)
    }
}

/// Every state that setting `words` can reach, with the shortest path to it.
fn ways(states: &States, words: &[String]) -> Vec<(String, Vec<String>)> {
    let mut found = vec![(states.initial.clone(), Vec::new())];
    let mut open = VecDeque::from([0]);
    while let Some(at) = open.pop_front() {
        let (from, way) = found[at].clone();
        for to in words {
            if may_become(states, &from, to) && !found.iter().any(|(state, _)| state == to) {
                let way = way.iter().chain([to]).cloned().collect();
                found.push((to.clone(), way));
                open.push_back(found.len() - 1);
            }
        }
    }
    found
}
