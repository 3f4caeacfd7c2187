//! What the library is told of a contract. `codegen` writes these as statics, one [`Operation`] an endpoint.

use crate::holds::Trace;
use crate::lists::described::{List, Pages};
use crate::types::{Member, Type};

/// The parts of a contract that hold for every operation.
#[derive(Debug)]
pub struct Contract {
    /// The error table, in order of precedence.
    pub rows: &'static [Row],
    /// The members of a success.
    pub success: &'static [(&'static str, Part)],
    /// The members of an error.
    pub error: &'static [(&'static str, Part)],
    /// The headers of every answer: name and template.
    pub headers: &'static [(&'static str, &'static str)],
    /// The limits.
    pub limits: &'static [Limit],
    /// The headers in which limits report themselves: name and template.
    pub limit_headers: &'static [(&'static str, &'static str)],
    /// The kinds of credentials.
    pub credentials: &'static [Credential],
}

/// The value of a member of the envelope.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// This JSON.
    Literal(&'static str),
    /// What this name stands for, always there.
    Always(&'static str),
    /// What this name stands for, left out where there is nothing.
    IfAny(&'static str),
}

/// A row of the error table.
#[derive(Debug)]
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// The step that rejects.
    pub step: Step,
    /// HTTP status.
    pub status: u16,
    /// Template of what is said.
    pub text: &'static str,
    /// Headers that go along: name and template.
    pub headers: &'static [(&'static str, &'static str)],
    /// Where it stands in the contract.
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
    /// Too much waits to be sent.
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
    /// A rule of the business, by the name of its row.
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
    pub counts: Counts,
    /// Most in a window.
    pub max: u32,
    /// Most in a window of all credentials of one caller together.
    pub owner_max: Option<u32>,
    /// Length of the window, which begins at a multiple of it in Unix time.
    pub window_seconds: u32,
    /// Where it stands.
    pub at: &'static str,
}

/// What a [`Limit`] counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// Requests, for each caller or for each address.
    Requests,
    /// Credentials that were rejected, for each address.
    FailedCredentials,
}

/// A kind of credential.
#[derive(Debug)]
pub struct Credential {
    /// Its name.
    pub name: &'static str,
    /// The request header.
    pub header: &'static str,
    /// The resource that acts with it; `None` where there is only one who can.
    pub caller: Option<&'static str>,
    /// The resource that each credential comes with.
    pub comes_with: Option<&'static str>,
    /// Whether a caller can have several, which limits count apart.
    pub is_one_of_several: bool,
    /// The plans that a caller may have.
    pub plans: &'static [&'static str],
    /// Whether a caller can be shut out.
    pub suspends: bool,
    /// First characters.
    pub prefix: &'static str,
    /// Number of random characters behind them.
    pub random: usize,
}

/// One endpoint.
#[derive(Debug)]
pub struct Operation {
    /// `surface::operation`
    pub name: &'static str,
    /// Where it stands in the contract.
    pub at: &'static str,
    /// Its HTTP method.
    pub method: &'static str,
    /// Its whole path, parameters written `:name`.
    pub path: &'static str,
    /// Every method that the path offers.
    pub allow: &'static [&'static str],
    /// The credential of every request.
    pub credential: Option<&'static Credential>,
    /// The limit that counts it.
    pub limit: Option<&'static Limit>,
    /// The plan that the caller must have.
    pub plan: Option<&'static str>,
    /// The parameters in the path.
    pub parameters: &'static [Parameter],
    /// The parameters of the query.
    pub query: &'static [Member],
    /// Pairs of them: the first one may not be above the second.
    pub constraints: &'static [(&'static str, &'static str)],
    /// Its body, an object.
    pub body: Option<&'static Type>,
    /// Whether the body is partial: at least one member, whichever.
    pub partial: bool,
    /// Most bytes of the body.
    pub max_bytes: usize,
    /// What must exist, in order.
    pub exists: &'static [Exists],
    /// The resources that the caller must own.
    pub owned: &'static [&'static str],
    /// The quota that it counts against.
    pub quota: Option<&'static Quota>,
    /// The states that it moves.
    pub transitions: Option<Transitions>,
    /// HTTP status of a success.
    pub status: u16,
    /// `data`
    pub data: Option<&'static Type>,
    /// `message`
    pub message: Option<&'static str>,
    /// Members beside `data`.
    pub siblings: &'static [&'static str],
    /// The order of a list, as members of its rows; `true` is descending.
    pub sort: &'static [(&'static str, bool)],
    /// How its list is paged.
    pub pages: Option<Pages>,
    /// What is known of the rows of its list.
    pub list: Option<List>,
    /// The operations that show what was written.
    pub traces: &'static [Trace],
}

/// A parameter in a path.
#[derive(Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it may be.
    pub of: &'static Type,
}

/// A resource that must exist.
#[derive(Debug)]
pub struct Exists {
    /// The resource.
    pub resource: &'static str,
    /// What it is called.
    pub noun: &'static str,
    /// The path parameter with its id; else it is a member of the body.
    pub in_path: bool,
    /// The name of that parameter or member.
    pub id: &'static str,
    /// The resource that it must belong to.
    pub within: Option<&'static str>,
    /// Whether it does not exist for anyone but its owner.
    pub private: bool,
}

/// How many there may be.
#[derive(Debug)]
pub struct Quota {
    /// Its name.
    pub name: &'static str,
    /// Most of them.
    pub max: u64,
    /// What they are called.
    pub noun: &'static str,
}

/// The states that an operation moves.
#[derive(Debug)]
pub struct Transitions {
    /// The resource.
    pub resource: &'static str,
    /// What it is called.
    pub noun: &'static str,
    /// The member of the body that names the new state.
    pub member: &'static str,
    /// A move that is rejected, where the operation can be made to try one.
    pub rejected: Option<Move>,
}

/// A move from one state to another.
#[derive(Clone, Copy, Debug)]
pub struct Move {
    /// The states on the way from the first one, the last of which is left; none where that is the first.
    pub by_way_of: &'static [&'static str],
    /// The state that is asked for.
    pub to: &'static str,
}
