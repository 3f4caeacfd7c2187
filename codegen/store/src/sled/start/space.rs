//! Free space: if the disk fills up while sled opens, it leaves files that no later start can read.

use std::path::Path;

use super::OpenFailure;

/// The minimum of free space for opening a directory, in bytes.
pub const MIN_FREE_BYTES: u64 = 64 << 20;

/// Rejects a directory on a disk that is almost full.
pub(super) fn check(path: &Path) -> Result<(), OpenFailure> {
    match too_little(path)? {
        Some(free) => Err(OpenFailure::NoSpace(path.to_owned(), free)),
        None => Ok(()),
    }
}

/// The free space on the disk of a directory, if that is too little.
pub(super) fn too_little(path: &Path) -> Result<Option<u64>, OpenFailure> {
    let free = fs2::available_space(path).map_err(|error| OpenFailure::io(path, error))?;
    Ok((free < MIN_FREE_BYTES).then_some(free))
}
