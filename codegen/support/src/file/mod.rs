//! Files as bodies and as answers: received into a directory, and sent from it.
//!
//! Must not know any operation, limit or status of the contract.

mod content;
mod directory;
mod keep;
mod range;
mod received;
mod sent;
mod uploads;

pub use directory::{FileDirectory, ReadError, TemporaryFile};
pub use keep::KeepFiles;
pub use received::{FileError, ReceivedFile, measure};
pub use sent::StoredFile;
pub use uploads::Upload;

use super::body;
use super::exchange::Exchange;
use http::header::{ACCEPT_ENCODING, HeaderValue};

impl Exchange {
    /// The media type of the body, if it is one of these and the body is not encoded. Parameters are ignored, unless
    /// they name another charset than UTF-8 (RFC 9110 §8.3).
    pub fn file_type(&mut self, types: &[&'static str]) -> Option<&'static str> {
        if body::is_encoded(&self.headers) {
            self.reply_constant(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
            return None;
        }
        body::declared_type(&self.headers, types)
    }

    /// Whether the request declares a longer body than this.
    pub fn declares_more_than(&self, max_bytes: usize) -> bool {
        let declared = self.declared_length();
        declared.is_some_and(|length| usize::try_from(length).map_or(true, |length| length > max_bytes))
    }
}
