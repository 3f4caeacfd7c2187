//! `hitode backup`: writes all data of a stopped server into one file.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use clap::Args;
use contract::Clock;
use indicatif::ProgressBar;
use serde_json::json;

use crate::commands::error::CommandError;
use crate::commands::output::{Output, counted};
use crate::files::{parent, sync_directory};
use crate::store::backup::BackupWriter;
use crate::store::sled::SledStore;

/// `hitode backup`
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Backup {
    /// The file to create
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The data directory of a stopped server
    #[arg(long, env = "HITODE_DATA", value_name = "DIR", default_value = "./data")]
    data: PathBuf,

    #[command(flatten)]
    output: Output,
}

impl Backup {
    /// # Errors
    /// If the directory cannot be read or the file cannot be written. The text states the reason and what to do.
    pub(crate) fn run(self) -> Result<(), CommandError> {
        if self.file.exists() {
            let text = format!("{} exists already; choose another name", self.file.display());
            return Err(CommandError::new(text));
        }
        let unfinished = Unfinished::create(&self.file).map_err(|error| self.unwritable(&error))?;
        let records = self.write(&unfinished)?;
        let bytes = unfinished.finish(&self.file).map_err(|error| self.unwritable(&error))?;
        let document = json!({ "file": self.file.to_string_lossy(), "records": records, "bytes": bytes });
        self.output.print(&document, |_| {
            format!(
                "Wrote {} to {}, {:.1} MiB. It holds digests of credentials and private messages.",
                counted(records, "record"),
                self.file.display(),
                bytes as f64 / f64::from(1 << 20)
            )
        })
    }

    fn write(&self, unfinished: &Unfinished) -> Result<u64, CommandError> {
        let bar = ProgressBar::new(0);
        let progress = |records: u64, all: u64| {
            bar.set_length(all);
            bar.set_position(records);
        };
        let out = BackupWriter::begin(&unfinished.file, Clock::system().now());
        let out = out.map_err(|error| self.unwritable(&error))?;
        let written = SledStore::back_up(&self.data, out, progress);
        bar.finish_and_clear();
        let written = written.map_err(|error| CommandError::new(error.to_string()))?;
        let done = written.and_then(|out| Ok((out.lines(), out.end()?)));
        done.map(|(records, _)| records)
            .map_err(|error| self.unwritable(&error))
    }

    fn unwritable(&self, error: &io::Error) -> CommandError {
        CommandError::new(format!("cannot write {}: {error}", self.file.display()))
    }
}

/// The file until it is complete, under a name of its own. Removed unless it is finished.
struct Unfinished {
    file: File,
    path: PathBuf,
    is_finished: bool,
}

impl Unfinished {
    /// For its owner only: it holds digests of credentials and private messages.
    fn create(target: &Path) -> io::Result<Self> {
        let mut name = target.as_os_str().to_owned();
        name.push(".unfinished");
        let path = PathBuf::from(name);
        let mut options = OpenOptions::new();
        let file = options
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&path)?;
        Ok(Self {
            file,
            path,
            is_finished: false,
        })
    }

    /// Syncs the file, gives it its name, and returns its length.
    fn finish(mut self, target: &Path) -> io::Result<u64> {
        self.file.sync_all()?;
        fs::rename(&self.path, target)?;
        self.is_finished = true;
        sync_directory(parent(target))?;
        Ok(self.file.metadata()?.len())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.is_finished {
            let _ = fs::remove_file(&self.path);
        }
    }
}

const EXAMPLES: &str = "\
EXAMPLES
  hitode backup market.backup                            the data directory ./data
  hitode backup /backups/$(date +%F) --data /var/lib/hitode
  lz4 -dc market.backup | head                           look into it: lines of JSON

The file is readable by its owner only. It contains digests of credentials, and everything that people wrote.";
