//! The lines of an import: read one at a time in bounded memory, numbered, each with its end position. Knows JSON;
//! must not know the members of a worker, which the server validates.

use std::io::{self, BufRead, ErrorKind};

use contract::support::Value;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::digest::Digest;

/// More bytes than any worker can have.
pub(super) const LONGEST: usize = 1 << 20;

/// A position between two lines, with a digest of everything before it, to detect changed files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    /// The number of lines before it.
    pub(super) line: u64,
    /// The number of bytes before it.
    pub(super) offset: u64,
    /// The SHA-256 digest of these bytes.
    pub(super) sha256: String,
}

/// A non-blank line.
pub(super) struct Line {
    /// Counted from 1; blank lines count.
    pub(super) number: u64,
    /// One JSON value, or why it is invalid.
    pub(super) text: Result<String, String>,
    /// The line, if it is text and not too long.
    pub(super) source: Option<String>,
    /// The position of its end.
    end: Position,
}

#[derive(Clone, Default)]
struct Position {
    line: u64,
    offset: u64,
    hasher: Sha256,
}

/// The lines of `input`.
pub(super) struct Lines<R> {
    input: R,
    position: Position,
    /// Whether the last counted line continues after `position`.
    is_within: bool,
}

impl Line {
    /// The position after the line.
    pub(super) fn checkpoint(&self) -> Checkpoint {
        self.end.checkpoint()
    }

    /// The JSON value of a valid line.
    pub(super) fn json(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }
}

impl Position {
    fn checkpoint(&self) -> Checkpoint {
        let digest: [u8; 32] = self.hasher.clone().finalize().into();
        Checkpoint {
            line: self.line,
            offset: self.offset,
            sha256: Digest::from(digest).to_hex(),
        }
    }
}

impl<R: BufRead> Lines<R> {
    /// Starts at the beginning.
    pub(super) fn from_input(input: R) -> Self {
        Self {
            input,
            position: Position::default(),
            is_within: false,
        }
    }

    /// How many bytes were read.
    pub(super) fn offset(&self) -> u64 {
        self.position.offset
    }

    /// Advances to `checkpoint`. Returns whether the skipped bytes are those that were there when the checkpoint was
    /// set.
    pub(super) fn skip_to(&mut self, checkpoint: &Checkpoint) -> io::Result<bool> {
        while self.position.offset < checkpoint.offset {
            let wanted = usize::try_from(checkpoint.offset - self.position.offset).unwrap_or(usize::MAX);
            let mut is_within = false;
            let taken = self.take(|chunk| chunk.len().min(wanted), &mut |part| {
                is_within = !part.ends_with(b"\n")
            })?;
            if taken == 0 {
                return Ok(false);
            }
            self.is_within = is_within;
        }
        self.position.line = checkpoint.line;
        Ok(self.position.checkpoint() == *checkpoint)
    }

    /// The next non-blank line.
    pub(super) fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let Some(bytes) = self.next_bytes()? else {
                return Ok(None);
            };
            if bytes.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let source = (bytes.len() <= LONGEST)
                .then(|| String::from_utf8(bytes.clone()).ok())
                .flatten();
            return Ok(Some(Line {
                source: source.map(|source| source.trim_end().to_owned()),
                number: self.position.line,
                text: json(bytes, self.position.line == 1),
                end: self.position.clone(),
            }));
        }
    }

    /// The bytes of the next line; of one that is too long, only enough to detect that.
    fn next_bytes(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        let mut ended = false;
        while !ended {
            let to_its_end = |chunk: &[u8]| {
                chunk
                    .iter()
                    .position(|byte| *byte == b'\n')
                    .map_or(chunk.len(), |at| at + 1)
            };
            let taken = self.take(to_its_end, &mut |part| {
                ended = part.ends_with(b"\n");
                let room = (LONGEST + 1).saturating_sub(line.len());
                line.extend_from_slice(&part[..part.len().min(room)]);
            })?;
            if taken == 0 {
                break;
            }
        }
        if line.is_empty() {
            return Ok(None);
        }
        // If the last line had no line end, bytes that are appended to the file still belong to it.
        self.position.line += u64::from(!self.is_within);
        self.is_within = !ended;
        Ok(Some(line))
    }

    /// Consumes as many buffered bytes as `amount` returns, and passes them to `show`; 0 at the end.
    fn take(&mut self, amount: impl Fn(&[u8]) -> usize, show: &mut dyn FnMut(&[u8])) -> io::Result<usize> {
        let chunk = loop {
            match self.input.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                Ok(_) => break self.input.fill_buf()?,
            }
        };
        let part = &chunk[..amount(chunk)];
        self.position.hasher.update(part);
        show(part);
        let taken = part.len();
        self.input.consume(taken);
        self.position.offset += taken as u64;
        Ok(taken)
    }
}

/// "line 7", or "lines 7 to 9".
pub(super) fn named(lines: &[Line]) -> String {
    match lines {
        [first, .., last] => format!("lines {} to {}", first.number, last.number),
        [only] => format!("line {}", only.number),
        [] => "no line".to_owned(),
    }
}

/// The line as one JSON value, or why it is invalid. Some programs begin a file with a byte order mark.
fn json(bytes: Vec<u8>, is_first: bool) -> Result<String, String> {
    if bytes.len() > LONGEST {
        return Err(format!("the line is longer than {LONGEST} bytes"));
    }
    let text = String::from_utf8(bytes)
        .map_err(|error| format!("the line is not UTF-8 after byte {}", error.utf8_error().valid_up_to()))?;
    let text = text
        .strip_prefix('\u{feff}')
        .filter(|_| is_first)
        .unwrap_or(&text)
        .trim();
    match serde_json::from_str::<Value>(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(error) => Err(format!(
            "the line is not valid JSON: {}",
            error.to_string().replace(" at line 1 column ", " at column ")
        )),
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    /// The lines of `bytes`, the same for any buffer size.
    fn read(bytes: &[u8]) -> Vec<(u64, Result<String, String>)> {
        let at_once = |size| {
            let mut lines = Lines::from_input(BufReader::with_capacity(size, bytes));
            let next = || lines.next().expect("readable").map(|line| (line.number, line.text));
            std::iter::from_fn(next).collect::<Vec<_>>()
        };
        assert_eq!(at_once(3), at_once(1 << 16));
        at_once(3)
    }

    #[test]
    fn lines_are_numbered_and_blank_ones_passed_over() {
        let good = |number: u64, text: &str| (number, Ok(text.to_owned()));
        assert_eq!(read(b""), []);
        assert_eq!(read(b"\n \n"), []);
        assert_eq!(
            read(b"\xef\xbb\xbf{\"a\": 1}\r\n\n  {}\n[\"\xe4\xba\xba\"]"),
            [good(1, "{\"a\": 1}"), good(3, "{}"), good(4, "[\"人\"]")]
        );
    }

    #[test]
    fn what_is_no_json_value_says_why() {
        let why = |bytes: &[u8]| match read(bytes).remove(0) {
            (1, Err(why)) => why,
            other => panic!("{other:?}"),
        };
        assert_eq!(
            why(b"{\"a\": }"),
            "the line is not valid JSON: expected value at column 7"
        );
        assert_eq!(
            why(b"{},{}"),
            "the line is not valid JSON: trailing characters at column 3"
        );
        assert_eq!(why(b"{\"a\": \"\xff\"}"), "the line is not UTF-8 after byte 7");
        assert!(
            why(br#""\ud800""#).contains("hex escape at column"),
            "{}",
            why(br#""\ud800""#)
        );
    }

    #[test]
    fn a_line_may_be_as_long_as_the_bound_and_the_next_one_is_read_after_a_longer_one() {
        let of_length = |length: usize| format!("\"{}\"", "x".repeat(length - 2));
        let file = format!("{}\n{}\n{{}}\n", of_length(LONGEST - 1), of_length(LONGEST * 3));
        let read = read(file.as_bytes());
        assert_eq!(
            read.iter().map(|(_, text)| text.is_ok()).collect::<Vec<_>>(),
            [true, false, true]
        );
        assert_eq!(read[2].0, 3);
    }

    #[test]
    fn lines_added_to_one_without_an_end_are_numbered_as_in_the_whole_file() {
        let checkpoint = Lines::from_input(&b"1"[..])
            .next()
            .expect("readable")
            .expect("a line")
            .checkpoint();
        for added in [&b"1\n2"[..], b"1 2\n", b"1\n\n2"] {
            let mut longer = Lines::from_input(added);
            assert!(longer.skip_to(&checkpoint).expect("readable"));
            let number = longer.next().expect("readable").expect("a line").number;
            let feeds = added[..added.len() - 1].iter().filter(|byte| **byte == b'\n').count();
            assert_eq!(number, 1 + feeds as u64, "{added:?}");
        }
    }

    #[test]
    fn a_checkpoint_is_found_again_unless_something_before_it_changed() {
        let mut lines = Lines::from_input(&b"1\n\n2\n3\n"[..]);
        lines.next().expect("readable");
        let checkpoint = lines.next().expect("readable").expect("a line").checkpoint();
        assert_eq!((checkpoint.line, checkpoint.offset), (3, 5));

        let mut again = Lines::from_input(&b"1\n\n2\n3\n4\n"[..]);
        assert!(again.skip_to(&checkpoint).expect("readable"));
        assert_eq!(again.next().expect("readable").map(|line| line.number), Some(4));

        for changed in [&b"1\n\n5\n3\n"[..], b"1\n\n2", b""] {
            assert!(
                !Lines::from_input(changed).skip_to(&checkpoint).expect("readable"),
                "{changed:?}"
            );
        }
    }
}
