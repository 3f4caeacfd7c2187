//! `hitode check`: verifies the data directory of a stopped server, and changes nothing of its content.

use std::fmt::Write;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use codegen_store::OpenError;
use contract::File;
use contract::support::FileDirectory;
use serde_json::json;

use super::files::{FilesFlags, Tally};
use super::places_for_copies;
use crate::backups::{Content, Found};
use crate::commands::error::CommandError;
use crate::commands::output::{Output, counted, remark};
use crate::store::{Mirror, Store};
use codegen_store::Checked;

/// `hitode check`
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Check {
    /// The data directory of a stopped server
    #[arg(long, env = "HITODE_DATA", value_name = "DIR", default_value = "./data")]
    data: PathBuf,

    #[command(flatten)]
    files: FilesFlags,

    #[command(flatten)]
    output: Output,
}

/// The directory is consistent.
const SOUND: u8 = 0;

/// The directory is damaged, or belongs to another contract.
const DAMAGED: u8 = 1;

/// The directory cannot be looked at.
const UNREADABLE: u8 = 2;

impl Check {
    /// Returns 0 if the directory is consistent, 1 if it is damaged, and 2 if it cannot be looked at, or a good result
    /// cannot be printed.
    pub(crate) fn run(self) -> ExitCode {
        let (mut tally, directory) = (Tally::default(), self.files.directory(&self.data));
        let files = directory.as_deref().map(|path| FileDirectory::existing(path).ok());
        let checked = Store::check(&self.data, &places_for_copies(None), |file: File| {
            let content = Content::from(file);
            match &files {
                Some(Some(files)) => tally.add(&content, content.look(files)),
                Some(None) => tally.add(&content, Ok::<_, io::Error>(Found::Nothing)),
                None => {}
            }
        });
        let names = files
            .flatten()
            .map_or(Ok(0), |files| files.names().map(|names| names.len() as u64));
        let (status, printed) = match (checked, names) {
            (Ok(_), Ok(_)) if tally.wrong > 0 => (DAMAGED, self.print_wrong(&tally)),
            (Ok(checked), Ok(names)) => (
                SOUND,
                self.print_sound(&checked, &tally, names.saturating_sub(tally.whole)),
            ),
            (Err(error), _) if error.is_damage() => (DAMAGED, self.print_damaged(&error)),
            (Err(error), _) => (UNREADABLE, Err(CommandError::new(error.to_string()))),
            (_, Err(error)) => {
                let text = format!("cannot read {}: {error}", directory.unwrap_or_default().display());
                (UNREADABLE, Err(CommandError::new(text)))
            }
        };
        let Err(error) = printed else {
            return ExitCode::from(status);
        };
        remark(&format!("hitode: {error}"));
        ExitCode::from(if status == DAMAGED { DAMAGED } else { UNREADABLE })
    }

    fn print_sound(&self, checked: &Checked<Mirror>, tally: &Tally, unnamed: u64) -> Result<(), CommandError> {
        let sizes = checked.view.sizes(checked.disk_bytes);
        let document = json!({
            "is_consistent": true,
            "accounts": sizes.accounts,
            "active_keys": sizes.active_keys,
            "workers": sizes.humans,
            "open_bounties": sizes.open_bounties,
            "files": tally.whole,
            "contents_without_file": unnamed,
            "disk_bytes": sizes.disk_bytes,
            "last_commit": checked.commit,
        });
        self.output.print(&document, |_| {
            let count = |number: usize, noun| counted(number as u64, noun);
            let mut text = format!(
                "The data directory {} is consistent: {}, {}, {}, {}, {}, {:.1} MiB on disk, commit {}.",
                self.data.display(),
                count(sizes.accounts, "account"),
                count(sizes.active_keys, "active key"),
                count(sizes.humans, "worker"),
                // The plural is irregular.
                match sizes.open_bounties {
                    1 => "1 open bounty".to_owned(),
                    number => format!("{number} open bounties"),
                },
                match self.files.without_files {
                    true => "files not looked at".to_owned(),
                    false => counted(tally.whole, "file"),
                },
                sizes.disk_bytes as f64 / f64::from(1 << 20),
                checked.commit
            );
            if unnamed > 0 {
                let contents = counted(unnamed, "content");
                text += &format!(" In the directory of files, {contents} without a file: the server deletes them.");
            }
            text
        })
    }

    /// The store is consistent, but contents of files are missing or differ.
    fn print_wrong(&self, tally: &Tally) -> Result<(), CommandError> {
        let reason = format!(
            "{} of {} have not the content that was sent; `hitode restore` of a backup puts it into the directory of files with \
             --files DIR, or name that directory if it is elsewhere",
            tally.wrong,
            counted(tally.all(), "file")
        );
        self.print_findings(
            &tally.texts,
            usize::try_from(tally.wrong).unwrap_or(usize::MAX),
            &reason,
        )
    }

    fn print_damaged(&self, error: &OpenError) -> Result<(), CommandError> {
        let findings: Vec<_> = error.findings().into_iter().flat_map(|all| all.texts()).collect();
        let findings: Vec<_> = findings.into_iter().map(str::to_owned).collect();
        let count = error.findings().map_or(1, |all| all.count());
        self.print_findings(&findings, count, &error.to_string())
    }

    fn print_findings(&self, findings: &[String], count: usize, reason: &str) -> Result<(), CommandError> {
        let document = json!({ "is_consistent": false, "reason": reason, "findings": findings, "count": count });
        self.output.print(&document, |_| {
            let mut text = String::new();
            for finding in findings {
                let _ = writeln!(text, "{finding}");
            }
            match count - findings.len().min(count) {
                more if more > 0 && !findings.is_empty() => _ = writeln!(text, "and {more} more"),
                _ => {}
            }
            text + reason
        })
    }
}

const EXAMPLES: &str = "\
EXAMPLES
  hitode check                               verify ./data
  hitode check --data /var/lib/hitode        verify another data directory
  hitode check --json | jq -r '.findings[]'  list what is wrong

Reads the whole directory and verifies what a start verifies: the log, the records, their indexes and numbers, references,
credentials, and values that follow from others. Changes no content; sled may tidy its log. If the disk is full, a copy of the
directory is verified, in TMPDIR or in memory.

Also reads the content of each file, and compares it with the digest in its record; --without-files does not. A content without a
file is counted: its request was interrupted, and the server deletes it.

Exit status: 0 consistent, 1 damaged, or a file has not its content, 2 it cannot be looked at, for instance because a server uses it";
