//! The names of records in findings.

use std::fmt;

use codegen_support::Key;

use crate::engine::Bytes;
use crate::findings::Hex;
use crate::record::Record;
use crate::service::Service;

/// The name of a record, which may not exist.
#[derive(Clone)]
pub struct Name {
    key: Bytes,
    text: fn(&[u8]) -> String,
}

impl Name {
    /// The record of this kind with this id.
    pub fn of<S: Service, R: Record<S>>(key: &R::Key) -> Self {
        Self::at::<S, R>(&key.bytes())
    }

    /// The record of this kind under this key, which may be malformed.
    pub fn at<S: Service, R: Record<S>>(key: &[u8]) -> Self {
        let text = |key: &[u8]| match R::Key::read(key) {
            Some(id) => R::name(&id),
            None => of_bytes(R::NOUN, key),
        };
        let key = key.into();
        Self { key, text }
    }
}

/// The name of what is under a key that says nothing to people.
pub(crate) fn of_bytes(noun: &str, key: &[u8]) -> String {
    format!("{noun} {}", Hex(key))
}

impl fmt::Display for Name {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&(self.text)(&self.key))
    }
}
