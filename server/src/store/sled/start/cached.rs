//! What the kernel holds of the log, which after a failed sync need not be what is on the disk.
//!
//! Linux marks the pages that it could not write as written, and keeps them: a start that reads those would go on behind
//! commits that no later sync brings to the disk any more.

use std::fs::File;
use std::path::Path;

use rustix::fs::{Advice, fadvise};

/// Has what was written before read from the disk. Where the system does not know how, nothing is different.
pub(super) fn forget(path: &Path) {
    if let Ok(log) = File::open(path.join("db")) {
        let _ = fadvise(&log, 0, None, Advice::DontNeed);
    }
}
