//! `hitode account`: creates accounts for agents, finds and changes them.

use clap::builder::{BoolishValueParser, PossibleValuesParser};
use clap::{Args, Subcommand};
use contract::Plan;
use contract::operator::create_account;
use serde_json::{Value, json};

use super::call_error::CallError;
use super::client::{Client, Operation, body};
use super::connection::Connection;
use super::error::CommandError;
use super::operations::{Accounts, Chosen};
use super::output::{Output, plain};

/// `hitode account …`
#[derive(Debug, Args)]
pub struct Account {
    #[command(subcommand)]
    command: AccountAction,
}

#[derive(Debug, Subcommand)]
enum AccountAction {
    /// Create an account for an agent, with its first API key
    #[command(after_help = CREATE_EXAMPLES)]
    Create(Create),
    #[command(flatten)]
    Other(Chosen<Accounts>),
}

#[derive(Debug, Args)]
struct Create {
    /// The name of the account; workers see it as the poster of its bounties
    #[arg(long, env = "HITODE_NAME", value_name = "NAME")]
    name: String,

    /// The plan of the account; `verified` can create API keys
    #[arg(
        long,
        env = "HITODE_PLAN",
        value_name = "PLAN",
        value_parser = PossibleValuesParser::new(Plan::VALUES.map(Plan::as_str))
    )]
    plan: String,

    /// Create it in the sandbox: an account for tests, which sees simulated workers only
    #[arg(long, env = "HITODE_SANDBOX", value_parser = BoolishValueParser::new())]
    sandbox: bool,

    #[command(flatten)]
    connection: Connection,

    #[command(flatten)]
    output: Output,
}

impl Account {
    pub(crate) fn run(self) -> Result<(), CommandError> {
        match self.command {
            AccountAction::Create(create) => create.run(),
            AccountAction::Other(other) => other.run(),
        }
    }
}

impl Create {
    fn run(self) -> Result<(), CommandError> {
        let created = create(&self.connection.client()?, &self.name, &self.plan, self.sandbox)?;
        self.output.print(&created, |created| {
            format!(
                "Created account {}: {}, {}. Its API key (shown only once):\n{}",
                created["id"],
                self.name,
                self.plan,
                plain(&created["key"])
            )
        })
    }
}

/// Creates an account and returns the content of the answer, with the key.
pub(super) fn create(client: &Client, name: &str, plan: &str, sandbox: bool) -> Result<Value, CallError> {
    let operation = Operation::new(create_account::METHOD, create_account::PATH);
    let asked = body(&json!({ "name": name, "plan": plan, "sandbox": sandbox }));
    let created = client.operator(&operation, asked).map_err(|error| {
        error.if_outcome_unknown("the account may have been created nevertheless: check with `hitode account list`")
    });
    Ok(created?.content)
}

const CREATE_EXAMPLES: &str = "\
EXAMPLES
  hitode account create --name 'Errand agent' --plan verified
  KEY=$(hitode account create --name 'Errand agent' --plan free --json | jq -r .key)
  hitode account create --name 'Test agent' --plan free --sandbox
  hitode account create --name Guest --plan free --url https://hitode.example --data /var/lib/hitode

Environment: HITODE_OPERATOR_TOKEN holds the operator's token";
