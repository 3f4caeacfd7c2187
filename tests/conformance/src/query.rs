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
