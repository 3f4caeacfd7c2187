//! What was decided where the specification leaves it open.

use super::Span;

/// A row of the register of decisions.
#[derive(Clone, Debug)]
pub struct Decision {
    /// Its name.
    pub name: String,
    /// What is left open.
    pub gap: String,
    /// What was decided.
    pub choice: String,
    /// The path of the node that enacts it.
    pub enacted_by: Option<String>,
    /// The name of the test that shows it.
    pub test: Option<String>,
    /// Where it stands.
    pub at: Span,
}
