//! Holds what the server shows against the ledger. The only place that says what is lost, and what is wrong.
//!
//! Knows nothing of HTTP: it compares values. What was made is looked for in `made`, what was changed in `changed`, and
//! what follows from both is reckoned again in `derived`.

mod changed;
mod derived;
mod made;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::gather::{Scope, Shown, gather};
use super::ledger::{Act, Answered, Ledger, Outcome};
use test_support::process::Service;

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
    /// What nobody could look at, or was to: it stays as it is known.
    not_looked_at: BTreeSet<usize>,
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

    /// Takes for answered what turned out to be done, and for rejected what turned out not to be: from now on, the one
    /// may not vanish and the other may not appear.
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
}
