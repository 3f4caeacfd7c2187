//! How many probes cover each answer of each operation, and which answers have none.

mod page;

use crate::contract::Contract;
use crate::histories::{Outcomes, Probes};
use codegen::Model;
use codegen::model::{ErrorEntry, Operation, Surface};
use codegen::step::Step;

/// Every operation with every answer that the contract gives it. It is displayed as a page of Markdown.
pub struct Matrix {
    contract: Contract,
    surfaces: Vec<OfSurface>,
}

/// A surface, as a table.
struct OfSurface {
    surface: &'static Surface,
    lines: Vec<Line>,
}

/// An operation.
struct Line {
    called: (&'static Surface, &'static Operation),
    /// All its probes.
    probes: usize,
    /// Those that cover the success.
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
    /// So many probes. If there are none, one is missing.
    Shown(usize),
}

impl Matrix {
    /// Which probes cover which answer.
    pub fn new(contract: Contract) -> Self {
        let surfaces = contract.model.surfaces.iter().map(|surface| OfSurface {
            surface,
            lines: surface
                .operations
                .iter()
                .map(|operation| line(contract.model, (surface, operation)))
                .collect(),
        });
        Self {
            surfaces: surfaces.collect(),
            contract,
        }
    }
}

fn line(model: &'static Model, called: (&'static Surface, &'static Operation)) -> Line {
    let (surface, operation) = called;
    let (probes, others) = Probes::numbers(model, called);
    let of_row = |row: &ErrorEntry| {
        let can_answer = match row.step {
            Step::Route | Step::Method => true,
            Step::Transition => Outcomes::has_forbidden_move(model, operation),
            _ => model.can_respond(surface, operation, row),
        };
        if !can_answer {
            return Answer::Unreachable;
        }
        // What brings it about is often not declared.
        let is_of_record = matches!(
            row.step,
            Step::Suspended | Step::Plan | Step::Owner | Step::Quota | Step::Transition | Step::Rule
        );
        match probes.get(row.name.as_str()) {
            Some(number) => Answer::Shown(*number),
            None if row.untestable.is_some() || is_of_record => Answer::Untestable,
            None => Answer::Shown(0),
        }
    };
    Line {
        called,
        probes: others + probes.values().sum::<usize>(),
        success: Answer::Shown(others),
        rows: model.errors.iter().map(of_row).collect(),
    }
}

impl Answer {
    fn is_nothing(&self) -> bool {
        *self == Answer::Shown(0)
    }
}

impl Matrix {
    /// The answers without a probe, each with its places in the contract and what to do.
    pub fn gaps(&self) -> Vec<String> {
        let rows = self.contract.model.errors.iter().enumerate();
        let of_rows = rows.flat_map(|(index, row)| self.gaps_of(index, row));
        let successes = self.lines().filter(|line| line.success.is_nothing());
        let successes = successes.map(|line| {
            let operation = self.named(line);
            format!("no probe shows the success of {operation}\n{MORE_TESTS}")
        });
        of_rows.chain(successes).collect()
    }

    fn gaps_of(&self, index: usize, row: &ErrorEntry) -> Vec<String> {
        let empty = self.lines().filter(|line| line.rows[index].is_nothing());
        let empty: Vec<String> = empty.map(|line| self.named(line)).collect();
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
                    "no probe can show {named}: {first}{others} can answer it, but no request can cause \
                     it\n  help: write a test that injects the cause, and name it there: `untestable: {{ reason: \
                     \"…\", test: NAME }}`"
                )]
            }
            all => all
                .iter()
                .map(|operation| format!("no probe shows that {operation} answers {named}\n{MORE_TESTS}"))
                .collect(),
        }
    }

    fn named(&self, line: &Line) -> String {
        let (surface, operation) = line.called;
        format!(
            "`{}` ({})",
            surface.full_name(operation),
            self.contract.at(operation.at)
        )
    }

    fn lines(&self) -> impl Iterator<Item = &Line> {
        self.surfaces.iter().flat_map(|of| &of.lines)
    }
}

const MORE_TESTS: &str = "  help: this needs a change of the verifier, `tests/conformance`";

/// Whether a rejection at a step needs more than a request: something slow or broken.
fn is_of_no_request(step: Step) -> bool {
    step.is_out_of_reach()
}
