//! What can be true of a person, as the texts ask for it: `@car`, `@!young`.

use std::ops::BitOr;

/// Every trait there is, by the name that the texts know it under; at most 64.
#[rustfmt::skip]
const NAMES: [&str; 43] = [
    // Who they are.
    "f", "m", "young", "old", "parent", "grandparent", "cat", "dog",
    // How they spend the day.
    "student", "employee", "freelance", "homemaker", "retired",
    // What lies behind them.
    "years", "veteran", "novice", "former", "mover", "reviewed", "unreviewed",
    // How they get around, or that they do not need to.
    "car", "bicycle", "walks", "desk",
    // How they write, in Japanese and in English.
    "calm", "bright", "formal", "native", "plain", "learner",
    // Where they live.
    "town", "country", "urban", "tokyo", "snow", "hokkaido", "tohoku", "kanto", "koshin", "tokai", "kansai",
    "west", "okinawa",
];

/// A set of traits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Traits(u64);

impl Traits {
    /// None of them.
    pub(super) const NONE: Traits = Traits(0);

    /// The one with this name.
    ///
    /// # Panics
    /// When there is none: names come from the texts that are part of the program.
    pub(super) fn named(name: &str) -> Traits {
        let place = NAMES.iter().position(|known| *known == name);
        Traits(1 << place.unwrap_or_else(|| panic!("there is no trait `{name}`")))
    }

    /// The one with this name if `holds`, or else none.
    pub(super) fn when(holds: bool, name: &str) -> Traits {
        if holds { Traits::named(name) } else { Traits::NONE }
    }

    /// Whether all of `others` are among these.
    pub(super) fn have(self, others: Traits) -> bool {
        self.0 & others.0 == others.0
    }

    /// Whether one of `others` is among these.
    pub(super) fn have_any(self, others: Traits) -> bool {
        self.0 & others.0 != 0
    }
}

impl BitOr for Traits {
    type Output = Traits;

    fn bitor(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }
}

impl FromIterator<Traits> for Traits {
    fn from_iter<I: IntoIterator<Item = Traits>>(all: I) -> Traits {
        all.into_iter().fold(Traits::NONE, BitOr::bitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_are_had_and_others_are_not() {
        let had = Traits::named("car") | Traits::named("f");
        assert!(had.have(Traits::NONE) && had.have(Traits::named("car")));
        assert!(!had.have(Traits::named("car") | Traits::named("m")));
        assert!(had.have_any(Traits::named("car") | Traits::named("m")));
        assert!(!had.have_any(Traits::NONE));
    }
}
