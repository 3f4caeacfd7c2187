//! Positions in the file, and texts and numbers with their position.

use std::fmt;
use std::ops::Deref;

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

/// A text with its position. It dereferences to the text. It is equal to each same text, wherever that is.
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

impl Deref for Word {
    type Target = String;

    fn deref(&self) -> &String {
        &self.text
    }
}

impl fmt::Display for Word {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

impl AsRef<str> for Word {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl<T: AsRef<str> + ?Sized> PartialEq<T> for Word {
    fn eq(&self, other: &T) -> bool {
        self.text == other.as_ref()
    }
}

/// A number with its position. Two are equal if their values are, wherever they are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Num {
    /// The value. It is whole where the language requires an integer.
    pub value: f64,
    /// Its position.
    pub at: Span,
}

impl PartialEq for Num {
    fn eq(&self, other: &Num) -> bool {
        self.value == other.value
    }
}

impl Num {
    /// The value where it is checked to be whole and not negative.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked: whole and not negative"
    )]
    pub fn whole(self) -> u64 {
        self.value as u64
    }

    /// The same for a value below 2^32.
    pub fn small(self) -> u32 {
        u32::try_from(self.whole()).unwrap_or(u32::MAX)
    }
}
