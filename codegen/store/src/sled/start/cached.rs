//! Drops the kernel's cached pages of the log, which after a failed sync may differ from the disk. Linux marks pages
//! that it could not write as clean and keeps them: a start that read them would continue after commits that no later
//! sync brings to disk.

use std::fs::File;
use std::path::Path;

use rustix::fs::{Advice, fadvise};

/// Makes the next reads come from disk. Does nothing on systems that cannot do this.
pub(super) fn forget(path: &Path) {
    if let Ok(log) = File::open(path.join("db")) {
        let _ = fadvise(&log, 0, None, Advice::DontNeed);
    }
}
