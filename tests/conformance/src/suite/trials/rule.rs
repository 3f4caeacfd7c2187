//! The rule that a test checks, in words, with its place in the contract.

use codegen::model::{Field, Kind, Model, Span, Type};

/// A rule of the contract, as the message of a failed test names it.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    /// The requirement.
    pub(crate) words: String,
    /// Its place in the contract.
    pub(crate) at: Span,
}

impl Rule {
    pub(crate) fn new(words: impl Into<String>, at: Span) -> Self {
        let words = words.into();
        Self { words, at }
    }
}

/// A rule of a value's type, with its owner: ``member `title` (types.title): at most 100 characters``.
pub(crate) fn of_value(model: &Model, of: &Type, whose: &str, at: Span, demand: &str) -> Rule {
    let (section, name, at) = match &of.kind {
        Kind::Named(name) => ("types", name, model.named_type(name).at),
        Kind::Enum(name) => ("enums", name, model.enumeration(name).at),
        Kind::Object(name) => ("objects", name, model.object(name).at),
        _ => return Rule::new(format!("{whose}: {demand}"), at),
    };
    Rule::new(format!("{whose} ({section}.{name}): {demand}"), at)
}

/// A rule of a parameter itself.
pub(crate) fn of_parameter(field: &Field, demand: &str) -> Rule {
    Rule::new(format!("{}: {demand}", parameter(field)), field.at)
}

/// The name of a parameter in messages.
pub(crate) fn parameter(field: &Field) -> String {
    format!("parameter `{}`", field.name)
}

/// `1 character`, `2 characters`
pub(crate) fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
