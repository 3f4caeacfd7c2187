//! The description of a contract for the library. [`Suite`](crate::Suite) makes it from the compiler's model.

use crate::invariants::Trace;
use crate::lists::description::{List, Pages};
use crate::types::{Member, Type};
use codegen::model::{Counts, Quota};
use std::sync::OnceLock;

/// The parts of a contract that apply to every operation.
#[derive(Debug)]
pub struct Contract {
    /// The error table, in order of precedence.
    pub errors: &'static [ErrorEntry],
    /// The members of a success.
    pub success: &'static [(&'static str, Part)],
    /// The members of an error.
    pub error: &'static [(&'static str, Part)],
    /// The headers of every answer: name and template.
    pub headers: &'static [(&'static str, &'static str)],
    /// The limits.
    pub limits: &'static [Limit],
    /// The response headers of limits: name and template.
    pub limit_headers: &'static [(&'static str, &'static str)],
    /// The kinds of credentials.
    pub credentials: &'static [Credential],
}

/// The value of a member of the envelope.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// This JSON.
    Literal(&'static str),
    /// The value with this name, always present.
    Always(&'static str),
    /// The value with this name, left out if there is none.
    IfAny(&'static str),
}

/// An error of the error table.
#[derive(Debug)]
pub struct ErrorEntry {
    /// Its name.
    pub name: &'static str,
    /// The step that rejects.
    pub step: Step,
    /// HTTP status.
    pub status: u16,
    /// Template of its text.
    pub text: &'static str,
    /// Headers of the error response: name and template.
    pub headers: &'static [(&'static str, &'static str)],
    /// Its position in the contract.
    pub at: &'static str,
}

/// The steps at which a request can be rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words of the contract's language, explained there")]
pub enum Step {
    Route,
    Method,
    CredentialLimit,
    Credential,
    Suspended,
    Limit,
    InFlight,
    /// Too many bytes are being sent.
    Busy,
    MediaType,
    BodySize,
    BodyTime,
    Decode,
    Plan,
    Exists,
    Owner,
    Quota,
    Transition,
    /// A business rule, by the name of its error.
    Rule(&'static str),
    Write,
    Internal,
}

/// A rate limit.
#[derive(Debug)]
pub struct Limit {
    /// Its name.
    pub name: &'static str,
    /// What it counts.
    pub counts: &'static Counts,
    /// Most requests in a window.
    pub max: u32,
    /// Most requests in a window for all credentials of one caller together.
    pub owner_max: Option<u32>,
    /// Length of the window, which begins at a multiple of it in Unix time.
    pub window_seconds: u32,
    /// Its position in the contract.
    pub at: &'static str,
}

/// A kind of credential.
#[derive(Debug)]
pub struct Credential {
    /// Its name.
    pub name: &'static str,
    /// The request header.
    pub header: &'static str,
    /// The resource that acts with it; `None` if there is only one caller.
    pub caller: Option<&'static str>,
    /// The resource that each credential is created with.
    pub comes_with: Option<&'static str>,
    /// Whether a caller can have several, which limits count separately.
    pub is_one_of_several: bool,
    /// The plans that a caller may have.
    pub plans: &'static [&'static str],
    /// Whether a caller can be suspended.
    pub suspends: bool,
    /// Its prefix.
    pub prefix: &'static str,
    /// Number of random characters after the prefix.
    pub random: usize,
}

/// One endpoint.
#[derive(Debug)]
pub struct Operation {
    /// `surface::operation`
    pub name: &'static str,
    /// Its position in the contract.
    pub at: &'static str,
    /// Its HTTP method.
    pub method: &'static str,
    /// Its whole path, parameters written `:name`.
    pub path: &'static str,
    /// Every method that the path offers.
    pub allow: &'static [&'static str],
    /// The credential that every request needs.
    pub credential: Option<&'static Credential>,
    /// The limit that counts it.
    pub limit: Option<&'static Limit>,
    /// The plan that the caller must have.
    pub plan: Option<&'static str>,
    /// The parameters in the path.
    pub parameters: &'static [Member],
    /// The parameters of the query.
    pub query: &'static [Member],
    /// Pairs of query parameters: the first one may not exceed the second.
    pub constraints: &'static [(&'static str, &'static str)],
    /// Its body, an object.
    pub body: Option<&'static Type>,
    /// Whether the body is partial: at least one member, no matter which.
    pub partial: bool,
    /// Most bytes of the body.
    pub max_bytes: usize,
    /// The resources that must exist, in order.
    pub exists: &'static [Exists],
    /// The resources that the caller must own.
    pub owned: &'static [&'static str],
    /// The quota that it counts against.
    pub quota: Option<&'static Quota>,
    /// The state transitions that it makes.
    pub transitions: Option<Transitions>,
    /// HTTP status of a success.
    pub status: u16,
    /// The value of `data`.
    pub data: Option<&'static Type>,
    /// The value of `message`.
    pub message: Option<&'static str>,
    /// Members beside `data`.
    pub siblings: &'static [&'static str],
    /// The order of a list, as members of its items; `true` is descending.
    pub sort: &'static [(&'static str, bool)],
    /// How its list is paged.
    pub pages: Option<Pages>,
    /// The properties of its list's items; not set if they cannot be told apart. It names other operations, so it is set
    /// once all are there, and so are `traces`.
    pub list: OnceLock<List>,
    /// The operations that show what was written.
    pub traces: OnceLock<&'static [Trace]>,
}

impl Operation {
    /// The operations that show what was written.
    pub(crate) fn traces(&self) -> &'static [Trace] {
        self.traces.get().copied().unwrap_or_default()
    }
}

/// A resource that must exist.
#[derive(Debug)]
pub struct Exists {
    /// The resource.
    pub resource: &'static str,
    /// Its noun.
    pub noun: &'static str,
    /// Whether its id is a path parameter; else it is a member of the body.
    pub in_path: bool,
    /// The name of that parameter or member.
    pub id: &'static str,
    /// The resource that it must belong to.
    pub within: Option<&'static str>,
    /// Whether only its owner can see that it exists.
    pub private: bool,
}

/// The state transitions of an operation.
#[derive(Debug)]
pub struct Transitions {
    /// The resource.
    pub resource: &'static str,
    /// Its noun.
    pub noun: &'static str,
    /// Its field with the state.
    pub field: &'static str,
    /// The member of the body that names the new state.
    pub member: &'static str,
    /// The initial state.
    pub initial: &'static str,
    /// From → to; `None` if every transition is allowed. The present state is always allowed again.
    pub moves: Option<&'static [(&'static str, &'static [&'static str])]>,
    /// All states.
    pub all: &'static [&'static str],
    /// The states that the operation can set.
    pub words: &'static [&'static str],
}

/// A transition that an operation alone can bring about, or try.
#[derive(Clone, Debug)]
pub struct Move {
    /// The state before.
    pub from: &'static str,
    /// The states on the way from the initial one to that state; empty if it is the initial one.
    pub by_way_of: Vec<&'static str>,
    /// The requested state.
    pub to: &'static str,
    /// Whether the contract allows it.
    pub is_allowed: bool,
}
