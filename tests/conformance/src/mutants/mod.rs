//! Proof that the suite notices: wrong servers, one wrong behaviour each, and what the generated tests say to them.
//!
//! ```text
//! Contract, Operations ─▶ catalogue ─▶ Mutant ─┐
//!                               World ─▶ Layer ─┴─▶ runner: the operation's tests, to the first failure ─▶ Report
//! ```
//!
//! A [`Mutant`] is derived from what the contract says, so nothing here knows a service. Its wrongness is a function
//! between a request and its answer ([`layer`]): it changes the one or the other, or gives the answer to another request.

mod catalogue;
mod demand;
mod layer;
mod place;
mod report;
mod runner;

pub(crate) use runner::stand_in;

pub use demand::Known;
pub use report::{Excused, Report};
pub use runner::{Run, Suite};

use crate::contract::Operation;
use layer::{Twins, Wrong};

/// One wrong behaviour of one operation.
pub struct Mutant {
    /// What kind of behaviour; reports count by it.
    pub kind: &'static str,
    /// The operation that behaves so.
    pub operation: &'static Operation,
    /// The member, row, parameter or header that it is about.
    pub place: String,
    /// What it does, in a sentence without a subject.
    pub sentence: String,
    /// Whose tests are asked.
    pub(crate) tests: Asked,
    pub(crate) twins: Twins,
    pub(crate) wrong: Wrong,
}

/// The tests that a mutant is run against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// Those of its operation.
    Operation,
    /// Those, and those of the limits.
    Limits,
}

impl Mutant {
    /// Its name, by which one alone can be run.
    pub fn name(&self) -> String {
        format!(
            "{} / {} / {}: {}",
            self.operation.name, self.kind, self.place, self.sentence
        )
    }
}
