//! What was asked of the server, and what it answered: the facts that have to outlive it.
//!
//! Every text that is sent begins with the number of its entry, so whatever the server shows later says itself which
//! entry it comes from, answered or not. Knows nothing of HTTP or of how things are looked up.

use std::collections::HashSet;

/// Something that was asked. Ids are those that the server gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Act {
    Account {
        name: String,
    },
    Human {
        headline: String,
    },
    Token {
        human: i64,
    },
    Bounty {
        account: i64,
        title: String,
        description: String,
    },
    Status {
        account: i64,
        bounty: i64,
        to: &'static str,
    },
    Application {
        account: i64,
        bounty: i64,
        human: i64,
        message: String,
    },
    Decision {
        account: i64,
        bounty: i64,
        application: i64,
        to: &'static str,
    },
    Conversation {
        account: i64,
        human: i64,
        message: String,
    },
    Message {
        account: i64,
        human: i64,
        conversation: i64,
        from: Side,
        content: String,
    },
    Key {
        account: i64,
        name: String,
    },
    Revocation {
        account: i64,
        key: i64,
    },
}

/// Who of the two speaks in a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Agent,
    Human,
}

/// What is changed by an act, where only one at a time may do so: with two under way, nobody knew which came last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Changed {
    Token(i64),
    Status(i64),
    Decision(i64),
    Key(i64),
}

/// What came of an act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// There was no answer: it may have been done, whole, or not at all.
    Unknown,
    /// It was answered that it is not done.
    Rejected,
    /// It was answered that it is done.
    Done(Answered),
}

/// What was answered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Answered {
    /// Of what was made; 0 where nothing is.
    pub(super) id: i64,
    /// Of what was made with it: an account's first key, a conversation's first message.
    pub(super) second: i64,
    /// A key or a token; empty where there is none, or where it is not known.
    pub(super) secret: String,
    /// The name of the answer in what was recorded.
    pub(super) request: String,
}

#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) act: Act,
    pub(super) outcome: Outcome,
    /// After how many ends of the server it was asked.
    pub(super) round: usize,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Ledger {
    pub(super) entries: Vec<Entry>,
    pub(super) round: usize,
    /// The operator's token, once something was asked with it.
    pub(super) operator: Option<String>,
    changing: HashSet<Changed>,
}

impl Act {
    /// The account whose agent sees what comes of it.
    pub(super) fn account(&self) -> Option<i64> {
        match *self {
            Act::Account { .. } | Act::Human { .. } | Act::Token { .. } => None,
            Act::Bounty { account, .. }
            | Act::Status { account, .. }
            | Act::Application { account, .. }
            | Act::Decision { account, .. }
            | Act::Conversation { account, .. }
            | Act::Message { account, .. }
            | Act::Key { account, .. }
            | Act::Revocation { account, .. } => Some(account),
        }
    }

    /// The worker who is concerned.
    pub(super) fn human(&self) -> Option<i64> {
        match *self {
            Act::Token { human }
            | Act::Application { human, .. }
            | Act::Conversation { human, .. }
            | Act::Message { human, .. } => Some(human),
            _ => None,
        }
    }

    pub(super) fn changed(&self) -> Option<Changed> {
        match *self {
            Act::Token { human } => Some(Changed::Token(human)),
            Act::Status { bounty, .. } => Some(Changed::Status(bounty)),
            Act::Decision { application, .. } => Some(Changed::Decision(application)),
            Act::Revocation { key, .. } => Some(Changed::Key(key)),
            _ => None,
        }
    }
}

impl Entry {
    pub(super) fn done(&self) -> Option<&Answered> {
        match &self.outcome {
            Outcome::Done(answered) => Some(answered),
            Outcome::Unknown | Outcome::Rejected => None,
        }
    }

    pub(super) fn is_unknown(&self) -> bool {
        self.outcome == Outcome::Unknown
    }
}

impl Ledger {
    /// Notes that something is going to be asked; gives the number of its entry. None while something else is under way
    /// that changes the same.
    pub(super) fn begin(&mut self, act: Act) -> Option<usize> {
        if let Some(changed) = act.changed()
            && !self.changing.insert(changed)
        {
            return None;
        }
        self.entries.push(Entry {
            act,
            outcome: Outcome::Unknown,
            round: self.round,
        });
        Some(self.entries.len() - 1)
    }

    /// Notes what was answered.
    pub(super) fn end(&mut self, number: usize, outcome: Outcome) {
        if let Some(changed) = self.entries[number].act.changed() {
            self.changing.remove(&changed);
        }
        self.entries[number].outcome = outcome;
    }

    /// The server has ended: nothing is under way any more.
    pub(super) fn end_round(&mut self) {
        self.changing.clear();
        self.round += 1;
    }

    /// How many acts were acknowledged.
    pub(super) fn acknowledged(&self) -> usize {
        self.done().count()
    }

    /// The acts that were acknowledged.
    pub(super) fn done(&self) -> impl DoubleEndedIterator<Item = (&Act, &Answered)> {
        self.entries
            .iter()
            .filter_map(|entry| Some((&entry.act, entry.done()?)))
    }

    /// The ledger as it would be had only these answers come.
    pub(super) fn with_answers(&self, came: impl Fn(&Answered) -> bool) -> Ledger {
        let mut ledger = self.clone();
        for entry in &mut ledger.entries {
            if entry.done().is_some_and(|answered| !came(answered)) {
                entry.outcome = Outcome::Unknown;
            }
        }
        ledger
    }

    /// The first key of an account, which is never revoked; none if it is not known.
    pub(super) fn key_of(&self, account: i64) -> Option<&str> {
        self.done()
            .rfind(|(act, done)| matches!(act, Act::Account { .. }) && done.id == account)
            .map(|(_, done)| done.secret.as_str())
            .filter(|secret| !secret.is_empty())
    }

    /// A worker's present token, as far as it is known.
    pub(super) fn token_of(&self, of: i64) -> Option<&str> {
        self.done()
            .rfind(|(act, _)| matches!(act, Act::Token { human } if *human == of))
            .map(|(_, done)| done.secret.as_str())
            .filter(|secret| !secret.is_empty())
    }
}
