//! Reads the whole log before sled does: sled takes what it cannot read for the end of its log, and writes over it. What
//! was read then comes from memory when sled reads it.

use std::fs::File;
use std::io::{self, BufReader, ErrorKind};
use std::path::Path;

use super::Log;

/// How much is read at once.
const BUFFER_BYTES: usize = 1 << 20;

/// Fails if the disk does not give a part of the log of the data directory `path`.
pub(super) fn check(path: &Path) -> io::Result<()> {
    match File::open(path.join(Log::FILE)) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        log => io::copy(&mut BufReader::with_capacity(BUFFER_BYTES, log?), &mut io::sink()).map(drop),
    }
}
