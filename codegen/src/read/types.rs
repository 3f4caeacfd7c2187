//! What a value may be: `types`, `enums`, `states`, `objects`, `inputs`.

use super::expressions::type_use;
use super::members::Members;
use super::words::{count, integer, number, positive, table, word, words, wrong_form};
use crate::report::Report;
use crate::spec::{Body, EnumDef, StateDef, Table, TypeDef, TypeUse, Word};
use crate::tree::{Form, Node};

/// The kinds of types, by the key that names them.
const KINDS: [&str; 5] = ["string", "number", "integer", "list", "free_form"];

pub(super) fn types(node: &Node, reports: &mut Vec<Report>) -> Table<TypeDef> {
    table(node, "{ title: { string: { min: 1, max: 200 } } }", type_def, reports)
}

fn type_def(node: &Node, reports: &mut Vec<Report>) -> TypeDef {
    let mut m = Members::of(node, "a type", "{ string: { min: 1, max: 200 } }", reports);
    let kind = m.one_of(&KINDS);
    let def = match kind {
        Some((kind, bounds)) => type_of_kind(&kind.text, bounds, m.reports()),
        // What is a text without bounds contradicts nothing that is said of it elsewhere.
        None => TypeDef::String {
            min: None,
            max: None,
            chars: None,
        },
    };
    m.done();
    def
}

fn type_of_kind(kind: &str, bounds: &Node, reports: &mut Vec<Report>) -> TypeDef {
    match kind {
        "string" => string_type(bounds, reports),
        "number" => number_type(bounds, reports),
        "integer" => integer_type(bounds, reports),
        "list" => list_type(bounds, reports),
        _ => open_type(bounds, reports),
    }
}

fn string_type(bounds: &Node, reports: &mut Vec<Report>) -> TypeDef {
    let mut m = Members::of(bounds, "`string`", "{ min: 1, max: 200 }", reports);
    let (min, max, chars) = (
        m.optional("min", count),
        m.optional("max", positive),
        m.optional("chars", word),
    );
    m.done();
    TypeDef::String { min, max, chars }
}

fn number_type(bounds: &Node, reports: &mut Vec<Report>) -> TypeDef {
    let mut m = Members::of(
        bounds,
        "`number`",
        "{ exclusive_min: 0, max: 100, decimals: 2 }",
        reports,
    );
    let (min, exclusive_min, max) = (
        m.optional("min", number),
        m.optional("exclusive_min", number),
        m.optional("max", number),
    );
    let decimals = m.optional("decimals", count);
    m.done();
    TypeDef::Number {
        min,
        exclusive_min,
        max,
        decimals,
    }
}

fn integer_type(bounds: &Node, reports: &mut Vec<Report>) -> TypeDef {
    let mut m = Members::of(bounds, "`integer`", "{ min: 1, max: 200 }", reports);
    let (min, max) = (m.optional("min", integer), m.optional("max", integer));
    m.done();
    TypeDef::Integer { min, max }
}

fn list_type(bounds: &Node, reports: &mut Vec<Report>) -> TypeDef {
    let mut m = Members::of(bounds, "`list`", "{ of: title, max: 30 }", reports);
    let of = m.required("of", word);
    let (min, max, unique) = (
        m.optional("min", count),
        m.optional("max", positive),
        m.optional("unique", word),
    );
    m.done();
    TypeDef::List { of, min, max, unique }
}

fn open_type(bounds: &Node, reports: &mut Vec<Report>) -> TypeDef {
    let mut m = Members::of(bounds, "`free_form`", "{ max_bytes: 2048 }", reports);
    let max_bytes = m.required("max_bytes", positive);
    m.done();
    TypeDef::FreeForm { max_bytes }
}

pub(super) fn enums(node: &Node, reports: &mut Vec<Report>) -> Table<EnumDef> {
    table(node, "{ Color: [red, green] }", enum_def, reports)
}

fn enum_def(node: &Node, reports: &mut Vec<Report>) -> EnumDef {
    match &node.form {
        Form::List(_) => EnumDef {
            of: None,
            values: words(node, reports),
        },
        Form::Map(_) => {
            let mut m = Members::of(node, "an enum", "{ of: Color, only: [red] }", reports);
            let def = EnumDef {
                of: Some(m.required("of", word)),
                values: m.required("only", words),
            };
            m.done();
            def
        }
        _ => {
            wrong_form(
                node,
                "a list of values, or a part of another enum",
                "[red, green]",
                reports,
            );
            EnumDef {
                of: None,
                values: Vec::new(),
            }
        }
    }
}

pub(super) fn states(node: &Node, reports: &mut Vec<Report>) -> Table<StateDef> {
    table(
        node,
        "{ Loan.status: { initial: out, transitions: any } }",
        state_def,
        reports,
    )
}

fn state_def(node: &Node, reports: &mut Vec<Report>) -> StateDef {
    let mut m = Members::of(node, "a state", "{ initial: out, transitions: any }", reports);
    let def = StateDef {
        initial: m.required("initial", word),
        transitions: m.required("transitions", transitions),
    };
    m.done();
    def
}

fn transitions(node: &Node, reports: &mut Vec<Report>) -> Option<Table<Vec<Word>>> {
    match &node.form {
        Form::Text(text) if text == "any" => None,
        Form::Map(_) => Some(table(node, "", words, reports)),
        _ => {
            wrong_form(
                node,
                "`any`, or a map from a state to those that may follow",
                "{ out: [back, lost] }",
                reports,
            );
            None
        }
    }
}

pub(super) fn objects(node: &Node, reports: &mut Vec<Report>) -> Table<Table<TypeUse>> {
    table(node, "{ Author: { name: name } }", typed, reports)
}

/// Names and the types of what they name.
pub(super) fn typed(node: &Node, reports: &mut Vec<Report>) -> Table<TypeUse> {
    table(node, "{ name: name, pages: count? }", type_use, reports)
}

pub(super) fn inputs(node: &Node, reports: &mut Vec<Report>) -> Table<Body> {
    table(
        node,
        "{ NewBook: { resource: Book, required: [title] } }",
        body,
        reports,
    )
}

/// What a request body holds.
pub(super) fn body(node: &Node, reports: &mut Vec<Report>) -> Body {
    let mut m = Members::of(node, "a body", "{ resource: Book, required: [title] }", reports);
    let body = Body {
        resource: m.optional("resource", word),
        required: m.optional("required", words).unwrap_or_default(),
        optional: m.optional("optional", words).unwrap_or_default(),
        any: m.optional("at_least_one_of", words).unwrap_or_default(),
        members: m.optional("members", typed).unwrap_or_default(),
        at: node.at,
    };
    m.done();
    body
}
