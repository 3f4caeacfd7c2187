//! Recognizes a file that does not have one JSON object per line, by its first bytes. Without this, each of its lines would be
//! rejected on its own.

use std::io::{self, BufRead, ErrorKind};

/// A format other than JSON lines: what the file is, and what to do.
pub(super) type Foreign = (&'static str, &'static str);

/// What a table in UTF-8 is.
pub(super) const TABLE: &str = "CSV or another table";

const SEE_HELP: &str = "`hitode import --help` shows a line";

/// The format of the input if it cannot be JSON lines. Consumes nothing.
pub(super) fn foreign(input: &mut impl BufRead) -> io::Result<Option<Foreign>> {
    loop {
        match input.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            start => return start.map(of_start),
        }
    }
}

fn of_start(start: &[u8]) -> Option<Foreign> {
    if start.starts_with(b"\x1f\x8b") {
        return Some(("compressed by gzip", "`zcat FILE | hitode import -` reads it"));
    }
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
    let first = start.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let first = first.trim_ascii_end();
    let is_separator = |byte: &u8| [b',', b';', b'\t'].contains(byte);
    match first {
        b"" => None,
        b"{" => Some((
            "JSON with line breaks within an object",
            "`jq -c . FILE > FILE.jsonl` writes each object on one line",
        )),
        [b'{', ..] => None,
        [b'[', ..] => Some((
            "a JSON array",
            "`jq -c '.[]' FILE > FILE.jsonl` writes each of its items on one line",
        )),
        _ if std::str::from_utf8(first).is_ok_and(|text| !text.contains('\0')) => {
            match first.iter().any(is_separator) {
                true => Some((TABLE, SEE_HELP)),
                false => Some(("no JSON", SEE_HELP)),
            }
        }
        _ => Some(("no text in UTF-8", SEE_HELP)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(start: &[u8], expected: Option<&str>) {
        let mut input = start;
        let found = foreign(&mut input).expect("readable").map(|(what, _)| what);
        assert_eq!((found, input), (expected, start));
    }

    #[test]
    fn a_file_that_is_not_json_lines_is_recognized() {
        check(b"name,city\nSato,Tokyo\n", Some(TABLE));
        check("\u{feff}名前;都市\r\n".as_bytes(), Some(TABLE));
        check(b"[\n  {\"name\": \"Sato\"}\n]\n", Some("a JSON array"));
        check(b"[{\"name\": \"Sato\"}]", Some("a JSON array"));
        check(
            b"{\n  \"name\": \"Sato\"\n}\n",
            Some("JSON with line breaks within an object"),
        );
        check(b"---\nname: Sato\n", Some("no JSON"));
        check(b"\x1f\x8b\x08\x00", Some("compressed by gzip"));
        check(b"\xff\xfe{\x00", Some("no text in UTF-8"));
        check(b"PK\x03\x04\x14\x00", Some("no text in UTF-8"));
    }

    #[test]
    fn json_lines_are_not_foreign_even_if_a_line_is_wrong() {
        for start in [
            "",
            "\n \n",
            "{}",
            "\u{feff}\n {\"name\": \"Sato\"}\n",
            "{\"name\": \n",
            "{},{}\n",
        ] {
            check(start.as_bytes(), None);
        }
    }
}
