//! The values of members of the envelope.

use crate::json;
use crate::span::{Span, Word};
use crate::syntax::grammar::Form;
use crate::syntax::read::wrong_form;
use crate::syntax::reader::Reader;
use crate::syntax::table::Table;
use crate::yaml::{Node, Value as Tree};

/// The value of a member of the envelope.
#[derive(Clone, Debug)]
pub enum EnvelopeValue {
    /// A literal, as JSON text (`true`, `"text"`, `7`, `null`).
    Literal(String),
    /// `$name` or `$name?`; the word holds the name alone.
    Placeholder {
        /// `data`, `message`, `siblings`, `text`, `code`, `status`, `request_id`
        name: Word,
        /// Whether the member is omitted if there is no value.
        optional: bool,
    },
    /// An object with these members. Only in errors, and without further objects.
    Object(Table<EnvelopeValue>),
}

impl EnvelopeValue {
    /// The name of its placeholder.
    pub fn placeholder(&self) -> Option<&Word> {
        match self {
            EnvelopeValue::Placeholder { name, .. } => Some(name),
            EnvelopeValue::Literal(_) | EnvelopeValue::Object(_) => None,
        }
    }

    /// The members, with those of an object in its place.
    pub fn flat(members: &[(Word, EnvelopeValue)]) -> Vec<&(Word, EnvelopeValue)> {
        let mut flat = Vec::new();
        for member in members {
            match &member.1 {
                EnvelopeValue::Object(members) => flat.extend(Self::flat(members)),
                _ => flat.push(member),
            }
        }
        flat
    }

    /// The names of the members that lead to this placeholder. `None`: it has no place.
    pub fn path_to<'m>(members: &'m [(Word, EnvelopeValue)], placeholder: &str) -> Option<Vec<&'m str>> {
        members.iter().find_map(|(name, value)| {
            let inner = match value {
                EnvelopeValue::Object(members) => Self::path_to(members, placeholder)?,
                _ => value
                    .placeholder()
                    .filter(|word| word.text == placeholder)
                    .map(|_| Vec::new())?,
            };
            Some([name.text.as_str()].into_iter().chain(inner).collect())
        })
    }

    /// Whether this placeholder has a place among the members, or in an object of them.
    pub fn shows(members: &[(Word, EnvelopeValue)], placeholder: &str) -> bool {
        Self::path_to(members, placeholder).is_some()
    }

    /// `$name` or `$name?`, written as such.
    pub(crate) fn parsed(text: &str, at: Span) -> Self {
        match text.starts_with('$') {
            true => placeholder(text, at),
            false => EnvelopeValue::Literal(json::quoted(text)),
        }
    }
}

/// The same in an error, all of whose placeholders but `$faults` always have a value.
pub(crate) fn error_value(node: &Node, form: &'static Form, reader: &mut Reader) -> EnvelopeValue {
    match envelope_value(node, form, reader) {
        EnvelopeValue::Placeholder { name, optional } => EnvelopeValue::Placeholder {
            optional: optional && name.text == "faults",
            name,
        },
        other => other,
    }
}

/// A literal, `$name` or `$name?`.
pub(crate) fn envelope_value(node: &Node, form: &'static Form, reader: &mut Reader) -> EnvelopeValue {
    let literal = match &node.form {
        Tree::Null => "null".to_owned(),
        Tree::Bool(value) => value.to_string(),
        Tree::Number { text, .. } => text.clone(),
        Tree::Text(text) => return EnvelopeValue::parsed(text, node.at),
        _ => {
            wrong_form(node, form, reader);
            "null".to_owned()
        }
    };
    EnvelopeValue::Literal(literal)
}

fn placeholder(text: &str, at: Span) -> EnvelopeValue {
    let text = text.to_owned();
    let whole = Word { text, at };
    let name = whole.text.strip_prefix('$').unwrap_or_default();
    EnvelopeValue::Placeholder {
        name: whole.part(name.strip_suffix('?').unwrap_or(name)),
        optional: name.ends_with('?'),
    }
}
