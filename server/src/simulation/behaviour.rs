//! What simulated workers do for a bounty: a word in its category chooses.

/// The behaviour of the workers who apply to a bounty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Behaviour {
    /// Three apply within three seconds, and an accepted one reports twice.
    Usual,
    /// Nobody applies.
    Nobody,
    /// As usual, but all takes a minute longer.
    Slow,
    /// An accepted worker declines.
    Declines,
    /// The workers who apply never write.
    Silent,
    /// Sixty apply, for lists with pages.
    Many,
}

pub(super) const SECOND: u64 = 1_000;
const MINUTE: u64 = 60 * SECOND;

/// The words of categories.
const WORDS: [(&str, Behaviour); 5] = [
    ("sim-nobody", Behaviour::Nobody),
    ("sim-slow", Behaviour::Slow),
    ("sim-declines", Behaviour::Declines),
    ("sim-silent", Behaviour::Silent),
    ("sim-many", Behaviour::Many),
];

/// A text, and after how many milliseconds the worker writes it.
pub(crate) type Report = (u64, &'static str);

const USUAL: [Report; 2] = [(2 * SECOND, "I am on my way."), (5 * SECOND, "It is done.")];
const SLOW: [Report; 2] = [
    (MINUTE + 2 * SECOND, "I am on my way."),
    (MINUTE + 5 * SECOND, "It is done."),
];
const DECLINES: [Report; 1] = [(
    2 * SECOND,
    "I am sorry, I cannot do it after all. Please choose somebody else.",
)];

impl Behaviour {
    /// The behaviour that a category chooses.
    pub(crate) fn from_category(category: Option<&str>) -> Self {
        let word = WORDS.iter().find(|(word, _)| category == Some(word));
        word.map_or(Self::Usual, |(_, behaviour)| *behaviour)
    }

    /// How many workers apply.
    pub(crate) fn applicants(self) -> u64 {
        match self {
            Self::Nobody => 0,
            Self::Many => 60,
            Self::Usual | Self::Slow | Self::Declines | Self::Silent => 3,
        }
    }

    /// After how many milliseconds one of them applies, counted from 0.
    pub(crate) fn applies_after(self, nth: u64) -> u64 {
        match self {
            Self::Many => SECOND + nth * 50,
            Self::Slow => MINUTE + (nth + 1) * SECOND,
            _ => (nth + 1) * SECOND,
        }
    }

    /// What an accepted worker writes.
    pub(crate) fn reports(self) -> &'static [Report] {
        match self {
            Self::Silent => &[],
            Self::Slow => &SLOW,
            Self::Declines => &DECLINES,
            Self::Usual | Self::Nobody | Self::Many => &USUAL,
        }
    }

    /// Whether only workers apply who never write.
    pub(crate) fn is_silent(self) -> bool {
        self == Self::Silent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_category_chooses_by_the_whole_word() {
        assert_eq!(Behaviour::from_category(None), Behaviour::Usual);
        assert_eq!(Behaviour::from_category(Some("sim-many")), Behaviour::Many);
        assert_eq!(Behaviour::from_category(Some("sim-many-more")), Behaviour::Usual);
        assert_eq!(Behaviour::from_category(Some("errand")), Behaviour::Usual);
    }
}
