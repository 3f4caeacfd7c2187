//! What the files beside the log require of the log.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use super::OpenFailure;
use crate::sled::commit_marker::{CommitMarker, Marked};
use crate::sled::log::Log;

/// What a data directory must contain.
pub(super) struct Expected {
    marked: Marked,
    has_not_empty: bool,
}

impl Expected {
    /// Reads the files without changing anything. A complete directory must have a log, because sled would replace a
    /// missing or empty one by a new one.
    pub(super) fn read(path: &Path) -> Result<Self, OpenFailure> {
        let io = |error| OpenFailure::io(path, error);
        let expected = Self {
            marked: CommitMarker::read(path).map_err(io)?,
            has_not_empty: CommitMarker::is_witnessed(path).map_err(io)?,
        };
        if expected.marked == Marked::Garbage {
            return Err(OpenFailure::damaged(
                path,
                "its file `complete` is not what was written",
            ));
        }
        if expected.is_complete() || expected.has_not_empty {
            match fs::metadata(path.join(Log::FILE)) {
                Ok(log) if log.len() > 0 => {}
                Ok(_) => return Err(OpenFailure::damaged(path, "its file `db` is empty")),
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    return Err(OpenFailure::damaged(path, "its file `db` is missing"));
                }
                Err(error) => return Err(io(error)),
            }
        }
        match expected.marked {
            Marked::Commit(_) => Ok(expected),
            _ if expected.has_not_empty => Err(expected.lost_number(path)),
            _ => Ok(expected),
        }
    }

    /// Whether the directory was once complete.
    pub(super) fn is_complete(&self) -> bool {
        self.marked != Marked::Never
    }

    /// Whether a log that ends with this commit can contain all acknowledged commits.
    pub(super) fn check(&self, path: &Path, number: u64) -> Result<(), OpenFailure> {
        match self.marked {
            Marked::Commit(acknowledged) if number < acknowledged => {
                Err(OpenFailure::Lost(path.to_owned(), number, acknowledged))
            }
            // The first commit may have been interrupted before it was recorded. Then it was not acknowledged.
            Marked::Nothing if number > 1 => Err(self.lost_number(path)),
            Marked::Never | Marked::Garbage if number > 0 => Err(self.lost_number(path)),
            _ => Ok(()),
        }
    }

    /// Call this when everything else is as expected: the log and the number are then sufficient.
    pub(super) fn warn_of_a_new_not_empty(&self, path: &Path) {
        if matches!(self.marked, Marked::Commit(_)) && !self.has_not_empty {
            let path = path.join(CommitMarker::NOT_EMPTY);
            tracing::warn!("only {} was missing: it is created again", path.display());
        }
    }

    fn lost_number(&self, path: &Path) -> OpenFailure {
        let cause = match self.marked {
            Marked::Never => "its file `complete` is missing",
            _ => "its file `complete` is empty",
        };
        OpenFailure::damaged(path, cause)
    }
}
