//! Checks that the entries of the directory are files: opening a named pipe would block, and a dangling link would be
//! followed.

use std::fs;
use std::path::Path;

use super::OpenFailure;
use crate::files::{self, Kind};
use crate::sled::commit_marker::CommitMarker;
use crate::sled::log::Log;

/// The type of the store's entry with this name; `None` if the store has none.
pub(super) fn kind_of_entry(name: &str) -> Option<Kind> {
    match name {
        Log::FILE | CommitMarker::FILE | CommitMarker::NOT_EMPTY | "lock" | "conf" => Some(Kind::File),
        "blobs" => Some(Kind::Directory),
        name => name.starts_with("snap.").then_some(Kind::File),
    }
}

/// Rejects a directory in which an entry of the store has the wrong type. A link to a file is accepted.
pub(super) fn check(path: &Path) -> Result<(), OpenFailure> {
    let io = |error| OpenFailure::io(path, error);
    for entry in fs::read_dir(path).map_err(io)? {
        let entry = entry.map_err(io)?;
        let name = entry.file_name();
        let Some(belongs) = kind_of_entry(&name.to_string_lossy()) else {
            continue;
        };
        let kind = files::kind_of(&entry.path()).map_err(io)?;
        if kind != belongs {
            return Err(OpenFailure::OtherKind(entry.path(), kind.name()));
        }
    }
    Ok(())
}
