//! `codegen`: the contract compiler on the command line.
//!
//! ```text
//! arguments ─ a command (check, diff, expand, list, llms, matrix, openapi, explain, schema) ─▶ Output ─▶ the two streams and the exit status
//! ```
//!
//! Knows nothing of the language: [`codegen`] compiles, reports and emits.

mod check;
mod diff;
mod document;
mod expand;
mod explain;
mod input;
mod json;
mod list;
mod matrix;
mod openapi;
mod output;
mod schema;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// What `codegen` was called with.
#[derive(Debug, Parser)]
#[command(
    name = "codegen",
    version,
    about = "Checks, compares, expands and lists the contracts of services, and explains mistakes, changes and tests.",
    after_help = AFTER_HELP,
    disable_help_subcommand = true
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Examples:
  codegen check api.yaml                 every mistake, with its place and what to do
  codegen diff old.yaml api.yaml         what has changed, who is affected, and what breaks
  codegen expand api.yaml | less         the Rust that a build makes of it
  codegen list api.yaml | grep owner     who may call what
  codegen llms api.yaml                  the contract as a text for agents
  codegen matrix api.yaml                which generated test shows which answer
  codegen openapi api.yaml               an OpenAPI document of it
  codegen explain unknown-type           why there is such a rule
  codegen schema --output schema.json    for editors, which complete and underline by it

Exit status: 0 all is well, 1 a contract has mistakes or breaks what another one promised, 2 something could not be
read, written or found.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Report all mistakes of contracts
    #[command(after_help = CHECK_EXAMPLES)]
    Check {
        /// Contracts; `-` is standard input
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
    },

    /// Compare two contracts: what has changed, who is affected, and what breaks
    #[command(after_help = DIFF_EXAMPLES)]
    Diff(diff::DiffArguments),

    /// Print the Rust code of a contract
    #[command(after_help = EXPAND_EXAMPLES)]
    Expand {
        /// The contract; `-` is standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,

        /// Print the conformance suite instead
        #[arg(long)]
        tests: bool,

        /// Write to this file, once there is something to write
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },

    /// List the operations of a contract, one a line: path, credential, limit, guards, quota, errors
    #[command(after_help = LIST_EXAMPLES)]
    List {
        /// The contract; `-` is standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,

        /// Print JSON
        #[arg(long)]
        json: bool,
    },

    /// Print a contract as a text for agents, short enough for a prompt: of all its surfaces, or of one
    #[command(after_help = LLMS_EXAMPLES)]
    Llms(document::Document),

    /// Print which generated test shows which answer of which operation, as Markdown
    #[command(after_help = MATRIX_EXAMPLES)]
    Matrix {
        /// The contract; `-` is standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,

        /// Write to this file
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },

    /// Print an OpenAPI document of a contract: of all its surfaces, or of one
    #[command(after_help = OPENAPI_EXAMPLES)]
    Openapi(openapi::OpenApiArguments),

    /// Explain a rule, how to mend a mistake or what to tell of a change, or list all rules
    #[command(after_help = EXPLAIN_EXAMPLES)]
    Explain {
        /// The name in the brackets of a report
        #[arg(value_name = "RULE")]
        rule: Option<String>,
    },

    /// Print a JSON Schema of the language, with which editors complete and underline contracts
    #[command(after_help = SCHEMA_EXAMPLES)]
    Schema {
        /// Write to this file
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
}

const CHECK_EXAMPLES: &str = "\
Examples:
  codegen check api.yaml
  codegen check services/*/api.yaml
  git show HEAD~1:api.yaml | codegen check -

Reports go to standard output, in colour on a terminal unless NO_COLOR is set.";

const DIFF_EXAMPLES: &str = "\
Examples:
  git show main:api.yaml | codegen diff - api.yaml
  codegen diff old.yaml api.yaml --format markdown > changes.md
  codegen diff old.yaml api.yaml --allow 'limit-lowered@limits.reads.rate: agreed with all clients'
  codegen diff old.yaml api.yaml --format json | jq -r '.changes[] | select(.severity == \"breaking\") | .message'

Exit status: 0 no change is breaking, or all breaking changes are allowed; 1 a breaking change is not allowed, or a contract
has errors; 2 a file could not be read or written, or an allowance is invalid or matches no change.

An allowance consists of the rule and the path of one breaking change, as the output shows them, and a reason, which the
output then shows beside the change. An allowance that matches no change is an error: remove it.";

const EXPAND_EXAMPLES: &str = "\
Examples:
  codegen expand api.yaml | less
  codegen expand api.yaml --output api.rs
  codegen expand api.yaml --tests";

const LIST_EXAMPLES: &str = "\
Examples:
  codegen list api.yaml | less -S
  codegen list api.yaml --json | jq -r '.operations[] | select(.credential == null) | .path'";

const LLMS_EXAMPLES: &str = "\
Examples:
  codegen llms api.yaml --output llms.txt
  codegen llms api.yaml --surface reading        of one surface, for those who call it";

const MATRIX_EXAMPLES: &str = "\
Examples:
  codegen matrix api.yaml --output tests/matrix.md

Exit status: 0 every answer of every operation is shown by a test, or the contract says why no request can bring it about; 1
some answer is shown by nothing.";

const OPENAPI_EXAMPLES: &str = "\
Examples:
  codegen openapi api.yaml --output openapi.json
  codegen openapi api.yaml --surface reading     of one surface, for those who call it
  codegen openapi api.yaml --version 3.0         for tools that do not know 3.1";

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  codegen explain unknown-type
  codegen explain limit-lowered
  codegen explain                        all rules, by theme";

const SCHEMA_EXAMPLES: &str = "\
Examples:
  codegen schema --output schema.json

An editor with a YAML language server takes it from the first line of a contract:
  # yaml-language-server: $schema=schema.json";

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Check { files } => check::run(&files),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Expand { file, tests, output } => expand::run(&file, tests, output.as_deref()),
        Command::List { file, json } => list::run(&file, json),
        Command::Llms(arguments) => document::run(&arguments, codegen::documents::llms::text),
        Command::Matrix { file, output } => matrix::run(&file, output.as_deref()),
        Command::Openapi(arguments) => openapi::run(&arguments),
        Command::Explain { rule } => explain::run(rule.as_deref()),
        Command::Schema { output } => schema::run(output.as_deref()),
    }
    .write()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_shows_examples() {
        for command in Cli::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let example = format!("codegen {} ", command.get_name());
            assert!(help.contains(&example), "{}", command.get_name());
        }
    }
}
