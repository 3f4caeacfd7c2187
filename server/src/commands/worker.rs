//! `hitode worker`: a token for somebody who is to answer agents.

use clap::{Args, Subcommand};
use contract::operator::create_human_token;

use super::CommandError;
use super::client::{Operation, body};
use super::connection::Connection;
use super::output::{Output, plain};

/// `hitode worker …`
#[derive(Debug, Args)]
pub struct Worker {
    #[command(subcommand)]
    command: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Give a worker a token; the former one ends at once
    #[command(after_help = TOKEN_EXAMPLES)]
    Token(Token),
}

#[derive(Debug, Args)]
struct Token {
    /// The worker's id, as `hitode import --json` or a search shows it
    #[arg(value_name = "ID", value_parser = clap::value_parser!(i64).range(1..))]
    id: i64,

    #[command(flatten)]
    connection: Connection,

    #[command(flatten)]
    output: Output,
}

impl Worker {
    pub(super) fn run(self) -> Result<(), CommandError> {
        let Action::Token(Token { id, connection, output }) = self.command;
        let operation = Operation::new(create_human_token::METHOD, create_human_token::PATH).on(id);
        let made = connection
            .client()?
            .operator(&operation, body(&serde_json::json!({})))?;
        output.print(&made.content, |made| {
            format!(
                "The token of worker {id}, shown only this once; a former one has ended:\n{}",
                plain(&made["token"])
            )
        })
    }
}

const TOKEN_EXAMPLES: &str = "\
EXAMPLES
  hitode worker token 106
  TOKEN=$(hitode worker token 106 --json | jq -r .token)

Also read from the environment: HITODE_OPERATOR_TOKEN, the operator's token";
