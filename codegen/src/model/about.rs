//! What is said of the service beside its name: whom to ask, and the terms of its use.

/// Whom to ask about the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contact {
    /// Who that is.
    pub name: String,
    /// The address of a page.
    pub url: Option<String>,
    /// The address to write to.
    pub email: Option<String>,
}

/// The terms of its use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct License {
    /// What they are called.
    pub name: String,
    /// Their SPDX expression.
    pub identifier: Option<String>,
    /// The address of a page.
    pub url: Option<String>,
}
