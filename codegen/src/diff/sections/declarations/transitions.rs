//! Compares the allowed transitions, if both contracts have a table of them.

use crate::diff::output::{Comparison, PathPair, Rule};
use std::collections::{BTreeSet, HashSet};

/// An allowed transition from one state to another.
pub(crate) struct Transition<'m> {
    /// From and to, by their names in the new contract.
    states: (String, String),
    /// From and to, as the contract writes them.
    values: (&'m str, &'m str),
}

/// The transitions of a table; `name` returns the new name of a state.
pub(crate) fn from_table(table: &[(String, Vec<String>)], name: impl Fn(&str) -> String) -> Vec<Transition<'_>> {
    let pairs = table.iter().flat_map(|(from, to)| to.iter().map(move |to| (from, to)));
    let transitions = pairs.map(|(from, to)| Transition {
        states: (name(from), name(to)),
        values: (from, to),
    });
    transitions.collect()
}

/// The transitions of a field in both contracts.
pub(crate) struct StateMoves<'m> {
    /// The name of the field.
    pub(crate) of: &'m str,
    /// The place of the tables.
    pub(crate) place: &'m PathPair,
    /// The operations whose requests can ask for a state.
    pub(crate) asking: &'m dyn Fn(&str) -> BTreeSet<String>,
    /// The operations that show the state.
    pub(crate) showing: &'m BTreeSet<String>,
    pub(crate) was: Vec<Transition<'m>>,
    pub(crate) is: Vec<Transition<'m>>,
    /// The values of the old enumeration, by their new names.
    pub(crate) olds: HashSet<String>,
    pub(crate) news: HashSet<String>,
}

impl StateMoves<'_> {
    pub(crate) fn compare(&self, comparison: &mut Comparison<'_>) {
        let of = self.of;
        for one in only(&self.was, &self.is, &self.news) {
            let (from, to) = one.values;
            let path = self.place.join(from).join(to).old;
            let (asking, unasked) = self.asking(&one.states.1);
            let message = format!("`{of}` can no longer change from `{from}` to `{to}`{unasked}");
            comparison.removed(Rule::TransitionRemoved, &path, asking, message);
        }
        let left: HashSet<&String> = self.was.iter().map(|one| &one.states.0).collect();
        for one in only(&self.is, &self.was, &self.olds) {
            let (from, to) = one.values;
            let (rule, was) = match left.contains(&one.states.0) {
                true => (Rule::TransitionAdded, ""),
                false => (Rule::FinalStateLeft, ", which was final,"),
            };
            let path = self.place.join(from).join(to).new;
            let (asking, unasked) = self.asking(&one.states.1);
            let message = format!("`{of}` can now change from `{from}`{was} to `{to}`{unasked}");
            let concerned = asking.union(self.showing).cloned().collect();
            comparison.added(rule, &path, concerned, message);
        }
    }

    /// The operations that can ask for a state, and the text if there are none.
    fn asking(&self, to: &str) -> (BTreeSet<String>, &'static str) {
        let asking = (self.asking)(to);
        let unasked = match asking.is_empty() {
            true => "; no request asks for this transition, only handlers make it",
            false => "",
        };
        (asking, unasked)
    }
}

/// The transitions that are only in the first table, among states that the other contract has, too.
fn only<'t, 'm>(
    these: &'t [Transition<'m>],
    others: &[Transition<'_>],
    values: &HashSet<String>,
) -> Vec<&'t Transition<'m>> {
    let others: HashSet<_> = others.iter().map(|one| &one.states).collect();
    let only = these.iter().filter(|one| !others.contains(&one.states));
    let could_be = |one: &&Transition<'_>| values.contains(&one.states.0) && values.contains(&one.states.1);
    only.filter(could_be).collect()
}
