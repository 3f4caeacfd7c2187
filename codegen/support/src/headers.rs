//! Headers of a request.

use http::HeaderMap;
use http::header::AsHeaderName;

/// The single value of a header; `None` if it is absent, repeated or not text.
pub fn single_header(headers: &HeaderMap, name: impl AsHeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}
