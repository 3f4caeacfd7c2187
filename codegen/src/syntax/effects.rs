//! `makes` of an endpoint

use super::grammar::Form;
use super::table::Table;
use super::value::Value;
use super::values::{Each, FieldValue, Map, name};
use crate::diagnostic::{Diagnostic, Rule};
use crate::span::Word;
use crate::syntax::reader::Reader;
use crate::yaml::{Node, Value as Tree};

/// A new record.
#[derive(Clone, Debug, Default)]
pub struct Made {
    /// The member of the body of whose items each makes a record.
    pub each: Option<Word>,
    /// Fields, and what fills them: `$member`, `$caller`, `Resource.field` of what a guard found, or a value as written.
    pub fields: Table<Word>,
}

/// The records that an endpoint creates: resources, and what fills their fields.
pub struct Makes;

type Fields = Map<name::Known<name::Field>, FieldValue>;
type Several = Map<name::Known<name::Resource>, Made>;

impl Value for Makes {
    const FORM: Form = Form::Either {
        expected: "a resource, or a map from resources to what fills their fields",
        of: &[Several::FORM, name::Resource::FORM],
    };
    type Out = Table<Made>;

    fn read(node: &Node, form: &'static Form, reader: &mut Reader) -> Self::Out {
        match &node.form {
            Tree::Map(_) => Several::read(node, form, reader),
            _ => {
                let name = name::Resource::read(node, form, reader);
                [(name, Made::default())].into_iter().collect()
            }
        }
    }
}

impl Value for Made {
    const FORM: Form = Form::Either {
        expected: "what fills the fields, or `each` and a member of the body",
        of: &[Fields::FORM, Each::FORM],
    };
    const SEVERAL: &'static str = "{ Loan: { until: $until }, Book: each books }";
    type Out = Self;

    fn read(node: &Node, form: &'static Form, reader: &mut Reader) -> Self {
        let Tree::Text(_) = &node.form else {
            return Made {
                each: None,
                fields: Fields::read(node, form, reader),
            };
        };
        let whole = Each::read(node, form, reader);
        let parts: Vec<&str> = whole.text.split_whitespace().collect();
        let each = match parts.as_slice() {
            ["each", member] => Some(whole.part(member)),
            _ => {
                let message = format!("`{}` is not `each` and a member of the body", whole.text);
                let help = "write `{ field: value }`, `{}`, or `each member`: one record for each item of that list";
                reader.report(Diagnostic::new(Rule::BadMakes, whole.at, message).help(help));
                None
            }
        };
        Made {
            each,
            fields: Table::default(),
        }
    }
}
