//! What of a line is fit to be shown: nothing that could be a credential, nothing that could be taken for another line or
//! for a terminal's command, and not more than [`MAX_LINE`] bytes.

use serde_json::{Value, json};

/// So many letters and digits in a row are no word, no id and no number of a request, but may be a credential.
const SUSPICIOUS: usize = 32;
/// The most bytes of a line.
const MAX_LINE: usize = 4 * 1024;
/// The most bytes of one text in a line of JSON that would otherwise be too long.
const MAX_TEXT: usize = 1024;
/// Stands for what was left out.
const LEFT_OUT: &str = "…";
/// What colours begin with.
const ESCAPE: char = '\u{1b}';

/// A line of text. In a `coloured` one the escapes of the colours stay.
pub(super) fn text(line: &[u8], coloured: bool) -> Vec<u8> {
    if is_fit(line) {
        return line.to_vec();
    }
    let line = String::from_utf8_lossy(line);
    let line = printable(&unsuspicious(line.trim_end_matches('\n')), coloured);
    let mut shown = cut(&line, MAX_LINE).into_bytes();
    shown.push(b'\n');
    shown
}

/// A line of JSON, which stays valid, and is ASCII.
pub(super) fn json(line: &[u8]) -> Vec<u8> {
    if is_fit(line) {
        return line.to_vec();
    }
    let mut value = serde_json::from_slice(line).unwrap_or_else(|fault| json!({ "message": fault.to_string() }));
    shorten(&mut value);
    let shown = ascii(&value);
    if shown.len() <= MAX_LINE {
        return shown;
    }
    let message = format!("a line of {} bytes was left out: it was too long", line.len());
    let mut rest = json!({ "message": message });
    for name in ["timestamp", "level", "target"] {
        rest[name] = value[name].take();
    }
    ascii(&rest)
}

/// Whether the line can be shown as it is, as almost all can.
fn is_fit(line: &[u8]) -> bool {
    let Some(line) = line.strip_suffix(b"\n") else {
        return false;
    };
    let is_plain = line.iter().all(|byte| matches!(byte, b' '..=b'~'));
    is_plain && line.len() < MAX_LINE && runs(line).all(|run| run.len() < SUSPICIOUS)
}

/// Shortens each text, and leaves out what could be a credential.
fn shorten(value: &mut Value) {
    match value {
        Value::String(text) => *text = cut(&unsuspicious(text), MAX_TEXT),
        Value::Array(items) => items.iter_mut().for_each(shorten),
        Value::Object(members) => members.values_mut().for_each(shorten),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn ascii(value: &Value) -> Vec<u8> {
    let mut line = Vec::new();
    let mut units = [0; 2];
    for letter in value.to_string().chars() {
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

/// The runs of letters and digits, and of what stands between them.
fn runs(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_of_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.chunk_by(move |one, next| is_of_word(*one) && is_of_word(*next))
}

/// The text without what could be a credential.
fn unsuspicious(text: &str) -> String {
    let shown: Vec<&[u8]> = runs(text.as_bytes())
        .map(|run| {
            if run.len() < SUSPICIOUS {
                run
            } else {
                LEFT_OUT.as_bytes()
            }
        })
        .collect();
    String::from_utf8_lossy(&shown.concat()).into_owned()
}

/// The text with everything escaped that moves a cursor, ends a line or cannot be seen.
fn printable(text: &str, coloured: bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        let is_shown = matches!(letter, ' '..='~') || coloured && letter == ESCAPE;
        if is_shown {
            shown.push(letter);
        } else {
            shown.extend(letter.escape_debug());
        }
    }
    shown
}

/// At most this many bytes of the text, and then a sign that it went on.
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

    fn shown(line: &str) -> String {
        String::from_utf8(text(line.as_bytes(), false)).expect("text")
    }

    #[track_caller]
    fn shown_json(value: &Value) -> Value {
        let line = json(format!("{value}\n").as_bytes());
        assert!(line.is_ascii() && line.len() <= MAX_LINE, "{} bytes", line.len());
        assert!(line.ends_with(b"\n") && line.iter().filter(|byte| **byte < b' ').count() == 1);
        serde_json::from_slice(&line).expect("JSON")
    }

    #[test]
    fn what_could_be_a_credential_is_left_out() {
        let secret = contract::operator_token::mint();
        let line = format!("GET path=\"/keys/{secret}\" x={secret}, id=0123456789abcdef 東京\n");
        assert_eq!(shown(&line), "GET path=\"/keys/…\" x=…, id=0123456789abcdef 東京\n");
        let value = json!({ "message": "m", "span": { "path": format!("/keys/{secret}"), "all": [secret] } });
        let expected = json!({ "message": "m", "span": { "path": "/keys/…", "all": ["…"] } });
        assert_eq!(shown_json(&value), expected);
    }

    #[test]
    fn an_escape_before_a_credential_stays_whole() {
        let run = "a".repeat(SUSPICIOUS);
        for before in ["\n", "\"", "\\", "\u{1}", "é"] {
            let value = json!({ "message": format!("{before}{run}") });
            assert_eq!(shown_json(&value)["message"], format!("{before}…"), "{before:?}");
        }
    }

    #[test]
    fn a_line_is_cut_where_it_is_too_long() {
        for long in ["/ab", "東京/", "\"\\", "\u{9b}"].map(|piece| piece.repeat(100_000)) {
            let line = shown(&long);
            assert!(
                line.len() <= MAX_LINE + 1 && line.ends_with("…\n"),
                "{} bytes",
                line.len()
            );
            let value = json!({ "timestamp": "then", "level": "INFO", "message": long, "span": { "path": long } });
            let line = shown_json(&value);
            assert_eq!((&line["timestamp"], &line["level"]), (&json!("then"), &json!("INFO")));
        }
    }

    #[test]
    fn nothing_in_a_line_is_a_line_or_a_command_of_a_terminal() {
        let hostile = "a\nb\r\tc\u{1b}[2J\u{9b}31m\u{202e}\u{2028}\u{7f}\0";
        assert_eq!(
            shown(&format!("{hostile}\n")),
            "a\\nb\\r\\tc\\u{1b}[2J\\u{9b}31m\\u{202e}\\u{2028}\\u{7f}\\0\n"
        );
        assert_eq!(shown_json(&json!({ "message": hostile }))["message"], hostile);
        let coloured = text("\u{1b}[2mINFO\u{1b}[0m\nb\u{9b}\n".as_bytes(), true);
        assert_eq!(coloured, "\u{1b}[2mINFO\u{1b}[0m\\nb\\u{9b}\n".as_bytes());
    }
}
