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
    /// The first who has applied withdraws.
    Withdraws,
    /// The workers who apply never write.
    Silent,
    /// Sixty apply, for lists with pages.
    Many,
}

pub(super) const SECOND: u64 = 1_000;
const MINUTE: u64 = 60 * SECOND;

/// The words of categories.
const WORDS: [(&str, Behaviour); 6] = [
    ("sim-nobody", Behaviour::Nobody),
    ("sim-slow", Behaviour::Slow),
    ("sim-declines", Behaviour::Declines),
    ("sim-withdraws", Behaviour::Withdraws),
    ("sim-silent", Behaviour::Silent),
    ("sim-many", Behaviour::Many),
];

/// A message about the work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Report {
    /// After how many milliseconds the worker writes it.
    pub(crate) after: u64,
    /// The text.
    pub(crate) text: &'static str,
    /// Whether a photo comes with it.
    pub(crate) has_photo: bool,
}

const fn under_way(after: u64) -> Report {
    Report {
        after,
        text: "I am on my way.",
        has_photo: false,
    }
}

const fn done(after: u64) -> Report {
    Report {
        after,
        text: "It is done.",
        has_photo: true,
    }
}

const USUAL: [Report; 2] = [under_way(2 * SECOND), done(5 * SECOND)];
const SLOW: [Report; 2] = [under_way(MINUTE + 2 * SECOND), done(MINUTE + 5 * SECOND)];
const DECLINES: [Report; 1] = [Report {
    after: 2 * SECOND,
    text: "I am sorry, I cannot do it after all. Please choose somebody else.",
    has_photo: false,
}];

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
            Self::Usual | Self::Slow | Self::Declines | Self::Withdraws | Self::Silent => 3,
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

    /// Who withdraws the application, and after how many milliseconds.
    pub(crate) fn withdraws_after(self) -> Option<(u64, u64)> {
        (self == Self::Withdraws).then(|| (0, self.applies_after(0) + 4 * SECOND))
    }

    /// After how many milliseconds an accepted worker delivers.
    pub(crate) fn delivers_after(self) -> Option<u64> {
        let done = self.reports().iter().find(|report| report.has_photo);
        done.map(|report| report.after)
    }

    /// What an accepted worker writes.
    pub(crate) fn reports(self) -> &'static [Report] {
        match self {
            Self::Silent => &[],
            Self::Slow => &SLOW,
            Self::Declines => &DECLINES,
            Self::Usual | Self::Nobody | Self::Withdraws | Self::Many => &USUAL,
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
