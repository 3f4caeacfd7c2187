//! What is said of the service beside its name: whom to ask, the terms of its use, the pace of bodies.

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

/// The pace that a request body has to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinRate {
    /// Least bytes in a second.
    pub bytes_per_second: u32,
    /// By how many seconds it may be behind.
    pub grace_seconds: u32,
}
