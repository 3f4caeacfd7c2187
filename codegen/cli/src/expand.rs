//! `codegen expand`: prints the Rust code of a contract, as a build script generates it.

use crate::input::Input;
use crate::output::Output;
use codegen::{Options, emit};
use std::path::Path;

/// Emits the code of the contract in `file` to `output`, or else to standard output.
pub(crate) fn run(file: &Path, output: Option<&Path>) -> Output {
    let code = Input::read(file)
        .map_err(|message| Output::failed(&message))
        .and_then(|input| expand(&input));
    match code {
        Ok(code) => Output::into_file(code, output),
        Err(failure) => failure,
    }
}

fn expand(input: &Input) -> Result<String, Output> {
    let options = Options {
        file: &input.name,
        support: "codegen_support",
    };
    Ok(emit::rust(&input.compile()?, options))
}
