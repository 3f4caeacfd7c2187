//! Schemas, whatever the version of OpenAPI.

use crate::documents::shared::words;
use crate::json::{Json, Object};

/// What a value may be.
#[derive(Clone, Debug)]
pub(super) struct Schema {
    pub(super) of: Of,
    pub(super) nullable: bool,
    pub(super) description: Option<String>,
    pub(super) default: Option<Json>,
    pub(super) example: Option<Json>,
    /// Keywords of our own, `x-…`.
    pub(super) extensions: Object,
}

/// What a value may be that is not null.
#[derive(Clone, Debug)]
pub(super) enum Of {
    /// What a component of this name says.
    Reference(String),
    Text(Text),
    /// Bounds included, of 64 bits.
    Integer {
        min: Option<i64>,
        max: Option<i64>,
    },
    Number(Number),
    Boolean,
    /// One of these words.
    Words(Vec<String>),
    /// This value.
    Constant(Json),
    /// One of several forms.
    Either(Vec<Schema>),
    List {
        of: Box<Schema>,
        min: u64,
        max: Option<u64>,
        unique: bool,
    },
    Object {
        members: Vec<Member>,
        extent: Extent,
    },
    /// An object with members of its author's own.
    Open,
    /// Nothing but null.
    Null,
}

/// Which members an object has of those that are named, and whether it has others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// In an answer: the required ones, and others that may be added to the contract, which clients ignore.
    Open,
    /// In a request: the required ones, and no others, which are rejected.
    Closed,
    /// In a request that changes a part of something: at least one, and no others.
    Partial,
}

/// A text, with its bounds in characters.
#[derive(Clone, Debug, Default)]
pub(super) struct Text {
    pub(super) min: u64,
    pub(super) max: Option<u64>,
    pub(super) pattern: Option<String>,
    pub(super) format: Option<&'static str>,
}

/// A number.
#[derive(Clone, Debug)]
pub(super) struct Number {
    pub(super) min: Option<f64>,
    pub(super) exclusive_min: Option<f64>,
    pub(super) max: Option<f64>,
}

/// A named member of an object.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) of: Schema,
    pub(super) required: bool,
}

impl From<Of> for Schema {
    fn from(of: Of) -> Self {
        Self {
            of,
            nullable: false,
            description: None,
            default: None,
            example: None,
            extensions: Object::new(),
        }
    }
}

impl Schema {
    pub(super) fn reference(name: String) -> Self {
        Of::Reference(name).into()
    }

    pub(super) fn described(self, description: impl Into<String>) -> Self {
        Self {
            description: Some(description.into()),
            ..self
        }
    }

    /// Described by a text of the contract, if there is one, before what is said anyway.
    pub(super) fn told(self, doc: Option<&str>) -> Self {
        let Some(doc) = doc else { return self };
        let description = match &self.description {
            Some(more) => words::joined(doc, more),
            None => doc.to_owned(),
        };
        self.described(description)
    }

    pub(super) fn with_example(self, example: impl Into<Json>) -> Self {
        Self {
            example: Some(example.into()),
            ..self
        }
    }

    pub(super) fn extended(self, name: &str, value: impl Into<Json>) -> Self {
        Self {
            extensions: self.extensions.with(name, value),
            ..self
        }
    }

    pub(super) fn or_null(self, nullable: bool) -> Self {
        Self { nullable, ..self }
    }
}
