//! A place in the text that only moves on, and the characters around it.

use crate::report::Report;
use crate::spec::Span;

/// A place in the text.
pub(super) struct Cursor<'s> {
    rest: &'s str,
    at: Span,
}

impl<'s> Cursor<'s> {
    pub(super) fn new(source: &'s str) -> Self {
        Cursor {
            rest: source,
            at: Span { line: 1, column: 1 },
        }
    }

    pub(super) fn at(&self) -> Span {
        self.at
    }

    /// Moves on to a place; false if that lies behind.
    pub(super) fn advance(&mut self, to: Span) -> bool {
        while self.at < to && self.step().is_some() {}
        self.at == to
    }

    /// The character that stands here.
    pub(super) fn next(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Where a character stands next.
    pub(super) fn find(&mut self, wanted: char) -> Span {
        while self.next().is_some_and(|c| c != wanted) {
            self.step();
        }
        self.at
    }

    /// Where the next document begins.
    pub(super) fn next_document(&mut self) -> Span {
        while self.at.column > 1 || !self.rest.starts_with("---") {
            if self.step().is_none() {
                break;
            }
        }
        self.at
    }

    fn step(&mut self) -> Option<char> {
        let c = self.next()?;
        self.rest = &self.rest[c.len_utf8()..];
        if c == '\n' {
            self.at.line += 1;
            self.at.column = 1;
        } else {
            self.at.column += 1;
        }
        Some(c)
    }
}

/// Reports a character that cannot be seen: YAML forbids most of them, and takes others for ends of lines.
pub(super) fn forbidden_character(source: &str) -> Option<Report> {
    let mut cursor = Cursor::new(source);
    while let Some(c) = cursor.next() {
        let forbidden = match c {
            '\n' | '\t' => false,
            '\r' => !cursor.rest.starts_with("\r\n"),
            '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => true,
            // Nobody sees these: no blank, a soft hyphen, marks that turn the direction of what stands around them.
            '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2060}' => true,
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
            _ => c.is_control(),
        };
        if forbidden {
            let message = format!("the character U+{:04X} may not stand here", c as u32);
            return Some(Report::new("syntax", cursor.at, message));
        }
        cursor.step();
    }
    None
}
