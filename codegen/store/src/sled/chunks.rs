//! Long values, which are stored in pieces: sled puts long pages into blobs that it never syncs.

/// A reference that stands for a long value and identifies its pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Chunks {
    serial: i64,
    count: u16,
}

impl Chunks {
    /// The maximum bytes of a value, or of one piece.
    pub(super) const MAX_BYTES: usize = 5_000;

    /// Whether a value has to be stored in pieces: if it is long, or could be taken for a reference.
    pub(super) fn are_needed_for(value: &[u8]) -> bool {
        value.len() > Self::MAX_BYTES || Self::referred_to_by(value).is_some()
    }

    /// A reference to the pieces of `value` under this serial number, which must be new. `None` if there would be too
    /// many pieces.
    pub(super) fn split(value: &[u8], serial: i64) -> Option<Self> {
        let count = value.len().div_ceil(Self::MAX_BYTES);
        u16::try_from(count).ok().map(|count| Self { serial, count })
    }

    /// The serial number, unique to each long value.
    pub(super) fn serial(self) -> i64 {
        self.serial
    }

    /// The number of pieces.
    pub(super) fn count(self) -> u16 {
        self.count
    }

    /// Reads the reference in what is stored for a value. `None` if it is the value.
    pub(super) fn referred_to_by(stored: &[u8]) -> Option<Self> {
        let rest = stored.strip_prefix(&[0])?;
        let (serial, count) = rest.split_first_chunk::<8>()?;
        Some(Self {
            serial: i64::from_be_bytes(*serial),
            count: count.try_into().ok().map(u16::from_be_bytes)?,
        })
    }

    /// What is stored for the value.
    pub(super) fn reference(self) -> Vec<u8> {
        [&[0][..], &self.serial.to_be_bytes(), &self.count.to_be_bytes()].concat()
    }

    /// The keys of the pieces, in order.
    pub(super) fn keys(self) -> impl Iterator<Item = [u8; 10]> {
        (0..self.count).map(move |place| {
            let mut key = [0; 10];
            key[..8].copy_from_slice(&self.serial.to_be_bytes());
            key[8..].copy_from_slice(&place.to_be_bytes());
            key
        })
    }

    /// The serial number of a long value and the position of the piece with this key.
    pub(super) fn place_of(key: &[u8]) -> Option<(i64, u16)> {
        let (serial, place) = key.split_first_chunk::<8>()?;
        Some((i64::from_be_bytes(*serial), u16::from_be_bytes(place.try_into().ok()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_read_back_and_other_values_are_none() {
        let pieces = Chunks::split(&[b'x'; 12_000], 77).expect("three pieces");
        assert_eq!(pieces.keys().count(), 3);
        assert_eq!(Chunks::referred_to_by(&pieces.reference()), Some(pieces));
        assert_eq!(
            pieces.keys().map(|key| Chunks::place_of(&key)).last(),
            Some(Some((77, 2)))
        );
        assert_eq!(Chunks::referred_to_by(b"{\"id\":1}"), None);
        assert!(
            Chunks::are_needed_for(&pieces.reference()),
            "it would be taken for a reference"
        );
        assert!(!Chunks::are_needed_for(&[b'x'; 5_000]));
    }
}
