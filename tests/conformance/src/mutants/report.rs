//! The results of mutants: a table by kind, and the survivors.

use super::Mutant;
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::sync::Arc;

/// The result of one mutant.
pub(super) struct MutantResult {
    pub(super) mutant: Arc<Mutant>,
    /// The test that failed, and its message.
    pub(super) killed: Option<(&'static str, String)>,
    /// How often the defect took effect.
    pub(super) touched: usize,
}

impl MutantResult {
    /// A test that fails although the defect never took effect has detected nothing.
    pub(super) fn is_killed(&self) -> bool {
        self.killed.is_some() && self.touched > 0
    }
}

/// Surviving mutants, and the reason.
#[derive(Clone, Copy, Debug)]
pub struct KnownSurvivor {
    /// Parts of the [names](Mutant::name) of these mutants, in the order of these words.
    pub words: &'static [&'static str],
    /// The reason.
    pub because: &'static str,
}

impl KnownSurvivor {
    fn is_about(&self, mutant: &Mutant) -> bool {
        let name = mutant.name();
        let mut rest = name.as_str();
        self.words.iter().all(|word| {
            let found = rest.find(word);
            rest = found.map_or("", |at| &rest[at + word.len()..]);
            found.is_some()
        })
    }
}

/// The results of all mutants.
pub struct Report(Vec<MutantResult>);

impl Report {
    pub(super) fn new(verdicts: Vec<MutantResult>) -> Self {
        Self(verdicts)
    }

    /// The number of mutants.
    pub fn all(&self) -> usize {
        self.0.len()
    }

    /// The names of the survivors, with details as far as they are known, without the excused ones.
    pub fn survivors(&self, excused: &[KnownSurvivor]) -> Vec<String> {
        let survived = self.0.iter().filter(|verdict| !verdict.is_killed());
        survived
            .filter(|verdict| !excused.iter().any(|one| one.is_about(&verdict.mutant)))
            .map(|verdict| {
                let why = match (&verdict.killed, verdict.touched) {
                    (Some((test, why)), _) => format!("; {test} failed, though nothing was wrong: {why}"),
                    (None, 0) => "; no request of the tests came upon it".to_owned(),
                    (None, _) => String::new(),
                };
                format!("{}{why}", verdict.mutant.name())
            })
            .collect()
    }

    /// The entries of the list without a survivor, and the number of survivors on it.
    pub fn excused<'e>(&self, list: &'e [KnownSurvivor]) -> (Vec<&'e KnownSurvivor>, usize) {
        let survived: Vec<_> = self.0.iter().filter(|verdict| !verdict.is_killed()).collect();
        let idle = list
            .iter()
            .filter(|one| !survived.iter().any(|verdict| one.is_about(&verdict.mutant)));
        let excused = survived
            .iter()
            .filter(|verdict| list.iter().any(|one| one.is_about(&verdict.mutant)));
        (idle.collect(), excused.count())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut kinds: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for verdict in &self.0 {
            for kind in [verdict.mutant.kind, "~"] {
                let (killed, all) = kinds.entry(kind).or_default();
                *killed += usize::from(verdict.is_killed());
                *all += 1;
            }
        }
        let mut table = String::from("| kind | killed | all |\n|---|---|---|\n");
        for (kind, (killed, all)) in kinds {
            let kind = if kind == "~" { "**all**" } else { kind };
            writeln!(table, "| {kind} | {killed} | {all} |")?;
        }
        out.write_str(&table)
    }
}
