//! Who calls and how often: credentials, rate limits and quotas.

use super::{FieldIs, Span, Template};

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
    /// What distinguishes callers of some realms.
    pub realms: Vec<CredentialRealm>,
    /// Number of random characters.
    pub random: u64,
    /// Number of characters that a listing shows.
    pub shown: Option<u64>,
    /// Position in the file.
    pub at: Span,
}

/// What distinguishes the callers of a realm.
#[derive(Clone, Debug)]
pub struct CredentialRealm {
    /// The value of the realm, as written.
    pub value: String,
    /// First characters of their credentials, if they differ.
    pub prefix: Option<String>,
    /// Headers of answers to them, without placeholders.
    pub headers: Vec<(String, Template)>,
}

impl Credential {
    /// All prefixes.
    pub fn prefixes(&self) -> impl Iterator<Item = &str> {
        let others = self.realms.iter().filter_map(|realm| realm.prefix.as_ref());
        others.chain([&self.prefix]).map(String::as_str)
    }

    /// The prefix for callers of a realm.
    pub fn prefix_in(&self, realm: &str) -> &str {
        let other = self.realm(realm).and_then(|realm| realm.prefix.as_ref());
        other.unwrap_or(&self.prefix)
    }

    /// What distinguishes callers of this realm.
    pub fn realm(&self, value: &str) -> Option<&CredentialRealm> {
        self.realms.iter().find(|realm| realm.value == value)
    }

    /// A credential of this kind in its prefix and its random characters. `None` if it has another length.
    pub fn split<'s>(&self, secret: &'s str) -> Option<(&str, &'s str)> {
        let mut split = self
            .prefixes()
            .filter_map(|prefix| Some((prefix, secret.strip_prefix(prefix)?)));
        split.find(|(_, random)| random.chars().count() as u64 == self.random)
    }

    /// What a listing shows of a credential: its start, with as many random characters for each prefix, and `...`.
    pub fn shown_of(&self, secret: &str) -> String {
        let prefix = self.split(secret).map_or("", |(prefix, _)| prefix);
        let shown = self.shown.unwrap_or_default() as usize + prefix.len();
        let start = secret.chars().take(shown.saturating_sub(self.prefix.len()));
        start.chain("...".chars()).collect()
    }
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

/// Maximum bytes of the responses to one caller in a window, for all its credentials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResponseBytes {
    /// The maximum. It may be exceeded by the responses that are under way when it is reached.
    pub max: u32,
    /// Length of the window.
    pub window_seconds: u32,
}

/// A quota.
#[derive(Clone, Debug)]
pub struct Quota {
    /// Its name.
    pub name: String,
    /// Maximum number.
    pub max: u64,
    /// What is counted.
    pub of: QuotaOf,
    /// The resource for each of whose records is counted.
    pub per: String,
    /// The name in texts of what is counted.
    pub noun: String,
    /// Which records count. `None`: all.
    pub only: Option<FieldIs>,
    /// The period in which is counted what requests make. `None`: the records that there are.
    pub window_seconds: Option<u32>,
    /// Position in the file.
    pub at: Span,
}

/// What a quota counts of files.
pub(crate) const FILE_BYTES: &str = "file_bytes";

impl Quota {
    /// The length in seconds of the period in which is counted what requests make. What is counted of files has one without
    /// an end, and is taken back when a record is deleted.
    pub fn period_seconds(&self) -> Option<u64> {
        match self.of {
            QuotaOf::FileBytes => Some(i64::MAX.unsigned_abs()),
            _ => self.window_seconds.map(u64::from),
        }
    }

    /// The resource whose records it counts.
    pub fn records(&self) -> Option<&str> {
        match &self.of {
            QuotaOf::Records(resource) => Some(resource),
            QuotaOf::BodyBytes | QuotaOf::FileBytes => None,
        }
    }
}

/// What a [`Quota`] counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuotaOf {
    /// Records of this resource.
    Records(String),
    /// Bytes of the bodies of requests that succeed.
    BodyBytes,
    /// Bytes of the files whose records there are.
    FileBytes,
}

/// As in a contract: `Loan`, `body_bytes`.
impl std::fmt::Display for QuotaOf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            QuotaOf::Records(resource) => resource,
            QuotaOf::BodyBytes => "body_bytes",
            QuotaOf::FileBytes => FILE_BYTES,
        })
    }
}
