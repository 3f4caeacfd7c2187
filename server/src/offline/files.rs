//! The contents of files, for the commands: where they are, and which are missing.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::BoolishValueParser;

use crate::backups::{Content, Found};

/// How many files are named at most that have no content.
const NAMED: usize = 20;

/// Which files a command takes along.
#[derive(Debug, Args)]
pub(super) struct FilesFlags {
    /// The directory of the files that workers and agents send [default: `files` in the data directory]
    #[arg(long, env = "HITODE_FILES", value_name = "DIR")]
    pub(super) files: Option<PathBuf>,

    /// Leave out the contents of files
    #[arg(long, env = "HITODE_WITHOUT_FILES", value_parser = BoolishValueParser::new())]
    pub(super) without_files: bool,
}

impl FilesFlags {
    /// The directory of files of a data directory. `None`: they are left out.
    pub(super) fn directory(&self, data: &Path) -> Option<PathBuf> {
        let directory = || self.files.clone().unwrap_or_else(|| data.join("files"));
        (!self.without_files).then(directory)
    }
}

/// The directory of the copies that belong to the backup `file`.
pub(super) fn copies_of(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".files");
    name.into()
}

/// Files whose contents were looked for.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// How many have their content.
    pub(super) whole: u64,
    /// How many have not.
    pub(super) wrong: u64,
    /// What is wrong with the first ones.
    pub(super) texts: Vec<String>,
}

impl Tally {
    /// Adds a file.
    pub(super) fn add(&mut self, content: &Content, found: Result<Found, impl Display>) {
        let problem = match found {
            Ok(Found::Whole) => {
                self.whole += 1;
                return;
            }
            Ok(Found::Nothing) => "its content is missing".to_owned(),
            Ok(Found::Other) => "its content differs from what was sent".to_owned(),
            Err(error) => format!("its content cannot be read: {error}"),
        };
        self.wrong += 1;
        if self.texts.len() < NAMED {
            self.texts
                .push(format!("file {} ({}): {problem}", content.id, content.place));
        }
    }

    /// How many there are.
    pub(super) fn all(&self) -> u64 {
        self.whole + self.wrong
    }
}
