//! What histories have found, as data.

use crate::level::Level;
use codegen::model::Span;

/// Which histories are tried.
#[derive(Clone, Debug)]
pub struct HistoryOptions {
    /// The number of calls, without those that shorten a history with a difference.
    pub calls: usize,
    /// What the histories depend on.
    pub seed: u64,
    /// Only differences and outcomes of operations whose `surface::operation` contains this are reported; all are called.
    pub filter: Option<String>,
    /// How strictly answers are compared.
    pub level: Level,
    /// Whether the server limits requests.
    pub is_limited: bool,
    /// Whether the peer of a request is its address to the server. It is, where the time is not real.
    pub has_addresses: bool,
    /// Whether operations are called as tools, too, if their API offers tools.
    pub has_tools: bool,
    /// The number of different causes after which no more are looked for.
    pub most_causes: usize,
    /// Whether histories with a difference are shortened, which takes up to 15,000 calls for each cause.
    pub shortens: bool,
}

impl Default for HistoryOptions {
    fn default() -> Self {
        Self {
            calls: 2000,
            seed: 1,
            filter: None,
            level: Level::default(),
            is_limited: true,
            has_addresses: false,
            has_tools: true,
            most_causes: 200,
            shortens: true,
        }
    }
}

/// An outcome of an operation: a success, or an error.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Outcome {
    /// `surface::operation`
    pub operation: String,
    /// The name of the error; `None` for a success.
    pub error: Option<String>,
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.operation, self.error.as_deref().unwrap_or("success"))
    }
}

/// What the histories have found.
#[derive(Clone, Debug, Default)]
pub struct HistoriesReport {
    /// The number of compared calls.
    pub calls: usize,
    /// The number of histories.
    pub histories: usize,
    /// The outcomes that occurred, and how often.
    pub met: Vec<(Outcome, usize)>,
    /// The operations that cannot succeed, each with the resource of which they need a record: no operation makes one, and no
    /// list shows one.
    pub lacking_records: Vec<(String, &'static str)>,
    /// The outcomes that can be met, and were not.
    pub never_met: Vec<Outcome>,
    /// The differences by cause, the most frequent one first.
    pub differences: Vec<HistoryDifference>,
}

/// A difference between the server and its contract.
#[derive(Clone, Debug)]
pub struct HistoryDifference {
    /// `surface::operation`; empty for a path or method of no operation.
    pub operation: String,
    /// What differs, without ids and values: equal causes are one difference.
    pub cause: String,
    /// The number of answers with it.
    pub count: usize,
    /// The seed of the first of them.
    pub seed: u64,
    /// Lines for a shell, with `BASE` as the server's origin and the root credentials in variables; the last one shows
    /// the difference.
    pub script: String,
    /// What came: status and body, or the part that differs.
    pub got: String,
    /// What the contract demands.
    pub wanted: String,
    /// Where the contract says so.
    pub place: Span,
    /// What stands there, such as `Bounty.poster_name = account_id.name`.
    pub declared: String,
    /// The number of calls of the history until the difference, and of the script.
    pub lengths: (usize, usize),
}
