//! The marker of an unfinished demo: a file in the data directory that exists from before the demo's first write until
//! after the last.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use codegen_store::files::sync_directory;

/// The name of the file.
pub const UNFINISHED: &str = "demo-unfinished";

/// Whether a demo was begun in the data directory `data` and not finished.
pub fn is_unfinished(data: &Path) -> bool {
    marker_path(data).exists()
}

/// Marks the demo as begun. The marker is on disk when this returns.
pub(super) fn begin(data: &Path) -> io::Result<()> {
    File::create(marker_path(data))?.sync_all()?;
    sync_directory(data)
}

/// Marks the demo as complete. Its last write must be on disk.
pub(super) fn end(data: &Path) -> io::Result<()> {
    fs::remove_file(marker_path(data))?;
    sync_directory(data)
}

/// Removes the marker from an empty store whose demo was interrupted before its first write. If that fails, the next
/// start tries again.
pub fn forget_unfinished(data: &Path) {
    let _ = fs::remove_file(marker_path(data));
}

fn marker_path(data: &Path) -> PathBuf {
    data.join(UNFINISHED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_demo_is_unfinished_between_its_begin_and_its_end() {
        let data = tempfile::tempdir().expect("a directory");
        assert!(!is_unfinished(data.path()));
        begin(data.path()).expect("a mark");
        begin(data.path()).expect("once more, after an attempt that wrote nothing");
        assert!(is_unfinished(data.path()));
        end(data.path()).expect("no mark");
        assert!(!is_unfinished(data.path()));
        begin(data.path()).expect("a mark");
        forget_unfinished(data.path());
        assert!(!is_unfinished(data.path()));
    }
}
