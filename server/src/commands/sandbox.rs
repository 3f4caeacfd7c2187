//! `hitode sandbox`: moves the clock of an account in the sandbox.

use std::time::Duration;

use clap::{Args, Subcommand};
use contract::operator::advance_clock;
use serde_json::json;

use super::client::{Operation, body};
use super::connection::Connection;
use super::error::CommandError;
use super::output::Output;
use crate::duration;

/// `hitode sandbox …`
#[derive(Debug, Args)]
pub struct Sandbox {
    #[command(subcommand)]
    command: SandboxAction,
}

#[derive(Debug, Subcommand)]
enum SandboxAction {
    /// Move the clock of an account: what its simulated workers would do until then happens at once
    #[command(after_help = ADVANCE_EXAMPLES)]
    Advance(Advance),
}

#[derive(Debug, Args)]
struct Advance {
    /// The id of the account, as in the output of `hitode account list`
    #[arg(value_name = "ACCOUNT", value_parser = clap::value_parser!(i64).range(1..))]
    account: i64,

    /// How far, such as 90s, 15m, 1h or 2d
    #[arg(value_name = "TIME", value_parser = duration::parse)]
    time: Duration,

    #[command(flatten)]
    connection: Connection,

    #[command(flatten)]
    output: Output,
}

impl Sandbox {
    pub(crate) fn run(self) -> Result<(), CommandError> {
        let SandboxAction::Advance(advance) = self.command;
        let operation = Operation::new(advance_clock::METHOD, advance_clock::PATH).on(advance.account);
        let seconds = advance.time.as_secs();
        let asked = body(&json!({ "seconds": seconds }));
        advance.connection.client()?.operator(&operation, asked)?;
        let moved = json!({ "account": advance.account, "seconds": seconds });
        advance.output.print(&moved, |_| {
            format!("Moved the clock of account {} by {} s.", advance.account, seconds)
        })
    }
}

const ADVANCE_EXAMPLES: &str = "\
EXAMPLES
  hitode sandbox advance 7 1h
  hitode sandbox advance 7 90s --url https://hitode.example --data /var/lib/hitode

Environment: HITODE_OPERATOR_TOKEN holds the operator's token";
