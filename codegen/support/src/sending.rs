//! A file that an answer contains.

use http::HeaderMap;

/// A file that is being sent.
#[derive(Debug)]
pub(crate) struct Sending {
    /// Its media type.
    pub(crate) media_type: String,
    /// The bytes of the whole file.
    pub(crate) bytes: u64,
    /// The headers of the response.
    pub(crate) headers: HeaderMap,
}
