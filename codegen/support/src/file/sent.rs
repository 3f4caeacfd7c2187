//! Sends a file: whole, or a part of it.

use super::range::{Selection, select};
use crate::chunks::{Chunks, ReadMore};
use crate::exchange::{Answer, Exchange};
use crate::failure::Failure;
use crate::sending::Sending;
use http::header::{
    ACCEPT_RANGES, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG,
    HeaderValue,
};
use http::{HeaderMap, HeaderName, StatusCode};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// The bytes that are read together.
const PIECE: u64 = 256 << 10;

/// The characters of `attr-char` (RFC 8187 §3.2.1), which stay as they are.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A stored file, as a handler returns it.
#[derive(Debug)]
pub struct StoredFile {
    /// Its content, opened.
    pub content: File,
    /// Its media type.
    pub media_type: String,
    /// The name that a client saves it under.
    pub name: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// What distinguishes its content from any other: a digest.
    pub tag: String,
}

impl Exchange {
    /// The answer with this file, or with the part that the request asks for: 200, 206 or 304. Its headers make a
    /// browser save it, never show it as a page of this origin.
    pub fn send_file(&mut self, stored: StoredFile) -> Answer {
        let StoredFile {
            content,
            media_type,
            name,
            bytes,
            tag,
        } = stored;
        let etag = format!("\"{tag}\"");
        let mut headers = HeaderMap::new();
        let mut set = |name: HeaderName, value: &str| {
            headers.extend(HeaderValue::from_str(value).ok().map(|value| (name, value)));
        };
        set(ETAG, &etag);
        set(ACCEPT_RANGES, "bytes");
        set(CONTENT_SECURITY_POLICY, "sandbox; default-src 'none'");
        set(CONTENT_DISPOSITION, &disposition(&name));
        let (status, first, length) = match select(&self.headers, &etag, bytes) {
            Selection::NotModified => (StatusCode::NOT_MODIFIED, 0, 0),
            Selection::Whole => (StatusCode::OK, 0, bytes),
            Selection::Part(first, last) => {
                set(CONTENT_RANGE, &format!("bytes {first}-{last}/{bytes}"));
                (StatusCode::PARTIAL_CONTENT, first, last - first + 1)
            }
        };
        if status != StatusCode::NOT_MODIFIED {
            set(CONTENT_TYPE, &media_type);
            set(CONTENT_LENGTH, &length.to_string());
        }
        let status = status.as_u16();
        let (mut body, total) = (Chunks::default(), None);
        if length > 0 {
            body.more(part(content, first, length));
        }
        self.sending = Some(Sending {
            media_type,
            bytes,
            headers,
        });
        Answer { status, body, total }
    }

    /// States that the answer is a file of this type with this many bytes.
    pub fn sends_file(&mut self, media_type: String, bytes: u64) {
        self.sending = Some(Sending {
            media_type,
            bytes,
            headers: HeaderMap::new(),
        });
    }
}

/// Reads a part of a file while it is sent.
fn part(file: File, first: u64, length: u64) -> ReadMore {
    let (mut at, end) = (first, first + length);
    Box::new(move || {
        let next = (end - at).min(PIECE);
        if next == 0 {
            return Ok(None);
        }
        let mut piece = Vec::with_capacity(usize::try_from(next).unwrap_or_default());
        let read = match at == first {
            true => (&file).seek(SeekFrom::Start(first)),
            false => Ok(at),
        };
        let read = read.and_then(|_| (&file).take(next).read_to_end(&mut piece));
        // A file that has become shorter ends the connection: its length was promised.
        if read.ok().is_none_or(|read| read as u64 != next) {
            return Err(Failure::Internal);
        }
        at += next;
        Ok(Some(piece))
    })
}

/// `Content-Disposition` with this name (RFC 6266, RFC 8187). Characters that a file system or a reader could take for
/// something else are replaced.
fn disposition(name: &str) -> String {
    let is_kept = |c: char| {
        !c.is_control()
            && !matches!(c, '/' | '\\' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}')
    };
    let name: String = name.chars().map(|c| if is_kept(c) { c } else { '_' }).collect();
    let name = name.trim_start_matches('.');
    let plain: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || "-._ ".contains(c) {
                c
            } else {
                '_'
            }
        })
        .collect();
    format!(
        "attachment; filename=\"{plain}\"; filename*=UTF-8''{}",
        utf8_percent_encode(name, ENCODED)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_text_and_nothing_else() {
        for (name, expected) in [
            (
                "shop.jpg",
                "attachment; filename=\"shop.jpg\"; filename*=UTF-8''shop.jpg",
            ),
            (
                "店.png",
                "attachment; filename=\"_.png\"; filename*=UTF-8''%E5%BA%97.png",
            ),
            ("../a\r\nb", "attachment; filename=\"_a__b\"; filename*=UTF-8''_a__b"),
            (
                "a\"; x=\"b",
                "attachment; filename=\"a__ x__b\"; filename*=UTF-8''a%22%3B%20x%3D%22b",
            ),
            (
                "a\u{202e}gpj.exe",
                "attachment; filename=\"a_gpj.exe\"; filename*=UTF-8''a_gpj.exe",
            ),
        ] {
            assert_eq!(disposition(name), expected, "{name:?}");
        }
    }
}
