//! The commands that take care of what is stored: of a stopped server, or, for a backup, also of a running one.

pub mod backup;
pub mod backup_key;
pub mod check;
pub mod restore;

use std::path::PathBuf;

use clap::Args;

use crate::backups::{Key, KeyFile};
use crate::commands::error::CommandError;
use crate::commands::output::remark;

/// The key of an encrypted backup.
#[derive(Debug, Args)]
struct KeyFlag {
    /// The file with the key of an encrypted backup; `hitode backup-key FILE` creates one
    #[arg(long, env = "HITODE_KEY_FILE", value_name = "FILE")]
    key_file: Option<PathBuf>,
}

impl KeyFlag {
    /// The key, if a file is named.
    ///
    /// # Errors
    /// If it is no key file.
    fn key(&self) -> Result<Option<Key>, CommandError> {
        let Some(path) = &self.key_file else {
            return Ok(None);
        };
        let file = KeyFile::read(path).map_err(|error| CommandError::new(error.to_string()))?;
        if let Some(warning) = file.warning() {
            remark(&format!("hitode: {warning}"));
        }
        Ok(Some(file.key))
    }
}
