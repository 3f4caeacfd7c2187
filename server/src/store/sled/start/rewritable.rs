//! Files that sled makes anew from the log, and that may keep it from opening where they are damaged: they are removed.

use std::fs;
use std::io;
use std::path::Path;

/// Removes the snapshots that were cut short, and those and the configuration whose checksums are wrong.
///
/// A snapshot is only a cache of the log, and one that was cut short makes sled take the log for corrupt. The
/// configuration says what is always the same: how `open_trees` configures sled.
pub(super) fn remove_damaged(path: &Path) -> io::Result<()> {
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let damaged = match &*name {
            "conf" => !is_whole(&fs::read(entry.path())?, 0),
            // A snapshot has its length between its content and the checksum.
            name if name.starts_with("snap.") => {
                name.ends_with(".generating") || !is_whole(&fs::read(entry.path())?, 8)
            }
            _ => false,
        };
        if damaged {
            tracing::warn!("{} is damaged or unfinished: it is made anew", entry.path().display());
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Whether the content ends with its own checksum, but for `between` bytes before it.
fn is_whole(bytes: &[u8], between: usize) -> bool {
    bytes.split_last_chunk::<4>().is_some_and(|(rest, crc)| {
        let content = rest.len().checked_sub(between).map(|len| &rest[..len]);
        content.is_some_and(|content| !content.is_empty() && crc32fast::hash(content).to_le_bytes() == *crc)
    })
}
