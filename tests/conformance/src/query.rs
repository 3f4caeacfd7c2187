//! Paths, and percent-encoding in them.

use codegen::model::Segment;
use std::fmt::Write as _;

/// The text with everything but unreserved characters as `%XX` of its UTF-8.
pub(crate) fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// A path with these values of its parameters, which are encoded already.
pub(crate) fn path(base: &str, segments: &[Segment], mut value: impl FnMut(&str) -> String) -> String {
    let mut path = base.to_owned();
    for segment in segments {
        path.push('/');
        match segment {
            Segment::Literal(text) => path.push_str(text),
            Segment::Parameter(name) => path.push_str(&value(name)),
        }
    }
    path
}

/// The decoded text; `None` if the encoding is invalid.
pub(crate) fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        rest = behind;
        if *first == b'%' {
            let (digits, behind) = rest.split_at_checked(2)?;
            let digits = std::str::from_utf8(digits).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = behind;
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).ok()
}
