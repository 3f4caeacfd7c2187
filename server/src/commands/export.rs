//! `hitode export`: all workers, accounts or bounties in a file.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use contract::operator::{get_account, get_bounty, get_human, list_accounts, list_bounties, list_humans};
use contract::support::description::OperationDescription;
use indicatif::ProgressBar;
use serde_json::{Value, json};

use super::client::{Operation, some_rows};
use super::connection::Connection;
use super::error::CommandError;
use super::output::{Output, counted};
use super::table_file::TableFile;

/// Records that are read before they are written.
const AT_ONCE: u64 = 1_000;

/// `hitode export`
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Export {
    /// What to export
    #[arg(value_name = "KIND")]
    kind: Kind,

    /// The file to create, which only you can read: JSON lines if its name ends with .jsonl, else CSV
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    connection: Connection,

    #[command(flatten)]
    output: Output,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    /// All workers but simulated and erased ones, with whole profiles
    Workers,
    /// All accounts
    Accounts,
    /// All bounties
    Bounties,
}

impl Kind {
    /// The operations that list the records and show one.
    fn operations(self) -> [&'static OperationDescription; 2] {
        match self {
            Self::Workers => [&list_humans::DESCRIPTION, &get_human::DESCRIPTION],
            Self::Accounts => [&list_accounts::DESCRIPTION, &get_account::DESCRIPTION],
            Self::Bounties => [&list_bounties::DESCRIPTION, &get_bounty::DESCRIPTION],
        }
    }
}

impl Export {
    pub(crate) fn run(self) -> Result<(), CommandError> {
        let client = self.connection.client()?;
        let [list, show] = self.kind.operations();
        let mut file = TableFile::create(&self.file, show.shown, "nothing was exported")?;
        let bar = ProgressBar::new_spinner();
        let is_whole = list.shown == show.shown;
        let pages = list.pages.expect("the list has pages");
        let list = Operation::new(list.method, list.path);
        let mut count = 0;
        loop {
            let call = |page: &Operation| client.operator(page, Vec::new());
            let (rows, _) = some_rows(&list, pages, (AT_ONCE, count), call)?;
            let read = rows.len() as u64;
            let whole = |row: Value| {
                // The list shows all of it.
                if is_whole {
                    return Ok(row);
                }
                let id = row["id"].as_i64().unwrap_or_default();
                let one = Operation::new(show.method, show.path).on(id);
                Ok(client.operator(&one, Vec::new())?.content)
            };
            let records: Result<Vec<Value>, CommandError> = rows.into_iter().map(whole).collect();
            file.write(&records?)?;
            count += read;
            bar.set_message(counted(count, "record"));
            bar.tick();
            if read < AT_ONCE {
                break;
            }
        }
        bar.finish_and_clear();
        let file = self.file.display().to_string();
        let document = json!({ "records": count, "file": file });
        self.output.print(&document, |_| {
            format!("Exported {} into {file}.", counted(count, "record"))
        })
    }
}

const EXAMPLES: &str = "\
EXAMPLES
  hitode export workers people.csv
  hitode export bounties bounties.jsonl

The file holds personal data. It is not a backup: see `hitode backup`.

Environment: HITODE_OPERATOR_TOKEN holds the operator's token";
