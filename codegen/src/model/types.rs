//! What values are: kinds, named types, enumerations with their states, objects.

use super::Span;

/// The type of a field, member or parameter.
#[derive(Clone, Debug)]
pub struct Type {
    /// What it is, or what its items are.
    pub kind: Kind,
    /// Whether it is a list of those.
    pub list: bool,
    /// Whether it may be null or absent.
    pub optional: bool,
    /// Its value when it is not given, as written.
    pub default: Option<String>,
    /// Whether it is that of a field with states, of which a new record has the first.
    pub has_states: bool,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A named type.
    Named(String),
    /// Stored text that no request carries.
    Stored,
    /// A credential, shown once.
    Secret,
    /// `true` or `false`.
    Boolean,
    /// A query's `1`, `true`, `0` or `false`.
    Flag,
    /// A calendar date.
    Date,
    /// A point in time, whole seconds, UTC.
    Timestamp,
    /// The id of a resource.
    Id(String),
    /// An enumeration.
    Enum(String),
    /// An object.
    Object(String),
    /// A named input.
    Input(String),
    /// A view: resource and view.
    View(String, String),
}

/// A named type.
#[derive(Clone, Debug)]
pub struct NamedType {
    /// Its name.
    pub name: String,
    /// What it allows.
    pub rule: TypeRule,
    /// What such a value stands for, and its unit.
    pub doc: Option<String>,
    /// Where it stands.
    pub at: Span,
}

/// What a [`NamedType`] allows.
#[derive(Clone, Debug)]
pub enum TypeRule {
    /// Text, in Unicode scalar values.
    Text {
        /// Fewest characters.
        min: u64,
        /// Most characters.
        max: Option<u64>,
        /// Allowed characters.
        chars: Option<String>,
        /// Whether there may be bidirectional controls.
        bidi_controls: bool,
    },
    /// A number.
    Number {
        /// Least, inclusive.
        min: Option<f64>,
        /// Least, exclusive.
        exclusive_min: Option<f64>,
        /// Greatest, inclusive.
        max: Option<f64>,
        /// Most decimal places.
        decimals: Option<u32>,
    },
    /// A whole number.
    Integer {
        /// Least, inclusive.
        min: Option<i64>,
        /// Greatest, inclusive.
        max: Option<i64>,
    },
    /// A list.
    List {
        /// Type of the items.
        of: Box<Type>,
        /// Fewest.
        min: u64,
        /// Most.
        max: Option<u64>,
        /// The member that may not be the same twice.
        unique: Option<String>,
    },
    /// An object with members of its own.
    FreeForm {
        /// Most bytes as compact JSON.
        max_bytes: u64,
    },
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct Enum {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: Vec<String>,
    /// Values and what they mean, where it is said; of a part what the whole one says.
    pub docs: Vec<(String, String)>,
    /// The enumeration that it is a part of.
    pub part_of: Option<String>,
    /// Its states, where it has any.
    pub states: Option<States>,
    /// Where it stands.
    pub at: Span,
}

impl Enum {
    /// What a value means, where it is said.
    pub fn doc(&self, value: &str) -> Option<&str> {
        let said = self.docs.iter().find(|(name, _)| name == value);
        said.map(|(_, doc)| doc.as_str())
    }
}

/// Which value may follow which.
#[derive(Clone, Debug)]
pub struct States {
    /// The resource and its field that are in these states.
    pub of: (String, String),
    /// The first one.
    pub initial: String,
    /// From → to; `None` where any may follow any.
    pub transitions: Option<Vec<(String, Vec<String>)>>,
    /// Where they stand.
    pub at: Span,
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// Its members.
    pub members: Vec<Field>,
    /// Where it stands.
    pub at: Span,
}

/// A field, member or parameter.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub of: Type,
    /// What it is for, where it is said.
    pub doc: Option<String>,
    /// Where it stands.
    pub at: Span,
}
