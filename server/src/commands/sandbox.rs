//! `hitode sandbox`: moves the clock of an account in the sandbox.

use clap::{Args, Subcommand};
use contract::operator::advance_clock;
use serde_json::json;

use super::client::{Operation, body};
use super::connection::Connection;
use super::error::CommandError;
use super::output::Output;

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
    #[arg(value_name = "TIME", value_parser = seconds)]
    time: u64,

    #[command(flatten)]
    connection: Connection,

    #[command(flatten)]
    output: Output,
}

impl Sandbox {
    pub(crate) fn run(self) -> Result<(), CommandError> {
        let SandboxAction::Advance(advance) = self.command;
        let operation = Operation::new(advance_clock::METHOD, advance_clock::PATH).on(advance.account);
        let asked = body(&json!({ "seconds": advance.time }));
        advance.connection.client()?.operator(&operation, asked)?;
        let moved = json!({ "account": advance.account, "seconds": advance.time });
        advance.output.print(&moved, |_| {
            format!("Moved the clock of account {} by {} s.", advance.account, advance.time)
        })
    }
}

/// A duration with its unit, in seconds.
fn seconds(text: &str) -> Result<u64, String> {
    let units = [('s', 1), ('m', 60), ('h', 3_600), ('d', 86_400)];
    let found = units
        .iter()
        .find_map(|(unit, seconds)| Some((text.strip_suffix(*unit)?, seconds)));
    let number = found.and_then(|(number, unit)| number.parse::<u64>().ok()?.checked_mul(*unit));
    number.ok_or_else(|| "a number and a unit are needed: 90s, 15m, 1h or 2d".to_owned())
}

const ADVANCE_EXAMPLES: &str = "\
EXAMPLES
  hitode sandbox advance 7 1h
  hitode sandbox advance 7 90s --url https://hitode.example --data /var/lib/hitode

Environment: HITODE_OPERATOR_TOKEN holds the operator's token";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_number_with_a_unit() {
        let units = ["90s", "15m", "1h", "2d"].map(|text| seconds(text).expect("a time"));
        assert_eq!(units, [90, 900, 3_600, 172_800]);
        for wrong in ["", "1", "h", "1 h", "-1h", "1w", "99999999999999999999d"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
