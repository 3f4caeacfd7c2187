//! The values of members of the envelope.

use crate::json;
use crate::span::{Span, Word};
use crate::syntax::grammar::Form;
use crate::syntax::read::wrong_form;
use crate::syntax::reader::Reader;
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
}

/// A literal, `$name` or `$name?`.
pub(crate) fn envelope_value(node: &Node, form: &'static Form, reader: &mut Reader) -> EnvelopeValue {
    let literal = match &node.form {
        Tree::Null => "null".to_owned(),
        Tree::Bool(value) => value.to_string(),
        Tree::Number { text, .. } => text.clone(),
        Tree::Text(text) if text.starts_with('$') => return placeholder(text, node.at),
        Tree::Text(text) => json::quoted(text),
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
