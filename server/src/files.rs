//! File operations that the standard library lacks: syncing a directory, private files, and checks for regular files.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::Path;

/// What can be at a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    File,
    Directory,
    Pipe,
    Socket,
    Device,
    /// A link to something that is not there.
    Dangling,
}

impl Kind {
    /// With its article.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::File => "a file",
            Self::Directory => "a directory",
            Self::Pipe => "a named pipe",
            Self::Socket => "a socket",
            Self::Device => "a device",
            Self::Dangling => "a link to nothing",
        }
    }
}

/// What is at this path, or at the end of the links there. Nothing is opened, so a pipe is not waited for.
///
/// # Errors
/// `NotFound` if nothing is there, not even a link.
pub(crate) fn kind_of(path: &Path) -> io::Result<Kind> {
    let found = match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound && path.is_symlink() => return Ok(Kind::Dangling),
        found => found?.file_type(),
    };
    Ok(match found {
        found if found.is_file() => Kind::File,
        found if found.is_dir() => Kind::Directory,
        found if found.is_fifo() => Kind::Pipe,
        found if found.is_socket() => Kind::Socket,
        _ => Kind::Device,
    })
}

/// Brings the names in a directory onto the disk.
pub(crate) fn sync_directory(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// Whether anybody but the owner may do anything with what is at this path; not if nothing is there.
pub(crate) fn is_open_to_others(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.permissions().mode() & 0o077 != 0)
}
