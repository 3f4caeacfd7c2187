//! `codegen openapi`: a contract as an OpenAPI document, for viewers, linters, fuzzers and client generators.

use crate::document::{self, Document};
use crate::output::Output;
use clap::{Args, ValueEnum};
use codegen::documents::openapi::{self, Version};

/// What the command was called with.
#[derive(Debug, Args)]
pub(crate) struct OpenApiArguments {
    #[command(flatten)]
    document: Document,

    /// The version of OpenAPI
    #[arg(long, value_enum, default_value = "3.1")]
    version: Of,
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

pub(crate) fn run(arguments: &OpenApiArguments) -> Output {
    let version = match arguments.version {
        Of::V3_1 => Version::V3_1,
        Of::V3_0 => Version::V3_0,
    };
    document::run(&arguments.document, |model, surface| {
        openapi::document(model, version, surface).map(|document| document.pretty())
    })
}
