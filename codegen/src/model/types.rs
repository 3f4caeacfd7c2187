//! Types: kinds of values, named types, enums with their states, objects.

use super::{Alike, Origin, Span, Unit};
use crate::formats::Format;

/// The type of a field, member or parameter.
#[derive(Clone, Debug)]
pub struct Type {
    /// The kind of the value, or of the items of a list.
    pub kind: Kind,
    /// Whether it is a list.
    pub list: bool,
    /// Whether it may be null or absent.
    pub optional: bool,
    /// The default, as written.
    pub default: Option<String>,
    /// A valid value, as written, for examples: of a list, one of its items.
    pub example: Option<String>,
    /// Whether the field has states. A new record starts in the first one.
    pub has_states: bool,
}

/// The kind of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A named type.
    Named(String),
    /// Stored text that no request carries.
    Stored,
    /// A credential, shown once.
    Secret,
    /// `true` or `false`.
    Boolean,
    /// `1`, `true`, `0` or `false` in a query.
    Flag,
    /// A text of a fixed form, such as a date.
    Format(&'static Format),
    /// A point in time in whole seconds, UTC.
    Timestamp,
    /// A place in a feed of events, or `now`: only in its query.
    Cursor,
    /// Names of events that callers of this resource can get, separated by commas: only in the query of a feed.
    EventNames(String),
    /// The id of a resource.
    Id(String),
    /// An enum.
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
    /// What a value means, and its unit.
    pub doc: Option<String>,
    /// The unit of a number.
    pub unit: Option<Unit>,
    /// Whether responses show it once and never again.
    pub is_secret: bool,
    /// Whether people write it in several lines.
    pub is_multiline: bool,
    /// A valid value, as written: of a list, one of its items.
    pub example: Option<String>,
    /// Position in the file.
    pub at: Span,
}

/// What a [`NamedType`] allows.
#[derive(Clone, Debug)]
pub enum TypeRule {
    /// Text. Its length is counted in Unicode scalar values.
    Text {
        /// Minimum characters.
        min: u64,
        /// Maximum characters.
        max: Option<u64>,
        /// Allowed characters.
        chars: Option<String>,
        /// Whether bidirectional controls are allowed.
        bidi_controls: bool,
        /// How filters compare such texts.
        alike: Alike,
    },
    /// A number.
    Number {
        /// Minimum, inclusive.
        min: Option<f64>,
        /// Minimum, exclusive.
        exclusive_min: Option<f64>,
        /// Maximum, inclusive.
        max: Option<f64>,
        /// Maximum decimal places.
        decimals: Option<u32>,
    },
    /// A whole number.
    Integer {
        /// Minimum, inclusive.
        min: Option<i64>,
        /// Maximum, inclusive.
        max: Option<i64>,
    },
    /// A list.
    List {
        /// Type of the items.
        of: Box<Type>,
        /// Minimum items.
        min: u64,
        /// Maximum items.
        max: Option<u64>,
        /// The member by which items must differ.
        unique: Option<String>,
    },
    /// An object with arbitrary members.
    FreeForm {
        /// Maximum bytes as compact JSON.
        max_bytes: u64,
    },
}

/// An enum.
#[derive(Clone, Debug)]
pub struct Enum {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: Vec<String>,
    /// Values that have a description, with it. A subset has the descriptions of the whole enum.
    pub docs: Vec<(String, String)>,
    /// The enum of which it is a subset.
    pub part_of: Option<String>,
    /// Whether its values are names of events.
    pub is_of_events: bool,
    /// Whether its values are the names of orders.
    pub is_of_orders: bool,
    /// Its states, if it has any.
    pub states: Option<States>,
    /// Position in the file.
    pub at: Span,
}

impl Enum {
    /// The description of a value.
    pub fn doc(&self, value: &str) -> Option<&str> {
        let said = self.docs.iter().find(|(name, _)| name == value);
        said.map(|(_, doc)| doc.as_str())
    }
}

/// Which state may follow which.
#[derive(Clone, Debug)]
pub struct States {
    /// The resource and the field that has these states.
    pub of: (String, String),
    /// The state of a new record.
    pub initial: String,
    /// From → to; `None` if any state may follow any other.
    pub transitions: Option<Vec<(String, Vec<String>)>>,
    /// Position in the file.
    pub at: Span,
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// Its members.
    pub members: Vec<Field>,
    /// Position in the file.
    pub at: Span,
}

/// A field, member or parameter.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub of: Type,
    /// Where its value comes from, if the service fills it in. `None` for a joined field: only the handler knows.
    pub origin: Option<Origin>,
    /// Its description.
    pub doc: Option<String>,
    /// Position in the file.
    pub at: Span,
}
