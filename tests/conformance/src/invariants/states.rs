//! The states of a resource, its transitions, and the possible orders of transitions.

/// The states of an operation's resource.
#[derive(Debug)]
pub struct States {
    /// The initial state.
    pub initial: &'static str,
    /// From → to; `None` if every transition is allowed. The present state is always allowed again.
    pub moves: Option<&'static [(&'static str, &'static [&'static str])]>,
    /// The states that the operation can set.
    pub words: &'static [&'static str],
}

impl States {
    /// Whether a transition is allowed.
    pub(crate) fn may_become(&self, from: &str, to: &str) -> bool {
        let listed = |moves: &[(&str, &[&str])]| moves.iter().any(|(state, next)| *state == from && next.contains(&to));
        from == to || self.moves.is_none_or(listed)
    }

    /// Whether all of these transitions, in some order, are possible from the initial state, with `last` as the last
    /// one if it is known.
    pub(crate) fn can_follow(&self, moved: &[&str], last: Option<&str>) -> bool {
        self.can_follow_from(self.initial, moved, last)
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

    static LOAN: States = States {
        initial: "asked",
        moves: Some(&[("asked", &["lent", "refused"]), ("lent", &["back"])]),
        words: &["lent", "back", "refused"],
    };

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
