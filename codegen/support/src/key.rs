//! Ids as keys of a store. The bytes of keys are in the order of the ids.

use smallvec::SmallVec;
use std::fmt::Debug;

/// The bytes of a key. Two numbers and a byte fit in place.
pub type KeyBytes = SmallVec<[u8; 24]>;

/// An id, or several one after the other.
pub trait Key: Clone + Ord + Debug + Send + Sync + 'static {
    /// Appends its bytes.
    fn write(&self, to: &mut KeyBytes);
    /// Reads it from the beginning of `bytes`, and returns the rest. `None` if they are malformed.
    fn split(bytes: &[u8]) -> Option<(Self, &[u8])>;
    /// Its text for people.
    fn text(&self) -> String;
    /// Its number, or that of the last id, if the ids of the resource are numbered consecutively.
    fn number(&self) -> Option<i64>;

    /// Its bytes.
    fn bytes(&self) -> KeyBytes {
        let mut bytes = KeyBytes::new();
        self.write(&mut bytes);
        bytes
    }

    /// Reads the bytes of one. `None` if they are malformed.
    fn read(bytes: &[u8]) -> Option<Self> {
        let (key, rest) = Self::split(bytes)?;
        rest.is_empty().then_some(key)
    }
}

/// A part of a key, by the name of its column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Column {
    /// An id or a number: eight bytes of the key.
    Number(&'static str),
    /// A UUID: sixteen bytes of the key.
    Uuid(&'static str),
    /// A small number: one byte of the key.
    Small(&'static str),
    /// The rest of the key.
    Bytes(&'static str),
}

/// An id that a transaction can make.
pub trait NewId: Key {
    /// A new id, at this time in milliseconds since 1970. `next` is the next number of the resource, which is at least the given
    /// one.
    ///
    /// # Errors
    /// If `next` fails.
    fn make<E>(millis: i64, next: impl FnOnce(i64) -> Result<i64, E>) -> Result<Self, E>;
}

/// Numbers below 0, which no id has, come after all others.
impl Key for i64 {
    fn write(&self, to: &mut KeyBytes) {
        to.extend_from_slice(&self.to_be_bytes());
    }

    fn split(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (number, rest) = bytes.split_first_chunk()?;
        Some((Self::from_be_bytes(*number), rest))
    }

    fn text(&self) -> String {
        self.to_string()
    }

    fn number(&self) -> Option<i64> {
        Some(*self)
    }
}

impl<A: Key, B: Key> Key for (A, B) {
    fn write(&self, to: &mut KeyBytes) {
        self.0.write(to);
        self.1.write(to);
    }

    fn split(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (first, rest) = A::split(bytes)?;
        let (second, rest) = B::split(rest)?;
        Some(((first, second), rest))
    }

    fn text(&self) -> String {
        format!("{} of {}", self.1.text(), self.0.text())
    }

    fn number(&self) -> Option<i64> {
        self.1.number()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_in_the_order_of_ids_and_are_read_as_they_were_written() {
        let ids: [(i64, i64); 4] = [(1, 2), (1, 256), (255, 1), (256, 0)];
        assert!(ids.is_sorted_by_key(Key::bytes));
        assert_eq!(ids.map(|id| Key::read(&id.bytes())), ids.map(Some));
        assert_eq!(ids[1].text(), "256 of 1");
        assert_eq!(ids[1].number(), Some(256));
    }

    #[test]
    fn what_is_too_short_or_too_long_is_no_key() {
        assert_eq!(<(i64, i64)>::read(&[0; 15]), None);
        assert_eq!(i64::read(&[0; 9]), None);
        assert_eq!(i64::split(&[0; 9]), Some((0, &[0][..])));
    }
}
