//! Files that sled rebuilds from the log, and that may prevent it from opening when they are damaged: removes the
//! damaged ones.

use std::fs;
use std::io;
use std::path::Path;

/// Removes snapshots that are incomplete, and snapshots and configurations with wrong checksums.
///
/// A snapshot is only a cache of the log, but an incomplete one makes sled treat the log as corrupt. The configuration
/// is always the same: the settings of `open_trees`.
pub(super) fn remove_damaged(path: &Path) -> io::Result<()> {
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let damaged = match &*name {
            "conf" => !is_whole(&fs::read(entry.path())?, 0),
            // A snapshot has its length between its content and its checksum.
            name if name.starts_with("snap.") => {
                name.ends_with(".generating") || !is_whole(&fs::read(entry.path())?, 8)
            }
            _ => false,
        };
        if damaged {
            tracing::warn!(
                "{} is damaged or unfinished: it is created again",
                entry.path().display()
            );
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Whether the content, without its last `between` bytes, matches the checksum at the end of the file.
fn is_whole(bytes: &[u8], between: usize) -> bool {
    bytes.split_last_chunk::<4>().is_some_and(|(rest, crc)| {
        let content = rest.len().checked_sub(between).map(|len| &rest[..len]);
        content.is_some_and(|content| !content.is_empty() && crc32fast::hash(content).to_le_bytes() == *crc)
    })
}
