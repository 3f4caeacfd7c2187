//! The directory as it was before sled opened it, so that a rejected start leaves it like that.
//!
//! sled cuts its log off where it cannot read on, and writes a snapshot of what is left: what a person might still have
//! saved would be gone.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use fs2::FileExt as _;

use super::LINGERING;

/// How long a segment of sled's log is.
const SEGMENT_BYTES: usize = 512 << 10;

/// What a segment begins with: a checksum of the rest, its place in the order of all, and how far the log was written.
const HEADER_BYTES: usize = 20;

/// How many of the last segments are held in memory, 8 MiB together. An opening changes the last one, and those behind
/// an unreadable place, which sled looks for among the last ones only; and it takes those with unreadable headers for
/// free ones.
const LAST_SEGMENTS: usize = 16;

/// How many of the first free segments are held in memory: of these an opening takes the one or two that it writes to.
const FREE_SEGMENTS: usize = 4;

/// What an opening may change.
pub(super) struct Original {
    path: PathBuf,
    /// How long `db` is.
    log_bytes: u64,
    /// Those of its segments that an opening may write to, each with its place in the file.
    segments: Vec<(u64, Vec<u8>)>,
    /// The small files that sled and we ourselves write.
    files: Vec<(OsString, Vec<u8>)>,
}

impl Original {
    /// Reads it.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let mut files = Vec::new();
        for name in small_files(path)? {
            let content = fs::read(path.join(&name))?;
            files.push((name, content));
        }
        let (log_bytes, segments) = match File::open(path.join("db")) {
            Ok(log) => (log.metadata()?.len(), segments(&log)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => (0, Vec::new()),
            Err(error) => return Err(error),
        };
        Ok(Self {
            path: path.to_owned(),
            log_bytes,
            segments,
            files,
        })
    }

    /// Writes back what was changed, once sled has let go of its file; if it does not, all stays as it is.
    pub(super) fn put_back(&self) -> io::Result<()> {
        let log = OpenOptions::new().read(true).write(true).open(self.path.join("db"))?;
        let given_up = Instant::now() + LINGERING;
        while let Err(error) = log.try_lock_exclusive() {
            if Instant::now() >= given_up {
                return Err(error);
            }
            thread::sleep(LINGERING / 100);
        }
        for (place, segment) in &self.segments {
            if read_at(&log, *place, segment.len())? != *segment {
                log.write_all_at(segment, *place)?;
            }
        }
        log.set_len(self.log_bytes)?;
        log.sync_all()?;
        for name in small_files(&self.path)? {
            if !self.files.iter().any(|(known, _)| *known == name) {
                fs::remove_file(self.path.join(name))?;
            }
        }
        for (name, content) in &self.files {
            let file = self.path.join(name);
            if !fs::read(&file).is_ok_and(|now| now == *content) {
                fs::write(&file, content)?;
            }
        }
        Ok(())
    }
}

fn small_files(path: &Path) -> io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(path)? {
        let name = entry?.file_name();
        let text = name.to_string_lossy();
        if text == "conf" || text == "lock" || text.starts_with("snap.") {
            names.push(name);
        }
    }
    Ok(names)
}

/// Those with unreadable headers, and those that the log ends with; where they lie in the file says nothing about that.
/// And the first of those that are free.
fn segments(log: &File) -> io::Result<Vec<(u64, Vec<u8>)>> {
    let (mut places, mut free) = (Vec::new(), Vec::new());
    for place in (0..log.metadata()?.len()).step_by(SEGMENT_BYTES) {
        let header = read_at(log, place, HEADER_BYTES)?;
        // sled clears what it gives up.
        if header.iter().any(|byte| *byte != 0) {
            places.push((begin(&header).map_or(i64::MIN, |begin| !begin), place));
        } else if free.len() < FREE_SEGMENTS {
            free.push(place);
        }
    }
    places.sort_unstable();
    let last = places.into_iter().take(LAST_SEGMENTS).map(|(_, place)| place);
    last.chain(free)
        .map(|place| Ok((place, read_at(log, place, SEGMENT_BYTES)?)))
        .collect()
}

/// Where in the whole log a segment begins, out of its header; `None` if that is unreadable.
fn begin(header: &[u8]) -> Option<i64> {
    let (crc, rest) = header.split_first_chunk::<4>()?;
    let begin = rest.first_chunk::<8>()?;
    let whole = rest.len() == HEADER_BYTES - 4 && u32::from_le_bytes(*crc) == !crc32fast::hash(rest);
    whole.then(|| i64::from_le_bytes(*begin) ^ i64::MAX)
}

/// So many bytes, or as many as there are.
fn read_at(file: &File, place: u64, len: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; len];
    let mut read = 0;
    while read < len {
        match file.read_at(&mut bytes[read..], place + read as u64) {
            Ok(0) => break,
            Ok(more) => read += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(read);
    Ok(bytes)
}
