//! How strictly answers are compared with the contract.

/// How much of an answer must be as the contract says. Each level includes those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Status, members and types. A test that finds another difference is skipped.
    Shape,
    /// Also values, order, totals and headers.
    #[default]
    Values,
    /// Also the exact texts of errors, and what our servers do where the contract leaves a choice.
    Texts,
}
