//! File operations that the standard library lacks: syncing a directory, private files, and checks for regular files.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// The type of a directory entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A file.
    File,
    /// A directory.
    Directory,
    /// A named pipe.
    Pipe,
    /// A socket.
    Socket,
    /// A device.
    Device,
    /// A dangling link.
    Dangling,
}

impl Kind {
    /// The name, with an article.
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "a file",
            Self::Directory => "a directory",
            Self::Pipe => "a named pipe",
            Self::Socket => "a socket",
            Self::Device => "a device",
            Self::Dangling => "a broken link",
        }
    }
}

/// Creates a file for its owner only, with this line, and syncs it; the caller syncs its directory. Never overwrites one.
///
/// # Errors
/// If something exists at the path, or the file cannot be written.
pub fn create_private(path: &Path, line: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let mut file = options.write(true).create_new(true).mode(0o600).open(path)?;
    writeln!(file, "{line}")?;
    file.sync_all()
}

/// The end of the name of a file that is not complete yet.
pub const DRAFT: &str = ".new";

/// Creates or replaces a file for its owner only, with this line. Not even a power cut leaves a part of it.
///
/// # Errors
/// If it cannot be written. What was there stays.
pub fn replace_private(path: &Path, line: &str) -> io::Result<()> {
    let mut draft = path.as_os_str().to_owned();
    draft.push(DRAFT);
    match fs::remove_file(&draft) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    create_private(Path::new(&draft), line)?;
    fs::rename(&draft, path)?;
    sync_directory(parent_directory(path))
}

/// The type of the entry at this path, after following links. Opens nothing, so that a pipe does not block.
///
/// # Errors
/// `NotFound` if nothing exists at the path, not even a link.
pub fn kind_of(path: &Path) -> io::Result<Kind> {
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

/// Syncs the entries of a directory to disk.
pub fn sync_directory(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// The directory that a path is in: `.` for a bare name.
pub fn parent_directory(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Whether others than the owner have permissions on this path; false if nothing exists there.
pub fn is_open_to_others(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.permissions().mode() & 0o077 != 0)
}
