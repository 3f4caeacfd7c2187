//! What can be asked for: surfaces and their operations.

use super::{BodyUse, Field, Filter, Kind, Pages, Span};

/// The operations of one kind of caller.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Its name.
    pub name: String,
    /// Who calls it, and what for.
    pub doc: Option<String>,
    /// Path before every operation's own, without a slash at its end.
    pub base: String,
    /// The credential of every request.
    pub credential: Option<String>,
    /// The limits of its requests.
    pub limits: Vec<String>,
    /// Its operations.
    pub operations: Vec<Operation>,
    /// Where it stands.
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
    /// The path behind the base, as written.
    pub route: String,
    /// The path in pieces.
    pub segments: Vec<Segment>,
    /// Path parameters.
    pub path: Vec<Field>,
    /// Query parameters.
    pub query: Vec<Field>,
    /// Query parameters of which the first may not be above the second.
    pub constraints: Vec<(String, String)>,
    /// Fields of the listed resource, and whether the order is reversed.
    pub sort: Vec<(String, bool)>,
    /// Which rows a list shows: those for which all of these hold.
    pub filters: Vec<Filter>,
    /// How a list is cut into pages.
    pub pages: Option<Pages>,
    /// Its body.
    pub body: Option<BodyUse>,
    /// Most bytes of the body.
    pub max_bytes: u64,
    /// How many of its requests may wait for one caller at a time, where it waits on purpose.
    pub waits_at_once: Option<u32>,
    /// The limit that counts it.
    pub limit: Option<String>,
    /// The plan that is required.
    pub plan: Option<String>,
    /// What must exist, in order.
    pub exists: Vec<Exists>,
    /// The resources that the caller must own.
    pub owned: Vec<String>,
    /// The decision that lets callers name or see what belongs to others.
    pub open: Option<String>,
    /// The quota that it counts against.
    pub quota: Option<String>,
    /// The states that it moves: resource and enumeration.
    pub transitions: Option<(String, String)>,
    /// Rows of its own.
    pub rules: Vec<String>,
    /// HTTP status of a success.
    pub status: u16,
    /// `data`
    pub data: Option<Data>,
    /// `message`
    pub message: Option<String>,
    /// Members beside `data`.
    pub siblings: Vec<String>,
    /// Where it says all of this.
    pub places: Places,
    /// Where it stands.
    pub at: Span,
}

/// Where an operation says what it asks for and what it answers, each at its own word.
#[derive(Clone, Debug)]
pub struct Places {
    /// Its method; the path stands behind it.
    pub method: Span,
    /// Its constraints, in their order.
    pub constraints: Vec<Span>,
    /// The bound on the bytes of its body: its own, or that of all.
    pub max_bytes: Span,
    /// The guard of the plan.
    pub plan: Option<Span>,
    /// The guards of existence, in their order.
    pub exists: Vec<Span>,
    /// The guards of ownership, in their order.
    pub owned: Vec<Span>,
    /// The quota.
    pub quota: Option<Span>,
    /// The states that it moves.
    pub transitions: Option<Span>,
    /// Its own rows, in their order.
    pub rules: Vec<Span>,
}

/// A piece of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// As it stands.
    Literal(String),
    /// A parameter.
    Parameter(String),
}

impl Operation {
    /// Whether its success shows a secret.
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
    /// The resource that it must belong to, and the field that holds that one's id.
    pub parent: Option<(String, String)>,
}

/// Where an id of a request stands.
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
