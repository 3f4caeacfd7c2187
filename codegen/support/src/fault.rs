//! What can be wrong with a value of a request: a text for people, and a code with values for programs.

use std::borrow::Cow;
use std::fmt::Display;

/// The maximum number of bytes of the codes of one request. Those that come after it are left out.
pub(crate) const MAX_CODES_BYTES: usize = 2 * 1_024;

/// The kind of a fault of a value. `codegen::fault_codes::ALL` explains each, with its values, and those of a whole request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// A required value is absent.
    Required,
    /// Null, where the value must not be null.
    Null,
    /// A name that is not known.
    Unknown,
    /// A name that was sent more than once.
    Repeated,
    /// An empty text.
    Empty,
    /// A value of another type.
    Type,
    /// The number of characters.
    Length,
    /// The number of items.
    Items,
    /// The number of bytes.
    Bytes,
    /// A number outside an inclusive range.
    Range,
    /// A number that must be above a bound.
    Above,
    /// The number of decimals.
    Decimals,
    /// A number that no IEEE 754 double can hold.
    Double,
    /// Other characters than those that are allowed.
    Characters,
    /// A control character.
    Control,
    /// A text without a visible character.
    Blank,
    /// A control of the direction of text.
    Bidi,
    /// None of the allowed words.
    Choice,
    /// A day that does not exist, or in another notation.
    Date,
    /// An item that is in a list twice.
    Duplicate,
    /// A lower bound above its upper bound.
    Order,
    /// None of several members, of which at least one is required.
    Any,
    /// Text that is not UTF-8, or not percent-encoded.
    Encoding,
    /// A body that is not JSON.
    Json,
    /// A cursor that the feed has not returned.
    Cursor,
    /// What is no idempotency key.
    Key,
}

impl Code {
    /// The code as it is sent.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::Null => "null",
            Self::Unknown => "unknown",
            Self::Repeated => "repeated",
            Self::Empty => "empty",
            Self::Type => "type",
            Self::Length => "length",
            Self::Items => "items",
            Self::Bytes => "bytes",
            Self::Range => "range",
            Self::Above => "above",
            Self::Decimals => "decimals",
            Self::Double => "double",
            Self::Characters => "characters",
            Self::Control => "control",
            Self::Blank => "blank",
            Self::Bidi => "bidi",
            Self::Choice => "choice",
            Self::Date => "date",
            Self::Duplicate => "duplicate",
            Self::Order => "order",
            Self::Any => "any",
            Self::Encoding => "encoding",
            Self::Json => "json",
            Self::Cursor => "cursor",
            Self::Key => "key",
        }
    }
}

/// One fault of a value: what is wrong with it, without the place of the value.
#[derive(Clone, Debug)]
pub struct Fault<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) code: Code,
    values: String,
}

impl<'a> Fault<'a> {
    /// A fault with the text that follows the name of the value, such as `must not be empty`.
    pub fn new(code: Code, text: impl Into<Cow<'a, str>>) -> Self {
        Self {
            text: text.into(),
            code,
            values: String::new(),
        }
    }

    /// The same with values. An absent one is empty. A value that has a separator, a space or no ASCII is left out with those
    /// after it.
    pub fn with(mut self, values: impl IntoIterator<Item = impl Display>) -> Self {
        for value in values {
            let value = value.to_string();
            if !value
                .bytes()
                .all(|byte| byte.is_ascii_graphic() && !b";,".contains(&byte))
            {
                break;
            }
            self.values.push(';');
            self.values += &value;
        }
        self
    }

    /// A number outside these inclusive bounds.
    pub(crate) fn range<T: Display>(min: Option<T>, max: Option<T>, text: impl Into<Cow<'a, str>>) -> Self {
        Self::new(Code::Range, text).with([min, max].map(shown))
    }

    /// The fault of the value at this place.
    pub(crate) fn coded(&self, place: &str) -> String {
        format!("{place};{}{}", self.code.as_str(), self.values)
    }
}

/// A bound; empty if there is none.
pub(crate) fn shown<T: Display>(bound: Option<T>) -> String {
    bound.map(|bound| bound.to_string()).unwrap_or_default()
}

/// The codes of several faults, as many as fit.
pub(crate) fn listed(coded: &[String]) -> String {
    let mut list = String::new();
    for one in coded {
        if list.len() + 2 + one.len() > MAX_CODES_BYTES {
            break;
        }
        if !list.is_empty() {
            list += ", ";
        }
        list += one;
    }
    list
}
