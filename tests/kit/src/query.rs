//! Percent-encoding of what goes into an address.

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
