//! The mark of a demo that is not whole: a file in the data directory, there from before the first of its writes until
//! after the last.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::files::sync_directory;

const NAME: &str = "demo-unfinished";

/// Whether a demo was begun in the data directory `data` and not ended.
pub fn is_unfinished(data: &Path) -> bool {
    mark(data).exists()
}

/// Marks the demo as begun. The mark is on the disk when this returns.
pub(super) fn begin(data: &Path) -> io::Result<()> {
    File::create(mark(data))?.sync_all()?;
    sync_directory(data)
}

/// Marks the demo as whole, whose last write is on the disk.
pub(super) fn end(data: &Path) -> io::Result<()> {
    fs::remove_file(mark(data))?;
    sync_directory(data)
}

/// Takes the mark away from an empty store: its demo was cut short before its first write, and nothing is left of it. Where
/// that cannot be done it is done at the next start.
pub fn forget_unfinished(data: &Path) {
    let _ = fs::remove_file(mark(data));
}

fn mark(data: &Path) -> PathBuf {
    data.join(NAME)
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
