//! `codegen matrix`: how many probes cover which answer of which operation, as a page of Markdown.

use crate::input::Input;
use crate::output::{ERROR, Output, Status, styled};
use conformance::{Contract, Matrix};
use std::path::Path;

/// Writes the matrix of the contract in `file` to `output`, or else to standard output. An answer without a probe is an
/// error.
pub(crate) fn run(file: &Path, output: Option<&Path>) -> Output {
    let input = Input::read(file).map_err(|message| Output::failed(&message));
    let drawn = input.and_then(|input| {
        let matrix = Matrix::new(Contract::new(input.compile()?, &input.name));
        Ok(Output::into_file(matrix.to_string(), output).and(report_gaps(&matrix.gaps())))
    });
    drawn.unwrap_or_else(|failure| failure)
}

fn report_gaps(gaps: &[String]) -> Output {
    let errors = gaps.iter().map(|gap| format!("{}: {gap}\n", styled(ERROR, "error")));
    Output {
        err: errors.collect(),
        status: if gaps.is_empty() { Status::Well } else { Status::Wrong },
        ..Output::default()
    }
}
