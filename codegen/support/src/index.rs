//! The places of stored records in the indexes that the lists of a contract need. The bytes of a row are in the order of the
//! list: first the field by which records are chosen, then those by which they are sorted, then the id.

use super::id::{Id, IdValue};
use super::key::{Column, Key, KeyBytes, NewId};
use super::scalar::{Date, DateTime, Number, Timestamp};

/// A stored record.
pub trait Indexed: Sized + 'static {
    /// What it is stored under: its id, or that of the record in whose lists it is, and its id.
    type Key: Key;
    /// Its id.
    type Id: NewId;
    /// What its key consists of.
    const COLUMNS: &'static [Column];
    /// The indexes, by their fields: `human_id, id`, `account_id, last_message_at desc, id desc`, or `unique bounty_id, human_id`
    /// if there is one record at most for each row, which names it.
    const INDEXES: &'static [&'static str];

    /// Its key.
    fn key(&self) -> Self::Key;
    /// Its row in the index at this place of [`Self::INDEXES`]. `None` if it has none there.
    fn row(&self, index: usize) -> Option<Row>;
    /// The key of the record that has a row in this index. `None` if the row is malformed.
    fn of_row(index: usize, row: &[u8], value: &[u8]) -> Option<Self::Key>;
}

/// A row of an index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Its place in the index.
    pub key: KeyBytes,
    /// The key of the record, if the row does not end with it.
    pub value: KeyBytes,
}

/// A field of a row. Its bytes are in the order of its values.
pub trait Part: Sized {
    /// Appends its bytes.
    fn write(&self, to: &mut KeyBytes);
    /// Reads its bytes from the beginning, and returns how many they are. `None` if they are malformed. Those of a descending part
    /// are `inverted`.
    fn skip(bytes: &[u8], inverted: bool) -> Option<usize>;
}

/// Appends a part, in descending order if `inverted`.
pub fn write(part: &impl Part, inverted: bool, to: &mut KeyBytes) {
    let start = to.len();
    part.write(to);
    if inverted {
        to[start..].iter_mut().for_each(|byte| *byte = !*byte);
    }
}

/// Leaves out a part at the beginning of a row.
pub fn skip<P: Part>(row: &mut &[u8], inverted: bool) -> Option<()> {
    *row = row.get(P::skip(row, inverted)?..)?;
    Some(())
}

/// Reads the id at the end of a row.
pub fn last<K: Key>(row: &[u8], inverted: bool) -> Option<K> {
    match inverted {
        false => K::read(row),
        true => K::read(&row.iter().map(|byte| !byte).collect::<KeyBytes>()),
    }
}

/// A part with so many bytes.
pub fn fixed(bytes: &[u8], count: usize) -> Option<usize> {
    (bytes.len() >= count).then_some(count)
}

impl<R: 'static, V: IdValue> Part for Id<R, V> {
    fn write(&self, to: &mut KeyBytes) {
        Key::write(self, to);
    }

    fn skip(bytes: &[u8], _: bool) -> Option<usize> {
        fixed(bytes, V::BYTES)
    }
}

impl Part for i64 {
    fn write(&self, to: &mut KeyBytes) {
        to.extend_from_slice(&(self ^ Self::MIN).to_be_bytes());
    }

    fn skip(bytes: &[u8], _: bool) -> Option<usize> {
        fixed(bytes, 8)
    }
}

impl Part for Timestamp {
    fn write(&self, to: &mut KeyBytes) {
        Part::write(&self.unix(), to);
    }

    fn skip(bytes: &[u8], _: bool) -> Option<usize> {
        fixed(bytes, 8)
    }
}

impl Part for bool {
    fn write(&self, to: &mut KeyBytes) {
        to.push(u8::from(*self));
    }

    fn skip(bytes: &[u8], _: bool) -> Option<usize> {
        fixed(bytes, 1)
    }
}

impl Part for Date {
    fn write(&self, to: &mut KeyBytes) {
        to.extend_from_slice(self.to_string().as_bytes());
    }

    fn skip(bytes: &[u8], _: bool) -> Option<usize> {
        fixed(bytes, 10)
    }
}

impl Part for DateTime {
    fn write(&self, to: &mut KeyBytes) {
        Part::write(&self.unix(), to);
        to.extend_from_slice(&self.nanoseconds().to_be_bytes());
    }

    fn skip(bytes: &[u8], _: bool) -> Option<usize> {
        fixed(bytes, 12)
    }
}

impl Part for Number {
    fn write(&self, to: &mut KeyBytes) {
        // The order of IEEE 754's total order.
        let bits = self.get().to_bits();
        let ordered = if bits >> 63 == 0 { bits | 1 << 63 } else { !bits };
        to.extend_from_slice(&ordered.to_be_bytes());
    }

    fn skip(bytes: &[u8], _: bool) -> Option<usize> {
        fixed(bytes, 8)
    }
}

/// A text ends with a zero byte, and a zero byte in it is followed by 255: so a text comes before those that it begins.
impl Part for String {
    fn write(&self, to: &mut KeyBytes) {
        for byte in self.bytes() {
            to.push(byte);
            if byte == 0 {
                to.push(u8::MAX);
            }
        }
        to.extend_from_slice(&[0, 0]);
    }

    fn skip(bytes: &[u8], inverted: bool) -> Option<usize> {
        let zero = if inverted { u8::MAX } else { 0 };
        let mut at = 0;
        loop {
            at += bytes.get(at..)?.iter().position(|byte| *byte == zero)? + 2;
            if *bytes.get(at - 1)? == zero {
                return Some(at);
            }
        }
    }
}

/// `None` comes first.
impl<P: Part> Part for Option<P> {
    fn write(&self, to: &mut KeyBytes) {
        to.push(u8::from(self.is_some()));
        if let Some(part) = self {
            part.write(to);
        }
    }

    fn skip(bytes: &[u8], inverted: bool) -> Option<usize> {
        let (first, rest) = bytes.split_first()?;
        let is_some = (*first == 1 && !inverted) || (*first == !1 && inverted);
        match is_some {
            true => Some(1 + P::skip(rest, inverted)?),
            false => Some(1),
        }
    }
}

/// The place of an index among others, by its fields.
///
/// # Panics
/// If there is none. In a constant, the compiler says so.
#[must_use]
pub const fn place(indexes: &[&str], fields: &str) -> usize {
    let mut place = 0;
    while place < indexes.len() {
        if is_same(indexes[place].as_bytes(), fields.as_bytes()) {
            return place;
        }
        place += 1;
    }
    panic!("no list of the contract needs an index with these fields");
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn in_order<P: Part>(parts: &[P]) {
        for inverted in [false, true] {
            let rows = parts.iter().map(|part| {
                let mut row = KeyBytes::new();
                write(part, inverted, &mut row);
                // What follows does not change the order.
                row.push(if inverted { 0 } else { u8::MAX });
                assert_eq!(P::skip(&row, inverted), Some(row.len() - 1));
                assert_eq!(P::skip(&row[..row.len() - 2], inverted), None);
                row
            });
            let rows: Vec<_> = rows.collect();
            assert!(rows.windows(2).all(|two| (two[0] < two[1]) != inverted), "{rows:?}");
        }
    }

    #[test]
    fn rows_are_in_the_order_of_their_parts() {
        in_order(&[i64::MIN, -1, 0, 1, i64::MAX]);
        in_order(&["", "\0", "\0\0", "a", "a\0", "a\0b", "ab", "b", "語"].map(str::to_owned));
        in_order(&[-1e300, -2.0, -0.5, 0.0, 0.5, 1e300].map(|value| Number::new(value).expect("finite")));
        in_order(&["0001-01-01", "2026-02-28", "9999-12-31"].map(|day| Date::parse(day).expect("a day")));
        in_order(&[-1, 0, 1].map(Timestamp::from_unix));
        let times = [
            "0001-01-01T00:00:00Z",
            "1969-12-31T23:59:59.5Z",
            "2026-02-28T12:00:00+01:00",
            "2026-02-28T11:00:00.1Z",
        ];
        in_order(&times.map(|time| DateTime::parse(time).expect("a time")));
        in_order(&[Some(false), Some(true)]);
    }

    #[test]
    fn nothing_comes_before_something() {
        let rows = [None, Some(String::new()), Some("a".to_owned())].map(|part| {
            let mut row = KeyBytes::new();
            write(&part, false, &mut row);
            row
        });
        assert!(rows.is_sorted());
        assert_eq!(Option::<String>::skip(&rows[0], false), Some(1));
    }

    #[test]
    fn the_id_at_the_end_is_read() {
        let id = Id::<()>::new(7);
        for inverted in [false, true] {
            let mut row = KeyBytes::new();
            write(&"name".to_owned(), inverted, &mut row);
            write(&id, inverted, &mut row);
            let mut rest = &row[..];
            skip::<String>(&mut rest, inverted).expect("a text");
            assert_eq!(last(rest, inverted), Some(id));
            assert_eq!(last::<Id<()>>(&rest[1..], inverted), None);
        }
    }
}
