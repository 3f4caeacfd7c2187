//! Two files beside the log that state how long the log must be, so that the loss of the log is detected: sled cannot
//! tell a truncated log from one that was never longer.
//!
//! `complete` exists once a directory was fully created, and holds the number of the last commit known to be on disk.
//! `not-empty` is created before the first commit is acknowledged, and by its existence states that `complete` has a
//! number.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::files::sync_directory;

/// The number and its CRC, with spare bytes. All zeros means the number 0.
const SLOT_BYTES: usize = 16;

const FILE_BYTES: usize = 2 * SLOT_BYTES;

/// The slot that is synced. It has the last commit at the last start or, in the first run, the first commit.
const SYNCED: u64 = 0;
/// The slot that each commit writes without a sync. After a power cut it may hold anything.
const RUNNING: u64 = 1;

/// The content of `not-empty`, for people.
const EXPLANATION: &str = "This directory holds what was stored, in its files `db` and `complete`. \
                           If one of them is missing, put a copy of the whole directory in its place.\n";

/// The open file `complete`.
#[derive(Debug)]
pub(super) struct CommitMarker {
    file: File,
    /// The data directory.
    path: PathBuf,
    /// Whether the file `not-empty` is on disk.
    has_not_empty: bool,
}

/// The content of the file `complete` of a data directory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Marked {
    /// The file is missing: the directory was never complete.
    Never,
    /// No commit is recorded in it yet.
    Nothing,
    /// The commit with this number, and all before it, are on disk.
    Commit(u64),
    /// Content that was never written by this program.
    Garbage,
}

impl CommitMarker {
    /// The file with the number.
    pub(super) const FILE: &'static str = "complete";
    /// The file that states that there is a number.
    pub(super) const NOT_EMPTY: &'static str = "not-empty";

    /// Opens or creates the file of the data directory `path`, and syncs to disk that it has the commit with this
    /// number.
    pub(super) fn open(path: &Path, number: u64) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut marker = Self {
            file: options.open(path.join(Self::FILE))?,
            path: path.to_owned(),
            has_not_empty: false,
        };
        marker.file.set_len(FILE_BYTES as u64)?;
        marker.settle(number)?;
        Ok(marker)
    }

    /// Reads the file of the data directory `path`.
    pub(super) fn read(path: &Path) -> io::Result<Marked> {
        let bytes = match fs::read(path.join(Self::FILE)) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Marked::Never),
            read => read?,
        };
        // After a power cut the file may have its name before its length, but then it has only zeros.
        if bytes.len() < FILE_BYTES && bytes.iter().all(|byte| *byte == 0) {
            return Ok(Marked::Nothing);
        }
        let last = bytes.chunks(SLOT_BYTES).filter_map(number_in).max();
        Ok(match last.filter(|_| bytes.len() == FILE_BYTES) {
            None => Marked::Garbage,
            Some(0) => Marked::Nothing,
            Some(number) => Marked::Commit(number),
        })
    }

    /// Whether the data directory `path` has the file `not-empty`.
    pub(super) fn is_witnessed(path: &Path) -> io::Result<bool> {
        path.join(Self::NOT_EMPTY).try_exists()
    }

    /// Records that the commit with this number, and all before it, are on disk. For the first commit, the record and
    /// `not-empty` are synced. For later commits they are not: after a power cut the number may be too low, never too
    /// high.
    pub(super) fn set(&mut self, number: u64) -> io::Result<()> {
        match self.has_not_empty {
            true => self.write(RUNNING, number),
            false => self.settle(number),
        }
    }

    /// Syncs the number, and then `not-empty` if the number is not 0. At every moment one slot is intact on disk, even
    /// if a power cut damages the other one.
    fn settle(&mut self, number: u64) -> io::Result<()> {
        for slot in [RUNNING, SYNCED] {
            self.write(slot, number)?;
            self.file.sync_all()?;
        }
        if number > 0 {
            create_not_empty(&self.path)?;
            self.has_not_empty = true;
        }
        Ok(())
    }

    fn write(&self, slot: u64, number: u64) -> io::Result<()> {
        self.file.write_all_at(&encoded(number), slot * SLOT_BYTES as u64)
    }
}

/// Creates and syncs the file `not-empty` of the data directory `path`.
fn create_not_empty(path: &Path) -> io::Result<()> {
    let name = path.join(CommitMarker::NOT_EMPTY);
    if !fs::read(&name).is_ok_and(|content| content == EXPLANATION.as_bytes()) {
        let mut file = File::create(name)?;
        file.write_all(EXPLANATION.as_bytes())?;
        file.sync_all()?;
    }
    sync_directory(path)
}

fn encoded(number: u64) -> [u8; SLOT_BYTES] {
    let mut slot = [0; SLOT_BYTES];
    if number > 0 {
        slot[..8].copy_from_slice(&number.to_be_bytes());
        slot[8..12].copy_from_slice(&crc32fast::hash(&number.to_be_bytes()).to_be_bytes());
    }
    slot
}

fn number_in(slot: &[u8]) -> Option<u64> {
    let number = u64::from_be_bytes(*slot.first_chunk()?);
    (slot == encoded(number)).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directory() -> tempfile::TempDir {
        tempfile::tempdir().expect("a temporary directory")
    }

    fn put(dir: &Path, bytes: &[u8]) {
        fs::write(dir.join(CommitMarker::FILE), bytes).expect("written");
    }

    fn content(dir: &Path) -> Vec<u8> {
        fs::read(dir.join(CommitMarker::FILE)).expect("read")
    }

    #[track_caller]
    fn check(dir: &Path, expected: Marked) {
        assert_eq!(CommitMarker::read(dir).expect("read"), expected);
    }

    #[track_caller]
    fn check_not_empty_file(dir: &Path, expected: bool) {
        assert_eq!(CommitMarker::is_witnessed(dir).expect("looked for"), expected);
    }

    #[test]
    fn the_last_number_that_was_set_is_read() {
        let dir = directory();
        check(dir.path(), Marked::Never);
        let mut marker = CommitMarker::open(dir.path(), 0).expect("a file");
        check(dir.path(), Marked::Nothing);
        for number in [1, 2, 3, 300, 1 << 40] {
            marker.set(number).expect("written");
            check(dir.path(), Marked::Commit(number));
        }
    }

    #[test]
    fn there_is_a_marker_from_the_first_number_on() {
        let dir = directory();
        let mut marker = CommitMarker::open(dir.path(), 0).expect("a file");
        check_not_empty_file(dir.path(), false);
        marker.set(1).expect("written");
        check_not_empty_file(dir.path(), true);
        let not_empty = dir.path().join(CommitMarker::NOT_EMPTY);
        let whole = fs::read(&not_empty).expect("read");
        for change in [|path: &Path| fs::remove_file(path), |path: &Path| fs::write(path, "")] {
            change(&not_empty).expect("changed");
            CommitMarker::open(dir.path(), 1).expect("a file");
            assert_eq!(fs::read(&not_empty).expect("read"), whole);
        }
    }

    #[test]
    fn a_power_cut_leaves_the_number_of_the_start() {
        let dir = directory();
        CommitMarker::open(dir.path(), 0)
            .expect("a file")
            .set(6)
            .expect("written");
        let mut marker = CommitMarker::open(dir.path(), 6).expect("a file");
        let synced = content(dir.path());
        marker.set(7).expect("written");
        let bytes = content(dir.path());
        for cut in 0..=SLOT_BYTES {
            put(
                dir.path(),
                &[&bytes[..SLOT_BYTES + cut], &synced[SLOT_BYTES + cut..]].concat(),
            );
            let marked = CommitMarker::read(dir.path()).expect("read");
            assert!(matches!(marked, Marked::Commit(6 | 7)), "{cut}: {marked:?}");
        }
    }

    #[test]
    fn a_power_cut_at_the_first_number_leaves_it_or_nothing() {
        let dir = directory();
        let mut marker = CommitMarker::open(dir.path(), 0).expect("a file");
        marker.set(1).expect("written");
        let bytes = content(dir.path());
        for (there, missing) in [(0, SLOT_BYTES), (SLOT_BYTES, 0)] {
            for cut in 0..=SLOT_BYTES {
                let mut torn = bytes.clone();
                torn[missing..missing + SLOT_BYTES].fill(0);
                torn[there + cut..there + SLOT_BYTES].fill(0);
                put(dir.path(), &torn);
                let marked = CommitMarker::read(dir.path()).expect("read");
                assert!(
                    matches!(marked, Marked::Nothing | Marked::Commit(1)),
                    "{there} {cut}: {marked:?}"
                );
            }
        }
    }

    #[test]
    fn zeros_say_nothing_and_what_was_never_written_is_garbage() {
        let dir = directory();
        CommitMarker::open(dir.path(), 0)
            .expect("a file")
            .set(6)
            .expect("written");
        let bytes = content(dir.path());
        for (bytes, expected) in [
            (&b""[..], Marked::Nothing),
            (&[0; 7], Marked::Nothing),
            (&[0; FILE_BYTES], Marked::Nothing),
            (&[0; FILE_BYTES + 1], Marked::Garbage),
            (&[7; FILE_BYTES], Marked::Garbage),
            (&bytes[..SLOT_BYTES], Marked::Garbage),
            (&bytes[..FILE_BYTES - 1], Marked::Garbage),
        ] {
            put(dir.path(), bytes);
            check(dir.path(), expected);
        }
    }
}
