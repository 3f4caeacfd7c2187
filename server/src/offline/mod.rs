//! The commands that take care of what is stored: of a stopped server, or, for a backup, also of a running one.

pub mod backup;
pub mod backup_key;
pub mod check;
mod files;
pub mod restore;

use std::path::{Path, PathBuf};

use clap::Args;

use crate::backups::{Key, KeyFile};
use crate::commands::error::CommandError;
use crate::commands::output::remark;

/// Where a copy of a data directory may be, if its own disk has no room to open it: in this directory, in that for temporary
/// files, and in memory.
fn places_for_copies(first: Option<&Path>) -> Vec<PathBuf> {
    let first = first.map(Path::to_owned);
    let others = [std::env::temp_dir(), PathBuf::from("/dev/shm")];
    first.into_iter().chain(others).collect()
}

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
