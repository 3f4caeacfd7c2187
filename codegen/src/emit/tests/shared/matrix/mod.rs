//! Which test covers which answer of which operation, and which answers have no test.

mod page;

use crate::emit::shared::Context;
use crate::emit::tests::shared::cells::{Cell, Cells, Covers};
use crate::emit::tests::shared::states::Moves;
use crate::model::{ErrorEntry, Model, Operation, Surface};
use crate::step::Step;

/// Every operation with every answer that the contract gives it. It is displayed as a page of Markdown.
pub struct Matrix<'m> {
    context: Context<'m>,
    surfaces: Vec<OfSurface<'m>>,
    /// The tests over all surfaces.
    shared: Vec<String>,
}

/// A surface, as a table.
struct OfSurface<'m> {
    surface: &'m Surface,
    lines: Vec<Line<'m>>,
    /// The tests of its limits.
    limits: Vec<String>,
}

/// An operation.
struct Line<'m> {
    operation: &'m Operation,
    tests: usize,
    /// The tests that cover the success.
    success: Answer,
    /// The tests that cover each error of the error table.
    rows: Vec<Answer>,
}

/// The coverage of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Answer {
    /// The operation cannot give this answer.
    Unreachable,
    /// No request can cause it. The error entry states why, and which test covers it instead.
    Untestable,
    /// These tests, most direct first. If the list is empty, a test is missing.
    Shown(Vec<String>),
}

/// The collected tests of a contract.
pub(crate) struct Gathered<'m, 'c> {
    /// Those of each operation, by surface, and those of its limits.
    pub(crate) surfaces: Vec<(&'m Surface, Vec<Cells<'c>>, Option<Cells<'c>>)>,
    /// Those over all surfaces.
    pub(crate) shared: Option<Cells<'c>>,
}

impl<'m> Matrix<'m> {
    pub(crate) fn of(context: Context<'m>, tests: Gathered<'m, '_>) -> Self {
        let model = context.model;
        let surfaces = tests.surfaces.into_iter().map(|(surface, operations, limits)| {
            let lines = surface.operations.iter().zip(operations);
            OfSurface {
                surface,
                lines: lines
                    .map(|(operation, cells)| line(model, surface, operation, cells.all()))
                    .collect(),
                limits: names(limits),
            }
        });
        Self {
            surfaces: surfaces.collect(),
            shared: names(tests.shared),
            context,
        }
    }
}

fn names(cells: Option<Cells<'_>>) -> Vec<String> {
    let cells = cells.into_iter().flat_map(Cells::all);
    cells.map(|cell| cell.name).collect()
}

fn line<'m>(model: &Model, surface: &Surface, operation: &'m Operation, cells: Vec<Cell>) -> Line<'m> {
    let evidence = |shows: &dyn Fn(&Covers) -> bool| {
        let evidence = cells.iter().filter(|cell| shows(&cell.covers));
        Answer::Shown(evidence.map(|cell| cell.name.clone()).collect())
    };
    let of_row = |row: &ErrorEntry| {
        if !can_answer(model, surface, operation, row) {
            return Answer::Unreachable;
        }
        let shown = evidence(&|shows| matches!(shows, Covers::Errors(rows) if rows.contains(&row.name)));
        match row.untestable {
            Some(_) if shown.is_nothing() => Answer::Untestable,
            _ => shown,
        }
    };
    Line {
        operation,
        tests: cells.len(),
        success: evidence(&|shows| *shows == Covers::Success),
        rows: model.errors.iter().map(of_row).collect(),
    }
}

/// Whether a request to an operation can be answered with an error.
fn can_answer(model: &Model, surface: &Surface, operation: &Operation, row: &ErrorEntry) -> bool {
    match row.step {
        Step::Route | Step::Method => true,
        Step::Transition => Moves::of(model, operation).is_some_and(|moves| moves.can_be_rejected()),
        _ => model.can_respond(surface, operation, row),
    }
}

impl Answer {
    fn is_nothing(&self) -> bool {
        *self == Answer::Shown(Vec::new())
    }
}

impl<'m> Matrix<'m> {
    /// The answers without a test, each with its places in the contract and what to do.
    pub fn gaps(&self) -> Vec<String> {
        let rows = self.context.model.errors.iter().enumerate();
        let of_rows = rows.flat_map(|(index, row)| self.gaps_of(index, row));
        let successes = self.lines().filter(|(_, line)| line.success.is_nothing());
        let successes = successes.map(|(surface, line)| {
            let operation = self.named(surface, line.operation);
            format!("no generated test shows the success of {operation}\n{MORE_TESTS}")
        });
        of_rows.chain(successes).collect()
    }

    fn gaps_of(&self, index: usize, row: &ErrorEntry) -> Vec<String> {
        let empty = self.lines().filter(|(_, line)| line.rows[index].is_nothing());
        let empty: Vec<String> = empty
            .map(|(surface, line)| self.named(surface, line.operation))
            .collect();
        let named = format!("`errors.{}` ({})", row.name, self.context.at(row.at));
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

    fn lines(&self) -> impl Iterator<Item = (&'m Surface, &Line<'m>)> {
        let surfaces = self.surfaces.iter();
        surfaces.flat_map(|of| of.lines.iter().map(|line| (of.surface, line)))
    }

    fn named(&self, surface: &Surface, operation: &Operation) -> String {
        let place = self.context.at(operation.at);
        format!("`{}::{}` ({place})", surface.name, operation.name)
    }
}

const MORE_TESTS: &str = "  help: this needs a change of `codegen::emit::tests`, which generates the tests";

/// Whether a rejection at a step needs more than a request: something slow or broken.
fn is_of_no_request(step: Step) -> bool {
    matches!(
        step,
        Step::InFlight | Step::Busy | Step::BodyTime | Step::Write | Step::Internal
    )
}
