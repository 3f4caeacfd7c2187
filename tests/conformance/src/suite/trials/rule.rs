//! The rule that a test checks, in words, with its place in the contract.

use codegen::model::Span;

/// A rule of the contract, as the message of a failed test names it.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    /// The requirement.
    pub(crate) words: String,
    /// Its place in the contract.
    pub(crate) at: Span,
}

impl Rule {
    pub(crate) fn new(words: impl Into<String>, at: Span) -> Self {
        let words = words.into();
        Self { words, at }
    }
}

/// `1 character`, `2 characters`
pub(crate) fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
