//! The common part of commands that print a document: the contract, the selected surface, the output file.

use crate::input::Input;
use crate::output::Output;
use clap::Args;
use codegen::{Model, nearest};
use std::path::PathBuf;

/// What such a command is called with.
#[derive(Debug, Args)]
pub(crate) struct Document {
    /// The contract; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Only the operations of this surface
    #[arg(long, value_name = "NAME")]
    surface: Option<String>,

    /// Write to this file; it is not touched if the contract has errors
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Prints the document that `text` renders of the contract and a surface; `text` returns `None` for an unknown surface.
pub(crate) fn run(arguments: &Document, text: impl Fn(&Model, Option<&str>) -> Option<String>) -> Output {
    let surface = arguments.surface.as_deref();
    let generate = |model: Model| {
        text(&model, surface).ok_or_else(|| Output::failed(&unknown(&model, surface.unwrap_or_default())))
    };
    let text = Input::read(&arguments.file)
        .map_err(|message| Output::failed(&message))
        .and_then(|input| input.compile())
        .and_then(generate);
    match text {
        Ok(text) => Output::into_file(text, arguments.output.as_deref()),
        Err(failure) => failure,
    }
}

/// The hint for an unknown surface: the known ones.
fn unknown(model: &Model, name: &str) -> String {
    let names: Vec<&str> = model.surfaces.iter().map(|surface| surface.name.as_str()).collect();
    match nearest::nearest(name, names.iter().copied()) {
        Some(meant) => format!("there is no surface `{name}`, did you mean `{meant}`?"),
        None => format!("there is no surface `{name}`: known surfaces are {}", names.join(", ")),
    }
}
