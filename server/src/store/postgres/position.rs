//! The place of a copy in the log.

/// The last commit in a copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) number: i64,
    pub(super) operation: i64,
}
