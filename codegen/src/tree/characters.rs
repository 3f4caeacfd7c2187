//! Characters that cannot be seen, and bytes as places.

use crate::report::Report;
use crate::spec::Span;

/// A mark of the order of bytes, which some editors put before everything else.
const MARK: char = '\u{feff}';
/// At most so many forbidden characters are reported: a file with more of them is no text.
const MOST: usize = 10;

/// The text without the mark that may stand before it.
pub(super) fn without_mark(source: &str) -> &str {
    source.strip_prefix(MARK).unwrap_or(source)
}

/// The number of bytes of that mark.
pub(super) fn mark(source: &str) -> usize {
    source.len() - without_mark(source).len()
}

/// Reports characters that cannot be seen: YAML forbids most of them, and takes others for ends of lines.
pub(super) fn forbidden(source: &str) -> Vec<Report> {
    let text = without_mark(source);
    let mut lines = 1;
    let mut line_start = 0;
    let mut reports = Vec::new();
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
            let message = format!("the character U+{:04X} may not stand here", c as u32);
            let help = "it cannot be seen: remove it, or write it as an escape in double quotes";
            reports.push(Report::new("syntax", at, message).help(help));
        }
        if reports.len() == MOST {
            break;
        }
    }
    reports
}

fn is_forbidden(c: char, rest: &str) -> bool {
    match c {
        '\t' => false,
        '\r' => !rest.starts_with("\r\n"),
        '\u{2028}' | '\u{2029}' | MARK | '\u{fffe}' | '\u{ffff}' => true,
        _ => c.is_control(),
    }
}
