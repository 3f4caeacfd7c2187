//! The file of rejected lines, to be corrected and imported. It is created with the first of them.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::PathBuf;

use super::lines::Line;
use crate::commands::error::CommandError;

/// The file; `None` if rejected lines are only reported.
pub(super) struct Rejects(pub(super) Option<PathBuf>);

impl Rejects {
    /// Appends a line as it was read. One that is too long or no text is only reported.
    pub(super) fn add(&self, line: &Line) -> Result<(), CommandError> {
        let (Some(path), Some(text)) = (&self.0, &line.source) else {
            return Ok(());
        };
        let append = || -> io::Result<()> {
            let mut file = OpenOptions::new().append(true).create(true).open(path)?;
            file.write_all(format!("{text}\n").as_bytes())
        };
        append().map_err(|error| {
            let path = path.display();
            CommandError::new(format!(
                "cannot write the rejected lines to {path}: {error}; name another file with --rejects FILE, and run the same \
                 command again"
            ))
        })
    }
}
