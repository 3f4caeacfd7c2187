//! The acts asked of the server, and its answers: the facts that must survive.
//!
//! Every sent text begins with the number of its entry, so that everything the server shows later names its entry,
//! answered or not. Knows nothing of HTTP or of how things are looked up.

use std::collections::HashSet;

/// An act that was asked of the server. Ids are those that the server returned.
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

/// The sender of a message in a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Agent,
    Human,
}

/// The thing that an act changes, if only one act may do so at a time: the order of two simultaneous ones would be
/// unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Changed {
    Token(i64),
    Status(i64),
    Decision(i64),
    Key(i64),
}

/// The outcome of an act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// There was no answer: it was done completely or not at all.
    Unknown,
    /// It was rejected.
    Rejected,
    /// It was acknowledged.
    Done(Answered),
}

/// An acknowledgement.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Answered {
    /// The id of the created resource; 0 without one.
    pub(super) id: i64,
    /// The id of the second created resource: an account's first key, a conversation's first message.
    pub(super) second: i64,
    /// A key or a token; empty without one, or if it is unknown.
    pub(super) secret: String,
    /// The name of the answer in the recording.
    pub(super) request: String,
}

#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) act: Act,
    pub(super) outcome: Outcome,
    /// The number of ends of the server before it was asked.
    pub(super) round: usize,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Ledger {
    pub(super) entries: Vec<Entry>,
    pub(super) round: usize,
    /// The operator's token, once it was used.
    pub(super) operator: Option<String>,
    /// The accounts that were suspended.
    pub(super) suspended: HashSet<i64>,
    changing: HashSet<Changed>,
}

impl Act {
    /// The account whose agent sees the effect.
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

    /// The affected worker.
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
    /// Notes that an act is about to be asked; returns the number of its entry. `None` while another act on the same
    /// thing is in progress.
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

    /// Notes the outcome.
    pub(super) fn end(&mut self, number: usize, outcome: Outcome) {
        if let Some(changed) = self.entries[number].act.changed() {
            self.changing.remove(&changed);
        }
        self.entries[number].outcome = outcome;
    }

    /// The server has ended: no act is in progress.
    pub(super) fn end_round(&mut self) {
        self.changing.clear();
        self.round += 1;
    }

    /// The number of acknowledged acts.
    pub(super) fn acknowledged(&self) -> usize {
        self.done().count()
    }

    /// The acknowledged acts.
    pub(super) fn done(&self) -> impl DoubleEndedIterator<Item = (&Act, &Answered)> {
        self.entries
            .iter()
            .filter_map(|entry| Some((&entry.act, entry.done()?)))
    }

    /// The ledger if only these answers had come.
    pub(super) fn with_answers(&self, came: impl Fn(&Answered) -> bool) -> Ledger {
        let mut ledger = self.clone();
        for entry in &mut ledger.entries {
            if entry.done().is_some_and(|answered| !came(answered)) {
                entry.outcome = Outcome::Unknown;
            }
        }
        ledger
    }

    /// The first key of an account, which is never revoked; `None` if it is unknown.
    pub(super) fn key_of(&self, account: i64) -> Option<&str> {
        self.done()
            .rfind(|(act, done)| matches!(act, Act::Account { .. }) && done.id == account)
            .map(|(_, done)| done.secret.as_str())
            .filter(|secret| !secret.is_empty())
    }

    /// A worker's present token, if it is known.
    pub(super) fn token_of(&self, of: i64) -> Option<&str> {
        self.done()
            .rfind(|(act, _)| matches!(act, Act::Token { human } if *human == of))
            .map(|(_, done)| done.secret.as_str())
            .filter(|secret| !secret.is_empty())
    }
}
