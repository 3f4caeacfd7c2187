//! The ids of resources: numbers or UUIDs, with a type for each resource.

use super::decode;
use super::key::{Key, KeyBytes, NewId};
use super::validation_errors::ValidationErrors;
use super::value::Value;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

/// The id of one `R`. One generic type, so that its methods are compiled once.
pub struct Id<R, V = i64> {
    value: V,
    of: PhantomData<fn() -> R>,
}

/// What ids consist of: a number or a UUID.
pub trait IdValue: Key + Copy + Hash + fmt::Display + Serialize + DeserializeOwned {
    /// How many bytes it has in keys.
    const BYTES: usize;

    /// Decodes one of a request. Reports the error and returns `None` if it is invalid.
    fn decode(value: Value, errors: &mut ValidationErrors) -> Option<Self>;
    /// A new one, at this time in milliseconds since 1970. `next` is the next number of the resource, which is at least the given
    /// one.
    ///
    /// # Errors
    /// If `next` fails.
    fn make<E>(millis: i64, next: impl FnOnce(i64) -> Result<i64, E>) -> Result<Self, E>;
}

impl IdValue for i64 {
    const BYTES: usize = 8;

    fn decode(value: Value, errors: &mut ValidationErrors) -> Option<Self> {
        decode::id(value, errors)
    }

    fn make<E>(_: i64, next: impl FnOnce(i64) -> Result<i64, E>) -> Result<Self, E> {
        next(0)
    }
}

/// A UUID (RFC 9562). New ones have this version, 4 or 7. Those of version 7 have the order in which they are made: a resource
/// numbers them by the time, and by one more than the last number if the clock has been set back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uuid<const VERSION: u8>(uuid::Uuid);

impl<const VERSION: u8> Uuid<VERSION> {
    /// Both halves of its bits.
    pub fn halves(self) -> [i64; 2] {
        let (high, low) = self.0.as_u64_pair();
        [high.cast_signed(), low.cast_signed()]
    }

    /// A number by which what a caller does is counted in memory. Two random UUIDs have the same one as rarely as 62 random bits
    /// are equal.
    pub fn word(self) -> i64 {
        let [high, low] = self.halves();
        high ^ low
    }
}

/// How many bits of a UUID of version 7 follow its milliseconds and are in the order in which UUIDs are made. With the 48 bits of
/// the time they are a number that JSON can have.
const ORDER_BITS: u32 = 5;

/// The UUID of version 7 with this number. The rest of its bits is random.
fn in_order(number: i64) -> uuid::Uuid {
    let number = number.unsigned_abs();
    let mut rest: [u8; 10] = rand::random();
    // Behind the four bits of the version.
    let order = ((number & 0b1_1111) << 7) as u16;
    rest[0] = (order >> 8) as u8;
    rest[1] = rest[1] & 0x7f | order as u8;
    uuid::Builder::from_unix_timestamp_millis(number >> ORDER_BITS, &rest).into_uuid()
}

/// An id of any resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnyId {
    /// A number.
    Number(i64),
    /// The halves of a UUID.
    Uuid([i64; 2]),
}

impl fmt::Display for AnyId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(out),
            Self::Uuid([high, low]) => uuid::Uuid::from_u64_pair(high.cast_unsigned(), low.cast_unsigned()).fmt(out),
        }
    }
}

impl<const VERSION: u8> IdValue for Uuid<VERSION> {
    const BYTES: usize = 16;

    fn decode(value: Value, errors: &mut ValidationErrors) -> Option<Self> {
        let text = decode::uuid(value, errors)?;
        text.parse().ok().map(Self)
    }

    fn make<E>(millis: i64, next: impl FnOnce(i64) -> Result<i64, E>) -> Result<Self, E> {
        match VERSION {
            4 => Ok(Self(uuid::Uuid::new_v4())),
            _ => next(millis << ORDER_BITS).map(in_order).map(Self),
        }
    }
}

impl<const VERSION: u8> Key for Uuid<VERSION> {
    fn write(&self, to: &mut KeyBytes) {
        to.extend_from_slice(self.0.as_bytes());
    }

    fn split(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (uuid, rest) = bytes.split_first_chunk()?;
        Some((Self(uuid::Uuid::from_bytes(*uuid)), rest))
    }

    fn text(&self) -> String {
        self.to_string()
    }

    fn number(&self) -> Option<i64> {
        None
    }
}

impl<const VERSION: u8> fmt::Display for Uuid<VERSION> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl<const VERSION: u8> Serialize for Uuid<VERSION> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.hyphenated().encode_lower(&mut uuid::Uuid::encode_buffer()))
    }
}

impl<'de, const VERSION: u8> Deserialize<'de> for Uuid<VERSION> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map(Self).map_err(D::Error::custom)
    }
}

impl<R, V: Copy> Id<R, V> {
    /// An id from its value.
    pub const fn new(value: V) -> Self {
        Self { value, of: PhantomData }
    }

    /// The number or the UUID.
    pub const fn get(self) -> V {
        self.value
    }
}

impl<R, V: IdValue> Id<R, V> {
    /// Decodes an id of a request. Reports the error and returns `None` if it is invalid.
    pub fn decode(value: Value, errors: &mut ValidationErrors) -> Option<Self> {
        V::decode(value, errors).map(Self::new)
    }
}

impl<R: 'static, V: IdValue> Key for Id<R, V> {
    fn write(&self, to: &mut KeyBytes) {
        self.value.write(to);
    }

    fn split(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (value, rest) = V::split(bytes)?;
        Some((Self::new(value), rest))
    }

    fn text(&self) -> String {
        self.to_string()
    }

    fn number(&self) -> Option<i64> {
        self.value.number()
    }
}

impl<R: 'static, V: IdValue> NewId for Id<R, V> {
    fn make<E>(millis: i64, next: impl FnOnce(i64) -> Result<i64, E>) -> Result<Self, E> {
        V::make(millis, next).map(Self::new)
    }
}

impl<R, V: Copy> Clone for Id<R, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R, V: Copy> Copy for Id<R, V> {}

impl<R, V: PartialEq> PartialEq for Id<R, V> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<R, V: Eq> Eq for Id<R, V> {}

impl<R, V: Ord> PartialOrd for Id<R, V> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<R, V: Ord> Ord for Id<R, V> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.value.cmp(&other.value)
    }
}

impl<R, V: Hash> Hash for Id<R, V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value.hash(state);
    }
}

impl<R, V: fmt::Debug> fmt::Debug for Id<R, V> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Id").field(&self.value).finish()
    }
}

impl<R, V: fmt::Display> fmt::Display for Id<R, V> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(out)
    }
}

impl<R, V: Serialize> Serialize for Id<R, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

impl<'de, R, V: Copy + Deserialize<'de>> Deserialize<'de> for Id<R, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        V::deserialize(deserializer).map(Self::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type V7 = Id<(), Uuid<7>>;

    const NOW: i64 = 1_800_000_000_000;

    /// A new id after `last`, which becomes its number.
    fn new<const VERSION: u8>(millis: i64, last: &mut i64) -> Id<(), Uuid<VERSION>> {
        let made = Uuid::<VERSION>::make::<()>(millis, |least| {
            *last = least.max(*last + 1);
            Ok(*last)
        });
        Id::new(made.expect("nothing fails"))
    }

    #[test]
    fn new_uuids_have_their_version_and_those_of_version_7_their_order() {
        let mut last = 0;
        let mut made: Vec<V7> = (0..1000).map(|_| new(NOW, &mut last)).collect();
        // The clock is set back by a day.
        made.extend((0..1000).map(|_| new::<7>(NOW - 86_400_000, &mut last)));
        assert!(made.is_sorted_by(|a, b| a < b), "each is greater than the one before");
        assert!(made.is_sorted_by_key(Key::bytes), "so are the keys");
        for (id, version) in [(made[0].to_string(), "7"), (new::<4>(NOW, &mut 0).to_string(), "4")] {
            assert_eq!(&id[14..15], version);
            assert!("89ab".contains(&id[19..20]), "{id}");
        }
        let millis = i64::from_str_radix(&made[0].to_string().replace('-', "")[..12], 16);
        assert_eq!(millis, Ok(NOW), "{}", made[0]);
    }

    #[test]
    fn a_uuid_is_read_as_it_was_written() {
        let id: V7 = new(NOW, &mut 0);
        assert_eq!(V7::read(&id.bytes()), Some(id));
        assert_eq!(V7::read(&id.bytes()[..15]), None);
        let json = serde_json::to_string(&id).expect("it is JSON");
        assert_eq!(json, format!("\"{id}\""));
        assert_eq!(serde_json::from_str::<V7>(&json).expect("it is a UUID"), id);
        assert_eq!(AnyId::Uuid(id.get().halves()).to_string(), id.to_string());
        assert!(serde_json::from_str::<V7>("\"x\"").is_err());
    }

    #[test]
    fn a_uuid_in_a_request_is_one_in_either_case() {
        for (text, expected) in [
            (
                "0190A6F2-7b1c-7def-8a01-23456789abcd",
                Some("0190a6f2-7b1c-7def-8a01-23456789abcd"),
            ),
            ("7", None),
            ("..", None),
        ] {
            let mut errors = ValidationErrors::new();
            let decoded = V7::decode(Value::Raw(text.into()), &mut errors);
            assert_eq!(decoded.map(|id| id.to_string()).as_deref(), expected);
            assert_eq!(errors.is_empty(), expected.is_some());
        }
    }
}
