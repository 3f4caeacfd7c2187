//! The first line of a text for agents: the address by which it was requested. Only a plain host is repeated from a
//! request. Compressed, the line is a stored block (RFC 1951 §3.2.4) before those that were made at build time.

use super::accepted::Coding;
use super::{Document, Kind};
use crate::exchange::Exchange;
use crate::headers::single_header;
use bytes::Bytes;
use flate2::Crc;
use http::HeaderMap;
use http::header::HOST;

/// The most bytes of a host with its port.
const MAX_HOST: usize = 261;
/// The header of compressed bytes without optional fields, and the checksum and the length at their end (RFC 1952 §2.3).
const HEADER: usize = 10;
const TRAILER: usize = 8;

/// The address by which a document was requested, if the document begins with it: `http://localhost:8080`.
pub(super) fn address(document: &Document, exchange: &Exchange) -> Option<String> {
    let is_addressed = document.kind == Kind::Text && exchange.host_error.is_none();
    is_addressed.then(|| of_headers(&exchange.headers)).flatten()
}

fn of_headers(headers: &HeaderMap) -> Option<String> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:[]".contains(&byte);
    let host = single_header(headers, HOST).filter(|host| host.bytes().all(is_plain))?;
    let is_usual = (1..=MAX_HOST).contains(&host.len()) && !host.starts_with(':');
    let scheme = match single_header(headers, "x-forwarded-proto") {
        Some(scheme) if scheme.eq_ignore_ascii_case("https") => "https",
        _ => "http",
    };
    is_usual.then(|| format!("{scheme}://{host}"))
}

/// The entity tag of a document that begins with this address.
pub(super) fn etag(etag: &str, address: &str) -> String {
    format!("{}-{address}\"", etag.trim_end_matches('"'))
}

/// The document after a line with this address.
pub(super) fn body(document: &Document, text: &[u8], coding: Coding, address: &str) -> Bytes {
    let line = format!("Server: {address}\n\n");
    match coding {
        Coding::Identity => [line.as_bytes(), text].concat().into(),
        Coding::Gzip => compressed(document.gzip, text, &line).into(),
    }
}

fn compressed(gzip: &[u8], text: &[u8], line: &str) -> Vec<u8> {
    let length = u16::try_from(line.len()).expect("a host has a bounded length");
    let mut checksum = Crc::new();
    checksum.update(line.as_bytes());
    checksum.update(text);
    let mut out = Vec::with_capacity(gzip.len() + line.len() + 5);
    out.extend_from_slice(&gzip[..HEADER]);
    // The first byte: not the last block, stored.
    out.push(0);
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(&(!length).to_le_bytes());
    out.extend_from_slice(line.as_bytes());
    out.extend_from_slice(&gzip[HEADER..gzip.len() - TRAILER]);
    out.extend_from_slice(&checksum.sum().to_le_bytes());
    out.extend_from_slice(&checksum.amount().to_le_bytes());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::{HeaderName, HeaderValue};

    #[track_caller]
    fn check(sent: &[(&'static str, &str)], expected: Option<&str>) {
        let mut headers = HeaderMap::new();
        for (name, value) in sent {
            let value = HeaderValue::from_str(value).expect("a value");
            headers.append(HeaderName::from_static(name), value);
        }
        assert_eq!(of_headers(&headers).as_deref(), expected, "{sent:?}");
    }

    #[test]
    fn the_address_is_that_of_the_request() {
        check(&[("host", "localhost:8080")], Some("http://localhost:8080"));
        check(&[("host", "[::1]:80")], Some("http://[::1]:80"));
        let https = [("host", "a.example"), ("x-forwarded-proto", "https")];
        check(&https, Some("https://a.example"));
        let other = [("host", "a.example"), ("x-forwarded-proto", "javascript")];
        check(&other, Some("http://a.example"));
    }

    #[test]
    fn only_one_plain_host_is_repeated() {
        for host in ["", ":80", "a b", "a/b", "user@a", "a`b", "a(b)", "a'b", "a%20b", "<a>"] {
            check(&[("host", host)], None);
        }
        check(&[("host", &"a".repeat(MAX_HOST + 1))], None);
        check(&[("host", "a"), ("host", "b")], None);
        check(&[], None);
    }
}
