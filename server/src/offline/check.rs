//! `hitode check`: verifies the data directory of a stopped server, and changes nothing of its content.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use codegen_store::OpenError;
use serde_json::json;

use super::places_for_copies;
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
        let (status, printed) = match Store::check(&self.data, &places_for_copies(None)) {
            Ok(checked) => (SOUND, self.print_sound(&checked)),
            Err(error) if error.is_damage() => (DAMAGED, self.print_damaged(&error)),
            Err(error) => (UNREADABLE, Err(CommandError::new(error.to_string()))),
        };
        let Err(error) = printed else {
            return ExitCode::from(status);
        };
        remark(&format!("hitode: {error}"));
        ExitCode::from(if status == DAMAGED { DAMAGED } else { UNREADABLE })
    }

    fn print_sound(&self, checked: &Checked<Mirror>) -> Result<(), CommandError> {
        let sizes = checked.view.sizes(checked.disk_bytes);
        let document = json!({
            "is_consistent": true,
            "accounts": sizes.accounts,
            "active_keys": sizes.active_keys,
            "workers": sizes.humans,
            "open_bounties": sizes.open_bounties,
            "disk_bytes": sizes.disk_bytes,
            "last_commit": checked.commit,
        });
        self.output.print(&document, |_| {
            let count = |number: usize, noun| counted(number as u64, noun);
            format!(
                "The data directory {} is consistent: {}, {}, {}, {}, {:.1} MiB on disk, commit {}.",
                self.data.display(),
                count(sizes.accounts, "account"),
                count(sizes.active_keys, "active key"),
                count(sizes.humans, "worker"),
                // The plural is irregular.
                match sizes.open_bounties {
                    1 => "1 open bounty".to_owned(),
                    number => format!("{number} open bounties"),
                },
                sizes.disk_bytes as f64 / f64::from(1 << 20),
                checked.commit
            )
        })
    }

    fn print_damaged(&self, error: &OpenError) -> Result<(), CommandError> {
        let findings: Vec<&str> = error.findings().into_iter().flat_map(|all| all.texts()).collect();
        let count = error.findings().map_or(1, |all| all.count());
        let reason = error.to_string();
        let document = json!({ "is_consistent": false, "reason": reason, "findings": findings, "count": count });
        self.output.print(&document, |_| {
            let mut text = String::new();
            for finding in &findings {
                let _ = writeln!(text, "{finding}");
            }
            match count - findings.len().min(count) {
                more if more > 0 && !findings.is_empty() => _ = writeln!(text, "and {more} more"),
                _ => {}
            }
            text + &reason
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

Exit status: 0 consistent, 1 damaged, 2 it cannot be looked at, for instance because a server uses it";
