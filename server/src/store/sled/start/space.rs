//! Free space: a disk that is full while sled opens leaves files that no later open can read.

use std::path::Path;

use super::OpenError;

/// Free space without which nothing is opened.
pub(super) const MIN_FREE_BYTES: u64 = 64 << 20;

/// Rejects a directory on a disk that is as good as full.
pub(super) fn check(path: &Path) -> Result<(), OpenError> {
    match fs2::available_space(path) {
        Ok(free) if free < MIN_FREE_BYTES => Err(OpenError::NoSpace(path.to_owned(), free)),
        Ok(_) => Ok(()),
        Err(error) => Err(OpenError::io(path, error)),
    }
}
