//! A copy of a data directory on another disk, to look at a directory whose own disk has no room: sled writes when it opens.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::OpenFailure;
use super::kinds;
use super::space::MIN_FREE_BYTES;
use crate::files::Kind;

/// Copies the files of the store in `path` to the first of these places with enough room. `free` is what is free on the
/// disk of the directory. Its name begins with `prefix`. The copy is for this user only, and removed when it is dropped.
pub(super) fn copy(path: &Path, free: u64, places: &[PathBuf], prefix: &str) -> Result<TempDir, OpenFailure> {
    let io = |error| OpenFailure::io(path, error);
    let files = files(path).map_err(io)?;
    let bytes = files
        .iter()
        .map(|file| Ok(fs::metadata(file)?.len()))
        .sum::<io::Result<u64>>();
    let needed = bytes.map_err(io)? + MIN_FREE_BYTES;
    let has_room = |place: &&PathBuf| fs2::available_space(place).is_ok_and(|there| there >= needed);
    let Some(place) = places.iter().find(has_room) else {
        return Err(OpenFailure::NoRoomToLook(path.to_owned(), free, needed));
    };
    let copy = || {
        let copy = tempfile::Builder::new().prefix(prefix).tempdir_in(place)?;
        for file in &files {
            fs::copy(file, copy.path().join(file.file_name().unwrap_or_default()))?;
        }
        Ok(copy)
    };
    copy().map_err(|error| OpenFailure::io(place, error))
}

/// sled keeps nothing else: long values are stored in pieces, so its directory for them stays empty.
fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(path)?.collect::<io::Result<Vec<_>>>()?;
    let is_file = |entry: &fs::DirEntry| kinds::kind_of_entry(&entry.file_name().to_string_lossy()) == Some(Kind::File);
    Ok(entries.into_iter().filter(is_file).map(|entry| entry.path()).collect())
}
