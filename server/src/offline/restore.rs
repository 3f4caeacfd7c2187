//! `hitode restore`: creates a data directory from a backup.

use std::cell::Cell;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use clap::builder::BoolishValueParser;
use codegen_store::files::{parent_directory, sync_directory};
use codegen_store::remove_unused;
use contract::HumanId;
use contract::support::FileDirectory;
use indicatif::ProgressBar;
use serde_json::json;

use super::KeyFlag;
use super::files::{FilesFlags, Tally, copies_of};
use crate::backups::{Content, Copies, Found, Key, beside, read_backup};
use crate::commands::error::CommandError;
use crate::commands::output::{Output, counted, remark};
use crate::erased;
use crate::market::erasure::erase_again;
use crate::market::files;
#[cfg(feature = "postgres")]
use crate::store::postgres::{self, Database};
use crate::store::tables::SCHEMA;
use crate::store::{RestoreOptions, Store, StoreError, StoreResult};

/// `hitode restore`
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Restore {
    /// The backup; `-` reads standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The data directory to create; it must be missing or empty
    #[arg(long, env = "HITODE_DATA", value_name = "DIR", default_value = "./data")]
    data: PathBuf,

    /// Write into this PostgreSQL database, which must be empty, instead of a directory; set HITODE_DATABASE_URL if it
    /// has a password. Meanwhile, a copy is in the directory for temporary files (TMPDIR)
    #[cfg(feature = "postgres")]
    #[arg(long, env = "HITODE_DATABASE_URL", value_name = "URL", hide_env_values = true)]
    database_url: Option<Database>,

    #[command(flatten)]
    key: KeyFlag,

    /// Keep all API keys and workers' tokens valid, also those that have ended since the backup
    #[arg(long, env = "HITODE_KEEP_CREDENTIALS", value_parser = BoolishValueParser::new())]
    keep_credentials: bool,

    /// How many ids of each kind to leave out, because they may have been assigned after the backup
    #[arg(long, env = "HITODE_ID_GAP", value_name = "N", default_value_t = 1_000_000,
          value_parser = clap::value_parser!(i64).range(0..=1_000_000_000))]
    id_gap: i64,

    /// Erase the workers again whose ids are in this file, such as `erased.txt` of the former data directory or beside the
    /// backups; can be given several times
    #[arg(long, env = "HITODE_ERASED", value_name = "FILE", value_delimiter = ',')]
    erased: Vec<PathBuf>,

    #[command(flatten)]
    files: FilesFlags,

    /// The directory with copies of the contents of files [default: FILE.files, or `files` beside a rotating backup]
    #[arg(long, env = "HITODE_FILES_FROM", value_name = "DIR")]
    files_from: Option<PathBuf>,

    /// Exit with 3 if files have no content; all else is restored then, too
    #[arg(long, env = "HITODE_FILES_REQUIRED", value_parser = BoolishValueParser::new())]
    files_required: bool,

    #[command(flatten)]
    output: Output,
}

/// What was done, beside the records.
#[derive(Default)]
struct Done {
    /// How many workers were erased again.
    erased: usize,
    files: Tally,
}

/// Files have no content.
const INCOMPLETE: u8 = 3;

impl Restore {
    /// Returns 3 if files have no content and all are required, else 0.
    ///
    /// # Errors
    /// If the backup cannot be read or the directory cannot be created. The text states the reason and what to do.
    pub(crate) fn run(self) -> Result<ExitCode, CommandError> {
        let key = self.key.key()?;
        let erased = self.erased_ids()?;
        let file: Box<dyn Read> = match self.file == Path::new("-") {
            true => Box::new(io::stdin()),
            false => Box::new(File::open(&self.file).map_err(|error| self.unreadable(&error))?),
        };
        let mut backup = read_backup(file, key.as_ref()).map_err(|error| self.unreadable(&error))?;
        let done = Cell::new(Done::default());
        let then = async |store: &Store, files: Option<PathBuf>| {
            let erased = erase_in(store, &erased).await?;
            // Not before: contents of erased workers stay where they are.
            let files = self.restore_files(store, files, key.clone()).await?;
            done.set(Done { erased, files });
            Ok(())
        };
        #[cfg(feature = "postgres")]
        if let Some(database) = &self.database_url {
            let then = async |store: &Store| then(store, self.files.files.clone()).await;
            let restored = self
                .with_progress(|options, progress| postgres::restore(database, &mut backup, options, progress, then));
            let records = restored.map_err(|error| self.unreadable(&error))?;
            return self.report(records, &done.take(), &backup.created_at, "the database");
        }
        self.expect_empty()?;
        // Complete directories only get the name.
        let unusable = |error: io::Error| CommandError::new(format!("cannot write {}: {error}", self.data.display()));
        let data = target(&self.data).map_err(unusable)?;
        let unfinished = unfinished(&data);
        if unfinished.exists() {
            // It is locked while another restore writes it.
            remove_unused(&unfinished, &SCHEMA.program).map_err(|error| CommandError::new(error.to_string()))?;
        }
        let then = async |store: &Store| then(store, self.files.directory(&unfinished)).await;
        let restored =
            self.with_progress(|options, progress| Store::restore(&unfinished, &mut backup, options, progress, then));
        let restored = restored.map_err(|error| self.unreadable(&error));
        let renamed = restored.and_then(|records| {
            if !erased.is_empty() {
                erased::append(&unfinished.join(erased::NAME), &erased).map_err(unusable)?;
            }
            // It has the directory of files since it was opened.
            sync_directory(&unfinished).map_err(unusable)?;
            fs::rename(&unfinished, &data).map_err(unusable)?;
            Ok(records)
        });
        let records = renamed.inspect_err(|_| {
            // Unless it is that of another restore.
            let _ = remove_unused(&unfinished, &SCHEMA.program);
        })?;
        sync_directory(parent_directory(&data)).map_err(unusable)?;
        self.report(records, &done.take(), &backup.created_at, &self.data.to_string_lossy())
    }

    /// The directory of copies, which may not exist.
    fn copies(&self) -> PathBuf {
        let own = copies_of(&self.file);
        let default = || match beside(&self.file) {
            Some(beside) if !own.exists() => beside,
            _ => own,
        };
        self.files_from.clone().unwrap_or_else(default)
    }

    /// Puts the contents of all files of the store into a directory, which is made for the first one.
    async fn restore_files(&self, store: &Store, to: Option<PathBuf>, key: Option<Key>) -> StoreResult<Tally> {
        if self.files.without_files {
            return Ok(Tally::default());
        }
        let copies = Copies::existing(&self.copies(), key).ok();
        let restored = store.read(move |trees, _| {
            let (mut tally, mut opened) = (Tally::default(), None);
            for file in files::all(trees) {
                let content = Content::from(file?);
                let mut give = || -> io::Result<Found> {
                    let (Some(copies), Some(to)) = (&copies, &to) else {
                        return Ok(Found::Nothing);
                    };
                    let to = match &opened {
                        Some(to) => to,
                        None => opened.insert(FileDirectory::open(to)?),
                    };
                    copies.give(&content, to)
                };
                let found = give().map_err(|error| StoreError::unwritable(format!("file {}: {error}", content.id)))?;
                tally.add(&content, Ok::<_, io::Error>(found));
            }
            Ok(tally)
        });
        restored.await
    }

    /// Restores with the options of the flags, and shows the progress on a terminal.
    fn with_progress<T>(&self, restore: impl FnOnce(RestoreOptions, &dyn Fn(u64)) -> T) -> T {
        let options = RestoreOptions {
            keep_credentials: self.keep_credentials,
            id_gap: self.id_gap,
        };
        let bar = ProgressBar::new_spinner();
        let restored = restore(options, &|records: u64| {
            bar.set_message(counted(records, "record"));
            bar.tick();
        });
        bar.finish_and_clear();
        restored
    }

    fn report(&self, records: u64, done: &Done, created_at: &str, target: &str) -> Result<ExitCode, CommandError> {
        let files = &done.files;
        let document = json!({
            "data": target,
            "records": records,
            "erased": done.erased,
            "files": files.whole,
            "missing_files": files.wrong,
            "missing": files.texts,
            "created_at": created_at,
            "keeps_credentials": self.keep_credentials,
        });
        self.output.print(&document, |_| {
            let credentials = match self.keep_credentials {
                true => "All API keys and tokens of that time are valid.",
                false => "No API key and no token is valid: create new ones when the server runs.",
            };
            let mut text = format!("Restored {}", counted(records, "record"));
            if files.whole > 0 {
                text += &format!(" and {}", counted(files.whole, "file"));
            }
            text += &format!(" of {created_at} UTC into {target}.");
            if done.erased > 0 {
                text += &format!(" Erased {} again.", counted(done.erased as u64, "worker"));
            }
            format!("{text} {credentials}")
        })?;
        if files.wrong == 0 {
            return Ok(ExitCode::SUCCESS);
        }
        self.remark_missing(files);
        Ok(ExitCode::from(if self.files_required { INCOMPLETE } else { 0 }))
    }

    /// Lists the first files without content.
    fn remark_missing(&self, files: &Tally) {
        for text in &files.texts {
            remark(&format!("hitode: {text}"));
        }
        let from = self.copies();
        let to = match self.files.files.is_none() && self.is_into_database() {
            true => "; --files DIR says where they go".to_owned(),
            false => String::new(),
        };
        remark(&format!(
            "hitode: {} of {} have no content: {}; name another directory of copies with --files-from DIR{to}",
            files.wrong,
            counted(files.all(), "file"),
            match from.is_dir() {
                true => format!("{} has none for them, or not with this key", from.display()),
                false => format!("there is no directory {}", from.display()),
            },
        ));
    }

    #[cfg(feature = "postgres")]
    fn is_into_database(&self) -> bool {
        self.database_url.is_some()
    }

    #[cfg(not(feature = "postgres"))]
    fn is_into_database(&self) -> bool {
        false
    }

    /// The ids in the lists of erased workers.
    fn erased_ids(&self) -> Result<Vec<HumanId>, CommandError> {
        let mut ids = Vec::new();
        for file in &self.erased {
            let unreadable = |error| CommandError::new(format!("cannot read {}: {error}", file.display()));
            ids.extend(erased::read(file).map_err(unreadable)?);
        }
        Ok(ids)
    }

    fn expect_empty(&self) -> Result<(), CommandError> {
        let data = self.data.display();
        let problem = match fs::read_dir(&self.data).map(|mut entries| entries.next().is_some()) {
            Ok(false) => return Ok(()),
            Ok(true) => format!("the directory {data} is not empty; name another one with --data DIR, or move it away"),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => format!("cannot use the directory {data}: {error}"),
        };
        Err(CommandError::new(problem))
    }

    fn unreadable(&self, error: &dyn std::fmt::Display) -> CommandError {
        CommandError::new(format!("cannot restore {}: {error}", self.file.display()))
    }
}

/// Erases these workers, and returns how many there were.
async fn erase_in(store: &Store, ids: &[HumanId]) -> StoreResult<usize> {
    let erased = match ids {
        [] => return Ok(0),
        ids => erase_again(store, ids).await,
    };
    erased.map_err(|failure| StoreError::damaged(format!("a worker cannot be erased: {failure:?}")))
}

/// The directory that a path means. Of a link its target: systemd makes `/var/lib/hitode` one, which stays if the directory is
/// moved away.
///
/// # Errors
/// If it cannot be created later, since it is the root of a file system.
fn target(data: &Path) -> io::Result<PathBuf> {
    // Without a slash at the end.
    let data: PathBuf = data.components().collect();
    if !data.exists() {
        let target = |link| parent_directory(&data).join(link);
        return Ok(fs::read_link(&data).map_or_else(|_| data.clone(), target));
    }
    let data = data.canonicalize()?;
    if fs::metadata(&data)?.dev() != fs::metadata(parent_directory(&data))?.dev() || data == parent_directory(&data) {
        let text = "it is where a file system is mounted; name a directory in it with --data DIR";
        return Err(io::Error::other(text));
    }
    Ok(data)
}

/// The name of the directory until it is complete.
fn unfinished(data: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(data.file_name().unwrap_or_default());
    name.push(".unfinished");
    parent_directory(data).join(name)
}

const EXAMPLES: &str = "\
EXAMPLES
  hitode restore market.backup                              into ./data, which must be missing or empty
  hitode restore market.backup --data /var/lib/hitode
  hitode restore market.backup --key-file backup.key        an encrypted one
  hitode restore market.backup --database-url postgres://hitode@db.example/hitode --keep-credentials --id-gap 0
  hitode restore market.backup --files-from ./copies        with the contents of files that are in this directory
  hitode restore market.backup --erased old/erased.txt      workers who were erased since then are erased again
  hitode restore market.backup --data ./moved --keep-credentials --id-gap 0       an exact copy, to move a server

Without --keep-credentials all API keys and tokens end, because some may have ended since the backup. The next id of each
kind is a million above the last one of the backup, so that ids of lost records are not used again.

The contents of files are put into `files` of the new directory, or --files, and compared with the digests in their records. Of
those that are missing or differ, 20 are listed, and all else is restored: a server with most of its files is better than none.
With --files-required the exit status is then 3.";
