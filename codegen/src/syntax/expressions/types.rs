//! Uses of types, and values of enums, with their descriptions.

use super::origins::{Origin, origin};
use crate::aliases;
use crate::diagnostic::{Diagnostic, Rule};
use crate::span::Word;
use crate::syntax::grammar::{Form, Scalar, Uses};
use crate::syntax::read::{bracketed, clipped, described, undescribed, word, wrong_form};
use crate::syntax::reader::Reader;
use crate::yaml::{Node, Value as Tree};

/// A use of a type: `title`, `title?`, `[Author]`, `size = 20 -- How many.`.
#[derive(Clone, Debug)]
pub struct TypeUse {
    /// The name: a type, an enum, an object, an input, a built-in, `Book.id` or a view such as `Book.list`.
    pub name: Word,
    /// Whether it is a list (`[name]`).
    pub list: bool,
    /// Whether it may be null or absent (`?`).
    pub optional: bool,
    /// The default (`= value`), as written.
    pub default: Option<Word>,
    /// Where the service takes the value from (`= now`, `= count Loan`, `= author_id.name`).
    pub origin: Option<Box<Origin>>,
    /// The description (` -- text`).
    pub doc: Option<Word>,
}

impl TypeUse {
    /// The example that the description gives: ``such as `Cooking` ``.
    pub fn example(&self) -> Option<Word> {
        const BEGIN: &str = "such as `";
        let doc = self.doc.as_ref()?;
        let (_, behind) = doc.text.split_once(BEGIN)?;
        let (example, _) = behind.split_once('`')?;
        Some(doc.part(example))
    }
}

/// `title`, `title?`, `title = x`, `[Author]`, with ` -- text` where a description is allowed. `[Author]` may also be a
/// YAML list with one name.
pub(crate) fn type_use(node: &Node, form: &'static Form, reader: &mut Reader) -> TypeUse {
    let used = read_use(node, form, reader);
    if let Some(Scalar::TypeUse(uses)) = form.scalar() {
        reader.uses_type(&used.name, used.list, uses);
    }
    used
}

/// `title`: the type of the items of a list type.
pub(crate) fn type_name(node: &Node, form: &'static Form, reader: &mut Reader) -> Word {
    let name = word(node, form, reader);
    reader.uses_type(&name, false, Uses::Body);
    name
}

fn read_use(node: &Node, form: &'static Form, reader: &mut Reader) -> TypeUse {
    if let Tree::List(items) = &node.form
        && let [item] = items.as_slice()
    {
        let name = plain_name(&bracketed(&word(item, form, reader), reader), reader);
        return TypeUse {
            name,
            list: true,
            optional: false,
            default: None,
            origin: None,
            doc: None,
        };
    }
    let (whole, doc) = written_use(node, form, reader);
    let (rest, default) = match whole.text.split_once('=') {
        Some((rest, default)) => (rest.trim_end(), Some(default.trim())),
        None => (whole.text.as_str(), None),
    };
    let (rest, optional) = match rest.strip_suffix('?') {
        Some(rest) => (rest, true),
        None => (rest, false),
    };
    let inside = rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let name = plain_name(&whole.part(inside.unwrap_or(rest)), reader);
    let uses = match form.scalar() {
        Some(Scalar::TypeUse(uses)) => uses,
        _ => Uses::Answer,
    };
    let default = default.map(|text| whole.part(text));
    let (origin, is_origin) = match &default {
        Some(written) => origin((&name.text, written), uses, reader),
        None => (None, false),
    };
    let default = default.filter(|_| !is_origin);
    let message = match default.as_ref().map(|default| default.text.as_str()) {
        Some(_) if optional => "a type has `?` (null if absent) or `= value` (that value if absent), not both",
        Some("") => "`=` needs a default after it",
        _ => "",
    };
    if !message.is_empty() {
        reader.report(Diagnostic::new(Rule::BadType, whole.at, message));
    }
    TypeUse {
        name,
        list: inside.is_some(),
        optional,
        default,
        origin: origin.map(Box::new),
        doc,
    }
}

/// The use of a type in a scalar, and its description.
fn written_use(node: &Node, form: &'static Form, reader: &mut Reader) -> (Word, Option<Word>) {
    let whole = match &node.form {
        Tree::Text(_) => word(node, form, reader),
        Tree::Map(_) => {
            let help = "a type is one word: `title`, `title?` if it may be absent, `title = x` with a default; \
                declare bounds in `types`, and write a description after ` -- `";
            reader.report(Diagnostic::new(Rule::WrongForm, node.head, "expected a type, found a map").help(help));
            Word::default()
        }
        _ => {
            wrong_form(node, form, reader);
            Word::default()
        }
    };
    match form.scalar() {
        Some(scalar) if scalar.is_described() => described(&whole, reader),
        _ => (undescribed(whole, reader), None),
    }
}

/// A name such as `title` or `Book.id`. If it is invalid, the result has no position.
fn plain_name(name: &Word, reader: &mut Reader) -> Word {
    let is_name = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let mut parts = name.text.split('.');
    let is_type = parts.next().is_some_and(is_name) && parts.next().is_none_or(is_name) && parts.next().is_none();
    if is_type || name.at.is_unknown() {
        return name.clone();
    }
    let message = format!("`{}` is not a type", clipped(&name.text));
    let help = "a type is written `title`, `title?`, `title = x` or `[title]`";
    let help = aliases::type_form(&name.text).unwrap_or(help);
    reader.report(Diagnostic::new(Rule::BadType, name.at, message).help(help));
    Word::default()
}

/// `red -- As a rose.`: the value of an enum, and its description.
pub(crate) fn enum_value(node: &Node, form: &'static Form, reader: &mut Reader) -> (Word, Option<Word>) {
    described(&word(node, form, reader), reader)
}
