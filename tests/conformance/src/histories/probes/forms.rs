//! Requests that look like valid ones: methods, paths, media types, bodies, credentials, keys.

use crate::sample::wrong_texts;
use crate::types::Type;

/// HTTP methods, and one of an extension of HTTP, which no operation has.
const METHODS: [&str; 8] = ["GET", "POST", "PUT", "PATCH", "DELETE", "PROPFIND", "HEAD", "OPTIONS"];

/// Changes of a valid credential, each into one that looks like it.
pub(super) const CREDENTIAL_CHANGES: [fn(&str) -> String; 6] = [
    |secret| {
        let hidden = |c: char| if c.is_ascii_lowercase() { 'x' } else { c };
        secret.chars().map(hidden).collect()
    },
    |secret| format!("{secret}x"),
    |secret| secret[..secret.len() - 1].to_owned(),
    |secret| {
        let other_case = |c: char| match c.is_lowercase() {
            true => c.to_ascii_uppercase(),
            false => c.to_ascii_lowercase(),
        };
        secret.chars().map(other_case).collect()
    },
    |secret| format!("{secret},{secret}"),
    |_| String::new(),
];

/// The declared types of a body that is none of JSON. Servers may differ in the last four.
const MEDIA_TYPES: [&[&str]; 8] = [
    &[],
    &["text/plain"],
    &["application/x-www-form-urlencoded"],
    &["application/jsonp"],
    &[""],
    &["application/json; charset=latin1"],
    &["application/json", "application/json"],
    &["application/json, text/plain"],
];

/// The declared types of a body that is JSON.
pub(super) const JSON_MEDIA_TYPES: [(&str, &str); 2] = [
    ("media_type_in_capitals", "Application/JSON"),
    ("media_type_with_charset", "application/json; charset=UTF-8"),
];

/// The declared types of a file that no operation takes.
pub(super) const FILE_TYPES: [&[&str]; 4] = [&[], &["application/json"], &["application/octet-stream"], &["text"]];

/// Bodies that are not JSON.
const NOT_JSON: [&[u8]; 11] = [
    b"",
    b" ",
    b"{",
    b"{}{}",
    b"{\"a\":1,}",
    b"{'a':1}",
    b"{\"a\":\"\xff\"}",
    b"{\"a\":\"\\ud800\"}",
    b"{\"a\":01}",
    b"{\"a\":NaN}",
    b"\xef\xbb\xbf{}",
];

/// JSON that is no object.
pub(super) const NO_OBJECTS: [&str; 6] = ["null", "true", "1", "\"text\"", "[]", "[{}]"];

/// Methods that a path may not offer. Many servers answer HEAD like GET, and OPTIONS by themselves.
pub(super) fn methods(is_strict: bool) -> &'static [&'static str] {
    &METHODS[..if is_strict { 8 } else { 6 }]
}

/// Ends that make a path longer than any. Some servers ignore empty segments.
pub(super) fn suffixes(is_strict: bool) -> &'static [&'static str] {
    &["/", "/x/x/x/x/x/x/x/x", "//"][..if is_strict { 3 } else { 2 }]
}

/// The declared types of a body that is not taken as JSON.
pub(super) fn other_media_types(is_strict: bool) -> &'static [&'static [&'static str]] {
    &MEDIA_TYPES[..if is_strict { 8 } else { 4 }]
}

/// Bodies that are not JSON, of at most so many bytes; the empty one is the first.
pub(super) fn not_json(max_bytes: usize) -> impl Iterator<Item = Vec<u8>> {
    let deep = "[".repeat(max_bytes.min(100_000)).into_bytes();
    NOT_JSON.into_iter().map(<[u8]>::to_vec).chain([deep])
}

/// The texts that are no value of this type. Some of them are read as numbers by many libraries.
pub(super) fn other_texts(of: &Type, is_strict: bool) -> Vec<&'static str> {
    let is_lenient = |text: &&str| ["+5", ".5", "5.", "１", "1 ", " 1"].contains(text);
    let texts = wrong_texts(of).into_iter();
    texts.filter(|text| is_strict || !is_lenient(text)).collect()
}

/// Texts that are no idempotency keys.
pub(super) fn invalid_keys() -> impl Iterator<Item = String> {
    let short = ["", "\"\"", "two words", "\"two words\"", "\"open", "\"a\" b"];
    short.map(str::to_owned).into_iter().chain(["k".repeat(256)])
}
