//! What can be wrong with a value of a request: a text for people, and a code with values for programs.

use std::borrow::Cow;
use std::fmt::Display;

/// The maximum number of bytes of the codes of one request. Those that come after it are left out.
pub(crate) const MAX_CODES_BYTES: usize = 2 * 1_024;

/// Declares the codes of faults with their words.
macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $word:literal,)*) => {
        /// The kind of a fault of a value. `codegen::fault_codes::ALL` explains each, with its values, and those of a whole request.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Code {
            $($(#[$doc])* $name,)*
        }

        impl Code {
            /// All codes.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The code as it is sent.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $word,)*
                }
            }
        }
    };
}

codes! {
    /// A required value is absent.
    Required = "required",
    /// Null, where the value must not be null.
    Null = "null",
    /// A name that is not known.
    Unknown = "unknown",
    /// A name that was sent more than once.
    Repeated = "repeated",
    /// An empty text.
    Empty = "empty",
    /// A value of another type.
    Type = "type",
    /// The number of characters.
    Length = "length",
    /// The number of items.
    Items = "items",
    /// The number of bytes.
    Bytes = "bytes",
    /// A number outside an inclusive range.
    Range = "range",
    /// A number that must be above a bound.
    Above = "above",
    /// The number of decimals.
    Decimals = "decimals",
    /// A number that no IEEE 754 double can hold.
    Double = "double",
    /// Other characters than those that are allowed.
    Characters = "characters",
    /// A control character.
    Control = "control",
    /// A text without a visible character.
    Blank = "blank",
    /// A control of the direction of text.
    Bidi = "bidi",
    /// None of the allowed words.
    Choice = "choice",
    /// A day that does not exist, or in another notation.
    Date = "date",
    /// A text of another format.
    Format = "format",
    /// An item that is in a list twice.
    Duplicate = "duplicate",
    /// A lower bound above its upper bound.
    Order = "order",
    /// None of several members, of which at least one is required.
    Any = "any",
    /// Text that is not UTF-8, or not percent-encoded.
    Encoding = "encoding",
    /// A body that is not JSON.
    Json = "json",
    /// A cursor that the feed has not returned.
    Cursor = "cursor",
    /// What is no idempotency key.
    Key = "key",
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

/// A fault as an error response lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedFault {
    text: String,
    /// `headline;length;1;200`
    coded: String,
}

impl ListedFault {
    pub(crate) fn new(text: String, coded: String) -> Self {
        Self { text, coded }
    }

    /// The sentence for people.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The place of the value in declared names: `skills[2]`. Empty for the whole body or request.
    pub fn place(&self) -> &str {
        self.part(0)
    }

    /// The [code](Code), without its values: `length`.
    pub fn code(&self) -> &str {
        self.part(1)
    }

    /// The place, the code and its values, as error headers list them.
    pub fn coded(&self) -> &str {
        &self.coded
    }

    fn part(&self, nth: usize) -> &str {
        self.coded.split(';').nth(nth).unwrap_or_default()
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
