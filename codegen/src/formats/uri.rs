//! `uri`: an absolute URI.

use super::{Format, as_written};
use std::net::Ipv6Addr;

pub(super) const URI: Format = Format {
    name: "uri",
    doc: "A URI with a scheme, `https://example.org/a?b#c` (RFC 3986), at most 2,048 characters. What is no ASCII is \
          percent-encoded. It is compared as it is written.",
    noun: "a URI",
    notation: "with a scheme (RFC 3986), up to 2048 ASCII characters",
    demand: "a URI with a scheme, such as https://example.org/a",
    tested: ("uri", "a URI with a scheme"),
    codes: ("string", "format;uri"),
    json_schema: "uri",
    length: (2, Some(2048)),
    rust: None,
    order: None,
    read: |text| as_written(text, is_uri),
    values: [
        "https://example.org/a",
        "http://example.com:8080/b/c?d=e&f=%E3%81%82#g",
        "mailto:ann@example.org",
        "urn:isbn:0451450523",
        "ftp://user@[2001:db8::1]/",
    ],
    unused: ["about:blank", "https://example.org/b", "xmpp:ann@example.org"],
    edges: &[
        ("a:", "a:"),
        ("HTTPS://Example.org", "HTTPS://Example.org"),
        ("x-y+z.1:?#", "x-y+z.1:?#"),
        ("http://:@:/", "http://:@:/"),
        ("http://[v1.a:b]/", "http://[v1.a:b]/"),
        ("file:///a//b/../c", "file:///a//b/../c"),
    ],
    others: &[
        (
            "has no authority that there can be",
            &["http://[::1/", "http://[::g]/", "http://a:8o/", "http://a@b@c/"],
        ),
        (
            "has no scheme",
            &[
                "example.org/a",
                "/a",
                "//example.org/a",
                "?a",
                "#a",
                "",
                ":",
                ":a",
                "1a:b",
                "a b:c",
            ],
        ),
        (
            "has characters that are not encoded",
            &[
                "http://example.org/a b",
                "http://example.org/%",
                "http://example.org/%4",
                "http://example.org/%zz",
                "http://example.org/あ",
                "http://example.org/<a>",
                "http://example.org/a\"b",
                "http://example.org/a\\b",
                "http://example.org/a|b",
                "http://example.org/a^b",
                "http://example.org/`",
                "http://example.org/{a}",
                "http://example.org/#a#b",
                "http://example.org/[a]",
                " http://example.org",
                "http://example.org\n",
            ],
        ),
    ],
};

fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else {
        return false;
    };
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let is_path = match rest.strip_prefix("//") {
        Some(rest) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            is_authority(authority) && has_only(path, b":@/")
        }
        None => has_only(rest, b":@/"),
    };
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|c| c.is_ascii_alphanumeric() || b"+-.".contains(&c));
    is_scheme && is_path && has_only(query, b":@/?") && has_only(fragment, b":@/?")
}

fn is_authority(authority: &str) -> bool {
    let (user, host) = authority.split_once('@').unwrap_or(("", authority));
    let (is_host, port) = match host.strip_prefix('[') {
        Some(literal) => match literal.split_once(']') {
            Some((address, port)) => (is_literal(address), port),
            None => return false,
        },
        None => {
            let (name, port) = host.split_at(host.find(':').unwrap_or(host.len()));
            (has_only(name, b""), port)
        }
    };
    let is_port = port.is_empty()
        || port
            .strip_prefix(':')
            .is_some_and(|port| port.bytes().all(|c| c.is_ascii_digit()));
    has_only(user, b":") && is_host && is_port
}

/// The address in brackets: of IPv6, or of a later version.
fn is_literal(address: &str) -> bool {
    match address.strip_prefix(['v', 'V']) {
        None => address.parse::<Ipv6Addr>().is_ok(),
        Some(future) => future.split_once('.').is_some_and(|(version, rest)| {
            let is_version = !version.is_empty() && version.bytes().all(|c| c.is_ascii_hexdigit());
            is_version && !rest.is_empty() && !rest.contains('%') && has_only(rest, b":")
        }),
    }
}

/// Whether there are only unreserved characters, those that separate parts of a part, percent-encoded bytes, and these.
fn has_only(part: &str, more: &[u8]) -> bool {
    let mut bytes = part.bytes();
    while let Some(byte) = bytes.next() {
        let is_right = match byte {
            b'%' => [bytes.next(), bytes.next()]
                .into_iter()
                .all(|digit| digit.is_some_and(|digit| digit.is_ascii_hexdigit())),
            _ => byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&byte) || more.contains(&byte),
        };
        if !is_right {
            return false;
        }
    }
    true
}
