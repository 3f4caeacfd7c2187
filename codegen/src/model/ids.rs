//! The ids of resources: numbers or UUIDs.

use crate::formats::{self, Format};
use std::fmt;

/// What the ids of a resource are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ids {
    /// Consecutive numbers from 1.
    Numbers,
    /// Random UUIDs (RFC 9562, version 4).
    UuidV4,
    /// UUIDs in the order of time (RFC 9562, version 7).
    UuidV7,
}

/// An id of a record. Those of one resource have the order of `sort: [id asc]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RecordId {
    /// A number.
    Number(i64),
    /// A UUID: its 128 bits.
    Uuid(u128),
}

impl Ids {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Ids::Numbers => "numbers",
            Ids::UuidV4 => "uuid_v4",
            Ids::UuidV7 => "uuid_v7",
        }
    }

    /// What has this name.
    pub(crate) fn from_name(name: &str) -> Self {
        match name {
            "uuid_v4" => Ids::UuidV4,
            "uuid_v7" => Ids::UuidV7,
            _ => Ids::Numbers,
        }
    }

    /// The version of the UUIDs, if its ids are such.
    pub fn version(self) -> Option<u8> {
        match self {
            Ids::Numbers => None,
            Ids::UuidV4 => Some(4),
            Ids::UuidV7 => Some(7),
        }
    }

    /// Whether they are UUIDs.
    pub fn is_uuid(self) -> bool {
        self.version().is_some()
    }

    /// The format of the ids, if they are texts.
    pub fn format(self) -> Option<&'static Format> {
        self.version().and_then(|_| formats::find("uuid"))
    }

    /// The id that this text is. UUIDs are read in lower and upper case.
    pub fn read(self, text: &str) -> Option<RecordId> {
        match self.format() {
            None => text.parse().ok().map(RecordId::Number),
            Some(format) => {
                let digits = format.canonical(text)?.replace('-', "");
                u128::from_str_radix(&digits, 16).ok().map(RecordId::Uuid)
            }
        }
    }

    /// An id for examples.
    pub fn example(self) -> RecordId {
        const UUID: u128 = 0x0190_a6f2_7b1c_7def_8a01_2345_6789_abcd;
        match self {
            Ids::Numbers => RecordId::Number(1),
            Ids::UuidV4 | Ids::UuidV7 => RecordId::Uuid(with_version(UUID, self.version())),
        }
    }

    /// The UUID of version 7 that begins with this number and ends with these bits.
    pub fn in_order(number: u64, rest: u64) -> RecordId {
        let (time, order) = (u128::from(number >> 5), u128::from(number & 0b1_1111));
        Ids::UuidV7.from_bits(time << 80 | order << 71 | u128::from(rest))
    }

    /// A valid id of this kind from these bits.
    pub fn from_bits(self, bits: u128) -> RecordId {
        match self.version() {
            None => RecordId::Number((bits & i64::MAX as u128) as i64),
            version => RecordId::Uuid(with_version(bits, version)),
        }
    }
}

/// The bits of a UUID of this version and of the variant of RFC 9562.
fn with_version(bits: u128, version: Option<u8>) -> u128 {
    let version = u128::from(version.unwrap_or_default());
    bits & !(0xf << 76) & !(0b11 << 62) | version << 76 | 0b10 << 62
}

impl RecordId {
    /// The number, if it is one.
    pub fn number(self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(number),
            Self::Uuid(_) => None,
        }
    }

    /// A number for values that look random.
    pub fn seed(self) -> u64 {
        match self {
            Self::Number(number) => number.unsigned_abs(),
            Self::Uuid(bits) => (bits ^ bits >> 64) as u64,
        }
    }

    /// The number that a UUID of version 7 begins with: its milliseconds, and five bits that make later ones greater.
    pub fn order(self) -> Option<i64> {
        match self {
            Self::Uuid(bits) if self.version() == Some(7) => {
                i64::try_from(bits >> 80 << 5 | bits >> 71 & 0b1_1111).ok()
            }
            _ => None,
        }
    }

    /// The version of the UUID, if it is one of the variant of RFC 9562.
    pub fn version(self) -> Option<u8> {
        match self {
            Self::Uuid(bits) if bits >> 62 & 0b11 == 0b10 => Some((bits >> 76 & 0xf) as u8),
            _ => None,
        }
    }
}

/// As in paths, queries and responses.
impl fmt::Display for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Uuid(bits) => {
                let hex = format!("{bits:032x}");
                let [a, b, c, d, e] = [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]];
                write!(f, "{a}-{b}-{c}-{d}-{e}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_as_it_is_written() {
        for ids in [Ids::Numbers, Ids::UuidV4, Ids::UuidV7] {
            let id = ids.example();
            assert_eq!(ids.read(&id.to_string()), Some(id));
            assert_eq!((id.version(), Ids::from_name(ids.as_str())), (ids.version(), ids));
            assert_eq!(ids.read("x"), None);
        }
        let ordered = Ids::in_order(7, u64::MAX);
        assert_eq!((ordered.order(), ordered.version()), (Some(7), Some(7)));
        assert!(ordered < Ids::in_order(8, 0));
        let shouted = "0190A6F2-7B1C-4DEF-8A01-23456789ABCD";
        assert_eq!(Ids::UuidV4.read(shouted), Some(Ids::UuidV4.example()));
        assert_eq!(
            Ids::UuidV7.from_bits(0).to_string(),
            "00000000-0000-7000-8000-000000000000"
        );
    }
}
