//! `hitode backup-key`: creates the key of encrypted backups.

use std::io::ErrorKind;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::backups::Key;
use crate::commands::error::CommandError;
use crate::commands::output::Output;

/// `hitode backup-key`
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct BackupKey {
    /// The file to create
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    output: Output,
}

impl BackupKey {
    /// # Errors
    /// If the file exists or cannot be written. The text states the reason and what to do.
    pub(crate) fn run(self) -> Result<(), CommandError> {
        let path = self.file.display();
        Key::generate().create_file(&self.file).map_err(|error| {
            CommandError::new(match error.kind() {
                ErrorKind::AlreadyExists => format!("{path} exists already; choose another name"),
                _ => format!("cannot write {path}: {error}"),
            })
        })?;
        let document = json!({ "file": self.file.to_string_lossy() });
        self.output.print(&document, |_| {
            format!("Created the key {path}. Keep a copy of it elsewhere: backups cannot be read without their key.")
        })
    }
}

const EXAMPLES: &str = "\
EXAMPLES
  hitode backup-key /etc/hitode/backup.key
  hitode serve --backup-dir /var/backups/hitode --backup-key-file /etc/hitode/backup.key
  hitode backup market.backup --key-file /etc/hitode/backup.key
  hitode restore market.backup --key-file /etc/hitode/backup.key

Only its owner may read the file. An existing file is never overwritten. The same key encrypts and decrypts: keep a copy of it
away from the backups and from this machine.";
