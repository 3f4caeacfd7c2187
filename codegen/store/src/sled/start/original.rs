//! Restores the directory to its state before sled opened it, when a start is rejected. sled truncates its log where
//! it cannot read on, and writes a snapshot of the rest; without this, data that could still be recovered would be
//! lost. Where sled has also moved pages out of old segments, which it does while a log is read, the log stays as sled
//! left it: with the same content in other places.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use fs2::FileExt as _;

use super::LINGERING;

/// The length of a segment of sled's log.
const SEGMENT_BYTES: usize = 512 << 10;

/// The header of a segment: a checksum of the rest, its position in the log, and how far the log was written.
const HEADER_BYTES: usize = 20;

/// How many of the last segments are held in memory, 8 MiB together. An opening changes the last segment and those
/// after an unreadable one, for which sled searches only the last ones. It treats segments with unreadable headers as
/// free.
const LAST_SEGMENTS: usize = 16;

/// How many of the first free segments are held in memory. An opening writes to one or two of them.
const FREE_SEGMENTS: usize = 4;

/// The data that an opening may change.
pub(super) struct Original {
    path: PathBuf,
    /// The file `db`, if there was one. It is not opened again: that could fail.
    log: Option<File>,
    /// The length of `db`.
    log_bytes: u64,
    /// The headers of all segments, in the order of the file.
    headers: Vec<Vec<u8>>,
    /// The segments that an opening may write to, each with its offset in the file.
    segments: Vec<(u64, Vec<u8>)>,
    /// The small files that sled and our code write.
    files: Vec<(OsString, Vec<u8>)>,
}

impl Original {
    /// Reads the data.
    pub(super) fn read(path: &Path) -> io::Result<Self> {
        let mut files = Vec::new();
        for name in small_files(path)? {
            let content = fs::read(path.join(&name))?;
            files.push((name, content));
        }
        let log = match open_log(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            log => Some(log?),
        };
        let (log_bytes, headers, segments) = match &log {
            Some(log) => {
                let headers = headers(log)?;
                let segments = segments(log, &headers)?;
                (log.metadata()?.len(), headers, segments)
            }
            None => (0, Vec::new(), Vec::new()),
        };
        Ok(Self {
            path: path.to_owned(),
            log,
            log_bytes,
            headers,
            segments,
            files,
        })
    }

    /// Writes the changed data back, once sled has released its file. If sled does not release it, or has written to more
    /// segments than are held, nothing is written.
    pub(super) fn put_back(&self) -> io::Result<()> {
        let deadline = Instant::now() + LINGERING;
        loop {
            let is_last = Instant::now() >= deadline;
            match self.try_put_back(is_last) {
                Err(_) if !is_last => thread::sleep(LINGERING / 100),
                done => return done,
            }
        }
    }

    fn try_put_back(&self, is_last: bool) -> io::Result<()> {
        let created;
        let log = match &self.log {
            Some(log) => log,
            None => {
                created = open_log(&self.path)?;
                &created
            }
        };
        log.try_lock_exclusive()?;
        match headers(log) {
            Ok(now) if self.has_lost_segments(&now) => {
                tracing::info!("sled has moved parts of its log while it was read; the content is the same");
                return Ok(());
            }
            Err(error) if !is_last => return Err(error),
            // If it cannot be read, sled could not read it either, and has truncated it.
            _ => {}
        }
        for (place, segment) in &self.segments {
            if !read_at(log, *place, segment.len()).is_ok_and(|now| now == *segment) {
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

    /// Whether a segment was written to that is not held. Putting back the others would then mix two logs.
    fn has_lost_segments(&self, headers: &[Vec<u8>]) -> bool {
        let is_held = |offset: u64| self.segments.iter().any(|(held, _)| *held == offset);
        let offsets = (0..).step_by(SEGMENT_BYTES);
        let mut segments = self.headers.iter().zip(offsets).enumerate();
        segments.any(|(nth, (header, offset))| headers.get(nth) != Some(header) && !is_held(offset))
    }
}

fn open_log(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(path.join("db"))
}

/// The header of each segment.
fn headers(log: &File) -> io::Result<Vec<Vec<u8>>> {
    let offsets = (0..log.metadata()?.len()).step_by(SEGMENT_BYTES);
    offsets.map(|offset| read_at(log, offset, HEADER_BYTES)).collect()
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

/// The segments with unreadable headers, the last ones of the log (whatever their offsets in the file), and the first
/// free ones.
fn segments(log: &File, headers: &[Vec<u8>]) -> io::Result<Vec<(u64, Vec<u8>)>> {
    let (mut places, mut free) = (Vec::new(), Vec::new());
    for (place, header) in (0..).step_by(SEGMENT_BYTES).zip(headers) {
        // sled zeroes the segments that it frees.
        if header.iter().any(|byte| *byte != 0) {
            places.push((begin(header).map_or(i64::MIN, |begin| !begin), place));
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

/// The position of a segment in the log, from its header. `None` if the header is unreadable.
fn begin(header: &[u8]) -> Option<i64> {
    let (crc, rest) = header.split_first_chunk::<4>()?;
    let begin = rest.first_chunk::<8>()?;
    let whole = rest.len() == HEADER_BYTES - 4 && u32::from_le_bytes(*crc) == !crc32fast::hash(rest);
    whole.then(|| i64::from_le_bytes(*begin) ^ i64::MAX)
}

/// Reads up to this many bytes.
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
