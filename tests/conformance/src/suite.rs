//! The generated tests as values, for programs that run or list them.

use crate::contract::Operation;

/// A generated test.
#[derive(Clone, Copy, Debug)]
pub struct Test {
    /// Its name, unique in its module: `title_above_max`.
    pub name: &'static str,
    /// What it covers.
    pub covers: Covers,
    /// Runs it in this thread; it panics if it fails.
    pub run: fn(),
}

/// What a test covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covers {
    /// The declared success.
    Success,
    /// Error responses with these errors of the error table; empty if the test is about something else.
    Errors(&'static [&'static str]),
}

impl Test {
    /// A test that covers the success.
    pub const fn of_success(name: &'static str, run: fn()) -> Self {
        let covers = Covers::Success;
        Self { name, covers, run }
    }

    /// A test that covers these errors.
    pub const fn of_errors(name: &'static str, errors: &'static [&'static str], run: fn()) -> Self {
        let covers = Covers::Errors(errors);
        Self { name, covers, run }
    }
}

/// The tests of an operation.
#[derive(Clone, Copy, Debug)]
pub struct OperationTests {
    /// The operation.
    pub operation: &'static Operation,
    /// The tests about it alone.
    pub tests: &'static [Test],
    /// The tests that it shares with others: of its surface's limits, and of failed credentials.
    pub shared: &'static [&'static [Test]],
}

/// What a test tries, for the message of its failure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TestedRule {
    /// The rule, in words.
    pub(crate) rule: &'static str,
    /// Its position in the contract.
    pub(crate) at: &'static str,
}
