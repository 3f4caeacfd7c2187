//! Chooses the next act of a writer at random from the present state, mostly from the latest entries, so that many
//! writers change the same things.

use rand::RngExt as _;
use rand::rngs::StdRng;

use super::ledger::{Act, Answered, Ledger, Outcome, Side};

/// The number of last entries among which the writers choose.
const WINDOW: usize = 400;

/// The most characters of a message in the contract: far more than one value of the store holds in one piece.
const LONGEST: usize = 10_000;

/// An act that is possible at present. Mostly about the latest entries, so that many writers change the same things.
pub(super) fn draw(ledger: &Ledger, chance: &mut StdRng) -> Act {
    let number = ledger.entries.len();
    let end = if chance.random_ratio(9, 10) {
        number
    } else {
        chance.random_range(0..=number)
    };
    let window = Window {
        ledger,
        from: end.saturating_sub(WINDOW),
        end,
    };
    let name = |what: &str| format!("#{number} {what}");
    let text = text(number, chance);
    let act = match chance.random_range(0..100) {
        0..3 => Some(Act::Account { name: name("account") }),
        3..6 => Some(Act::Human {
            headline: name("worker"),
        }),
        6..10 => window.human(chance).map(|human| Act::Token { human }),
        10..24 => window.account(chance).map(|account| Act::Bounty {
            account,
            title: name("bounty"),
            description: text,
        }),
        24..42 => window.application(chance, text),
        42..50 => window.decision(chance),
        50..57 => window.conversation(chance, text),
        57..76 => window.message(chance, text),
        76..86 => window.account(chance).map(|account| Act::Key {
            account,
            name: name("key"),
        }),
        86..92 => window.revocation(chance),
        _ => window.status(chance),
    };
    act.unwrap_or_else(|| match window.human(chance) {
        Some(human) if ledger.token_of(human).is_none() => Act::Token { human },
        _ if chance.random() => Act::Human {
            headline: name("worker"),
        },
        _ => Act::Account { name: name("account") },
    })
}

/// A text that only this entry sends; one of eight is long, with characters of three bytes.
fn text(number: usize, chance: &mut StdRng) -> String {
    let short = format!("#{number} said once.");
    if chance.random_ratio(7, 8) {
        return short;
    }
    let length = *[1_500, 1_700, 5_000, LONGEST]
        .get(chance.random_range(0..4))
        .expect("one of four");
    let rest = (0..length - short.chars().count())
        .map(|place| char::from_u32(0x4E00 + ((number * 31 + place) % 20_000) as u32));
    short
        .chars()
        .chain(rest.map(|known| known.expect("a character")))
        .collect()
}

/// The entries to choose from.
struct Window<'l> {
    ledger: &'l Ledger,
    from: usize,
    end: usize,
}

impl Window<'_> {
    /// One of the last `width` matches of `of` among the acknowledged acts.
    fn one<T>(&self, chance: &mut StdRng, width: usize, of: impl Fn(&Act, &Answered) -> Option<T>) -> Option<T> {
        let window = self.ledger.entries[self.from..self.end].iter().rev();
        let found = window.filter_map(|entry| of(&entry.act, entry.done()?));
        let mut found: Vec<T> = found.take(width).collect();
        (!found.is_empty()).then(|| found.swap_remove(chance.random_range(0..found.len())))
    }

    fn account(&self, chance: &mut StdRng) -> Option<i64> {
        self.one(chance, 6, |act, done| {
            (matches!(act, Act::Account { .. }) && !done.secret.is_empty()).then_some(done.id)
        })
    }

    fn human(&self, chance: &mut StdRng) -> Option<i64> {
        self.one(chance, 4, |act, done| {
            matches!(act, Act::Human { .. }).then_some(done.id)
        })
    }

    fn human_with_token(&self, chance: &mut StdRng) -> Option<i64> {
        let human = self.human(chance)?;
        self.ledger.token_of(human).map(|_| human)
    }

    fn application(&self, chance: &mut StdRng, message: String) -> Option<Act> {
        let human = self.human_with_token(chance)?;
        self.one(chance, 8, |act, done| match *act {
            Act::Bounty { account, .. } => Some((account, done.id)),
            _ => None,
        })
        .map(|(account, bounty)| Act::Application {
            account,
            bounty,
            human,
            message,
        })
    }

    fn decision(&self, chance: &mut StdRng) -> Option<Act> {
        let to = if chance.random() { "accepted" } else { "rejected" };
        self.one(chance, 20, |act, done| match *act {
            Act::Application { account, bounty, .. } => Some(Act::Decision {
                account,
                bounty,
                application: done.id,
                to,
            }),
            _ => None,
        })
        .filter(|act| self.is_reachable(act))
    }

    fn status(&self, chance: &mut StdRng) -> Option<Act> {
        let statuses = ["open", "in_progress", "completed", "cancelled"];
        let to = statuses[chance.random_range(0..statuses.len())];
        self.one(chance, 20, |act, done| match *act {
            Act::Bounty { account, .. } => Some(Act::Status {
                account,
                bounty: done.id,
                to,
            }),
            _ => None,
        })
        .filter(|act| self.is_reachable(act))
    }

    fn conversation(&self, chance: &mut StdRng, message: String) -> Option<Act> {
        let (account, human) = (self.account(chance)?, self.human(chance)?);
        Some(Act::Conversation {
            account,
            human,
            message,
        })
    }

    fn message(&self, chance: &mut StdRng, content: String) -> Option<Act> {
        let agent = chance.random();
        let (account, human, conversation) = self.one(chance, 6, |act, done| match *act {
            Act::Conversation { account, human, .. } => Some((account, human, done.id)),
            _ => None,
        })?;
        let from = if agent { Side::Agent } else { Side::Human };
        if from == Side::Human && self.ledger.token_of(human).is_none() {
            return None;
        }
        Some(Act::Message {
            account,
            human,
            conversation,
            from,
            content,
        })
    }

    /// The revocation of a key that was not revoked before.
    fn revocation(&self, chance: &mut StdRng) -> Option<Act> {
        let act = self.one(chance, 12, |act, done| match *act {
            Act::Key { account, .. } => Some(Act::Revocation { account, key: done.id }),
            _ => None,
        })?;
        let again = self
            .ledger
            .entries
            .iter()
            .any(|entry| entry.act == act && entry.outcome != Outcome::Rejected);
        (!again && self.is_reachable(&act)).then_some(act)
    }

    /// Whether there is a known key for the request. The key of an account whose creation was not answered is unknown.
    fn is_reachable(&self, act: &Act) -> bool {
        act.account()
            .is_some_and(|account| self.ledger.key_of(account).is_some())
    }
}
