//! The parameters of a list: a filter and a page. Pure functions, the same for every engine.

use std::ops::Range;

use contract::support::conditions::Condition;
use contract::support::text::fold;
use contract::{BountyOrder, Gender, Human, Number};

use crate::prefectures;

/// The part of a list that a page shows.
#[derive(Clone, Copy, Debug)]
pub struct PageRequest {
    /// Maximum number of rows.
    pub limit: usize,
    /// The rows before them.
    pub offset: usize,
}

impl PageRequest {
    /// At most `limit` rows after the first `offset`. Negative values count as zero.
    #[must_use]
    pub fn new(limit: i64, offset: i64) -> Self {
        let clamp = |value: i64| usize::try_from(value.max(0)).unwrap_or(usize::MAX);
        Self {
            limit: clamp(limit),
            offset: clamp(offset),
        }
    }

    /// The positions of the page's rows in the list, from 0. The list may be shorter.
    pub(crate) fn positions(self) -> Range<usize> {
        self.offset..self.offset.saturating_add(self.limit)
    }

    /// The rows of the page.
    pub(crate) fn of<T>(self, rows: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
        rows.skip(self.offset).take(self.limit)
    }
}

/// A number of rows as a page states it.
pub(crate) fn count(rows: usize) -> i64 {
    i64::try_from(rows).expect("memory holds fewer rows than i64 counts")
}

/// Selects workers. `None` does not restrict. Texts are compared after [`fold`].
#[derive(Clone, Debug, Default)]
pub struct HumanFilter {
    /// The whole name of a skill.
    pub skill: Option<String>,
    /// The whole name of a state, or another common name of the same prefecture.
    pub state: Option<String>,
    /// The gender.
    pub gender: Option<Gender>,
    /// The lowest hourly rate, inclusive.
    pub min_rate: Option<Number>,
    /// The highest hourly rate, inclusive.
    pub max_rate: Option<Number>,
    /// Only workers who are available at present.
    pub only_available: bool,
    /// Simulated workers, or live ones.
    pub sandbox: bool,
}

/// Selects open bounties.
#[derive(Clone, Debug, Default)]
pub struct BountyFilter {
    /// What the query wants, as the contract says.
    pub conditions: Vec<Condition>,
    /// The order. `None`: the newest first.
    pub order: Option<BountyOrder>,
    /// Bounties of accounts in the sandbox, or of live ones.
    pub sandbox: bool,
}

/// The normalized form of a state: all common names of a prefecture give the same text.
pub(crate) fn state_key(state: &str) -> String {
    let folded = fold(state);
    prefectures::canonical(&folded).map_or(folded, str::to_owned)
}

/// The normalized forms of a worker's skills, for searches.
pub(crate) fn skill_keys(human: &Human) -> impl Iterator<Item = String> + '_ {
    human.skills.iter().map(|skill| fold(&skill.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn window_shows_its_rows_only() {
        let page = |limit, offset| PageRequest::new(limit, offset).of(0..5).collect::<Vec<_>>();
        assert_eq!(page(2, 0), [0, 1]);
        assert_eq!(page(2, 4), [4]);
        assert!(page(2, 5).is_empty() && page(100, i64::MAX).is_empty() && page(-1, 0).is_empty());
        assert_eq!(PageRequest::new(2, 1).positions(), 1..3);
    }

    #[test]
    fn names_of_one_prefecture_have_one_key() {
        assert_eq!(state_key("東京都"), state_key("Ｔｏｋｙｏ"));
        assert_eq!(state_key("New York"), "new york");
    }
}
