//! Checks creations: every shown resource belongs to the entry that asked for it, and every acknowledged entry to a resource.

use std::collections::HashSet;

use serde_json::Value;

use super::Verifier;
use crate::crash::gather::{AgentSees, Rows};
use crate::crash::ledger::{Act, Answered, Outcome, Side};

impl Verifier<'_> {
    pub(super) fn ids_are_assigned_once(&mut self) {
        let mut assigned = HashSet::new();
        for (act, done) in self.ledger.done() {
            let ids: &[(&str, i64)] = match act {
                Act::Account { .. } => &[("account", done.id), ("key", done.second)],
                Act::Human { .. } => &[("human", done.id)],
                Act::Bounty { .. } => &[("bounty", done.id)],
                Act::Application { .. } => &[("application", done.id)],
                Act::Conversation { .. } => &[("conversation", done.id), ("message", done.second)],
                Act::Message { .. } => &[("message", done.id)],
                Act::Key { .. } => &[("key", done.id)],
                Act::Token { .. } | Act::Status { .. } | Act::Decision { .. } | Act::Revocation { .. } => &[],
            };
            for id in ids.iter().filter(|(_, id)| *id != 0) {
                if !assigned.insert(*id) {
                    self.verdict
                        .wrong
                        .push(format!("the id {id:?} was given twice, the second time to {act:?}"));
                }
            }
        }
    }

    pub(super) fn sight_everything(&mut self) {
        let snapshot = self.snapshot;
        for (id, row) in &snapshot.accounts {
            let plan = row["plan"] == "verified" && row["suspended"] == self.ledger.suspended.contains(id);
            self.sight((*id, 0), &row["name"], |act| {
                plan && matches!(act, Act::Account { name } if row["name"] == **name)
            });
        }
        for (id, row) in &snapshot.humans {
            let headline = &row["headline"];
            self.sight(
                (*id, 0),
                headline,
                |act| matches!(act, Act::Human { headline: sent } if *headline == **sent),
            );
        }
        for (id, row) in &snapshot.open {
            self.sight_bounty(*id, row, None);
        }
        for (account, sees) in &snapshot.agents {
            self.sight_as_agent(*account, sees);
        }
        for (human, sees) in &snapshot.workers {
            for (id, row) in &sees.applications {
                self.sight((*id, 0), &row["message"], |act| {
                    matches!(act, Act::Application { bounty, human: of, message, .. }
                        if of == human && row["bounty_id"] == *bounty && row["message"] == **message)
                });
            }
            for (id, conversation) in &sees.conversations {
                self.sight_messages(*id, conversation, |_, of| of == *human);
            }
        }
    }

    fn sight_as_agent(&mut self, account: i64, sees: &AgentSees) {
        for (id, row) in &sees.bounties {
            self.sight_bounty(*id, row, Some(account));
        }
        for (bounty, rows) in &sees.applications {
            for (id, row) in rows {
                self.sight((*id, 0), &row["message"], |act| {
                    matches!(act, Act::Application { bounty: to, human, message, .. }
                        if to == bounty && row["user_id"] == *human && row["message"] == **message)
                });
            }
        }
        for (id, conversation) in &sees.conversations {
            self.sight_messages(*id, conversation, |of, _| of == account);
        }
        for (id, row) in self.created_keys(account, &sees.keys) {
            self.sight(
                (id, 0),
                &row["name"],
                |act| matches!(act, Act::Key { account: of, name } if *of == account && row["name"] == **name),
            );
        }
    }

    /// All keys but the first one, which came with the account.
    fn created_keys<'r>(&self, account: i64, keys: &'r Rows) -> Vec<(i64, &'r Value)> {
        let of = self
            .ledger
            .done()
            .find(|(act, done)| matches!(act, Act::Account { .. }) && done.id == account);
        let first = of.map(|(_, done)| done.second);
        keys.iter()
            .map(|(id, row)| (*id, row))
            .filter(|(id, _)| Some(*id) != first)
            .collect()
    }

    fn sight_bounty(&mut self, id: i64, row: &Value, of: Option<i64>) {
        self.sight((id, 0), &row["title"], |act| {
            matches!(act, Act::Bounty { account, title, description }
                if of.is_none_or(|of| of == *account) && row["title"] == **title && row["description"] == **description)
        });
    }

    /// The messages of a conversation, which must be in the order of their ids.
    fn sight_messages(&mut self, conversation: i64, row: &Value, between: impl Fn(i64, i64) -> bool) {
        let messages = row["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
        if !messages.is_sorted_by_key(|message| message["id"].as_i64()) {
            self.wrong(format!(
                "the messages of conversation {conversation} are not in their order"
            ));
        }
        for (place, message) in messages.iter().enumerate() {
            let (id, content) = (message["id"].as_i64().unwrap_or(0), &message["content"]);
            let ids = if place == 0 { (conversation, id) } else { (id, 0) };
            self.sight(ids, content, |act| match act {
                Act::Conversation {
                    account,
                    human,
                    message: sent,
                } => place == 0 && between(*account, *human) && *content == **sent && message["sender_type"] == "agent",
                Act::Message {
                    account,
                    human,
                    conversation: to,
                    from,
                    content: sent,
                } => {
                    let sender = if *from == Side::Agent { "agent" } else { "human" };
                    place > 0
                        && between(*account, *human)
                        && *to == conversation
                        && *content == **sent
                        && message["sender_type"] == sender
                }
                _ => false,
            });
        }
    }

    /// Notes a shown resource: its text names its entry, and all of it must be as that entry asked.
    fn sight(&mut self, ids: (i64, i64), text: &Value, is_whole: impl Fn(&Act) -> bool) {
        let number = text
            .as_str()
            .and_then(|text| text.strip_prefix('#')?.split(' ').next()?.parse::<usize>().ok());
        let Some((number, entry)) = number.and_then(|number| Some((number, self.ledger.entries.get(number)?))) else {
            return self.wrong(format!("{ids:?} is shown, which nobody asked for: {text}"));
        };
        let start: String = text.to_string().chars().take(60).collect();
        if !is_whole(&entry.act) {
            self.wrong(format!("{ids:?} is shown, but not as it was asked for: {start}"));
        } else if entry.outcome == Outcome::Rejected {
            self.wrong(format!(
                "{ids:?} is shown, which was rejected or had not come about: {start}"
            ));
        } else if entry
            .done()
            .is_some_and(|done| done.id != ids.0 || (ids.1 != 0 && done.second != ids.1))
        {
            self.wrong(format!("{ids:?} is shown, which was answered with another id: {start}"));
        } else if self.found.insert(number, ids).is_some_and(|before| before != ids) {
            self.wrong(format!("{ids:?} is shown for the second time: {start}"));
        }
    }

    pub(super) fn created_records_are_there(&mut self) {
        for (number, entry) in self.ledger.entries.iter().enumerate() {
            if !self.is_looked_at(&entry.act) {
                self.verdict.not_looked_at.insert(number);
            } else if let Some(done) = entry.done() {
                self.verdict.acknowledged += 1;
                if let Some(found) = self.instead_of(number, &entry.act, done) {
                    self.verdict.lost.insert(number, found.to_owned());
                }
            }
        }
    }

    /// What is shown in place of the created resource; `None` if nothing was created, or it is shown.
    fn instead_of(&self, number: usize, act: &Act, done: &Answered) -> Option<&'static str> {
        match act {
            Act::Token { .. } | Act::Status { .. } | Act::Decision { .. } | Act::Revocation { .. } => None,
            // Whether a key should be shown depends on its revocation, too.
            Act::Key { .. } => None,
            _ if !self.found.contains_key(&number) => Some("it is not shown"),
            Act::Account { .. } => {
                let status = self.snapshot.secrets.get(&done.secret);
                status
                    .filter(|status| **status != 200)
                    .map(|_| "its first key does not work")
            }
            _ => None,
        }
    }

    /// Notes what was created without an answer and is shown.
    pub(super) fn unanswered(&mut self) {
        for (number, (id, second)) in &self.found {
            if self.ledger.entries[*number].is_unknown() {
                let found = Answered {
                    id: *id,
                    second: *second,
                    ..Answered::default()
                };
                self.verdict.done_unanswered.insert(*number, found);
            }
        }
    }
}
