//! The file `db`, opened in addition to sled's own handle: to sync it, and to check that it is still in its place.

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

    /// Opens the file of the data directory `path` and syncs it.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let path = path.join(Self::FILE);
        let file = File::open(&path)?;
        file.sync_all()?;
        let identity = identity(&file.metadata()?);
        Ok(Self { file, path, identity })
    }

    /// Syncs the file to disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// Fails if the file was removed or replaced: what is written to it then is lost when this process ends. If the
    /// system cannot tell, the check passes.
    pub(super) fn check_place(&self) -> io::Result<()> {
        let missing = match fs::metadata(&self.path) {
            Ok(found) => identity(&found) != self.identity,
            Err(error) => matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
        };
        match missing {
            true => Err(io::Error::other(format!(
                "{} was removed or replaced while the server used it",
                self.path.display()
            ))),
            false => Ok(()),
        }
    }
}

/// An identity that no other file has while this one is open.
fn identity(file: &Metadata) -> (u64, u64) {
    (file.dev(), file.ino())
}
