//! Long values: every reference has all its pieces, and every piece has exactly one reference.

use super::finding::Finding;
use super::name::Name;
use super::reading::Reading;
use crate::store::sled::keys;
use crate::store::sled::record::Chunks;
use crate::store::sled::trees::Tree;

/// The references to long values in the records.
#[derive(Default)]
pub(super) struct References(Vec<Reference>);

struct Reference {
    pieces: Chunks,
    of: Name,
    found: u16,
}

impl Reference {
    fn is_whole(&self) -> bool {
        self.found == self.pieces.count()
    }
}

impl References {
    pub(super) fn push(&mut self, pieces: Chunks, of: Name) {
        self.0.push(Reference { pieces, of, found: 0 });
    }

    /// Compares the references with the stored pieces. Returns the highest serial number of both.
    pub(super) fn verify(mut self, reading: &mut Reading<'_>) -> sled::Result<i64> {
        self.0.sort_by_key(|reference| reference.pieces.serial());
        for two in self
            .0
            .windows(2)
            .filter(|two| two[0].pieces.serial() == two[1].pieces.serial())
        {
            let (serial, one, other) = (two[0].pieces.serial(), two[0].of, two[1].of);
            reading.findings.push(Finding::SharedPieces { serial, one, other });
        }
        self.0.dedup_by_key(|reference| reference.pieces.serial());
        let mut highest = self.0.last().map_or(0, |reference| reference.pieces.serial());
        reading.entries(Tree::Pieces, |reading, key, _| {
            let Some((serial, place)) = place_of(&key) else {
                let (tree, key) = (Tree::Pieces, key.to_vec());
                reading.findings.push(Finding::Key { tree, key });
                return Ok(());
            };
            highest = highest.max(serial);
            match self.reference(serial) {
                Some(reference) if place < reference.pieces.count() => reference.found += 1,
                _ => reading.findings.push(Finding::StrayPiece { serial, place }),
            }
            Ok(())
        })?;
        for Reference { pieces, of, found } in self.0.iter().filter(|reference| !reference.is_whole()) {
            let (of, count) = (*of, pieces.count());
            let missing = count - found;
            reading.findings.push(Finding::MissingPieces { of, count, missing });
        }
        Ok(highest)
    }

    fn reference(&mut self, serial: i64) -> Option<&mut Reference> {
        let place = self
            .0
            .binary_search_by_key(&serial, |reference| reference.pieces.serial());
        Some(&mut self.0[place.ok()?])
    }
}

/// The serial number of a long value and the position of the piece with this key.
fn place_of(key: &[u8]) -> Option<(i64, u16)> {
    let (serial, place) = key.split_first_chunk::<8>()?;
    Some((keys::number(serial)?, u16::from_be_bytes(place.try_into().ok()?)))
}
