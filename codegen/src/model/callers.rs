//! Who calls and how often: credentials, rate limits and quotas.

use super::Span;

/// A kind of credential.
#[derive(Clone, Debug)]
pub struct Credential {
    /// Its name.
    pub name: String,
    /// Who has one, and how it is obtained.
    pub doc: Option<String>,
    /// The request header.
    pub header: String,
    /// Who acts; `None` where there is only one who can.
    pub caller: Option<Caller>,
    /// First characters.
    pub prefix: String,
    /// Number of random characters.
    pub random: u64,
    /// Number of characters that are shown.
    pub shown: Option<u64>,
    /// Where it stands.
    pub at: Span,
}

/// Who acts with a credential.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The resource.
    pub resource: String,
    /// The resource whose id the limits count by.
    pub limited_by: String,
    /// The field that holds the plan, and its enumeration.
    pub plan: Option<(String, String)>,
    /// The field that shuts it out.
    pub suspended: Option<String>,
}

/// A rate limit.
#[derive(Clone, Debug)]
pub struct Limit {
    /// Its name.
    pub name: String,
    /// What it counts.
    pub counts: Counts,
    /// Most in a window.
    pub max: u32,
    /// Most in a window of all credentials of one caller together.
    pub owner_max: Option<u32>,
    /// Length of the window.
    pub window_seconds: u32,
    /// Where it stands.
    pub at: Span,
}

impl Limit {
    /// What the rate of all credentials of one caller is called where it reports itself.
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
        /// For whom each is counted.
        per: Per,
    },
    /// Credentials that were rejected, for each address.
    FailedCredentials,
}

/// For whom requests are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Per {
    /// For each caller, whatever the address.
    Caller,
    /// For each address, whoever calls.
    Address,
}

/// A quota.
#[derive(Clone, Debug)]
pub struct Quota {
    /// Its name.
    pub name: String,
    /// Most of them.
    pub max: u64,
    /// The resource that is counted.
    pub of: String,
    /// The resource that owns them, for each of which they are counted.
    pub per: String,
    /// What they are called.
    pub noun: String,
    /// Where it stands.
    pub at: Span,
}
