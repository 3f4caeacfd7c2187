//! The generated tests as values: for whoever runs some of them, or wants to know what there is.

use crate::contract::Operation;

/// A generated test.
#[derive(Clone, Copy, Debug)]
pub struct Test {
    /// Its name, which no other one of its module has: `title_above_max`.
    pub name: &'static str,
    /// What it is a witness of.
    pub shows: Shows,
    /// Runs it in this thread; it panics where it fails.
    pub run: fn(),
}

/// What a test is a witness of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// The declared success.
    Success,
    /// Error responses by these rows of the error table; none where the test is about something else.
    Rows(&'static [&'static str]),
}

impl Test {
    /// One that shows the success.
    pub const fn of_success(name: &'static str, run: fn()) -> Self {
        let shows = Shows::Success;
        Self { name, shows, run }
    }

    /// One that shows error responses by these rows.
    pub const fn of_rows(name: &'static str, rows: &'static [&'static str], run: fn()) -> Self {
        let shows = Shows::Rows(rows);
        Self { name, shows, run }
    }
}

/// The tests of an operation.
#[derive(Clone, Copy, Debug)]
pub struct OperationTests {
    /// The operation.
    pub operation: &'static Operation,
    /// The tests that are about it alone.
    pub tests: &'static [Test],
    /// Those that it shares with others: of its surface's limits, and of failed credentials.
    pub shared: &'static [&'static [Test]],
}

/// What a test tries, as the message of its failure says it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tried {
    /// The rule, in words.
    pub(crate) rule: &'static str,
    /// Where it stands in the contract.
    pub(crate) at: &'static str,
}
