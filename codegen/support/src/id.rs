//! The ids of resources: numbers with a type for each resource.

use super::decode;
use super::validation_errors::ValidationErrors;
use super::value::Value;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

/// The id of one `R`. One generic type, so that its methods are compiled once.
pub struct Id<R> {
    number: i64,
    of: PhantomData<fn() -> R>,
}

impl<R> Id<R> {
    /// An id from its number.
    pub const fn new(number: i64) -> Self {
        Self {
            number,
            of: PhantomData,
        }
    }

    /// The number.
    pub const fn get(self) -> i64 {
        self.number
    }

    /// Decodes an id of a request. Reports the error and returns `None` if it is invalid.
    pub fn decode(value: Value, errors: &mut ValidationErrors) -> Option<Self> {
        decode::id(value, errors).map(Self::new)
    }
}

impl<R> Clone for Id<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Id<R> {}

impl<R> PartialEq for Id<R> {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl<R> Eq for Id<R> {}

impl<R> PartialOrd for Id<R> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<R> Ord for Id<R> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.number.cmp(&other.number)
    }
}

impl<R> Hash for Id<R> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}

impl<R> fmt::Debug for Id<R> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Id").field(&self.number).finish()
    }
}

impl<R> fmt::Display for Id<R> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number.fmt(out)
    }
}

impl<R> Serialize for Id<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.number.serialize(serializer)
    }
}

impl<'de, R> Deserialize<'de> for Id<R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        i64::deserialize(deserializer).map(Self::new)
    }
}
