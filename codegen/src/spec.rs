//! The content of `api.yaml` as written, with the position of every word.
//!
//! [`crate::syntax`] declares the sections, and this module the values in them. [`crate::read`] makes a [`Spec`] from
//! text, [`crate::check`] reports its errors, and [`crate::resolve`] makes the model from it. Nothing is resolved here:
//! a name may refer to nothing.

mod table;

use crate::matching::Matching;
pub use crate::syntax::{
    Api, Body, BodyBounds, BodyUse, Contact, Credential, Data, Decision, Endpoint, EnumDef, Envelope, ErrorEntry,
    FreeFormDef, IntegerDef, License, Limit, ListDef, MinRate, NamedType, NumberDef, Pages, Quota, Resource, Spec,
    StateDef, StringDef, Success, Surface, TypeDef, Untestable, ViewField,
};
pub use table::Table;

/// A range in the file: the position of its start, and its bytes. The default is no position: that of something missing
/// that has been reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The first byte, from 0.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
}

impl Span {
    /// Whether this is no position.
    pub(crate) fn is_unknown(self) -> bool {
        self.line == 0
    }
}

/// A text with its position.
#[derive(Clone, Debug, Default)]
pub struct Word {
    /// The text itself.
    pub text: String,
    /// Its position.
    pub at: Span,
}

impl Word {
    /// A part of this word: `piece` is a slice of its text. The part has its own position if the word is in the file
    /// unchanged, with or without quotes. Otherwise it has the position of the word.
    pub(crate) fn part(&self, piece: &str) -> Word {
        let text = piece.to_owned();
        let before = (piece.as_ptr() as usize)
            .checked_sub(self.text.as_ptr() as usize)
            .and_then(|length| self.text.get(..length));
        let quote = match (self.at.end - self.at.start).checked_sub(self.text.len()) {
            Some(0) => 0,
            Some(2) => 1,
            _ => return Word { text, at: self.at },
        };
        let at = before.map_or(self.at, |before| {
            let start = self.at.start + quote + before.len();
            Span {
                line: self.at.line,
                column: self.at.column + quote + before.chars().count(),
                start,
                end: start + piece.len(),
            }
        });
        Word { text, at }
    }
}

/// A number with its position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Num {
    /// The value. It is whole where the language requires an integer.
    pub value: f64,
    /// Its position.
    pub at: Span,
}

/// The value of a member of the envelope.
#[derive(Clone, Debug)]
pub enum EnvelopeValue {
    /// A literal, as JSON text (`true`, `"text"`, `7`, `null`).
    Literal(String),
    /// `$name` or `$name?`; the word holds the name alone.
    Placeholder {
        /// `data`, `message`, `siblings`, `text`, `code`, `status`, `request_id`
        name: Word,
        /// Whether the member is omitted if there is no value.
        optional: bool,
    },
}

/// A use of a type: `title`, `title?`, `[Author]`, `size = 20 -- How many.`.
#[derive(Clone, Debug)]
pub struct TypeUse {
    /// The name: a type, an enum, an object, an input, a built-in, `Book.id` or a view such as `Book.list`.
    pub name: Word,
    /// Whether it is a list (`[name]`).
    pub list: bool,
    /// Whether it may be null or absent (`?`).
    pub optional: bool,
    /// The default (`= value`), as written.
    pub default: Option<Word>,
    /// The description (` -- text`).
    pub doc: Option<Word>,
}

/// A guard.
#[derive(Clone, Debug)]
pub enum Guard {
    /// `plan verified`
    Plan(Word),
    /// `exists Book`, `exists Copy in Book`
    Exists {
        /// What must exist.
        resource: Word,
        /// The resource that it must belong to.
        parent: Option<Word>,
    },
    /// `owner Book`
    Owner(Word),
}

/// `100/min`
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// Maximum requests in a window.
    pub max: Num,
    /// Length of the window in seconds.
    pub window_seconds: u32,
}

/// A condition on the rows of a list.
#[derive(Clone, Debug)]
pub struct Filter {
    /// What the field is compared with.
    pub by: FilterBy,
    /// A field of the listed resource. `skills[].name` picks a member of each item.
    pub field: Word,
    /// Position in the file.
    pub at: Span,
}

/// What a [`Filter`] compares its field with.
#[derive(Clone, Debug)]
pub enum FilterBy {
    /// `tag = tags`, `least <= price`: a parameter of the path or the query.
    Parameter(Word, Matching),
    /// `$caller = owner_id`: the caller.
    Caller(Word),
    /// `status is open`: a fixed value of the field.
    Value(Word),
}
