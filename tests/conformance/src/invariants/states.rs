//! The states of a resource, its transitions, and the possible orders of transitions.

use crate::contract::{Move, Transitions};

impl Transitions {
    /// Whether a transition is allowed.
    pub(crate) fn may_become(&self, from: &str, to: &str) -> bool {
        let listed = |moves: &Vec<(String, Vec<String>)>| {
            let mut moves = moves.iter();
            moves.any(|(state, next)| state == from && next.iter().any(|known| known == to))
        };
        from == to || self.states.transitions.as_ref().is_none_or(listed)
    }

    /// The ways to all states that the operation itself can reach, each the shortest: to the initial one it is empty.
    pub(crate) fn ways(&self) -> Vec<Vec<&'static str>> {
        let mut ways: Vec<Vec<&'static str>> = vec![Vec::new()];
        let mut next = 0;
        while let Some(way) = ways.get(next).cloned() {
            let from = self.end(&way);
            for to in self.words {
                if self.may_become(from, to) && !ways.iter().any(|known| self.end(known) == to) {
                    ways.push([way.as_slice(), &[to]].concat());
                }
            }
            next += 1;
        }
        ways
    }

    fn end(&self, way: &[&'static str]) -> &'static str {
        way.last().copied().unwrap_or(&self.states.initial)
    }

    /// Every transition from a state that the operation itself can reach.
    pub(crate) fn each(&self) -> impl Iterator<Item = Move> {
        self.ways().into_iter().flat_map(move |way| {
            self.words.iter().map(move |to| Move {
                from: self.end(&way),
                by_way_of: way.clone(),
                is_allowed: self.may_become(self.end(&way), to),
                to,
            })
        })
    }

    /// The first transition that is rejected.
    pub(crate) fn rejected(&self) -> Option<Move> {
        self.each().find(|one| !one.is_allowed)
    }

    /// A state that may not follow some other state, however that one was reached.
    pub(crate) fn rejected_from_anywhere(&self) -> Option<&'static str> {
        let mut all = self.all.iter();
        all.find_map(|from| {
            self.words
                .iter()
                .find(|to| !self.may_become(from, to))
                .map(String::as_str)
        })
    }

    /// Whether all of these transitions, in some order, are possible from the initial state, with `last` as the last
    /// one if it is known.
    pub(crate) fn can_follow(&self, moved: &[&str], last: Option<&str>) -> bool {
        self.can_follow_from(&self.states.initial, moved, last)
    }

    fn can_follow_from(&self, from: &str, left: &[&str], last: Option<&str>) -> bool {
        if left.is_empty() {
            return last.is_none_or(|last| last == from);
        }
        let mut firsts: Vec<&str> = left.to_vec();
        firsts.sort_unstable();
        firsts.dedup();
        firsts.into_iter().any(|to| {
            let mut rest = left.to_vec();
            rest.remove(rest.iter().position(|one| *one == to).expect("it is one of them"));
            self.may_become(from, to) && self.can_follow_from(to, &rest, last)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use codegen::model::{Resource, Span, States};
    use std::sync::LazyLock;

    /// Of a loan: asked → lent or refused, lent → back.
    static LOAN: LazyLock<Transitions> = LazyLock::new(|| {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let all = words(&["asked", "lent", "back", "refused"]).leak();
        let states = States {
            of: ("Loan".to_owned(), "status".to_owned()),
            initial: "asked".to_owned(),
            transitions: Some(vec![
                ("asked".to_owned(), words(&["lent", "refused"])),
                ("lent".to_owned(), words(&["back"])),
            ]),
            at: Span::default(),
        };
        let resource = Resource {
            name: "Loan".to_owned(),
            noun: "loan".to_owned(),
            plural: "loans".to_owned(),
            label: None,
            columns: Vec::new(),
            doc: None,
            owner: Vec::new(),
            private: false,
            hidden: None,
            realm: None,
            distinct: None,
            average: None,
            fields: Vec::new(),
            joined: Vec::new(),
            views: Vec::new(),
            at: Span::default(),
        };
        Transitions {
            resource: Box::leak(Box::new(resource)),
            states: Box::leak(Box::new(states)),
            member: "status",
            all,
            words: &all[1..],
        }
    });

    #[track_caller]
    fn check(moved: &[&str], last: Option<&str>, expected: bool) {
        assert_eq!(LOAN.can_follow(moved, last), expected, "{moved:?} to {last:?}");
    }

    #[test]
    fn moves_are_possible_if_one_order_of_them_is() {
        check(&[], Some("asked"), true);
        check(&["back", "lent", "lent"], None, true);
        check(&["back", "lent"], Some("back"), true);
        check(&["back", "lent"], Some("lent"), false);
        check(&["lent", "refused"], None, false);
        check(&["back"], None, false);
        check(&[], Some("lent"), false);
    }
}
