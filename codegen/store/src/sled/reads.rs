//! What sled returns, in the terms of an engine.

use std::io::ErrorKind;

use crate::engine::EngineError;

/// The number in eight bytes. `None` if the length differs.
#[must_use]
pub fn number(bytes: &[u8]) -> Option<i64> {
    bytes.try_into().ok().map(i64::from_be_bytes)
}

/// An error of a read. sled splits pages also while it reads, which it cannot do once a write has failed: what needs such a
/// page waits for the restart, as writes do.
pub(super) fn unread(error: sled::Error) -> EngineError {
    match error {
        sled::Error::Io(error) if !is_of_content(error.kind()) => EngineError::Io(error),
        error => EngineError::Unreadable(error.to_string()),
    }
}

/// Whether an error is one of the content. sled itself reports unreadable content with these kinds; the system uses others.
pub(super) fn is_of_content(kind: ErrorKind) -> bool {
    use ErrorKind::{InvalidData, InvalidInput, Other, UnexpectedEof};
    matches!(kind, InvalidData | InvalidInput | Other | UnexpectedEof)
}
