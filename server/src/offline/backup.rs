//! `hitode backup`: writes all that a server stores into one file, whether the server runs or not.

use std::io;
use std::path::PathBuf;

use clap::Args;
use contract::Clock;
use indicatif::{HumanBytes, ProgressBar};
use serde_json::json;

use crate::backups::UnfinishedBackup;
use crate::commands::error::CommandError;
use crate::commands::output::{Output, counted};
use crate::commands::{base_url, receive_backup};
use crate::store::sled::SledStore;

/// `hitode backup`
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Backup {
    /// The file to create
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The address of a running server; without it, the server must be stopped
    #[arg(long, env = "HITODE_URL", value_name = "URL", value_parser = base_url)]
    url: Option<String>,

    /// The data directory of the stopped server; of a running one, only the file `operator-token` is read, unless
    /// HITODE_OPERATOR_TOKEN is set
    #[arg(long, env = "HITODE_DATA", value_name = "DIR", default_value = "./data")]
    data: PathBuf,

    #[command(flatten)]
    output: Output,
}

impl Backup {
    /// # Errors
    /// If the server or the directory cannot be read, or the file cannot be written. The text states the reason and what
    /// to do.
    pub(crate) fn run(self) -> Result<(), CommandError> {
        if self.file.exists() {
            let text = format!("{} exists already; choose another name", self.file.display());
            return Err(CommandError::new(text));
        }
        let unfinished = UnfinishedBackup::create(&self.file).map_err(|error| self.unwritable(&error))?;
        match &self.url {
            Some(url) => self.receive(url, &unfinished)?,
            None => self.write(&unfinished)?,
        }
        let finished = unfinished.finish(&self.file).map_err(|error| self.unwritable(&error))?;
        let (records, bytes) = (finished.lines, finished.bytes);
        let document = json!({ "file": self.file.to_string_lossy(), "records": records, "bytes": bytes });
        self.output.print(&document, |_| {
            format!(
                "Wrote {} to {}, {}. It holds digests of credentials, secrets of webhooks and private messages.",
                counted(records, "record"),
                self.file.display(),
                HumanBytes(bytes)
            )
        })
    }

    /// Receives the backup of a running server.
    fn receive(&self, url: &str, unfinished: &UnfinishedBackup) -> Result<(), CommandError> {
        let mut body = receive_backup(url, &self.data)?;
        let bar = ProgressBar::new_spinner();
        let mut out = bar.wrap_write(self.opened(unfinished)?);
        let copied = io::copy(&mut body, &mut out);
        bar.finish_and_clear();
        copied.map(drop).map_err(|error| {
            let text = format!("the backup was interrupted: {error}; see the log of the server, and try again");
            CommandError::new(text)
        })
    }

    /// Writes the backup of a data directory.
    fn write(&self, unfinished: &UnfinishedBackup) -> Result<(), CommandError> {
        let bar = ProgressBar::new(0);
        let progress = |records: u64, all: u64| {
            bar.set_length(all);
            bar.set_position(records);
        };
        let (out, now) = (self.opened(unfinished)?, Clock::system().now());
        let written = SledStore::back_up_directory(&self.data, out, now, progress);
        bar.finish_and_clear();
        let written = written.map_err(|error| CommandError::new(error.to_string()))?;
        written.map(drop).map_err(|error| self.unwritable(&error))
    }

    fn opened(&self, unfinished: &UnfinishedBackup) -> Result<std::fs::File, CommandError> {
        unfinished.file().map_err(|error| self.unwritable(&error))
    }

    fn unwritable(&self, error: &dyn std::fmt::Display) -> CommandError {
        CommandError::new(format!("cannot write {}: {error}", self.file.display()))
    }
}

const EXAMPLES: &str = "\
EXAMPLES
  hitode backup market.backup --url http://127.0.0.1:8080     a running server; nothing stops meanwhile
  hitode backup market.backup                            the data directory ./data of a stopped server
  hitode backup /backups/$(date +%F) --data /var/lib/hitode
  lz4 -dc market.backup | head                           look into it: lines of JSON

The file is readable by its owner only. It contains digests of credentials, the secrets of webhooks, and everything that
people wrote. It holds what the server stored at one moment, and is read back before it gets its name.";
