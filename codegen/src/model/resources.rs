//! Resources, their views, and the bodies that create or change them.

use super::{Data, Field, FieldIs, Hidden, Ids, Kind, Model, Operation, Realm, Span, Type, find};
use crate::formats::Format;
use std::fmt;

/// A resource.
#[derive(Clone, Debug)]
pub struct Resource {
    /// Its name.
    pub name: String,
    /// Its name in texts.
    pub noun: String,
    /// The name of several such records.
    pub plural: String,
    /// The field that tells records apart for people, if the contract names one.
    pub label: Option<String>,
    /// The fields that tables show, if the contract names them.
    pub columns: Vec<String>,
    /// Its description.
    pub doc: Option<String>,
    /// What its ids are.
    pub ids: Ids,
    /// Owners: the caller's resource → the field that holds its id.
    pub owner: Vec<(String, String)>,
    /// Whether members of its views that have no value are left out, and bodies have no nulls.
    pub omits_nulls: bool,
    /// Whether only its owner can know that it exists.
    pub private: bool,
    /// The field that divides its records into realms.
    pub realm: Option<Realm>,
    /// Which records are hidden from callers who do not own them.
    pub hidden: Option<Hidden>,
    /// The list of another resource whose distinct items its records are.
    pub distinct: Option<Distinct>,
    /// The field that is a mean.
    pub average: Option<Average>,
    /// Stored fields.
    pub fields: Vec<Field>,
    /// Fields that are looked up when shown.
    pub joined: Vec<Field>,
    /// Its views.
    pub views: Vec<View>,
    /// Position in the file.
    pub at: Span,
}

impl Resource {
    /// If its records are the distinct items of a list: the fields that are members of the items.
    pub fn item_members(&self) -> impl Iterator<Item = &Field> {
        let fields = self.fields.iter().filter(|_| self.distinct.is_some());
        fields.filter(|field| field.name != "id" && field.origin.is_none())
    }

    /// The stored field with this name.
    pub fn field(&self, name: &str) -> &Field {
        find(&self.fields, |field| field.name == name)
    }
}

/// Two fields that requests give, and that show the mean of it and of the values of other records, and of how many values it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Average {
    /// The field with the mean.
    pub field: String,
    /// The field with the number of values.
    pub count: String,
    /// The resource of the other records.
    pub resource: String,
    /// Its field with the value.
    pub value: String,
    /// Its field with the id of the record that shows the mean.
    pub via: String,
    /// Which of them count. `None`: all.
    pub only: Option<FieldIs>,
    /// The decimals of the mean.
    pub decimals: u32,
    /// Position in the file.
    pub at: Span,
}

impl Average {
    /// Whether this field of the resource shows the mean, or of how many values it is.
    pub fn shows(&self, field: &str) -> bool {
        self.field == field || self.count == field
    }
}

/// `stars, count ratings of Rating.stars where is_hidden is false`
impl fmt::Display for Average {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}, count {} of {}.{}",
            self.field, self.count, self.resource, self.value
        )?;
        match &self.only {
            Some(only) => write!(f, " where {only}"),
            None => Ok(()),
        }
    }
}

/// A list whose distinct items are the records of a resource. Items with the same number are one record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distinct {
    /// The resource that stores the list.
    pub resource: String,
    /// Its field, a list of objects.
    pub list: String,
    /// The member of the objects that is the `number of` others.
    pub number: String,
    /// Position in the file.
    pub at: Span,
}

/// As in a contract: `Book.authors`.
impl fmt::Display for Distinct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.resource, self.list)
    }
}

/// A view of a resource: the members that an answer shows.
#[derive(Clone, Debug)]
pub struct View {
    /// Its name.
    pub name: String,
    /// Its members.
    pub members: Vec<ViewMember>,
}

impl View {
    /// The member that shows this stored field.
    pub fn member_of(&self, field: &str) -> Option<&ViewMember> {
        let shows = |source: &Source| matches!(source, Source::Stored(stored) if stored == field);
        self.members.iter().find(|member| shows(&member.source))
    }

    fn has_rows(&self) -> bool {
        self.members.iter().any(ViewMember::is_list_of_rows)
    }
}

impl ViewMember {
    /// Whether it is a list of views that are looked up.
    pub fn is_list_of_rows(&self) -> bool {
        let is_joined = matches!(self.source, Source::Joined(_));
        is_joined && self.of.list && !self.of.optional && matches!(self.of.kind, Kind::View(..))
    }
}

impl Model {
    /// What the ids of a resource are.
    pub fn ids(&self, resource: &str) -> Ids {
        self.resource(resource).ids
    }

    /// What the ids of this kind are, if it is one of ids.
    pub fn ids_of(&self, kind: &Kind) -> Option<Ids> {
        match kind {
            Kind::Id(resource) => Some(self.ids(resource)),
            _ => None,
        }
    }

    /// The format of values of this kind, if they are texts of a fixed form: also of ids.
    pub fn format(&self, kind: &Kind) -> Option<&'static Format> {
        match kind {
            Kind::Format(format) => Some(format),
            kind => self.ids_of(kind)?.format(),
        }
    }

    /// Whether a view is sent while it is read. It contains lists of views, which can be longer than any stored value,
    /// and is not part of another view.
    pub fn is_streamed(&self, resource: &str, view: &str) -> bool {
        let wanted = Kind::View(resource.to_owned(), view.to_owned());
        let shown = self.view(resource, view);
        let operations = self.surfaces.iter().flat_map(|surface| &surface.operations);
        let is_part = |operation: &Operation| match &operation.data {
            Some(Data::Many {
                resource: of,
                view: row,
            }) => of == resource && row == view,
            Some(Data::Members(members)) => members.iter().any(|member| member.of.kind == wanted),
            Some(Data::One { .. } | Data::Counts(_) | Data::Events) | None => false,
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
    /// The description of the field. If a member is picked from each item: the description of that member.
    pub doc: Option<String>,
    /// Whether it is left out if it has no value.
    pub omitted: bool,
}

/// Source of a member of a view.
#[derive(Clone, Debug)]
pub enum Source {
    /// A stored field.
    Stored(String),
    /// A member of each item of a stored field.
    Each(String, String),
    /// A joined field.
    Joined(String),
}

impl Source {
    /// The field.
    pub fn field(&self) -> &str {
        match self {
            Source::Stored(field) | Source::Each(field, _) | Source::Joined(field) => field,
        }
    }
}

/// As in a contract: `title`, `authors[].name`.
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
    /// The resource that it creates or changes.
    pub resource: Option<String>,
    /// Whether it is partial: every member is optional, and at least one is required.
    pub partial: bool,
    /// All members, those of the resource first.
    pub members: Vec<BodyMember>,
    /// Position in the file.
    pub at: Span,
}

impl Body {
    /// Whether a request may have no body, which counts as one without members: none is required.
    pub fn may_be_absent(&self) -> bool {
        !self.partial && self.members.iter().all(|member| !member.required)
    }
}

/// A member of a [`Body`].
#[derive(Clone, Debug)]
pub struct BodyMember {
    /// Name and type.
    pub field: Field,
    /// Whether it is a field of the body's resource.
    pub of_record: bool,
    /// Whether it is required.
    pub required: bool,
    /// Whether null is a validation error although it may be absent.
    pub never_null: bool,
}

/// The body of an operation.
#[derive(Clone, Debug)]
pub enum BodyUse {
    /// A named input.
    Named(String),
    /// An inline body.
    Inline(Body),
}
