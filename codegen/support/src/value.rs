//! The undecoded values of a request: JSON, or the text of a path segment or query parameter.

use bytes::Bytes;

/// A value as it was sent: numbers keep their value and whether they have a point; objects keep the order of their
/// members, and repeated members.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A JSON number in its shortest decimal notation, with a point or exponent only if it was not sent as an integer.
    Number(String),
    /// A JSON string, without its quotes and escapes.
    Text(String),
    /// A JSON array.
    List(Vec<Value>),
    /// A JSON object: every member, in the order sent.
    Object(Vec<(String, Value)>),
    /// A long JSON array, as validated text.
    LongList(Bytes),
    /// A long JSON object, as validated text.
    LongObject(Bytes),
    /// The decoded text of a path segment or query parameter; the decoder decides its type.
    Raw(String),
}

impl Value {
    /// The kind of the value, for error texts: "must be a string, not a list".
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
