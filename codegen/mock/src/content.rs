//! The content of a file that was sent. It is in memory only.

use crate::value::Value;
use bytes::Bytes;
use codegen::model::FileFact;
use http::{HeaderMap, header};
use sha2::{Digest, Sha256};

/// A file that was sent.
#[derive(Clone, Debug)]
pub(crate) struct Content {
    pub(crate) media_type: String,
    pub(crate) bytes: Bytes,
}

impl Content {
    /// A fact about it, as a field of its record has it.
    pub(crate) fn fact(&self, fact: FileFact) -> Value {
        match fact {
            FileFact::Type => Value::text(&self.media_type),
            FileFact::Bytes => Value::integer(self.bytes.len() as i64),
            FileFact::Digest => Value::Text(self.digest()),
        }
    }

    pub(crate) fn digest(&self) -> String {
        let digest = Sha256::digest(&self.bytes);
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Why the bytes are not of the type.
    pub(crate) fn fault(&self) -> Option<&'static str> {
        let begins = |start: &[u8]| self.bytes.starts_with(start);
        let is_right = match self.media_type.as_str() {
            _ if self.bytes.is_empty() => return Some("the file is empty"),
            "image/jpeg" => begins(&[0xff, 0xd8, 0xff]),
            "image/png" => begins(b"\x89PNG\r\n\x1a\n"),
            "image/gif" => begins(b"GIF8"),
            "image/webp" => begins(b"RIFF") && self.bytes.get(8..12) == Some(b"WEBP"),
            "application/pdf" => begins(b"%PDF-"),
            text if text.starts_with("text/") => {
                let is_text = std::str::from_utf8(&self.bytes).is_ok_and(|text| !text.contains('\0'));
                return (!is_text).then_some("the file is no text in UTF-8 without null characters");
            }
            _ => true,
        };
        (!is_right).then_some("the file does not begin like one of the type in `Content-Type`")
    }
}

/// The one of these media types that a request's body is declared as, once, without a charset or with UTF-8.
pub(crate) fn declared_type(headers: &HeaderMap, types: &[impl AsRef<str>]) -> Option<String> {
    let mut declared = headers.get_all(header::CONTENT_TYPE).iter();
    let (Some(only), None) = (declared.next(), declared.next()) else {
        return None;
    };
    let mut parts = only.to_str().ok()?.split(';').map(str::trim);
    let essence = parts.next()?.to_ascii_lowercase();
    let is_known = types.iter().any(|known| known.as_ref() == essence);
    (is_known && parts.all(is_harmless)).then_some(essence)
}

/// Whether a parameter names no other charset than UTF-8.
fn is_harmless(parameter: &str) -> bool {
    match parameter.split_once('=') {
        Some((name, charset)) if name.eq_ignore_ascii_case("charset") => {
            let charset = charset
                .strip_prefix('"')
                .and_then(|rest| rest.strip_suffix('"'))
                .unwrap_or(charset);
            charset.eq_ignore_ascii_case("utf-8")
        }
        _ => true,
    }
}
