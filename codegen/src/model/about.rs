//! General statements about the service: contact, license, minimum rate of request bodies.

/// The contact for questions about the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contact {
    /// Name of the person or organisation.
    pub name: String,
    /// URL of a page.
    pub url: Option<String>,
    /// Email address.
    pub email: Option<String>,
}

/// The license of the API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct License {
    /// Name of the license.
    pub name: String,
    /// Its SPDX expression.
    pub identifier: Option<String>,
    /// URL of a page.
    pub url: Option<String>,
}

/// The minimum rate of a request body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinRate {
    /// Minimum bytes per second.
    pub bytes_per_second: u32,
    /// Seconds by which it may be late.
    pub grace_seconds: u32,
}
