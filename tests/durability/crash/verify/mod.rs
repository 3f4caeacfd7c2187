//! Compares what the server shows with the ledger. Only this module decides what is lost and what is wrong.
//!
//! It compares values and knows nothing of HTTP. `made` checks creations, `changed` checks changes, and `derived`
//! computes again what follows from both.

mod changed;
mod created;
mod derived;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::gather::{Scope, Snapshot, gather};
use super::ledger::{Act, Answered, Ledger, Outcome};
use test_support::process::Service;

/// The result of the comparison. Entries are named by their numbers.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    /// The number of acknowledged acts that were compared.
    pub(super) acknowledged: usize,
    /// The missing ones of these, each with what is shown instead.
    pub(super) lost: BTreeMap<usize, String>,
    /// All other errors: effects that were never asked for or are incomplete; a count, a list or a quota that
    /// contradicts the resources.
    pub(super) wrong: Vec<String>,
    /// The acts without an answer that were done.
    done_unanswered: BTreeMap<usize, Answered>,
    /// Acts that could not be checked or are out of scope: their outcome stays as it is known.
    not_looked_at: BTreeSet<usize>,
}

/// Reads the server and compares it with the ledger.
pub(super) fn check(service: &Service, ledger: &Ledger, scope: &Scope) -> Verdict {
    let mut verdict = verify(ledger, &gather(service, ledger, scope), scope);
    let token = std::fs::read_to_string(service.data.join("operator-token")).expect("the operator's token");
    if verdict.acknowledged > 0 && ledger.operator.as_deref() != Some(token.trim()) {
        verdict.wrong.push("the operator's token is another".to_owned());
    }
    verdict
}

/// The same without a server.
pub(super) fn verify(ledger: &Ledger, snapshot: &Snapshot, scope: &Scope) -> Verdict {
    let mut verifier = Verifier {
        ledger,
        snapshot,
        scope,
        found: BTreeMap::new(),
        verdict: Verdict::default(),
    };
    verifier.verdict.wrong.extend(snapshot.errors.iter().cloned());
    verifier.ids_are_assigned_once();
    verifier.sight_everything();
    verifier.created_records_are_there();
    verifier.what_was_changed_is_changed();
    verifier.what_is_derived_agrees();
    verifier.unanswered();
    verifier.verdict
}

impl Verdict {
    pub(super) fn is_whole(&self) -> bool {
        self.lost.is_empty() && self.wrong.is_empty()
    }

    /// Marks acts without an answer as acknowledged if they were done, else as rejected: from now on, the former may
    /// not vanish and the latter may not appear.
    pub(super) fn settle(&self, ledger: &mut Ledger) {
        for (number, entry) in ledger.entries.iter_mut().enumerate() {
            if entry.is_unknown() && !self.not_looked_at.contains(&number) {
                let done = self.done_unanswered.get(&number);
                entry.outcome = done.map_or(Outcome::Rejected, |answered| Outcome::Done(answered.clone()));
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
        lost.take(15)
            .chain(wrong.take(15))
            .try_for_each(|line| write!(out, "\n  {line}"))
    }
}

struct Verifier<'v> {
    ledger: &'v Ledger,
    snapshot: &'v Snapshot,
    scope: &'v Scope,
    /// Entry → the id of the created resource, and the id of the second one.
    found: BTreeMap<usize, (i64, i64)>,
    verdict: Verdict,
}

impl Verifier<'_> {
    fn wrong(&mut self, what: String) {
        self.verdict.wrong.push(what);
    }

    fn is_looked_at(&self, act: &Act) -> bool {
        match act {
            Act::Account { .. } => true,
            // Only agents see the list of workers: before the first agent it cannot be read.
            Act::Human { .. } => self.snapshot.secrets.keys().any(|secret| secret.starts_with("htd_")),
            Act::Token { human } => self.scope.humans.contains(human),
            _ => act
                .account()
                .is_some_and(|account| self.scope.accounts.contains(&account)),
        }
    }
}
