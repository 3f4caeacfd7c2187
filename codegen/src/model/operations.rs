//! Surfaces and their operations.

use super::{AnswerFrom, BodyUse, Effect, Field, Filter, Kind, Pages, Span};

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
    /// The required plan.
    pub plan: Option<String>,
    /// The resources that must exist, in order.
    pub exists: Vec<Exists>,
    /// The resources that the caller must own.
    pub owned: Vec<String>,
    /// The decision that permits access to resources of other accounts.
    pub open: Option<String>,
    /// The quota that it checks.
    pub quota: Option<String>,
    /// The states that it changes: resource and enum.
    pub transitions: Option<(String, String)>,
    /// What it does to the stored records beside `transitions`, in order.
    pub effects: Vec<Effect>,
    /// Why the contract does not declare all that it does or returns.
    pub undeclared: Option<String>,
    /// The names of its own errors.
    pub rules: Vec<String>,
    /// HTTP status of a success.
    pub status: u16,
    /// `data`
    pub data: Option<Data>,
    /// Where the members of `data` come from, in order; for one view, the record that it shows. Empty for a list, and
    /// if the contract declares no effects.
    pub answers: Vec<AnswerFrom>,
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
    /// The guard on the plan.
    pub plan: Option<Span>,
    /// The guards on existence, in order.
    pub exists: Vec<Span>,
    /// The guards on ownership, in order.
    pub owned: Vec<Span>,
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

/// A resource that must exist.
#[derive(Clone, Debug)]
pub struct Exists {
    /// The resource.
    pub resource: String,
    /// Where its id comes from.
    pub id: IdSource,
    /// The resource that it must belong to, and the field that holds the parent's id.
    pub parent: Option<(String, String)>,
}

/// Where in the request an id is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdSource {
    /// In the path.
    Path(String),
    /// In the body.
    Body(String),
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
