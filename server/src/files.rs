//! What the standard library leaves out of files: names on the disk, and who can read them.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Brings the names in a directory onto the disk.
pub(crate) fn sync_directory(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// Whether anybody but the owner may do anything with what is at this path; not if nothing is there.
pub(crate) fn is_open_to_others(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.permissions().mode() & 0o077 != 0)
}
