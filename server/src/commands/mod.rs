//! What `hitode` does besides serving: the operator's work, over the operator surface of a running server.
//!
//! Each command reads its flags, calls the server and prints. Knows no store and no handler: what is done here, any HTTP
//! client with the operator's token could do. In reading order: `connection` (where the server is, and the token) →
//! `client` (one call) → the commands.

// These macros panic when nobody reads any more; what is in `output` does not.
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod account;
mod call_error;
mod client;
pub mod completions;
pub mod connection;
mod error;
pub mod import;
mod output;
mod table;
pub mod worker;

use std::process::ExitCode;

use clap::Subcommand;

pub use self::error::CommandError;

/// The commands besides `serve`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Let agents in: make accounts with an API key, and list them
    Account(account::Account),
    /// Give a worker a token
    Worker(worker::Worker),
    /// Enter workers from a file with one JSON object a line
    Import(import::Import),
    /// Print the completions of a shell
    Completions(completions::Completions),
}

/// Runs a command to its end. What it gives is what the process exits with: not every line that is refused is a failure to
/// run, but each is one to whoever wrote a script.
///
/// # Errors
/// When the command could not do its work; the text says why and what to do.
pub fn run(command: Command) -> Result<ExitCode, CommandError> {
    match command {
        Command::Account(account) => account.run(),
        Command::Worker(worker) => worker.run(),
        Command::Import(import) => return import.run(),
        Command::Completions(completions) => completions.run(),
    }
    .map(|()| ExitCode::SUCCESS)
}
