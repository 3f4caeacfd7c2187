//! Checks changes: each thing has the state of the last answered change, or of a later one without an answer.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Verifier;
use crate::crash::ledger::{Act, Answered, Outcome};

/// The changes of one thing in order: their entries, and the new values.
type Changes = Vec<(usize, &'static str)>;

impl Verifier<'_> {
    pub(super) fn what_was_changed_is_changed(&mut self) {
        let mut statuses: BTreeMap<(i64, i64), Changes> = BTreeMap::new();
        let mut decisions: BTreeMap<(i64, i64, i64), Changes> = BTreeMap::new();
        let mut tokens: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
        let mut keys: BTreeMap<i64, (usize, i64, Option<usize>)> = BTreeMap::new();
        for (number, entry) in self.ledger.entries.iter().enumerate() {
            match entry.act {
                _ if entry.outcome == Outcome::Rejected || !self.is_looked_at(&entry.act) => {}
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
                    keys.extend(entry.done().map(|done| (done.id, (number, account, None))));
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
        let snapshot = self.snapshot;
        for ((account, bounty), changes) in statuses {
            let row = snapshot
                .agents
                .get(&account)
                .and_then(|sees| sees.bounties.get(&bounty));
            self.last_of("open", &changes, row.map(|row| &row["status"]));
        }
        for ((account, bounty, application), changes) in decisions {
            let rows = snapshot
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

    /// The shown value must be that of the last answered change, or of a later one without an answer.
    fn last_of(&mut self, initial: &str, changes: &[(usize, &str)], actual: Option<&Value>) {
        let entries = &self.ledger.entries;
        let last = changes
            .iter()
            .rposition(|(number, _)| entries[*number].done().is_some());
        let unanswered = &changes[last.map_or(0, |last| last + 1)..];
        let before = last.map_or(initial, |last| changes[last].1);
        let may_be = |status: &Value| *status == *before || unanswered.iter().any(|(_, to)| *status == **to);
        match (last, actual) {
            (_, Some(status)) if may_be(status) => {
                for (number, to) in unanswered {
                    if *status == **to {
                        self.verdict.done_unanswered.insert(*number, Answered::default());
                    }
                }
            }
            (Some(last), _) => {
                let found = format!("{before} is {actual:?}");
                self.verdict.lost.insert(changes[last].0, found);
            }
            (None, Some(status)) => self.wrong(format!("{status} is shown instead of {initial}: {changes:?}")),
            // The loss of the thing itself was reported before.
            (None, None) => {}
        }
    }

    /// The last answered token is valid, and no earlier one; a change without an answer may have ended it.
    fn tokens(&mut self, numbers: &[usize]) {
        let entries = &self.ledger.entries;
        let status = |number: usize| {
            let secret = &entries[number].done()?.secret;
            self.snapshot.secrets.get(secret).copied()
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
            // No token was ever answered, or the last one's secret is unknown: it cannot be tried.
            None => {
                for number in unanswered {
                    self.verdict.done_unanswered.insert(*number, Answered::default());
                }
            }
        }
    }

    /// A created key is valid and listed; a revoked one is neither.
    fn key(&mut self, number: usize, account: i64, revocation: Option<usize>) {
        let Some(done) = self.ledger.entries[number].done() else {
            return;
        };
        let works = self.snapshot.secrets.get(&done.secret).map(|status| *status == 200);
        let listed = self
            .snapshot
            .agents
            .get(&account)
            .map(|sees| sees.keys.contains_key(&done.id));
        if let (Some(works), Some(listed)) = (works, listed)
            && works != listed
        {
            return self.wrong(format!(
                "key {}: that it works is {works}, that it is listed {listed}",
                done.id
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
}
