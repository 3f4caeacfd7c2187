//! What is stored, how it is shown, and the bodies that make or change it.

use super::{Data, Field, Kind, Model, Operation, Span, Type, find};
use std::fmt;

/// A resource.
#[derive(Clone, Debug)]
pub struct Resource {
    /// Its name.
    pub name: String,
    /// What it is called in texts.
    pub noun: String,
    /// What it is.
    pub doc: Option<String>,
    /// Caller's resource → field with its id.
    pub owner: Vec<(String, String)>,
    /// Whether it does not exist for anyone but its owner.
    pub private: bool,
    /// What is stored.
    pub fields: Vec<Field>,
    /// What is looked up when shown.
    pub joined: Vec<Field>,
    /// Its shapes.
    pub views: Vec<View>,
    /// Where it stands.
    pub at: Span,
}

impl Resource {
    /// The stored field of this name.
    pub fn field(&self, name: &str) -> &Field {
        find(&self.fields, |field| field.name == name)
    }
}

/// A shape of a resource.
#[derive(Clone, Debug)]
pub struct View {
    /// Its name.
    pub name: String,
    /// Its members.
    pub members: Vec<ViewMember>,
}

impl View {
    fn has_rows(&self) -> bool {
        self.members.iter().any(ViewMember::is_list_of_rows)
    }
}

impl ViewMember {
    /// Whether it is a list of rows that are looked up.
    pub fn is_list_of_rows(&self) -> bool {
        let is_joined = matches!(self.source, Source::Joined(_));
        is_joined && self.of.list && !self.of.optional && matches!(self.of.kind, Kind::View(..))
    }
}

impl Model {
    /// Whether a view is sent while it is read: it has lists of rows, which can be longer than anything that is stored in one
    /// piece, and is itself no part of anything.
    pub fn is_streamed(&self, resource: &str, view: &str) -> bool {
        let wanted = Kind::View(resource.to_owned(), view.to_owned());
        let shown = find(&self.resource(resource).views, |one| one.name == view);
        let operations = self.surfaces.iter().flat_map(|surface| &surface.operations);
        let is_part = |operation: &Operation| match &operation.data {
            Some(Data::Many {
                resource: of,
                view: row,
            }) => of == resource && row == view,
            Some(Data::Members(members)) => members.iter().any(|member| member.of.kind == wanted),
            Some(Data::One { .. }) | None => false,
        };
        let mut joined = self.resources.iter().flat_map(|one| &one.joined);
        shown.has_rows() && !operations.into_iter().any(is_part) && !joined.any(|field| field.of.kind == wanted)
    }
}

/// A member of a [`View`].
#[derive(Clone, Debug)]
pub struct ViewMember {
    /// Its name.
    pub shown: String,
    /// Where the value comes from.
    pub source: Source,
    /// The type of the value as shown.
    pub of: Type,
    /// What the field that it shows says of itself; where that is picked from each item, what it is of each.
    pub doc: Option<String>,
}

/// Where a member of a view comes from.
#[derive(Clone, Debug)]
pub enum Source {
    /// A stored field.
    Stored(String),
    /// A member of each item of a stored field.
    Each(String, String),
    /// A joined field.
    Joined(String),
}

/// As it stands in a contract: `title`, `authors[].name`.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Stored(field) | Source::Joined(field) => f.write_str(field),
            Source::Each(list, member) => write!(f, "{list}[].{member}"),
        }
    }
}

/// A named request body.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its members.
    pub body: Body,
}

/// A request body.
#[derive(Clone, Debug)]
pub struct Body {
    /// The resource that it makes or changes.
    pub resource: Option<String>,
    /// Whether it is partial: at least one member, each of them may be absent.
    pub partial: bool,
    /// All members; those of the record first.
    pub members: Vec<BodyMember>,
    /// Where it stands.
    pub at: Span,
}

/// A member of a [`Body`].
#[derive(Clone, Debug)]
pub struct BodyMember {
    /// Name and type.
    pub field: Field,
    /// Whether it is a field of the body's record.
    pub of_record: bool,
    /// Whether it must be given.
    pub required: bool,
}

/// What an operation takes as its body.
#[derive(Clone, Debug)]
pub enum BodyUse {
    /// A named input.
    Named(String),
    /// One of its own.
    Inline(Body),
}
