//! Reads the entries of `types`, `enums`, `states` and `inputs`.

use super::descriptions::described;
use super::expressions::type_use;
use super::members::Members;
use super::words::{list, number, table, unique, word, words, wrong_form};
use crate::diagnostic::Diagnostic;
use crate::language::Form;
use crate::spec::{Body, EnumDef, NamedType, StateDef, Table, TypeDef, Word};
use crate::yaml::{Node, Value as Tree};

pub(super) fn named_type(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> NamedType {
    let mut m = Members::of(node, form, diagnostics);
    let kind = m.choice(|bounds, form, _: &mut Vec<Diagnostic>| (bounds, form));
    let doc = m.given("doc", word);
    m.done();
    let def = match kind {
        Some((kind, (bounds, form))) => type_of_kind(&kind.text, bounds, form, diagnostics),
        // A string without bounds contradicts no other declaration, so it causes no further diagnostics.
        None => TypeDef::String {
            min: None,
            max: None,
            chars: None,
            bidi_controls: None,
        },
    };
    NamedType { def, doc }
}

fn type_of_kind(kind: &str, bounds: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> TypeDef {
    let mut m = Members::of(bounds, form, diagnostics);
    let def = match kind {
        "string" => TypeDef::String {
            min: m.given("min", number),
            max: m.given("max", number),
            chars: m.given("chars", word),
            bidi_controls: m.given("bidi_controls", word),
        },
        "number" => TypeDef::Number {
            min: m.given("min", number),
            exclusive_min: m.given("exclusive_min", number),
            max: m.given("max", number),
            decimals: m.given("decimals", number),
        },
        "integer" => TypeDef::Integer {
            min: m.given("min", number),
            max: m.given("max", number),
        },
        "list" => TypeDef::List {
            of: m.value("of", word),
            min: m.given("min", number),
            max: m.given("max", number),
            unique: m.given("unique", word),
        },
        "free_form" => TypeDef::FreeForm {
            max_bytes: m.value("max_bytes", number),
        },
        other => panic!("the reader of types knows the kind `{other}`, which the grammar has"),
    };
    m.done();
    def
}

pub(super) fn enum_def(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> EnumDef {
    match &node.form {
        Tree::List(_) => {
            let values = list(node, form, enum_value, diagnostics);
            let values = unique(values, |(name, _)| name.clone(), diagnostics);
            let docs = values
                .iter()
                .filter_map(|(name, doc)| Some((name.clone(), doc.clone()?)));
            EnumDef {
                of: None,
                docs: docs.collect(),
                values: values.into_iter().map(|(name, _)| name).collect(),
            }
        }
        Tree::Map(_) => {
            let mut m = Members::of(node, form, diagnostics);
            let part = EnumDef {
                of: Some(m.value("of", word)),
                values: m.value("only", words),
                docs: Table::default(),
            };
            m.done();
            part
        }
        _ => {
            wrong_form(node, form, diagnostics);
            EnumDef::default()
        }
    }
}

fn enum_value(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> (Word, Option<Word>) {
    described(&word(node, form, diagnostics), diagnostics)
}

pub(super) fn state_def(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> StateDef {
    let mut m = Members::of(node, form, diagnostics);
    let def = StateDef {
        initial: m.value("initial", word),
        transitions: m.value("transitions", transitions),
    };
    m.done();
    def
}

fn transitions(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Option<Table<Vec<Word>>> {
    match &node.form {
        Tree::Text(text) if text == "any" => None,
        Tree::Map(_) => Some(table(words)(node, form, diagnostics)),
        _ => {
            wrong_form(node, form, diagnostics);
            None
        }
    }
}

/// Reads a request body.
pub(super) fn body(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Body {
    let mut m = Members::of(node, form, diagnostics);
    let body = Body {
        resource: m.given("resource", word),
        required: m.value("required", words),
        optional: m.value("optional", words),
        any: m.value("at_least_one_of", words),
        members: m.value("members", table(type_use)),
        at: node.at,
    };
    m.done();
    body
}
