//! `codegen openapi`: a contract as an OpenAPI document, for viewers, linters, fuzzers and generators of clients.

use crate::input::Input;
use crate::output::Output;
use clap::{Args, ValueEnum};
use codegen::documents::openapi::{Version, document};
use codegen::{Model, nearest};
use std::path::PathBuf;

/// What the command was called with.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The contract; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The version of OpenAPI
    #[arg(long, value_enum, default_value = "3.1")]
    version: Of,

    /// Only the operations of this surface
    #[arg(long, value_name = "NAME")]
    surface: Option<String>,

    /// Write to this file, once there is something to write
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// A version, as it is asked for.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Of {
    /// 3.1.0
    #[value(name = "3.1")]
    V3_1,
    /// 3.0.3
    #[value(name = "3.0")]
    V3_0,
}

pub(crate) fn run(arguments: &Arguments) -> Output {
    let text = Input::read(&arguments.file)
        .map_err(|message| Output::failed(&message))
        .and_then(|input| input.understand())
        .and_then(|model| text(&model, arguments));
    match text {
        Ok(text) => Output::into_file(text, arguments.output.as_deref()),
        Err(failure) => failure,
    }
}

fn text(model: &Model, arguments: &Arguments) -> Result<String, Output> {
    let version = match arguments.version {
        Of::V3_1 => Version::V3_1,
        Of::V3_0 => Version::V3_0,
    };
    let surface = arguments.surface.as_deref();
    let made = document(model, version, surface);
    let made = made.ok_or_else(|| Output::failed(&unknown(model, surface.unwrap_or_default())));
    made.map(|document| document.pretty())
}

/// What to ask for in place of a surface that there is not.
fn unknown(model: &Model, name: &str) -> String {
    let names: Vec<&str> = model.surfaces.iter().map(|surface| surface.name.as_str()).collect();
    match nearest::nearest(name, names.iter().copied()) {
        Some(meant) => format!("there is no surface `{name}`, did you mean `{meant}`?"),
        None => format!("there is no surface `{name}`: there are {}", names.join(", ")),
    }
}
