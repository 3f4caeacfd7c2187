//! The file `complete`: the number of the last commit of which it is known that it is on the disk.
//!
//! It is there once a directory was made completely. A log that ends with an earlier commit has lost acknowledged
//! writes, which sled cannot tell from a log that was never longer.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// The number and its CRC, and room. All zeros is the number 0.
const SLOT_BYTES: usize = 16;

/// The slot that is on the disk, and says where the log was at the last start.
const SYNCED: u64 = 0;
/// The slot that each commit writes, without a sync: a power cut may leave anything in it.
const RUNNING: u64 = 1;

/// The open file.
#[derive(Debug)]
pub(super) struct Mark(File);

impl Mark {
    /// The name of the file in the data directory.
    pub(super) const FILE: &'static str = "complete";

    /// Opens the file of the data directory `path`, or makes one, and brings onto the disk that the commit with this number
    /// is there. At every moment of this, one slot is on the disk, whatever a power cut makes of the other.
    pub(super) fn open(path: &Path, number: u64) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mark = Self(options.open(path.join(Self::FILE))?);
        mark.0.set_len(2 * SLOT_BYTES as u64)?;
        for slot in [RUNNING, SYNCED] {
            mark.write(slot, number)?;
            mark.0.sync_all()?;
        }
        Ok(mark)
    }

    /// The number that the data directory `path` has, and `None` if neither slot says one.
    pub(super) fn read(path: &Path) -> io::Result<Option<u64>> {
        let mut bytes = std::fs::read(path.join(Self::FILE))?;
        bytes.resize(2 * SLOT_BYTES, 0);
        Ok(bytes.chunks(SLOT_BYTES).filter_map(number_in).max())
    }

    /// Notes that the commit with this number, and all before it, are on the disk. Is itself not synced: after a power
    /// cut it may say less than there is, and never more.
    pub(super) fn set(&self, number: u64) -> io::Result<()> {
        self.write(RUNNING, number)
    }

    fn write(&self, slot: u64, number: u64) -> io::Result<()> {
        self.0.write_all_at(&encoded(number), slot * SLOT_BYTES as u64)
    }
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

    #[track_caller]
    fn check(dir: &Path, expected: Option<u64>) {
        assert_eq!(Mark::read(dir).expect("read"), expected);
    }

    #[test]
    fn the_last_number_that_was_set_is_read() {
        let dir = directory();
        let mark = Mark::open(dir.path(), 0).expect("a file");
        check(dir.path(), Some(0));
        for number in [1, 2, 3, 300, 1 << 40] {
            mark.set(number).expect("written");
            check(dir.path(), Some(number));
        }
    }

    #[test]
    fn a_power_cut_leaves_the_number_of_the_start() {
        let dir = directory();
        Mark::open(dir.path(), 0).expect("a file").set(6).expect("written");
        let mark = Mark::open(dir.path(), 6).expect("a file");
        let synced = std::fs::read(dir.path().join(Mark::FILE)).expect("read");
        mark.set(7).expect("written");
        let written = std::fs::read(dir.path().join(Mark::FILE)).expect("read");
        for cut in 0..=SLOT_BYTES {
            let torn = [&written[..SLOT_BYTES + cut], &synced[SLOT_BYTES + cut..]].concat();
            std::fs::write(dir.path().join(Mark::FILE), torn).expect("written");
            let number = Mark::read(dir.path()).expect("read");
            assert!(matches!(number, Some(6 | 7)), "{cut}: {number:?}");
        }
    }

    #[test]
    fn a_file_that_has_its_name_only_says_nothing_and_garbage_is_no_number() {
        let dir = directory();
        for (bytes, expected) in [(&b""[..], Some(0)), (&[0; 32], Some(0)), (&[7; 32], None)] {
            std::fs::write(dir.path().join(Mark::FILE), bytes).expect("written");
            check(dir.path(), expected);
        }
    }
}
