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

/// A text with its position. It dereferences to the text. Two are equal if their texts are, wherever they are.
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

impl PartialEq for Word {
    fn eq(&self, other: &Word) -> bool {
        self.text == other.text
    }
}

impl PartialEq<&str> for Word {
    fn eq(&self, other: &&str) -> bool {
        self.text == *other
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
