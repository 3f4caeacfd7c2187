//! Who calls and how often: credentials, rate limits and quotas.

use super::{FieldIs, Span};

/// A kind of credential.
#[derive(Clone, Debug)]
pub struct Credential {
    /// Its name.
    pub name: String,
    /// Who has one, and how to get it.
    pub doc: Option<String>,
    /// The request header.
    pub header: String,
    /// Who acts; `None` if there is only one such account (the operator).
    pub caller: Option<Caller>,
    /// First characters.
    pub prefix: String,
    /// Number of random characters.
    pub random: u64,
    /// Number of characters that a listing shows.
    pub shown: Option<u64>,
    /// Position in the file.
    pub at: Span,
}

/// Who acts with a credential.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The resource.
    pub resource: String,
    /// The resource whose id the limits count by.
    pub limited_by: String,
    /// The field that holds the plan, and its enum.
    pub plan: Option<(String, String)>,
    /// The boolean field that suspends the caller.
    pub suspended: Option<String>,
}

/// A rate limit.
#[derive(Clone, Debug)]
pub struct Limit {
    /// Its name.
    pub name: String,
    /// What it counts.
    pub counts: Counts,
    /// Maximum in a window.
    pub max: u32,
    /// Maximum in a window for all credentials of one caller together.
    pub owner_max: Option<u32>,
    /// Length of the window.
    pub window_seconds: u32,
    /// Position in the file.
    pub at: Span,
}

impl Limit {
    /// The name of the rate for all credentials of one caller, in the headers of limits.
    pub fn owner_name(&self) -> String {
        format!("{}:owner", self.name)
    }
}

/// What a [`Limit`] counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Counts {
    /// Requests of these methods.
    Methods {
        /// The methods.
        methods: Vec<String>,
        /// By whom requests are counted.
        per: Per,
    },
    /// Rejected credentials, by address.
    FailedCredentials,
}

/// By whom requests are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Per {
    /// By caller, from all addresses.
    Caller,
    /// By address, for all callers.
    Address,
}

/// A quota.
#[derive(Clone, Debug)]
pub struct Quota {
    /// Its name.
    pub name: String,
    /// Maximum number.
    pub max: u64,
    /// The resource that is counted.
    pub of: String,
    /// The resource that owns them and by which they are counted.
    pub per: String,
    /// Their name in texts.
    pub noun: String,
    /// Which of them count. `None`: all.
    pub only: Option<FieldIs>,
    /// Position in the file.
    pub at: Span,
}
