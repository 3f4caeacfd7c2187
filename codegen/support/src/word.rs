//! Words of enumerations, as they are stored and displayed.

use serde::Deserializer;
use serde::de::{Error, Visitor};
use std::fmt;

/// Reads one of these words; returns its index.
///
/// # Errors
/// If it is another word, or not a word.
pub fn word<'de, D: Deserializer<'de>>(deserializer: D, words: &'static [&'static str]) -> Result<usize, D::Error> {
    deserializer.deserialize_str(Words(words))
}

struct Words(&'static [&'static str]);

impl Visitor<'_> for Words {
    type Value = usize;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "one of {}", self.0.join(", "))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<usize, E> {
        let place = self.0.iter().position(|word| *word == text);
        place.ok_or_else(|| E::unknown_variant(text, self.0))
    }
}
