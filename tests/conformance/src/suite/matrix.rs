//! How many probes and tests cover each answer of each operation, and which answers have none.

mod page;

use crate::contract::{Contract, Operation};
use crate::histories::Probes;
use crate::suite::{Covers, OperationTests, Suite, Test};
use codegen::model::{ErrorEntry, Surface};
use codegen::step::Step;

/// Every operation with every answer that the contract gives it. It is displayed as a page of Markdown.
pub struct Matrix {
    contract: &'static Contract,
    surfaces: Vec<OfSurface>,
    /// The tests over all surfaces.
    shared: &'static [Test],
}

/// A surface, as a table.
struct OfSurface {
    surface: &'static Surface,
    lines: Vec<Line>,
    /// The tests of its limits.
    limits: &'static [Test],
}

/// An operation.
struct Line {
    operation: &'static Operation,
    /// All its probes and tests.
    tests: usize,
    /// The probes and tests that cover the success.
    success: Answer,
    /// Those that cover each error of the error table.
    rows: Vec<Answer>,
}

/// The coverage of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// The operation cannot give this answer.
    Unreachable,
    /// No request can cause it. The error entry states why, and which test covers it instead.
    Untestable,
    /// So many probes and tests. If there are none, one is missing.
    Shown(usize),
}

impl Suite {
    /// Which test covers which answer.
    pub fn matrix(&self) -> Matrix {
        let mut shared: &'static [Test] = &[];
        let surfaces = self.contract.model.surfaces.iter().map(|surface| {
            let mut limits: &'static [Test] = &[];
            let is_here = |tests: &&OperationTests| std::ptr::eq(tests.operation.surface, surface);
            let lines = self.operations.iter().filter(is_here).map(|tests| {
                limits = tests.shared[0];
                if !tests.shared[1].is_empty() {
                    shared = tests.shared[1];
                }
                line(tests)
            });
            OfSurface {
                lines: lines.collect(),
                surface,
                limits,
            }
        });
        Matrix {
            surfaces: surfaces.collect(),
            contract: self.contract,
            shared,
        }
    }
}

fn line(of: &OperationTests) -> Line {
    let operation = of.operation;
    let model = operation.contract.model;
    let (probes, others) = Probes::numbers(model, (operation.surface, operation.declared));
    let tests = |shows: &dyn Fn(&Covers) -> bool| of.tests.iter().filter(|test| shows(&test.covers)).count();
    let moves = operation.transitions.as_ref();
    let of_row = |row: &ErrorEntry| {
        let can_answer = match row.step {
            Step::Route | Step::Method => true,
            Step::Transition => moves.is_some_and(|moves| moves.rejected_from_anywhere().is_some()),
            _ => model.can_respond(operation.surface, operation.declared, row),
        };
        if !can_answer {
            return Answer::Unreachable;
        }
        let name = row.name.as_str();
        // What brings it about is often not declared.
        let is_of_record = matches!(
            row.step,
            Step::Suspended | Step::Plan | Step::Owner | Step::Quota | Step::Transition | Step::Rule
        );
        let tests = tests(&|shows| matches!(shows, Covers::Errors(rows) if rows.contains(&name)));
        let shown = Answer::Shown(tests + probes.get(name).copied().unwrap_or_default());
        match row.untestable {
            Some(_) if shown.is_nothing() => Answer::Untestable,
            None if is_of_record && shown.is_nothing() => Answer::Untestable,
            _ => shown,
        }
    };
    Line {
        operation,
        tests: of.tests.len() + others + probes.values().sum::<usize>(),
        success: Answer::Shown(others + tests(&|shows| *shows == Covers::Success)),
        rows: model.errors.iter().map(of_row).collect(),
    }
}

impl Answer {
    fn is_nothing(&self) -> bool {
        *self == Answer::Shown(0)
    }
}

impl Matrix {
    /// The answers without a test, each with its places in the contract and what to do.
    pub fn gaps(&self) -> Vec<String> {
        let rows = self.contract.model.errors.iter().enumerate();
        let of_rows = rows.flat_map(|(index, row)| self.gaps_of(index, row));
        let successes = self.lines().filter(|line| line.success.is_nothing());
        let successes = successes.map(|line| {
            let operation = named(line.operation);
            format!("no generated test shows the success of {operation}\n{MORE_TESTS}")
        });
        of_rows.chain(successes).collect()
    }

    fn gaps_of(&self, index: usize, row: &ErrorEntry) -> Vec<String> {
        let empty = self.lines().filter(|line| line.rows[index].is_nothing());
        let empty: Vec<String> = empty.map(|line| named(line.operation)).collect();
        let named = format!("`errors.{}` ({})", row.name, self.contract.at(row.at));
        match empty.as_slice() {
            [] => Vec::new(),
            [first, others @ ..] if is_of_no_request(row.step) => {
                let others = match others.len() {
                    0 => String::new(),
                    1 => " and one other operation".to_owned(),
                    more => format!(" and {more} other operations"),
                };
                vec![format!(
                    "no generated test can show {named}: {first}{others} can answer it, but no request can cause \
                     it\n  help: write a test that injects the cause, and name it there: `untestable: {{ reason: \
                     \"…\", test: NAME }}`"
                )]
            }
            all => all
                .iter()
                .map(|operation| format!("no generated test shows that {operation} answers {named}\n{MORE_TESTS}"))
                .collect(),
        }
    }

    fn lines(&self) -> impl Iterator<Item = &Line> {
        self.surfaces.iter().flat_map(|of| &of.lines)
    }
}

fn named(operation: &Operation) -> String {
    format!("`{}` ({})", operation.name, operation.at)
}

const MORE_TESTS: &str = "  help: this needs a change of the verifier, `tests/conformance`";

/// Whether a rejection at a step needs more than a request: something slow or broken.
fn is_of_no_request(step: Step) -> bool {
    step.is_out_of_reach()
}
