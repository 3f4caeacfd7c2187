//! Schemas, independent of the version of OpenAPI.

use crate::documents::shared::words;
use crate::json::{Json, JsonObject};

/// The schema of a value.
#[derive(Clone, Debug)]
pub(super) struct Schema {
    pub(super) of: Of,
    pub(super) nullable: bool,
    pub(super) description: Option<String>,
    pub(super) default: Option<Json>,
    pub(super) example: Option<Json>,
    /// Our own keywords, `x-…`.
    pub(super) extensions: JsonObject,
}

/// The schema of a value that is not null.
#[derive(Clone, Debug)]
pub(super) enum Of {
    /// A reference to the component of this name.
    Reference(String),
    Text(Text),
    /// A 64-bit integer within these inclusive bounds.
    Integer {
        min: Option<i64>,
        max: Option<i64>,
    },
    Number(Number),
    Boolean,
    /// One of these texts.
    Words(Vec<String>),
    /// Exactly this value.
    Constant(Json),
    /// Exactly one of several schemas.
    Either(Vec<Schema>),
    List {
        of: Box<Schema>,
        min: u64,
        max: Option<u64>,
        unique: bool,
    },
    Object {
        members: Vec<SchemaMember>,
        extent: Extent,
    },
    /// An object with any members.
    Open,
    /// Only null.
    Null,
}

/// Which of the named members an object has, and whether it may have others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// In an answer: the required members. The contract may add others, which clients ignore.
    Open,
    /// In a request: the required members. Others are rejected.
    Closed,
    /// In a request that changes a part of a resource: at least one member. Others are rejected.
    Partial,
}

/// A text, with its length bounds in characters.
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
pub(super) struct SchemaMember {
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
            extensions: JsonObject::new(),
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

    /// Adds a description: the contract's text, if there is one, before the generated one.
    pub(super) fn with_description(self, doc: Option<&str>) -> Self {
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
