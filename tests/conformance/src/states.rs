//! The states of a resource, its transitions, and the possible orders of transitions.

use crate::attempt::Attempt;
use crate::contract::Transitions;
use crate::value::word;

impl Transitions {
    /// Whether a transition is allowed.
    pub(crate) fn may_become(&self, from: &str, to: &str) -> bool {
        let listed = |moves: &Vec<(String, Vec<String>)>| {
            let mut moves = moves.iter();
            moves.any(|(state, next)| state == from && next.iter().any(|known| known == to))
        };
        from == to || self.states.transitions.as_ref().is_none_or(listed)
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

    /// Whether all of these transitions, in some order, are possible from the initial state.
    pub(crate) fn can_follow(&self, moved: &[&str]) -> bool {
        self.can_follow_from(&self.states.initial, moved)
    }

    fn can_follow_from(&self, from: &str, left: &[&str]) -> bool {
        if left.is_empty() {
            return true;
        }
        let mut firsts: Vec<&str> = left.to_vec();
        firsts.sort_unstable();
        firsts.dedup();
        firsts.into_iter().any(|to| {
            let mut rest = left.to_vec();
            rest.remove(rest.iter().position(|one| *one == to).expect("it is one of them"));
            self.may_become(from, to) && self.can_follow_from(to, &rest)
        })
    }
}

impl Attempt {
    /// The request to move to this state.
    pub(crate) fn moving_to(self, state: &str) -> Self {
        let member = self.moves().member;
        self.with(member, word(state))
    }

    pub(crate) fn moves(&self) -> &'static Transitions {
        let transitions = self.operation.transitions.as_ref();
        transitions.expect("only operations that move are asked to")
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
    fn check(moved: &[&str], expected: bool) {
        assert_eq!(LOAN.can_follow(moved), expected, "{moved:?}");
    }

    #[test]
    fn moves_are_possible_if_one_order_of_them_is() {
        check(&[], true);
        check(&["back", "lent", "lent"], true);
        check(&["back", "lent"], true);
        check(&["lent", "refused"], false);
        check(&["back"], false);
    }
}
