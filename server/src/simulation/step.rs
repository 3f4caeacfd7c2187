//! A step of a simulated worker, as it is stored, and the texts that workers write.

use contract::HumanId;
use serde::{Deserialize, Serialize};

/// What a worker does next, for the bounty or in the conversation that the stored step is about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Step {
    /// A worker applies to a bounty, the nth of those who do.
    Apply {
        /// Counted from 0.
        nth: u64,
    },
    /// An accepted worker writes about the work, in the latest conversation with the account.
    Report {
        /// The worker.
        human: i64,
        /// Which of the texts, counted from 0.
        nth: usize,
        /// After how many milliseconds to look again, if there is no conversation yet.
        wait: u64,
    },
    /// An accepted worker delivers the work, with a photo.
    Deliver {
        /// The worker.
        human: i64,
    },
    /// A worker withdraws the application, the nth of those who applied.
    Withdraw {
        /// Counted from 0.
        nth: u64,
    },
    /// A worker answers a message.
    Reply {
        /// The worker.
        human: i64,
        /// The beginning of the message.
        quote: String,
    },
}

/// How many characters of a message a reply quotes.
const QUOTED: usize = 40;
/// After how many milliseconds a report first looks again for a conversation. Each later time is twice as long.
const FIRST_WAIT: u64 = 1_000;
/// The longest of these times. After it, the report is dropped.
const LONGEST_WAIT: u64 = 4 * 60 * 60 * 1_000;

impl Step {
    /// A report that no conversation was sought for yet.
    pub(crate) fn report(human: HumanId, nth: usize) -> Self {
        Self::Report {
            human: human.get(),
            nth,
            wait: FIRST_WAIT,
        }
    }

    /// The reply to a message.
    pub(crate) fn reply(human: HumanId, message: &str) -> Self {
        let line = message.lines().next().unwrap_or_default();
        let mut quote: String = line.chars().take(QUOTED).collect();
        if quote.len() < message.len() {
            quote.push('…');
        }
        Self::Reply {
            human: human.get(),
            quote,
        }
    }

    /// The same report, to be tried later, and after how many milliseconds. `None` if it was tried often enough.
    pub(crate) fn later(&self) -> Option<(u64, Self)> {
        let mut later = self.clone();
        let Self::Report { wait, .. } = &mut later else {
            return None;
        };
        let after = *wait;
        *wait *= 2;
        (after <= LONGEST_WAIT).then_some((after, later))
    }

    /// As it is stored.
    pub(crate) fn to_text(&self) -> String {
        serde_json::to_string(self).expect("steps have text keys")
    }

    /// A stored step. `None` if another version of the program has stored it in another form.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}

/// A number that depends on two others and looks random (SplitMix64).
pub(crate) fn mixed(one: i64, other: i64) -> u64 {
    let mut z = one.cast_unsigned().wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ other.cast_unsigned();
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

const APPLICATIONS: [&str; 5] = [
    "I can do it tomorrow morning. I live nearby and know the place.",
    "I have done such work before, and I am free this week.",
    "I would like to help. Tell me what to look out for, and I start at once.",
    "I am free on Saturday and Sunday. I send photos when it is done.",
    "This is on my way home. I can do it today after six.",
];

const REPLIES: [&str; 4] = [
    "Yes, that is fine with me.",
    "Understood, I will do it that way.",
    "Thank you for writing. That works for me.",
    "Good, I have noted it. Anything else that I should know?",
];

/// The message of an application.
pub(crate) fn application(seed: u64) -> &'static str {
    one_of(&APPLICATIONS, seed)
}

/// The reply to a message, of which it quotes the beginning.
pub(crate) fn reply(quote: &str, seed: u64) -> String {
    format!("“{quote}” {}", one_of(&REPLIES, seed))
}

fn one_of(texts: &[&'static str], seed: u64) -> &'static str {
    texts[(seed % texts.len() as u64) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_read_as_it_was_stored() {
        let step = Step::reply(
            HumanId::new(9),
            "Could you go on Saturday? I am away until Sunday evening.\nYours",
        );
        assert_eq!(Step::from_text(&step.to_text()), Some(step));
        assert_eq!(Step::from_text("{}"), None);
    }

    #[test]
    fn a_report_waits_longer_each_time_and_not_for_ever() {
        let mut step = Step::report(HumanId::new(2), 0);
        let mut waits = Vec::new();
        while let Some((after, later)) = step.later() {
            waits.push(after);
            step = later;
        }
        assert_eq!(waits[..3], [1_000, 2_000, 4_000]);
        assert_eq!(waits.len(), 14);
    }
}
