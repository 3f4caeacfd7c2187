//! `hitode backup`: writes all that a server stores into one file, whether the server runs or not.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use codegen_store::files;
use contract::Clock;
use contract::support::FileDirectory;
use indicatif::{HumanBytes, ProgressBar};
use serde_json::json;

use super::files::{FilesFlags, Tally, copies_of};
use super::{KeyFlag, places_for_copies};
use crate::backups::{
    BackupOutput, Content, Copies, FinishedBackup, Found, Key, Taken, UnfinishedBackup, UnreadableBackup,
};
use crate::commands::error::CommandError;
use crate::commands::output::{Output, counted, remark};
use crate::commands::{base_url, receive_backup};
use crate::store::Store;
use crate::store::backup::Entry;

/// `hitode backup`
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Backup {
    /// The file to create; `-` writes to standard output, for a program that sends it
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
    key: KeyFlag,

    #[command(flatten)]
    files: FilesFlags,

    #[command(flatten)]
    output: Output,
}

impl Backup {
    /// # Errors
    /// If the server or the directory cannot be read, or the file cannot be written. The text states the reason and what
    /// to do.
    pub(crate) fn run(self) -> Result<(), CommandError> {
        let key = self.key.key()?;
        if self.file == Path::new("-") {
            return self.pipe(key.as_ref());
        }
        if self.file.exists() {
            let text = format!("{} exists already; choose another name", self.file.display());
            return Err(CommandError::new(text));
        }
        let unfinished = UnfinishedBackup::create(&self.file, key.clone()).map_err(|error| self.unwritable(&error))?;
        let output = unfinished.output().map_err(|error| self.unwritable(&error))?;
        let output = self.write(output)?;
        let (is_encrypted, mut copying) = (key.is_some(), Copying::new(&self, key));
        let finished = unfinished.finish(output, &self.file, |entry| copying.take(entry));
        let finished = finished.map_err(|error| match copying.failed.take() {
            Some(failed) => CommandError::new(format!("cannot copy files into {}: {failed}", copying.to.display())),
            None => self.unwritable(&error),
        })?;
        self.report(finished, is_encrypted, &copying)
    }

    fn report(&self, finished: FinishedBackup, is_encrypted: bool, copying: &Copying) -> Result<(), CommandError> {
        let (FinishedBackup { lines: records, bytes }, tally) = (finished, &copying.tally);
        if tally.wrong > 0 {
            remark(&format!(
                "hitode: {} not in the backup, such as {}. They were deleted meanwhile, or are not in the directory of files{}; \
                 see --files",
                match tally.wrong {
                    1 => "1 file is".to_owned(),
                    number => format!("{number} files are"),
                },
                tally.texts.first().map_or("", String::as_str),
                self.files
                    .directory(&self.data)
                    .map_or(String::new(), |files| format!(" {}", files.display())),
            ));
        }
        let document = json!({
            "file": self.file.to_string_lossy(),
            "records": records,
            "bytes": bytes,
            "files": tally.whole,
            "missing_files": tally.wrong,
            "is_encrypted": is_encrypted,
        });
        self.output.print(&document, |_| {
            let mut written = format!(
                "Wrote {} to {}, {}",
                counted(records, "record"),
                self.file.display(),
                HumanBytes(bytes)
            );
            if tally.whole > 0 {
                written += &format!(", and {} to {}", counted(tally.whole, "file"), copying.to.display());
            }
            match is_encrypted {
                true => written + ". It is encrypted.",
                false => written + ". It holds digests of credentials, secrets of webhooks and private messages.",
            }
        })
    }

    /// Writes it to standard output. It cannot be read back there; a restore verifies it.
    fn pipe(&self, key: Option<&Key>) -> Result<(), CommandError> {
        if io::stdout().is_terminal() {
            let text = "a backup is not for a terminal; pipe it into another program, or name a file";
            return Err(CommandError::new(text.to_owned()));
        }
        let output = BackupOutput::begin(io::stdout(), key).map_err(|error| self.unwritable(&error))?;
        let written = self.write(output)?.finish();
        written.map(drop).map_err(|error| self.unwritable(&error))
    }

    fn write<W: Write>(&self, out: W) -> Result<W, CommandError> {
        match &self.url {
            Some(url) => self.receive(url, out),
            None => self.read_directory(out),
        }
    }

    /// Receives the backup of a running server.
    fn receive<W: Write>(&self, url: &str, mut out: W) -> Result<W, CommandError> {
        let mut body = receive_backup(url, &self.data)?;
        let bar = ProgressBar::new_spinner();
        let copied = io::copy(&mut bar.wrap_read(&mut body), &mut out);
        bar.finish_and_clear();
        copied.map(|_| out).map_err(|error| {
            let text = format!("the backup was interrupted: {error}; see the log of the server, and try again");
            CommandError::new(text)
        })
    }

    /// Writes the backup of a data directory.
    fn read_directory<W: Write>(&self, out: W) -> Result<W, CommandError> {
        let bar = ProgressBar::new(0);
        let progress = |records: u64, all: u64| {
            bar.set_length(all);
            bar.set_position(records);
        };
        let others = places_for_copies((self.file != Path::new("-")).then(|| files::parent_directory(&self.file)));
        let written = Store::back_up_directory(&self.data, &others, out, Clock::system().now(), progress);
        bar.finish_and_clear();
        let written = written.map_err(|error| CommandError::new(error.to_string()))?;
        written.map_err(|error| self.unwritable(&error))
    }

    fn unwritable(&self, error: &dyn std::fmt::Display) -> CommandError {
        CommandError::new(format!("cannot write {}: {error}", self.file.display()))
    }
}

/// Copies the contents that a backup names.
struct Copying {
    /// The directory of files. `None`: none are copied.
    from: Option<Option<FileDirectory>>,
    to: PathBuf,
    key: Option<Key>,
    /// Made for the first content.
    copies: Option<Copies>,
    tally: Tally,
    failed: Option<io::Error>,
}

impl Copying {
    fn new(backup: &Backup, key: Option<Key>) -> Self {
        let from = backup.files.directory(&backup.data);
        Self {
            from: from.map(|files| FileDirectory::existing(&files).ok()),
            to: copies_of(&backup.file),
            key,
            copies: None,
            tally: Tally::default(),
            failed: None,
        }
    }

    /// Copies the content of a file, if the record is one.
    fn take(&mut self, entry: &Entry) -> Result<(), UnreadableBackup> {
        let Some(content) = Content::of_entry(entry)?.filter(|_| self.from.is_some()) else {
            return Ok(());
        };
        match self.copy(&content) {
            Ok(found) => self.tally.add(&content, Ok::<_, io::Error>(found)),
            Err(error) => {
                self.failed = Some(error);
                return Err(io::Error::from(ErrorKind::Other).into());
            }
        }
        Ok(())
    }

    fn copy(&mut self, content: &Content) -> io::Result<Found> {
        let Some(Some(from)) = &self.from else {
            return Ok(Found::Nothing);
        };
        let copies = match &self.copies {
            Some(copies) => copies,
            None => self.copies.insert(Copies::open(&self.to, self.key.clone())?),
        };
        Ok(match copies.take(content, from)? {
            Taken::Copied | Taken::Known => Found::Whole,
            Taken::Gone => Found::Nothing,
            Taken::Differs => Found::Other,
        })
    }
}

const EXAMPLES: &str = "\
EXAMPLES
  hitode backup market.backup --url http://127.0.0.1:8080     a running server; nothing stops meanwhile
  hitode backup market.backup                            the data directory ./data of a stopped server
  hitode backup market.backup --key-file backup.key      encrypted; `hitode backup-key backup.key` creates the key
  hitode backup - | ssh backups 'cat > market.backup'    sent to another machine
  hitode backup /backups/$(date +%F) --data /var/lib/hitode
  lz4 -dc market.backup | head                           look into one that is not encrypted: lines of JSON

The file is readable by its owner only. It contains digests of credentials, the secrets of webhooks, and everything that
people wrote. It holds what the server stored at one moment, and is read back before it gets its name.

The contents of files are copied from the directory of files into FILE.files, encrypted if FILE is, before FILE gets its name. That
directory is read also if the server runs; if it is on another machine, copy it there. `-` writes no files.

If the disk of a stopped server is full, a copy of its directory is read: beside FILE, in TMPDIR, or in memory.";
