//! Invisible characters and lookalikes, and the byte order mark.

use crate::diagnostic::{Diagnostic, Rule};
use crate::span::Span;

/// The byte order mark, which some editors write at the start of a file.
const MARK: char = '\u{feff}';
/// Characters that look like a character of YAML, with the name of what was meant.
const LOOKALIKES: [(char, &str); 14] = [
    ('\u{a0}', "this is a no-break space (U+00A0): use a normal space"),
    ('\u{3000}', "this is an ideographic space (U+3000): use a normal space"),
    ('\u{201c}', "this is a curly quote (U+201C): use `\"`"),
    ('\u{201d}', "this is a curly quote (U+201D): use `\"`"),
    ('\u{2018}', "this is a curly quote (U+2018): use `'`"),
    ('\u{2019}', "this is a curly quote (U+2019): use `'`"),
    ('\u{ff1a}', "this is a full-width colon (U+FF1A): use `:`"),
    ('\u{ff0c}', "this is a full-width comma (U+FF0C): use `,`"),
    ('\u{3001}', "this is an ideographic comma (U+3001): use `,`"),
    ('\u{ff5b}', "this is a full-width brace (U+FF5B): use `{`"),
    ('\u{ff5d}', "this is a full-width brace (U+FF5D): use `}`"),
    ('\u{ff3b}', "this is a full-width bracket (U+FF3B): use `[`"),
    ('\u{ff3d}', "this is a full-width bracket (U+FF3D): use `]`"),
    ('\u{2013}', "this is a dash (U+2013): use `-`"),
];

/// The first lookalike in a text: its byte, and what was meant.
pub(super) fn lookalike(text: &str) -> Option<(usize, &'static str)> {
    text.char_indices().find_map(|(start, c)| {
        let (_, meant) = LOOKALIKES.iter().find(|(lookalike, _)| *lookalike == c)?;
        Some((start, *meant))
    })
}

/// Maximum number of diagnostics. A file with more forbidden characters is not text.
const MOST: usize = 10;

/// The text without the byte order mark.
pub(super) fn without_mark(source: &str) -> &str {
    source.strip_prefix(MARK).unwrap_or(source)
}

/// The number of bytes of the byte order mark.
pub(super) fn mark(source: &str) -> usize {
    source.len() - without_mark(source).len()
}

/// Reports invisible characters. YAML forbids most of them, and takes others for line ends.
pub(super) fn forbidden(source: &str) -> Vec<Diagnostic> {
    let text = without_mark(source);
    let mut lines = 1;
    let mut line_start = 0;
    let mut diagnostics = Vec::new();
    for (start, c) in text.char_indices() {
        if c == '\n' {
            lines += 1;
            line_start = start + 1;
        } else if is_forbidden(c, &text[start..]) {
            let at = Span {
                line: lines,
                column: text[line_start..start].chars().count() + 1,
                start: mark(source) + start,
                end: mark(source) + start + c.len_utf8(),
            };
            let message = format!("the character U+{:04X} is not allowed here", c as u32);
            let help = "it is invisible: remove it, or write it as an escape in double quotes";
            diagnostics.push(Diagnostic::new(Rule::Syntax, at, message).help(help));
        }
        if diagnostics.len() == MOST {
            break;
        }
    }
    diagnostics
}

fn is_forbidden(c: char, rest: &str) -> bool {
    match c {
        '\t' => false,
        '\r' => !rest.starts_with("\r\n"),
        c => is_unseen(c),
    }
}

/// Whether a character is invisible. (A quoted text can contain it as an escape.)
pub(crate) fn is_unseen(c: char) -> bool {
    match c {
        // Soft hyphen, zero-width space, marks that change the direction of the text around them, word joiner.
        '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2060}' => true,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        '\u{2028}' | '\u{2029}' | MARK | '\u{fffe}' | '\u{ffff}' => true,
        _ => c.is_control(),
    }
}
