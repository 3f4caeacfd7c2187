//! Mutation tests of the suite: servers with one defect each, and whether the generated tests detect it.
//!
//! ```text
//! Contract, Operations ─▶ catalogue ─▶ Mutant ─┐
//!                               World ─▶ Layer ─┴─▶ runner: the operation's tests, to the first failure ─▶ Report
//! ```
//!
//! A [`Mutant`] is derived from the contract, so nothing here knows a service. Its defect is a function between a request and
//! its answer ([`layer`]): it changes one of them, or returns the answer to another request.

mod catalogue;
mod demand;
mod json_path;
mod layer;
mod report;
mod runner;

pub use demand::KnownSurvivors;
pub use report::{KnownSurvivor, Report};
pub use runner::{MutationTests, Run};

use crate::contract::Operation;
use layer::{Shadows, Wrong};
pub(crate) use layer::{called, parameters};

/// One defect of one operation.
pub struct Mutant {
    /// The kind of the defect; reports count by it.
    pub kind: &'static str,
    /// The operation with the defect.
    pub operation: &'static Operation,
    /// The member, error, parameter or header with the defect.
    pub place: String,
    /// The defective behaviour, as a sentence without a subject.
    pub sentence: String,
    /// The tests that run against it.
    pub(crate) tests: TestScope,
    pub(crate) shadows: Shadows,
    pub(crate) wrong: Wrong,
}

/// The tests that a mutant is run against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TestScope {
    /// The tests of its operation.
    Operation,
    /// These, and the tests of the limits.
    Limits,
}

impl Mutant {
    /// Its name, which selects it for a run.
    pub fn name(&self) -> String {
        format!(
            "{} / {} / {}: {}",
            self.operation.name, self.kind, self.place, self.sentence
        )
    }
}
