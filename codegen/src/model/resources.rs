//! What is stored, how it is shown, and the bodies that make or change it.

use super::{Field, Span, Type, find};
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
