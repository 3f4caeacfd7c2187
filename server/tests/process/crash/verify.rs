//! Holds what the server shows against the ledger. The only place that says what is lost, and what is wrong.
//!
//! Knows nothing of HTTP: it compares values.

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use serde_json::Value;

use super::gather::{AgentSees, Rows, Scope, Shown, gather};
use super::ledger::{Act, Answered, Ledger, Outcome, Side};
use crate::service::Service;

/// The most active keys that the contract lets an account have.
const MAX_KEYS: usize = 3;

/// What came of holding the one against the other. Entries are named by their numbers.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    /// How many acknowledged acts were held against what is shown.
    pub(super) acknowledged: usize,
    /// Of these, the ones that are not to be seen, each with what is to be seen instead.
    pub(super) lost: BTreeMap<usize, String>,
    /// Whatever else is not as it must be: what was never asked, or only in part; a count, a list or a quota that
    /// contradicts the rows.
    pub(super) wrong: Vec<String>,
    /// Of the acts without an answer, those that were done.
    done_unanswered: BTreeMap<usize, Answered>,
}

/// Looks at the server and holds it against the ledger.
pub(super) fn check(service: &Service, ledger: &Ledger, scope: &Scope) -> Verdict {
    let mut verdict = verify(ledger, &gather(service, ledger, scope), scope);
    let token = std::fs::read_to_string(service.data.join("operator-token")).expect("the operator's token");
    if verdict.acknowledged > 0 && ledger.operator.as_deref() != Some(token.trim()) {
        verdict.wrong.push("the operator's token is another".to_owned());
    }
    verdict
}

/// The same without a server.
pub(super) fn verify(ledger: &Ledger, shown: &Shown, scope: &Scope) -> Verdict {
    let mut verifier = Verifier {
        ledger,
        shown,
        scope,
        seen: BTreeMap::new(),
        verdict: Verdict::default(),
    };
    verifier.verdict.wrong.extend(shown.faults.iter().cloned());
    verifier.ids_are_given_once();
    verifier.sight_everything();
    verifier.what_was_made_is_there();
    verifier.what_was_changed_is_changed();
    verifier.what_is_derived_agrees();
    verifier.unanswered();
    verifier.verdict
}

impl Verdict {
    pub(super) fn is_whole(&self) -> bool {
        self.lost.is_empty() && self.wrong.is_empty()
    }

    /// Takes for answered what turned out to be done, and for refused what turned out not to be: from now on, the one
    /// may not vanish and the other may not appear.
    pub(super) fn settle(&self, ledger: &mut Ledger) {
        for (number, entry) in ledger.entries.iter_mut().enumerate() {
            if entry.is_unknown() {
                let done = self.done_unanswered.get(&number);
                entry.outcome = done.map_or(Outcome::Refused, |answered| Outcome::Done(answered.clone()));
            }
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} acknowledged, {} lost", self.acknowledged, self.lost.len())?;
        let lost = self
            .lost
            .iter()
            .map(|(number, found)| format!("lost #{number}: {found}"));
        let wrong = self.wrong.iter().map(|wrong| format!("wrong: {wrong}"));
        lost.chain(wrong)
            .take(20)
            .try_for_each(|line| write!(out, "\n  {line}"))
    }
}

struct Verifier<'v> {
    ledger: &'v Ledger,
    shown: &'v Shown,
    scope: &'v Scope,
    /// Entry → the id under which what it made is shown, and the id of what was made with it.
    seen: BTreeMap<usize, (i64, i64)>,
    verdict: Verdict,
}

impl Verifier<'_> {
    fn wrong(&mut self, what: String) {
        self.verdict.wrong.push(what);
    }

    fn ids_are_given_once(&mut self) {
        let mut given = HashSet::new();
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
                if !given.insert(*id) {
                    self.verdict
                        .wrong
                        .push(format!("the id {id:?} was given twice, the second time to {act:?}"));
                }
            }
        }
    }

    fn sight_everything(&mut self) {
        let shown = self.shown;
        for (id, row) in &shown.accounts {
            let plan = row["plan"] == "verified" && row["suspended"] == false;
            self.sight((*id, 0), &row["name"], |act| {
                plan && matches!(act, Act::Account { name } if row["name"] == **name)
            });
        }
        for (id, row) in &shown.humans {
            let headline = &row["headline"];
            self.sight(
                (*id, 0),
                headline,
                |act| matches!(act, Act::Human { headline: sent } if *headline == **sent),
            );
        }
        for (id, row) in &shown.open {
            self.sight_bounty(*id, row, None);
        }
        for (account, sees) in &shown.agents {
            self.sight_as_agent(*account, sees);
        }
        for (human, sees) in &shown.workers {
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
        for (id, row) in self.keys_that_were_made(account, &sees.keys) {
            self.sight(
                (id, 0),
                &row["name"],
                |act| matches!(act, Act::Key { account: of, name } if *of == account && row["name"] == **name),
            );
        }
    }

    /// All but the first one, which came with the account.
    fn keys_that_were_made<'r>(&self, account: i64, keys: &'r Rows) -> Vec<(i64, &'r Value)> {
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

    /// Something is shown: its text names the entry that it comes from, and all of it must be as that entry asked.
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
        } else if entry.outcome == Outcome::Refused {
            self.wrong(format!(
                "{ids:?} is shown, which was refused or had not come about: {start}"
            ));
        } else if entry
            .done()
            .is_some_and(|done| done.id != ids.0 || (ids.1 != 0 && done.second != ids.1))
        {
            self.wrong(format!("{ids:?} is shown, which was answered with another id: {start}"));
        } else if self.seen.insert(number, ids).is_some_and(|before| before != ids) {
            self.wrong(format!("{ids:?} is shown for the second time: {start}"));
        }
    }

    fn what_was_made_is_there(&mut self) {
        for (number, entry) in self.ledger.entries.iter().enumerate() {
            let Some(done) = entry.done() else { continue };
            if !self.is_looked_at(&entry.act) {
                continue;
            }
            self.verdict.acknowledged += 1;
            let made = match entry.act {
                Act::Token { .. } | Act::Status { .. } | Act::Decision { .. } | Act::Revocation { .. } => false,
                // Whether a key should be there is a matter of its revocation too.
                Act::Key { .. } => false,
                _ => true,
            };
            if made && !self.seen.contains_key(&number) {
                self.verdict.lost.insert(number, "it is not shown".to_owned());
            }
            if matches!(entry.act, Act::Account { .. })
                && self
                    .shown
                    .secrets
                    .get(&done.secret)
                    .is_some_and(|status| *status != 200)
            {
                self.verdict
                    .lost
                    .insert(number, "its first key does not work".to_owned());
            }
        }
    }

    fn is_looked_at(&self, act: &Act) -> bool {
        match act {
            Act::Account { .. } => true,
            // The list of workers is for agents: before the first one there is nobody to look.
            Act::Human { .. } => self.shown.secrets.keys().any(|secret| secret.starts_with("htd_")),
            Act::Token { human } => self.scope.humans.contains(human),
            _ => act
                .account()
                .is_some_and(|account| self.scope.accounts.contains(&account)),
        }
    }

    fn what_was_changed_is_changed(&mut self) {
        let mut statuses: BTreeMap<(i64, i64), Vec<(usize, &str)>> = BTreeMap::new();
        let mut decisions: BTreeMap<(i64, i64, i64), Vec<(usize, &str)>> = BTreeMap::new();
        let mut tokens: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
        let mut keys: BTreeMap<i64, (usize, i64, Option<usize>)> = BTreeMap::new();
        for (number, entry) in self.ledger.entries.iter().enumerate() {
            match entry.act {
                _ if entry.outcome == Outcome::Refused || !self.is_looked_at(&entry.act) => {}
                Act::Status { account, bounty, to } => {
                    statuses.entry((account, bounty)).or_default().push((number, to))
                }
                Act::Decision {
                    account,
                    bounty,
                    application,
                    to,
                } => {
                    decisions
                        .entry((account, bounty, application))
                        .or_default()
                        .push((number, to));
                }
                Act::Token { human } => tokens.entry(human).or_default().push(number),
                Act::Key { account, .. } => {
                    keys.extend(entry.done().map(|made| (made.id, (number, account, None))));
                }
                Act::Revocation { key, .. } => {
                    if let Some((_, _, revocation)) = keys.get_mut(&key) {
                        *revocation = Some(number);
                    }
                }
                _ => {}
            }
        }
        for (number, account, revocation) in keys.into_values() {
            self.key(number, account, revocation);
        }
        let shown = self.shown;
        for ((account, bounty), changes) in statuses {
            let row = shown.agents.get(&account).and_then(|sees| sees.bounties.get(&bounty));
            self.last_of("open", &changes, row.map(|row| &row["status"]));
        }
        for ((account, bounty, application), changes) in decisions {
            let rows = shown
                .agents
                .get(&account)
                .and_then(|sees| sees.applications.get(&bounty));
            self.last_of(
                "pending",
                &changes,
                rows.and_then(|rows| rows.get(&application)).map(|row| &row["status"]),
            );
        }
        for (_, numbers) in tokens {
            self.tokens(&numbers);
        }
    }

    /// What is shown must be what the last answered change said, or one without an answer that came after it.
    fn last_of(&mut self, initial: &str, changes: &[(usize, &str)], shown: Option<&Value>) {
        let entries = &self.ledger.entries;
        let last = changes
            .iter()
            .rposition(|(number, _)| entries[*number].done().is_some());
        let unanswered = &changes[last.map_or(0, |last| last + 1)..];
        let before = last.map_or(initial, |last| changes[last].1);
        let may_be = |status: &Value| *status == *before || unanswered.iter().any(|(_, to)| *status == **to);
        match (last, shown) {
            (_, Some(status)) if may_be(status) => {
                for (number, to) in unanswered {
                    if *status == **to {
                        self.verdict.done_unanswered.insert(*number, Answered::default());
                    }
                }
            }
            (Some(last), _) => {
                let found = format!("{before} is {shown:?}");
                self.verdict.lost.insert(changes[last].0, found);
            }
            (None, Some(status)) => self.wrong(format!("{status} is shown instead of {initial}: {changes:?}")),
            // That what it stands on is lost was said there.
            (None, None) => {}
        }
    }

    /// The last answered token works, and none before it; one without an answer may have ended it.
    fn tokens(&mut self, numbers: &[usize]) {
        let entries = &self.ledger.entries;
        let status = |number: usize| {
            let secret = &entries[number].done()?.secret;
            self.shown.secrets.get(secret).copied()
        };
        let last = numbers.iter().rposition(|number| entries[*number].done().is_some());
        let (former, unanswered) = numbers.split_at(last.map_or(0, |last| last + 1));
        let works = former.last().and_then(|last| status(*last));
        let ended = former
            .iter()
            .rev()
            .skip(1)
            .copied()
            .find(|number| status(*number) == Some(200));
        match works {
            Some(200) => {
                if let Some(ended) = ended {
                    self.wrong(format!("the token of #{ended} works, after another was given"));
                }
            }
            Some(401) if !unanswered.is_empty() => {
                for number in unanswered {
                    self.verdict.done_unanswered.insert(*number, Answered::default());
                }
            }
            Some(other) => {
                let last = *former.last().expect("one has a status");
                self.verdict
                    .lost
                    .insert(last, format!("the token is answered with {other}"));
            }
            // No token was ever answered, or the secret of the last one is not known: nobody can try.
            None => {
                for number in unanswered {
                    self.verdict.done_unanswered.insert(*number, Answered::default());
                }
            }
        }
    }

    /// A key that was made works and is listed, and one that was revoked neither.
    fn key(&mut self, number: usize, account: i64, revocation: Option<usize>) {
        let Some(made) = self.ledger.entries[number].done() else {
            return;
        };
        let works = self.shown.secrets.get(&made.secret).map(|status| *status == 200);
        let listed = self
            .shown
            .agents
            .get(&account)
            .map(|sees| sees.keys.contains_key(&made.id));
        if let (Some(works), Some(listed)) = (works, listed)
            && works != listed
        {
            return self.wrong(format!(
                "key {}: that it works is {works}, that it is listed {listed}",
                made.id
            ));
        }
        let is_there = works.or(listed);
        match revocation.map(|number| (number, &self.ledger.entries[number])) {
            None if is_there != Some(true) => {
                self.verdict.lost.insert(number, "the key is not there".to_owned());
            }
            Some((revocation, entry)) if entry.done().is_some() && is_there == Some(true) => {
                self.verdict
                    .lost
                    .insert(revocation, "the key is still there".to_owned());
            }
            Some((revocation, entry)) if entry.is_unknown() && is_there == Some(false) => {
                self.verdict.done_unanswered.insert(revocation, Answered::default());
            }
            _ => {}
        }
    }

    fn what_is_derived_agrees(&mut self) {
        let shown = self.shown;
        for (account, sees) in &shown.agents {
            let active = shown.accounts.get(account).and_then(|row| row["active_keys"].as_u64());
            if sees.keys.len() > MAX_KEYS || active != Some(sees.keys.len() as u64) {
                self.wrong(format!(
                    "account {account} has {active:?} active keys and lists {}",
                    sees.keys.len()
                ));
            }
            for (id, bounty) in &sees.bounties {
                self.bounty_agrees(*id, bounty, &sees.applications[id]);
            }
            self.inbox_agrees(&sees.inbox, &sees.conversations);
        }
        for sees in shown.workers.values() {
            self.inbox_agrees(&sees.inbox, &sees.conversations);
        }
        self.both_sides_agree();
    }

    fn bounty_agrees(&mut self, id: i64, bounty: &Value, applications: &Rows) {
        let count = applications.len();
        let listed = self.shown.open.get(&id);
        let counts = [Some(bounty), listed]
            .into_iter()
            .flatten()
            .map(|row| row["applications_count"].as_u64());
        if counts.clone().any(|shown| shown != Some(count as u64)) {
            let counts: Vec<_> = counts.collect();
            self.wrong(format!("bounty {id} counts {counts:?} applications and has {count}"));
        }
        if (bounty["status"] == "open") != listed.is_some() {
            self.wrong(format!(
                "bounty {id} is {}, that it is listed is {}",
                bounty["status"],
                listed.is_some()
            ));
        }
        let workers: HashSet<_> = applications.values().map(|row| row["user_id"].as_i64()).collect();
        if workers.len() != count {
            self.wrong(format!("a worker has applied to bounty {id} twice"));
        }
    }

    fn inbox_agrees(&mut self, inbox: &Rows, conversations: &Rows) {
        for (id, row) in inbox {
            let last = conversations
                .get(id)
                .and_then(|detail| detail["messages"].as_array()?.last());
            if last.map(|last| &last["content"]) != Some(&row["last_message"]) {
                self.wrong(format!("conversation {id} does not end with its last message"));
            }
        }
    }

    /// A worker sees the same applications and conversations as the agents.
    fn both_sides_agree(&mut self) {
        let shown = self.shown;
        for (number, entry) in self.ledger.entries.iter().enumerate() {
            let (Some((id, _)), Some(account), Some(human)) =
                (self.seen.get(&number).copied(), entry.act.account(), entry.act.human())
            else {
                continue;
            };
            let (Some(agent), Some(worker)) = (shown.agents.get(&account), shown.workers.get(&human)) else {
                continue;
            };
            let agree = match entry.act {
                Act::Application { bounty, .. } => {
                    let received = agent.applications.get(&bounty).and_then(|rows| rows.get(&id));
                    let sent = worker.applications.get(&id);
                    let status = |row: Option<&Value>| row.map(|row| row["status"].clone());
                    let bounty = agent.bounties.get(&bounty).map(|row| row["status"].clone());
                    status(received) == status(sent) && bounty == sent.map(|row| row["bounty_status"].clone())
                }
                Act::Conversation { .. } => {
                    let messages = |rows: &Rows| rows.get(&id).map(|detail| detail["messages"].clone());
                    messages(&agent.conversations) == messages(&worker.conversations)
                }
                _ => true,
            };
            if !agree {
                self.wrong(format!(
                    "agent {account} and worker {human} see different things of #{number}"
                ));
            }
        }
    }

    /// What was made without an answer, and is there.
    fn unanswered(&mut self) {
        for (number, (id, second)) in &self.seen {
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
