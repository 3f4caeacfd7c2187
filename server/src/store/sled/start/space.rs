//! Free space: if the disk fills up while sled opens, it leaves files that no later start can read.

use std::path::Path;

use super::OpenError;

/// The minimum of free space for opening a directory.
pub(super) const MIN_FREE_BYTES: u64 = 64 << 20;

/// Rejects a directory on a disk that is almost full.
pub(super) fn check(path: &Path) -> Result<(), OpenError> {
    match fs2::available_space(path) {
        Ok(free) if free < MIN_FREE_BYTES => Err(OpenError::NoSpace(path.to_owned(), free)),
        Ok(_) => Ok(()),
        Err(error) => Err(OpenError::io(path, error)),
    }
}
