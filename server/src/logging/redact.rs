//! Redacts a line: removes text that could be a credential, control characters that could forge a line or a terminal
//! command, and everything beyond [`MAX_LINE`] bytes.

use serde_json::Value;
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
pub(super) fn text(line: &[u8], coloured: bool) -> Vec<u8> {
    if is_fit(line) {
        return line.to_vec();
    }
    let line = String::from_utf8_lossy(line);
    let line = unsuspicious(line.trim_end_matches('\n'));
    let line = match coloured {
        true => line.split(ESCAPE).map(visible).collect::<Vec<_>>().join(ESCAPE),
        false => visible(&line),
    };
    let mut redacted = cut(&line, MAX_LINE).into_bytes();
    redacted.push(b'\n');
    redacted
}

/// Whether the line needs no change, as most lines.
fn is_fit(line: &[u8]) -> bool {
    let Some(line) = line.strip_suffix(b"\n") else {
        return false;
    };
    let mut run = 0;
    let is_harmless = |byte: &u8| {
        run = if is_of_word(*byte) { run + 1 } else { 0 };
        run < SUSPICIOUS && matches!(byte, b' '..=b'~')
    };
    line.len() < MAX_LINE && line.iter().all(is_harmless)
}

/// Redacts each text of a value, and cuts it to this many bytes.
pub(super) fn value(value: &mut Value, bytes: usize) {
    match value {
        Value::String(text) => *text = cut(&unsuspicious(text), bytes),
        Value::Array(items) => items.iter_mut().for_each(|item| self::value(item, bytes)),
        Value::Object(members) => members.values_mut().for_each(|member| self::value(member, bytes)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// JSON as one ASCII line.
pub(super) fn ascii(json: &str) -> Vec<u8> {
    let mut line = Vec::new();
    let mut units = [0; 2];
    for letter in json.chars() {
        if letter.is_ascii() && !letter.is_ascii_control() {
            line.push(letter as u8);
        } else {
            for unit in letter.encode_utf16(&mut units) {
                line.extend_from_slice(format!("\\u{unit:04x}").as_bytes());
            }
        }
    }
    line.push(b'\n');
    line
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
        String::from_utf8(text(line.as_bytes(), false)).expect("text")
    }

    #[test]
    fn what_could_be_a_credential_is_left_out() {
        let secret = contract::operator_token::mint();
        let line = format!("GET path=\"/keys/{secret}\" x={secret}, id=0123456789abcdef 東京\n");
        assert_eq!(redacted(&line), "GET path=\"/keys/…\" x=…, id=0123456789abcdef 東京\n");
        let mut of_json = serde_json::json!({ "path": format!("/keys/{secret}"), "all": [secret] });
        value(&mut of_json, MAX_TEXT);
        assert_eq!(of_json, serde_json::json!({ "path": "/keys/…", "all": ["…"] }));
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
        assert_eq!(coloured, "\u{1b}[2mINFO\u{1b}[0m\\nb\\u{9b}\n".as_bytes());
    }
}
