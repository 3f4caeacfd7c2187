//! Records as compressed bytes. Records of one kind repeat each other's names and words, so several of them are
//! compressed together; a read decompresses that many.

use lz4_flex::block::{compress_prepend_size, decompress_size_prepended};

/// How many records are compressed together. More take less memory and more time: at 8, workers of 740 bytes take 410
/// and are read in some microseconds; at 64, they take 300.
const GROUP: usize = 8;

/// The bytes of records, by place from 0.
#[derive(Default)]
pub(super) struct Packed {
    /// Compressed groups: the length of each record as four bytes, then the records.
    groups: Vec<Box<[u8]>>,
    /// The records of the last group, which is not full.
    rest: Vec<Vec<u8>>,
}

impl Packed {
    /// Adds a record behind the others.
    pub(super) fn push(&mut self, record: Vec<u8>) {
        self.rest.push(record);
        if self.rest.len() == GROUP {
            self.groups.push(compressed(&self.rest));
            self.rest.clear();
        }
    }

    /// A record.
    pub(super) fn get(&self, place: usize) -> Vec<u8> {
        match self.groups.get(place / GROUP) {
            Some(group) => parts(&decompressed(group))
                .nth(place % GROUP)
                .expect("a full group")
                .to_vec(),
            None => self.rest[place % GROUP].clone(),
        }
    }

    /// Replaces a record.
    pub(super) fn set(&mut self, place: usize, record: Vec<u8>) {
        match self.groups.get_mut(place / GROUP) {
            Some(group) => {
                let mut records: Vec<_> = parts(&decompressed(group)).map(<[u8]>::to_vec).collect();
                records[place % GROUP] = record;
                *group = compressed(&records);
            }
            None => self.rest[place % GROUP] = record,
        }
    }
}

fn compressed(records: &[Vec<u8>]) -> Box<[u8]> {
    let len = |record: &Vec<u8>| u32::try_from(record.len()).expect("a record has less than 4 GB");
    let mut bytes: Vec<u8> = records.iter().flat_map(|record| len(record).to_le_bytes()).collect();
    records.iter().for_each(|record| bytes.extend_from_slice(record));
    compress_prepend_size(&bytes).into()
}

fn decompressed(group: &[u8]) -> Vec<u8> {
    decompress_size_prepended(group).expect("it was compressed here")
}

/// The records of a decompressed group.
fn parts(group: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (lens, mut records) = group.split_at(4 * GROUP);
    lens.chunks_exact(4).map(move |len| {
        let len = u32::from_le_bytes(len.try_into().expect("four bytes"));
        let (record, rest) = records.split_at(len as usize);
        records = rest;
        record
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_as_they_were_written_last() {
        let record = |number: usize| format!("record {number} ").repeat(number % 50).into_bytes();
        for count in [1, GROUP - 1, GROUP, 5 * GROUP + 3] {
            let mut packed = Packed::default();
            let mut expected: Vec<_> = (0..count).map(record).collect();
            expected.iter().for_each(|record| packed.push(record.clone()));
            for place in (0..count).step_by(3) {
                expected[place] = record(place + 1_000);
                packed.set(place, expected[place].clone());
            }
            let read: Vec<_> = (0..count).map(|place| packed.get(place)).collect();
            assert_eq!(read, expected);
        }
    }
}
