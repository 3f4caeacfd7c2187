//! `enums` and `states`

use super::events::EventKind;
use super::grammar::Form;
use super::read::wrong_form;
use super::reader::Reader;
use super::section::section;
use super::table::Table;
use super::value::Value;
use super::values::{Any, EnumValue, List, Map, NamesOfEvents, name};
use crate::span::Word;
use crate::yaml::{Node, Value as Tree};

/// An enum, or a subset of another one.
#[derive(Clone, Debug, Default)]
pub struct EnumDef {
    /// The enum of which this is a subset.
    pub of: Option<Word>,
    /// Whether its values are the names of the events.
    pub is_of_events: bool,
    /// Whether its values are the names of orders. Then the contract does not declare it.
    pub is_of_orders: bool,
    /// Its values.
    pub values: Vec<Word>,
    /// Values that have a description, with it.
    pub docs: Table<Word>,
}

impl Value for EnumDef {
    const FORM: Form = Form::Either {
        expected: "a list of values, `events`, or a subset of another enum",
        of: &[List::<EnumValue>::FORM, NamesOfEvents::FORM, EnumPart::FORM],
    };
    type Out = Self;

    fn read(node: &Node, form: &'static Form, reader: &mut Reader) -> Self {
        match &node.form {
            Tree::List(_) => {
                let values = List::<EnumValue>::read(node, form, reader).into_iter();
                let docs = values.clone().filter_map(|(name, doc)| Some((name, doc?)));
                EnumDef {
                    docs: docs.collect(),
                    values: values.map(|(name, _)| name).collect(),
                    ..EnumDef::default()
                }
            }
            Tree::Text(text) if text == "events" => EnumDef {
                is_of_events: true,
                ..EnumDef::default()
            },
            Tree::Map(_) => {
                let EnumPart { of, only } = EnumPart::read(node, form, reader);
                EnumDef {
                    of: Some(of),
                    values: only,
                    ..EnumDef::default()
                }
            }
            _ => {
                wrong_form(node, form, reader);
                EnumDef::default()
            }
        }
    }
}

/// Gives enums of the names of events their values: for now, all of them.
pub(super) fn add_events(enums: &mut Table<EnumDef>, kinds: &Table<EventKind>) {
    let docs = kinds
        .iter()
        .filter_map(|(name, kind)| Some((name.clone(), kind.doc.clone()?)));
    let docs: Vec<(Word, Word)> = docs.collect();
    for (_, of) in enums.iter_mut().filter(|(_, of)| of.is_of_events) {
        of.values = kinds.iter().map(|(name, _)| name.clone()).collect();
        of.docs = docs.iter().cloned().collect();
    }
}

section! {
    /// A subset of an enum.
    EnumPart = "an enum" at "enums.NAME";
    doc "A list of its values, or a subset of another enum: the values that are allowed in one place.";
    example "{ of: Color, only: [red] }";
    keys {
        of: required(name::Enum), example "Color",
            doc "The whole enum: one that is declared with its values.",
            effect "A conversion into the whole enum.";
        only: required(List<name::EnumValue>), example "[red]",
            doc "The values of the subset.",
            effect "The variants of its own Rust enum.";
    }
    aliases {
        "enum" "values" "type" => "an enum is a list of its values: `Color: [red, green]`";
    }
}

section! {
    /// An entry of `states`.
    StateDef = "a state" at "states.Resource.field";
    doc "How the value of a field may change.";
    example "{ initial: out, transitions: any }";
    keys {
        initial: required(name::EnumValue), example "out",
            doc "The state of a new record. The field has no default of its own.",
            effect "The value of the field in a new record.";
        transitions: required(Transitions), example "{ out: [late, back], late: [back] }",
            doc "For each state, the states that may follow it; or `any`. A state that is not listed is final.",
            effect "The function `may_become`, and tests of the transitions from each reachable state.";
    }
    aliases {
        "moves" "states" "from" => "declare which state may follow which in `transitions: { open: [closed] }`";
        "start" "default" => "write the initial state as `initial`";
    }
}

/// The states that may follow each state. `None` for `any`.
pub struct Transitions;

impl Value for Transitions {
    const FORM: Form = Form::Either {
        expected: "`any`, or a map from each state to those that may follow it",
        of: &[Next::FORM.with_example("{ out: [back, lost] }"), Any::FORM],
    };
    type Out = Option<Table<Vec<Word>>>;

    fn read(node: &Node, form: &'static Form, reader: &mut Reader) -> Self::Out {
        match &node.form {
            Tree::Text(text) if text == "any" => None,
            Tree::Map(_) => Some(Next::read(node, form, reader)),
            _ => {
                wrong_form(node, form, reader);
                None
            }
        }
    }
}

type Next = Map<name::Known<name::EnumValue>, List<name::EnumValue>>;
