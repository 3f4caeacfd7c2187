//! `codegen expand`: prints the Rust code of a contract, as a build script generates it.

use crate::input::Input;
use crate::output::Output;
use codegen::{Options, emit};
use conformance::Suite;
use std::path::Path;

/// Emits the code of the contract in `file`, or a function for each test of its conformance suite, to `output`, or else to
/// standard output.
pub(crate) fn run(file: &Path, tests: bool, output: Option<&Path>) -> Output {
    let code = Input::read(file)
        .map_err(|message| Output::failed(&message))
        .and_then(|input| expand(&input, tests));
    match code {
        Ok(code) => Output::into_file(code, output),
        Err(failure) => failure,
    }
}

fn expand(input: &Input, tests: bool) -> Result<String, Output> {
    let model = input.compile()?;
    Ok(if tests {
        Suite::new(model, &input.name).rust("crate::world::world")
    } else {
        let options = Options {
            file: &input.name,
            support: "codegen_support",
        };
        emit::rust(&model, options)
    })
}
