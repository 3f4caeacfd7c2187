//! What a value may be, as `codegen` writes it down: the shape of bodies, queries and answers.

/// What a value may be.
#[derive(Debug)]
pub enum Type {
    /// Text; characters are Unicode scalar values.
    Text {
        /// Fewest characters.
        min: usize,
        /// Most characters.
        max: Option<usize>,
        /// The only characters allowed, as single ones and ranges.
        chars: Option<&'static str>,
        /// Whether there may be bidirectional controls.
        bidi_controls: bool,
    },
    /// A number.
    Number {
        /// Least.
        min: Option<f64>,
        /// What it must exceed.
        exclusive_min: Option<f64>,
        /// Greatest.
        max: Option<f64>,
        /// Most decimal places.
        decimals: Option<u32>,
    },
    /// A whole number.
    Integer {
        /// Least.
        min: Option<i64>,
        /// Greatest.
        max: Option<i64>,
    },
    /// A list.
    List {
        /// What its items are.
        of: &'static Type,
        /// Fewest items.
        min: usize,
        /// Most items.
        max: Option<usize>,
        /// The member that no two items share.
        unique: Option<&'static str>,
    },
    /// An object with members of its own.
    FreeForm {
        /// Most bytes as compact JSON.
        max_bytes: usize,
    },
    /// An object.
    Object(&'static [Member]),
    /// One of these words.
    Word(&'static [&'static str]),
    /// The id of a resource.
    Id(&'static str),
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
    /// A point in time, whole seconds.
    Timestamp,
}

/// A member of an object, or a parameter of a query.
#[derive(Debug)]
pub struct Member {
    /// Its name.
    pub name: &'static str,
    /// What it may be.
    pub of: &'static Type,
    /// Whether it must be there.
    pub required: bool,
    /// Whether null may stand in its place.
    pub nullable: bool,
    /// What it is when it is not given, as JSON.
    pub default: Option<&'static str>,
}

impl Member {
    /// One that must be there and is not null.
    pub const fn required(name: &'static str, of: &'static Type) -> Self {
        Self {
            name,
            of,
            required: true,
            nullable: false,
            default: None,
        }
    }

    /// One that must be there, and may be null.
    pub const fn nullable(name: &'static str, of: &'static Type) -> Self {
        Self {
            name,
            of,
            required: true,
            nullable: true,
            default: None,
        }
    }

    /// One that may be absent, or null.
    pub const fn optional(name: &'static str, of: &'static Type) -> Self {
        Self {
            name,
            of,
            required: false,
            nullable: true,
            default: None,
        }
    }

    /// One that may be absent, but not null.
    pub const fn partial(name: &'static str, of: &'static Type) -> Self {
        Self {
            name,
            of,
            required: false,
            nullable: false,
            default: None,
        }
    }

    /// The same with this value when it is not given.
    pub const fn or(self, default: &'static str) -> Self {
        Self {
            default: Some(default),
            ..self
        }
    }
}
