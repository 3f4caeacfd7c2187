//! The file `complete`: the number of the last commit of which it is known that it is on the disk.
//!
//! It is there once a directory was made completely. A log that ends with an earlier commit has lost acknowledged
//! writes, which sled cannot tell from a log that was never longer.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// The number, its CRC, and room.
const SLOT_BYTES: usize = 16;

/// The open file. There are two slots, for even and odd numbers: while one is written, the other one stays.
#[derive(Debug)]
pub(super) struct Mark(File);

impl Mark {
    /// The name of the file in the data directory.
    pub(super) const FILE: &'static str = "complete";

    /// Opens the file of the data directory `path`, or makes one. It gets its whole length now, while it is going to be
    /// synced: what [`Self::set`] lengthened could come out of a power cut as zeros.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(path.join(Self::FILE))?;
        if file.metadata()?.len() < 2 * SLOT_BYTES as u64 {
            file.write_all_at(&[0; SLOT_BYTES], SLOT_BYTES as u64)?;
        }
        Ok(Self(file))
    }

    /// The number that the data directory `path` has: 0 if none was noted, and `None` if it says nothing.
    pub(super) fn read(path: &Path) -> io::Result<Option<u64>> {
        let bytes = std::fs::read(path.join(Self::FILE))?;
        let last = bytes.chunks(SLOT_BYTES).filter_map(number_in).max();
        Ok(if bytes.iter().all(|byte| *byte == 0) {
            Some(0)
        } else {
            last
        })
    }

    /// Notes that the commit with this number, and all before it, are on the disk. Is itself not synced: after a power
    /// cut it may say less than there is, and never more.
    pub(super) fn set(&self, number: u64) -> io::Result<()> {
        let mut slot = [0; SLOT_BYTES];
        slot[..8].copy_from_slice(&number.to_be_bytes());
        slot[8..12].copy_from_slice(&crc32fast::hash(&number.to_be_bytes()).to_be_bytes());
        self.0.write_all_at(&slot, (number % 2) * SLOT_BYTES as u64)
    }

    /// Brings it onto the disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.0.sync_all()
    }
}

fn number_in(slot: &[u8]) -> Option<u64> {
    let (number, rest) = slot.split_first_chunk::<8>()?;
    let crc = rest.first_chunk::<4>()?;
    (crc32fast::hash(number).to_be_bytes() == *crc).then(|| u64::from_be_bytes(*number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_number_that_was_set_is_read() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let mark = Mark::open(dir.path()).expect("a file");
        assert_eq!(Mark::read(dir.path()).expect("read"), Some(0));
        for number in [1, 2, 3, 300, 1 << 40] {
            mark.set(number).expect("written");
            assert_eq!(Mark::read(dir.path()).expect("read"), Some(number));
        }
    }

    #[test]
    fn of_two_numbers_one_survives_a_torn_write_and_none_is_made_up() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let mark = Mark::open(dir.path()).expect("a file");
        mark.set(6).expect("written");
        mark.set(7).expect("written");
        let file = dir.path().join(Mark::FILE);
        let mut bytes = std::fs::read(&file).expect("read");
        bytes[SLOT_BYTES + 7] ^= 8;
        std::fs::write(&file, &bytes).expect("written");
        assert_eq!(Mark::read(dir.path()).expect("read"), Some(6));
        bytes[7] ^= 8;
        std::fs::write(&file, &bytes).expect("written");
        assert_eq!(Mark::read(dir.path()).expect("read"), None);
    }
}
