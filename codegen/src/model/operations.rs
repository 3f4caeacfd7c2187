//! Surfaces and their operations.

use super::{BodyUse, Field, Filter, Guard, Kind, Pages, Span};

/// The operations of one kind of caller.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Its name.
    pub name: String,
    /// Who calls it, and what for.
    pub doc: Option<String>,
    /// The path prefix of its operations, without a slash at its end.
    pub base: String,
    /// The credential that requests need.
    pub credential: Option<String>,
    /// The limits of its requests.
    pub limits: Vec<String>,
    /// Its operations.
    pub operations: Vec<Operation>,
    /// Position in the file.
    pub at: Span,
}

/// One operation.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub doc: Option<String>,
    /// `GET`, `POST`, …
    pub method: String,
    /// The path after the base, as written.
    pub route: String,
    /// The path in segments.
    pub segments: Vec<Segment>,
    /// Path parameters.
    pub path: Vec<Field>,
    /// Query parameters.
    pub query: Vec<Field>,
    /// Pairs of query parameters: the first must not be greater than the second.
    pub constraints: Vec<(String, String)>,
    /// Sort keys: fields of the listed resource, and whether the order is descending.
    pub sort: Vec<(String, bool)>,
    /// The conditions on the rows of a list, all of which apply.
    pub filters: Vec<Filter>,
    /// How a list is split into pages.
    pub pages: Option<Pages>,
    /// Its body.
    pub body: Option<BodyUse>,
    /// Maximum bytes of the body.
    pub max_bytes: u64,
    /// Maximum concurrent requests of one caller, if the operation waits for events (`waits_at_once`).
    pub waits_at_once: Option<u32>,
    /// The limit that counts it.
    pub limit: Option<String>,
    /// What must hold before its handler runs: the plan, then existence, then ownership. In the order of the contract
    /// within a kind.
    pub guards: Vec<Guard>,
    /// The decision that permits access to resources of other accounts.
    pub open: Option<String>,
    /// The quota that it checks.
    pub quota: Option<String>,
    /// The states that it changes: resource and enum.
    pub transitions: Option<(String, String)>,
    /// The names of its own errors.
    pub rules: Vec<String>,
    /// HTTP status of a success.
    pub status: u16,
    /// `data`
    pub data: Option<Data>,
    /// `message`
    pub message: Option<String>,
    /// Members beside `data`.
    pub siblings: Vec<String>,
    /// Positions of its parts in the file.
    pub places: Places,
    /// Position in the file.
    pub at: Span,
}

/// Positions of the parts of an operation in the file.
#[derive(Clone, Debug)]
pub struct Places {
    /// Its method, which the path follows.
    pub method: Span,
    /// Its constraints, in order.
    pub constraints: Vec<Span>,
    /// The maximum of bytes of its body: its own, or the general one.
    pub max_bytes: Span,
    /// The quota.
    pub quota: Option<Span>,
    /// The states that it changes.
    pub transitions: Option<Span>,
    /// Its own errors, in order.
    pub rules: Vec<Span>,
}

/// A segment of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// Literal text.
    Literal(String),
    /// A parameter.
    Parameter(String),
}

impl Operation {
    /// Whether its success contains a secret.
    pub fn shows_secret(&self) -> bool {
        let is_secret = |member: &Field| member.of.kind == Kind::Secret;
        matches!(&self.data, Some(Data::Members(members)) if members.iter().any(is_secret))
    }
}

/// The `data` of a success.
#[derive(Clone, Debug)]
pub enum Data {
    /// One view.
    One {
        /// The resource.
        resource: String,
        /// The view.
        view: String,
    },
    /// A list of a view.
    Many {
        /// The resource.
        resource: String,
        /// The view.
        view: String,
    },
    /// An object.
    Members(Vec<Field>),
}
