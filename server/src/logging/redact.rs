//! Redacts a line: removes text that could be a credential, control characters that could forge a line or a terminal
//! command, and everything beyond [`MAX_LINE`] bytes.

use std::borrow::Cow;

use visible::visible;

/// A sequence of this many letters and digits may be a credential: it is longer than any word, id or number of a
/// request.
const SUSPICIOUS: usize = 32;
/// The maximum bytes of a line.
pub(super) const MAX_LINE: usize = 4 * 1024;
/// The maximum bytes of one text in a JSON line that would otherwise be too long.
pub(super) const MAX_TEXT: usize = 1024;
/// Replaces removed text.
const LEFT_OUT: &str = "…";
/// The beginning of a colour sequence.
const ESCAPE: &str = "\u{1b}";

/// Redacts a line of text. In a `coloured` line, colour sequences stay.
pub(super) fn text(line: &[u8], coloured: bool) -> Cow<'_, [u8]> {
    if line.len() <= MAX_LINE && line.strip_suffix(b"\n").is_some_and(is_fit) {
        return line.into();
    }
    let line = String::from_utf8_lossy(line);
    let line = unsuspicious(line.trim_end_matches('\n'));
    let line = match coloured {
        true => line.split(ESCAPE).map(visible).collect::<Vec<_>>().join(ESCAPE),
        false => visible(&line),
    };
    let mut redacted = cut(&line, MAX_LINE).into_bytes();
    redacted.push(b'\n');
    redacted.into()
}

/// Whether a text needs no change, as most.
fn is_fit(text: &[u8]) -> bool {
    // Without an early end, so that the compiler checks many bytes at once.
    let is_printable = text.iter().fold(true, |all, byte| all & matches!(byte, b' '..=b'~'));
    is_printable && !has_credential(text)
}

/// Whether it has a run of letters and digits that may be a credential. Such a run covers each such number of places, one of
/// which is looked at.
fn has_credential(text: &[u8]) -> bool {
    (SUSPICIOUS - 1..text.len()).step_by(SUSPICIOUS).any(|place| {
        let (before, after) = text.split_at(place);
        let before = before.iter().rev().take_while(|byte| is_of_word(**byte));
        let after = after.iter().take_while(|byte| is_of_word(**byte));
        match after.take(SUSPICIOUS).count() {
            0 => false,
            after => after + before.take(SUSPICIOUS).count() >= SUSPICIOUS,
        }
    })
}

/// Redacts a text, and cuts it to this many bytes.
pub(super) fn value(text: &str, bytes: usize) -> Cow<'_, str> {
    if text.len() <= bytes && is_fit(text.as_bytes()) {
        return text.into();
    }
    cut(&unsuspicious(text), bytes).into()
}

/// Splits into sequences of letters and digits, and of other bytes.
fn runs(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.chunk_by(|one, next| is_of_word(*one) && is_of_word(*next))
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Removes text that could be a credential.
fn unsuspicious(text: &str) -> String {
    let redacted: Vec<&[u8]> = runs(text.as_bytes())
        .map(|run| {
            if run.len() < SUSPICIOUS {
                run
            } else {
                LEFT_OUT.as_bytes()
            }
        })
        .collect();
    String::from_utf8_lossy(&redacted.concat()).into_owned()
}

/// At most this many bytes of the text, with a mark if it was cut.
fn cut(text: &str, bytes: usize) -> String {
    if text.len() <= bytes {
        return text.to_owned();
    }
    let mut end = bytes - LEFT_OUT.len();
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}{LEFT_OUT}", &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redacted(line: &str) -> String {
        String::from_utf8(text(line.as_bytes(), false).into_owned()).expect("text")
    }

    #[test]
    fn what_could_be_a_credential_is_left_out() {
        let secret = contract::operator_token::mint();
        let line = format!("GET path=\"/keys/{secret}\" x={secret}, id=0123456789abcdef 東京\n");
        assert_eq!(redacted(&line), "GET path=\"/keys/…\" x=…, id=0123456789abcdef 東京\n");
        assert_eq!(value(&format!("/keys/{secret}"), MAX_TEXT), "/keys/…");
    }

    #[test]
    fn a_run_is_found_wherever_it_begins_and_however_long_it_is() {
        for (start, length) in (0..70).flat_map(|start| [31, 32, 33, 64, 200].map(|length| (start, length))) {
            let text = [".".repeat(start), "x".repeat(length), ".".repeat(40)].concat();
            assert_eq!(has_credential(text.as_bytes()), length >= SUSPICIOUS, "{text}");
        }
    }

    #[test]
    fn a_line_is_cut_where_it_is_too_long() {
        for long in ["/ab", "東京/", "\"\\", "\u{9b}"].map(|piece| piece.repeat(100_000)) {
            let line = redacted(&long);
            assert!(
                line.len() <= MAX_LINE + 1 && line.ends_with("…\n"),
                "{} bytes",
                line.len()
            );
        }
    }

    #[test]
    fn nothing_in_a_line_is_a_line_or_a_command_of_a_terminal() {
        let hostile = "a\nb\r\tc\u{1b}[2J\u{9b}31m\u{202e}\u{2028}\u{7f}\0";
        assert_eq!(
            redacted(&format!("{hostile}\n")),
            "a\\nb\\u{d}\\u{9}c\\u{1b}[2J\\u{9b}31m\\u{202e}\\u{2028}\\u{7f}\\u{0}\n"
        );
        let coloured = text("\u{1b}[2mINFO\u{1b}[0m\nb\u{9b}\n".as_bytes(), true);
        assert_eq!(&*coloured, "\u{1b}[2mINFO\u{1b}[0m\\nb\\u{9b}\n".as_bytes());
    }
}
