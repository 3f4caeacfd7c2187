//! Decisions where the specification leaves something open.

use super::Span;

/// An entry of `decisions`.
#[derive(Clone, Debug)]
pub struct Decision {
    /// Its name.
    pub name: String,
    /// What the specification leaves open.
    pub gap: String,
    /// What was decided.
    pub choice: String,
    /// The path of the node that implements it.
    pub enacted_by: Option<String>,
    /// The name of the test that covers it.
    pub test: Option<String>,
    /// Position in the file.
    pub at: Span,
}
