//! The types of values in bodies, queries and answers.

use codegen::formats::Format;

/// The type of a value.
#[derive(Debug, PartialEq)]
pub(crate) enum Type {
    /// Text; characters are Unicode scalar values.
    Text {
        /// Fewest characters.
        min: usize,
        /// Most characters.
        max: Option<usize>,
        /// The only characters allowed, as single ones and ranges.
        chars: Option<&'static str>,
        /// Whether bidirectional controls are allowed.
        bidi_controls: bool,
    },
    /// A number.
    Number {
        /// The minimum.
        min: Option<f64>,
        /// A bound that it must exceed.
        exclusive_min: Option<f64>,
        /// The maximum.
        max: Option<f64>,
        /// Most decimal places.
        decimals: Option<u32>,
    },
    /// A whole number.
    Integer {
        /// The minimum.
        min: Option<i64>,
        /// The maximum.
        max: Option<i64>,
    },
    /// A list.
    List {
        /// The type of its items.
        of: &'static Type,
        /// Fewest items.
        min: usize,
        /// Most items.
        max: Option<usize>,
        /// The member that is unique among the items.
        unique: Option<&'static str>,
    },
    /// An object with members that the contract does not declare.
    FreeForm {
        /// Most bytes as compact JSON.
        max_bytes: usize,
    },
    /// An object.
    Object(&'static [Member]),
    /// One of these words.
    Word(&'static [&'static str]),
    /// The id of a resource, a number.
    Id(&'static str),
    /// The id of a resource, a text of this form.
    IdText(&'static str, &'static Format),
    /// Stored text that no request contains.
    Stored,
    /// A credential, shown once.
    Secret,
    /// `true` or `false`.
    Boolean,
    /// A query's `1`, `true`, `0` or `false`.
    Flag,
    /// A text of a fixed form, such as a date.
    Format(&'static Format),
    /// A point in time, whole seconds.
    Timestamp,
}

impl Type {
    /// The members of an object; none of any other type.
    pub(crate) fn members(&self) -> &'static [Member] {
        match self {
            Self::Object(members) => members,
            _ => &[],
        }
    }

    /// The member of an object with this name.
    pub(crate) fn member(&self, name: &str) -> Option<&'static Member> {
        named(self.members(), name)
    }

    /// The resource that a value is the id of.
    pub(crate) fn id_of(&self) -> Option<&'static str> {
        match self {
            Self::Id(resource) | Self::IdText(resource, _) => Some(resource),
            _ => None,
        }
    }

    /// The most items of a list of this type, of the number that is wanted. No guard looks up the ids in a list, so of them
    /// it has no more than necessary.
    pub(crate) fn most_items<N: PartialOrd>(&self, least: N, wanted: N) -> N {
        if self.id_of().is_some() || wanted < least {
            least
        } else {
            wanted
        }
    }
}

/// The member or parameter with this name.
pub(crate) fn named(members: &'static [Member], name: &str) -> Option<&'static Member> {
    members.iter().find(|member| member.name == name)
}

/// A member of an object, or a parameter of a query.
#[derive(Debug, PartialEq)]
pub(crate) struct Member {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub of: &'static Type,
    /// Whether it is required.
    pub required: bool,
    /// Whether it may be null.
    pub nullable: bool,
    /// Its default, as JSON.
    pub default: Option<&'static str>,
}

impl Member {
    /// A required member that is not null.
    pub(crate) const fn required(name: &'static str, of: &'static Type) -> Self {
        Self {
            name,
            of,
            required: true,
            nullable: false,
            default: None,
        }
    }

    /// A required member that may be null.
    pub(crate) const fn nullable(name: &'static str, of: &'static Type) -> Self {
        Self {
            nullable: true,
            ..Self::required(name, of)
        }
    }

    /// An optional member that may be null.
    pub(crate) const fn optional(name: &'static str, of: &'static Type) -> Self {
        Self {
            required: false,
            ..Self::nullable(name, of)
        }
    }

    /// The same with this default.
    pub(crate) const fn or(self, default: &'static str) -> Self {
        Self {
            default: Some(default),
            ..self
        }
    }
}
