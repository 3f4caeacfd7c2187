//! `codegen`: the contract compiler on the command line.
//!
//! ```text
//! arguments ─ a command (check, conform, diff, expand, list, llms, matrix, mock, new, openapi, explain, schema) ─▶ Output ─▶ the two streams and the exit status
//! ```
//!
//! Knows nothing of the language: [`codegen`] compiles, reports and emits.

mod check;
mod conform;
mod credentials;
mod diff;
mod document;
mod expand;
mod explain;
mod input;
mod list;
mod matrix;
mod mock_command;
mod new;
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
    about = "Checks, compares and documents API contracts (api.yaml), and explains errors and changes.",
    after_help = AFTER_HELP,
    disable_help_subcommand = true
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Examples:
  codegen check api.yaml                 every error, with its position and how to fix it
  codegen conform api.yaml --url …       where a running server differs from the contract
  codegen diff old.yaml api.yaml         what has changed, who is affected, and what breaks
  codegen expand api.yaml | less         the Rust code that a build generates
  codegen list api.yaml | grep owner     the operations that check the owner
  codegen llms api.yaml                  the contract as a prompt for agents
  codegen matrix api.yaml                how many probes cover which response
  codegen mock api.yaml                  a server of the contract, before its handlers exist
  codegen new notes                      a folder with a service that keeps notes, to start from
  codegen openapi api.yaml               the contract as an OpenAPI document
  codegen explain unknown-type           why a rule exists, and how to satisfy it
  codegen schema --output schema.json    completion and validation in editors

Exit status: 0 no errors; 1 a contract has errors or a breaking change; 2 something could not be read, written or
found.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Report all errors of contracts
    #[command(after_help = CHECK_EXAMPLES)]
    Check {
        /// Contracts; `-` is standard input
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
    },

    /// Compare a running server with a contract: probes, scenarios, random histories of calls
    #[command(after_help = CONFORM_EXAMPLES)]
    Conform(conform::ConformArguments),

    /// Compare two contracts: what has changed, who is affected, and what breaks
    #[command(after_help = DIFF_EXAMPLES)]
    Diff(diff::DiffArguments),

    /// Print the Rust code that is generated from a contract
    #[command(after_help = EXPAND_EXAMPLES)]
    Expand {
        /// The contract; `-` is standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,

        /// Write to this file; it is not touched if the contract has errors
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },

    /// List the operations of a contract, one per line: path, credential, limit, guards, quota, errors
    #[command(after_help = LIST_EXAMPLES)]
    List {
        /// The contract; `-` is standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,

        /// Print JSON
        #[arg(long)]
        json: bool,

        /// Print the handlers instead, one per line: which are emitted if the contract is stored, and why not the others
        #[arg(long, conflicts_with = "json")]
        handlers: bool,
    },

    /// Print a contract as a short text for the prompt of an agent
    #[command(after_help = LLMS_EXAMPLES)]
    Llms(document::Document),

    /// Print how many probes cover which response of each operation, as Markdown
    #[command(after_help = MATRIX_EXAMPLES)]
    Matrix {
        /// The contract; `-` is standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,

        /// Write to this file
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },

    /// Serve a contract without handlers: a mock with state, for clients and for tests
    #[command(after_help = MOCK_EXAMPLES)]
    Mock(mock_command::MockArguments),

    /// Make the folder of a service that keeps its records on disk, without a handler
    #[command(after_help = NEW_EXAMPLES)]
    New(new::NewArguments),

    /// Print a contract as an OpenAPI document
    #[command(after_help = OPENAPI_EXAMPLES)]
    Openapi(openapi::OpenApiArguments),

    /// Explain a rule: why it exists, and how to fix an error or announce a change; or list all rules
    #[command(after_help = EXPLAIN_EXAMPLES)]
    Explain {
        /// The rule's name, in brackets in each diagnostic; without it, all rules are listed
        #[arg(value_name = "RULE")]
        rule: Option<String>,
    },

    /// Print the JSON Schema of the contract language, for completion and validation in editors
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

Diagnostics go to standard output, in colour on a terminal unless NO_COLOR is set.";

const CONFORM_EXAMPLES: &str = "\
Examples:
  codegen conform api.yaml --url http://127.0.0.1:8080 --credential operator_token=secret
  codegen conform api.yaml --url http://127.0.0.1:8080 --credential operator_token=secret --filter get_human
  codegen conform api.yaml --url http://127.0.0.1:8080 --credential operator_token=secret --report-html report.html
  codegen conform api.yaml --url http://127.0.0.1:8080 --credential operator_token=secret --rate-limits off --level texts

It creates callers and records on the server: use one for tests. The server may be written in any language. For `https` its
certificate must be one that this machine trusts, or be in the file that `SSL_CERT_FILE` names. Differences are
grouped by cause, the most frequent first, each with a call that shows it. `--level shape` compares status, members and types,
`values` (the default) also values, order, totals and headers, `texts` also the texts of errors.

A file of expected failures has the name of one failing probe, scenario or history in each line, as the report shows it; `#` begins a comment.

Exit status: 0 no unexpected failure; 1 the server differs from the contract, an expected failure has passed, or the contract
has errors; 2 a flag or a file is wrong, or the server cannot be reached.";

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
  codegen expand api.yaml --output api.rs";

const LIST_EXAMPLES: &str = "\
Examples:
  codegen list api.yaml | less -S
  codegen list api.yaml --json | jq -r '.operations[] | select(.credential == null) | .path'";

const LLMS_EXAMPLES: &str = "\
Examples:
  codegen llms api.yaml --output llms.txt
  codegen llms api.yaml --surface reading        only the operations of one surface";

const MATRIX_EXAMPLES: &str = "\
Examples:
  codegen matrix api.yaml --output tests/matrix.md

Exit status: 0 a test covers every response of every operation, or the contract says why no request can cause it;
1 some response is not covered.";

const MOCK_EXAMPLES: &str = "\
Examples:
  codegen mock api.yaml
  codegen mock api.yaml --listen 127.0.0.1:0 --rate-limits off
  codegen mock api.yaml --data state.jsonl --credential operator_token=secret

It prints its address, the credentials that no operation creates, and calls to try. SIGTERM and SIGINT end it.
What the contract leaves to handlers is made up. The secrets of a mock are no secrets: use it for development only.

Exit status: 0 after a signal; 1 the contract has errors; 2 the address is in use, or a flag or a file is wrong.";

const NEW_EXAMPLES: &str = "\
Examples:
  codegen new notes && cd notes && cargo run
  codegen new services/job-board --codegen https://example.com/hitode.git

Exit status: 0 the folder is made; 2 it is there already, the name is none of a package, or --codegen names no clone.";

const OPENAPI_EXAMPLES: &str = "\
Examples:
  codegen openapi api.yaml --output openapi.json
  codegen openapi api.yaml --surface reading     only the operations of one surface
  codegen openapi api.yaml --version 3.0         for tools without support for 3.1";

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  codegen explain unknown-type
  codegen explain limit-lowered
  codegen explain                        all rules, by theme";

const SCHEMA_EXAMPLES: &str = "\
Examples:
  codegen schema --output schema.json

Editors with a YAML language server find the schema through the first line of a contract:
  # yaml-language-server: $schema=schema.json";

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Check { files } => check::run(&files),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Expand { file, output } => expand::run(&file, output.as_deref()),
        Command::List { file, json, handlers } => list::run(&file, json, handlers),
        Command::Llms(arguments) => document::run(&arguments, codegen::documents::llms::text),
        Command::Matrix { file, output } => matrix::run(&file, output.as_deref()),
        Command::Conform(arguments) => conform::run(&arguments),
        Command::Mock(arguments) => mock_command::run(&arguments),
        Command::New(arguments) => new::run(&arguments),
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
