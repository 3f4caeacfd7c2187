//! Whether the bytes of a file are of its media type.

/// Checks the bytes of a file as they arrive.
#[derive(Debug)]
pub(super) struct Content {
    expected: Expected,
    head: Vec<u8>,
    is_empty: bool,
}

#[derive(Debug)]
enum Expected {
    /// The file begins with these bytes. `None` is any byte.
    Head(Vec<Option<u8>>),
    /// UTF-8 without null characters. The bytes of an unfinished character are in `head`.
    Text,
    Anything,
}

/// Why a file is not of its type.
const WRONG_HEAD: &str = "the file does not begin like one of the type in `Content-Type`";
const NO_TEXT: &str = "the file is no text in UTF-8 without null characters";
const EMPTY: &str = "the file is empty";

impl Content {
    pub(super) fn of_type(media_type: &str) -> Self {
        let head = |bytes: &[u8]| Expected::Head(exactly(bytes));
        let expected = match media_type {
            "image/jpeg" => head(b"\xff\xd8\xff"),
            "image/png" => head(b"\x89PNG\r\n\x1a\n"),
            "image/gif" => head(b"GIF8"),
            "image/webp" => {
                let parts = [exactly(b"RIFF"), vec![None; 4], exactly(b"WEBP")];
                Expected::Head(parts.concat())
            }
            "application/pdf" => head(b"%PDF-"),
            text if text.starts_with("text/") => Expected::Text,
            _ => Expected::Anything,
        };
        Self {
            expected,
            head: Vec::new(),
            is_empty: true,
        }
    }

    /// Checks more bytes. Returns what is wrong with them.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Result<(), &'static str> {
        self.is_empty &= bytes.is_empty();
        match &self.expected {
            Expected::Anything => Ok(()),
            Expected::Head(expected) => {
                let missing = expected.len() - self.head.len();
                let more = &bytes[..bytes.len().min(missing)];
                let mut pairs = more.iter().zip(&expected[self.head.len()..]);
                let is_right = pairs.all(|(byte, expected)| expected.is_none_or(|expected| expected == *byte));
                self.head.extend_from_slice(more);
                if is_right { Ok(()) } else { Err(WRONG_HEAD) }
            }
            Expected::Text => self.take_text(bytes),
        }
    }

    fn take_text(&mut self, bytes: &[u8]) -> Result<(), &'static str> {
        if bytes.contains(&0) {
            return Err(NO_TEXT);
        }
        self.head.extend_from_slice(bytes);
        match std::str::from_utf8(&self.head) {
            Ok(_) => self.head.clear(),
            Err(error) if error.error_len().is_none() => {
                self.head.drain(..error.valid_up_to());
            }
            Err(_) => return Err(NO_TEXT),
        }
        Ok(())
    }

    /// Checks that the file may end here.
    pub(super) fn end(&self) -> Result<(), &'static str> {
        match &self.expected {
            _ if self.is_empty => Err(EMPTY),
            Expected::Head(expected) if self.head.len() < expected.len() => Err(WRONG_HEAD),
            Expected::Text if !self.head.is_empty() => Err(NO_TEXT),
            _ => Ok(()),
        }
    }
}

fn exactly(bytes: &[u8]) -> Vec<Option<u8>> {
    bytes.iter().copied().map(Some).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes the bytes in pieces of each length, which must not matter.
    #[track_caller]
    fn check(media_type: &str, bytes: &[u8], expected: Result<(), &str>) {
        for length in 1..=bytes.len().max(1) {
            let mut content = Content::of_type(media_type);
            let taken = bytes.chunks(length).try_for_each(|piece| content.take(piece));
            assert_eq!(taken.and_then(|()| content.end()), expected, "{media_type} by {length}");
        }
    }

    #[test]
    fn a_file_begins_as_its_type_demands() {
        check("image/jpeg", b"\xff\xd8\xff\xe0...", Ok(()));
        check("image/png", b"\x89PNG\r\n\x1a\n...", Ok(()));
        check("image/webp", b"RIFF\x01\x02\x03\x04WEBPVP8 ", Ok(()));
        check("application/pdf", b"%PDF-1.7", Ok(()));
        check("application/zip", b"anything", Ok(()));
        check("image/jpeg", b"\x89PNG\r\n\x1a\n...", Err(WRONG_HEAD));
        check("image/png", b"\x89PNG", Err(WRONG_HEAD));
        check("image/webp", b"RIFF\x01\x02\x03\x04WAVEfmt ", Err(WRONG_HEAD));
        check("application/pdf", b"<html>", Err(WRONG_HEAD));
    }

    #[test]
    fn a_text_is_utf_8_without_null_characters() {
        check("text/plain", "駅前の写真\n".as_bytes(), Ok(()));
        check("text/csv", b"a\0b", Err(NO_TEXT));
        check("text/csv", &"写真".as_bytes()[..5], Err(NO_TEXT));
        check("text/plain", b"caf\xe9 au lait", Err(NO_TEXT));
    }

    #[test]
    fn an_empty_file_is_none() {
        for media_type in ["image/png", "text/plain", "application/zip"] {
            check(media_type, b"", Err(EMPTY));
        }
    }
}
