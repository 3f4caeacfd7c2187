//! `hitode worker`: creates a worker's token or invites a worker, finds and changes workers.

use clap::builder::BoolishValueParser;
use clap::{Args, Subcommand};
use contract::operator::{create_human_token, get_human};
use serde_json::json;

use super::client::{Operation, body};
use super::connection::Connection;
use super::error::CommandError;
use super::invite::Invite;
use super::operations::{Chosen, Workers};
use super::output::{Output, must_confirm, plain};

/// `hitode worker …`
#[derive(Debug, Args)]
pub struct Worker {
    #[command(subcommand)]
    command: WorkerAction,
}

#[derive(Debug, Subcommand)]
enum WorkerAction {
    /// Create a token for a worker; it replaces the former one, after a confirmation
    #[command(after_help = TOKEN_EXAMPLES)]
    Token(Token),
    /// Create links with which workers sign in on a phone
    Invite(Invite),
    #[command(flatten)]
    Other(Chosen<Workers>),
}

#[derive(Debug, Args)]
struct Token {
    /// The id of the worker, as in the output of `hitode import --json` or of a search
    #[arg(value_name = "ID", value_parser = clap::value_parser!(i64).range(1..))]
    id: i64,

    /// Replace the former token without a confirmation, for scripts
    #[arg(long, env = "HITODE_YES", value_parser = BoolishValueParser::new())]
    yes: bool,

    #[command(flatten)]
    connection: Connection,

    #[command(flatten)]
    output: Output,
}

impl Worker {
    pub(crate) fn run(self) -> Result<(), CommandError> {
        match self.command {
            WorkerAction::Token(token) => token.run(),
            WorkerAction::Invite(invite) => invite.run(),
            WorkerAction::Other(other) => other.run(),
        }
    }
}

impl Token {
    fn run(self) -> Result<(), CommandError> {
        let client = self.connection.client()?;
        let whose = Operation::new(get_human::METHOD, get_human::PATH).on(self.id);
        let human = client.operator(&whose, Vec::new())?.content;
        let worker = format!("worker {}, {}", self.id, plain(&human["name"]));
        let ends_one = human["has_token"] == true;
        if ends_one && !self.yes {
            may_end_the_token_of(&worker)?;
        }
        let make = Operation::new(create_human_token::METHOD, create_human_token::PATH).on(self.id);
        let mut created = client.operator(&make, body(&json!({})))?.content;
        created["name"] = human["name"].clone();
        self.output.print(&created, |created| {
            let former = if ends_one {
                "; the former token is now invalid"
            } else {
                ""
            };
            format!(
                "The token of {worker} (shown only once){former}:\n{}",
                plain(&created["token"])
            )
        })
    }
}

/// Asks for confirmation on the terminal.
///
/// # Errors
/// If the user declines, or there is no terminal.
fn may_end_the_token_of(worker: &str) -> Result<(), CommandError> {
    must_confirm(
        &format!("A new token makes the present token of {worker}, invalid at once. Continue? [y/N] "),
        &format!("{worker}, has a token: pass --yes to replace it; nothing was changed"),
        "nothing was changed: the present token stays valid",
    )
}

const TOKEN_EXAMPLES: &str = "\
EXAMPLES
  hitode worker token 106
  TOKEN=$(hitode worker token 106 --yes --json | jq -r .token)

Environment: HITODE_OPERATOR_TOKEN holds the operator's token";
