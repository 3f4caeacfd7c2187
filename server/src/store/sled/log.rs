//! The file `db`, open beside sled's own handle: for syncs, and to see whether a start would still find it.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The open file.
pub(super) struct Log {
    file: File,
    path: PathBuf,
    identity: (u64, u64),
}

impl Log {
    /// The name of the file in the data directory.
    pub(super) const FILE: &'static str = "db";

    /// Opens the file of the data directory `path`, and brings onto the disk what it holds.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let path = path.join(Self::FILE);
        let file = File::open(&path)?;
        file.sync_all()?;
        let identity = identity(&file.metadata()?);
        Ok(Self { file, path, identity })
    }

    /// Brings onto the disk what was written to it.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// Fails if the file was removed, or another one is in its place: what is written to it then is gone with this process.
    /// Where the system does not say, the file counts as there.
    pub(super) fn check_place(&self) -> io::Result<()> {
        let gone = match fs::metadata(&self.path) {
            Ok(found) => identity(&found) != self.identity,
            Err(error) => matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
        };
        match gone {
            true => Err(io::Error::other(format!(
                "{} was removed or replaced while it was in use",
                self.path.display()
            ))),
            false => Ok(()),
        }
    }
}

/// What no other file has for as long as this one is open.
fn identity(file: &Metadata) -> (u64, u64) {
    (file.dev(), file.ino())
}
