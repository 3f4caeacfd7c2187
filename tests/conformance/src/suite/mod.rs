//! The conformance suite of a contract, made from the compiler's model when the process starts: its operations as values,
//! and its named tests.
//!
//! This module decides what to test and with which values; the rest of the library decides how.

pub(crate) mod description;
mod matrix;
mod outcome;
mod print;
mod run;
pub(crate) mod trials;

pub use matrix::Matrix;
pub use outcome::{Outcome, Verdict, skip_test};
pub(crate) use outcome::{counts_until, end_test, has_waited, leave_out, verdict};
pub use run::RunOptions;

use self::trials::{Trials, limits};
use crate::contract::{Contract, Operation};
use crate::failure::generalized;
use crate::world::World;
use codegen::diagnostic::{self, Diagnostic, Style};
use codegen::model::{self, Data, Filter, FilterBy, Model, Surface};
use codegen::names::snake;

/// A text that lives as long as the process.
pub(crate) fn leak(text: impl Into<String>) -> &'static str {
    Box::leak(text.into().into_boxed_str())
}

/// A list that lives as long as the process.
pub(crate) fn leak_all<T>(items: impl IntoIterator<Item = T>) -> &'static [T] {
    Box::leak(items.into_iter().collect())
}

/// A test.
pub struct Test {
    /// Its name, unique in its module: `limit_read`.
    pub name: &'static str,
    /// What it covers.
    pub covers: Covers,
    /// The rule of the contract that it checks.
    pub(crate) tested: TestedRule,
    run: Box<dyn Fn(&'static dyn World) + Send + Sync>,
}

/// What a test covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covers {
    /// The declared success.
    Success,
    /// Error responses with these errors of the error table; empty if the test is about something else.
    Errors(&'static [&'static str]),
}

/// The tests of an operation.
#[derive(Clone, Copy)]
pub(crate) struct OperationTests {
    /// The operation.
    pub(crate) operation: &'static Operation,
    /// The tests about it alone.
    pub(crate) tests: &'static [Test],
    /// The tests that it shares with others: of its surface's limits, and of failed credentials.
    pub(crate) shared: [&'static [Test]; 2],
}

/// What a test tries, for the message of its failure.
#[derive(Clone, Copy, Debug)]
pub struct TestedRule {
    /// The rule, in words.
    pub rule: &'static str,
    /// Its position in the contract.
    pub at: &'static str,
}

impl TestedRule {
    /// What the rule demands, without what it is about: `at most 20 characters`.
    pub(crate) fn requirement(&self) -> String {
        let demand = self.rule.split_once("): ").map_or(self.rule, |(_, demand)| demand);
        generalized(demand)
    }
}

/// The tests of a module.
struct Group {
    /// `agent::get_human`, `agent::limits`, `failed_credentials`
    module: String,
    tests: &'static [Test],
    /// Whether its requests take longer, the more records there are.
    reads_all: bool,
}

impl Group {
    fn new(surface: &Surface, name: &str, tests: &'static [Test]) -> Self {
        let module = format!("{}::{}", snake(&surface.name), snake(name));
        Self {
            module,
            tests,
            reads_all: false,
        }
    }

    fn named(&self) -> impl Iterator<Item = (String, &'static Test)> {
        let tests = self.tests.iter();
        tests.map(|test| (format!("{}::{}", self.module, test.name), test))
    }
}

/// Whether an operation lists the records of all callers.
fn reads_all(operation: &model::Operation) -> bool {
    let is_of_one = |filter: &Filter| matches!(filter.by, FilterBy::Caller | FilterBy::Path(_));
    matches!(operation.data, Some(Data::Many { .. })) && !operation.filters.iter().any(is_of_one)
}

/// The suite of a contract.
pub struct Suite {
    /// The contract.
    pub contract: &'static Contract,
    /// The tests of each operation, in the order of the contract.
    pub(crate) operations: Vec<OperationTests>,
    groups: Vec<Group>,
}

impl Suite {
    /// The suite of the contract with this text; `file` is its name in messages.
    ///
    /// # Panics
    /// If the contract has errors, with these.
    pub fn from_source(source: &str, file: &str) -> &'static Self {
        let errors = |diagnostics: Vec<Diagnostic>| diagnostic::draw(&diagnostics, file, source, Style::Plain).concat();
        let model = codegen::compile(source).map_err(errors);
        Self::new(model.unwrap_or_else(|errors| panic!("{errors}")), file)
    }

    /// The suite of a contract; `file` is its name in messages. It lives as long as the process.
    pub fn new(model: Model, file: &str) -> &'static Self {
        let contract = Contract::new(Box::leak(Box::new(model)), leak(file));
        let failed = limits::shared(contract).map_or(&[][..], Trials::all);
        let (mut operations, mut groups) = (Vec::new(), Vec::new());
        for surface in &contract.model.surfaces {
            let limits = limits::of_surface(contract, surface).map_or(&[][..], Trials::all);
            let failed = if surface.credential.is_some() { failed } else { &[] };
            for declared in &surface.operations {
                let operation = contract.operation(declared);
                let tests = trials::of_operation(operation);
                operations.push(OperationTests {
                    operation,
                    tests,
                    shared: [limits, failed],
                });
                groups.push(Group {
                    reads_all: reads_all(declared),
                    ..Group::new(surface, &declared.name, tests)
                });
            }
            groups.push(Group::new(surface, "limits", limits));
        }
        let module = "failed_credentials".to_owned();
        groups.push(Group {
            module,
            tests: failed,
            reads_all: false,
        });
        groups.retain(|group| !group.tests.is_empty());
        Box::leak(Box::new(Self {
            contract,
            operations,
            groups,
        }))
    }

    /// The operation of this name: `agent::get_human`.
    pub fn operation(&self, name: &str) -> Option<&'static Operation> {
        let mut operations = self.contract.operations().iter();
        operations.find(|operation| operation.name == name).copied()
    }

    /// Every test with its whole name: `agent::get_human::success`.
    pub fn tests(&'static self) -> impl Iterator<Item = (String, &'static Test)> {
        self.groups.iter().flat_map(Group::named)
    }

    /// The same in the order in which they run fastest: first those of lists of all records, since other tests make records.
    fn fastest(&'static self) -> impl Iterator<Item = (String, &'static Test)> {
        let (first, then): (Vec<&Group>, Vec<_>) = self.groups.iter().partition(|group| group.reads_all);
        first.into_iter().chain(then).flat_map(Group::named)
    }
}
