//! What a request says before anyone knows what it means: JSON, or the text of a path segment or query parameter.

pub use super::json::{parse, parse_long};
use bytes::Bytes;

/// A value as it was sent: numbers keep their value and whether they have a point, objects the order of their members and
/// also the members that were given twice.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A JSON number, in its shortest decimal notation, with a point or exponent only if it was not sent as an integer.
    Number(String),
    /// A JSON string, without its quotes and escapes.
    Text(String),
    /// A JSON array.
    List(Vec<Value>),
    /// A JSON object: every member, in the order sent.
    Object(Vec<(String, Value)>),
    /// A long JSON array, as text that was checked.
    LongList(Bytes),
    /// A long JSON object, as text that was checked.
    LongObject(Bytes),
    /// The decoded text of a path segment or query parameter, whose type is for the decoder to say.
    Raw(String),
}

impl Value {
    /// What it is, for a sentence: "must be a string, not a list".
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) | Self::Raw(_) => "a string",
            Self::List(_) | Self::LongList(_) => "a list",
            Self::Object(_) | Self::LongObject(_) => "an object",
        }
    }
}
