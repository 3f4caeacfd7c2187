//! `consequence` of an endpoint: what a person has to know before doing it.

use super::expressions::FieldIs;
use super::grammar::Form;
use super::reader::Reader;
use super::section::section;
use super::value::Value;
use super::values::{FieldCondition, Text};
use crate::span::{Span, Word};
use crate::yaml::{Node, Value as Tree};

section! {
    /// `consequence` of an endpoint, if not all requests have it.
    ConsequenceIf = "`consequence`" at "surfaces.NAME.endpoints.NAME.consequence" with head;
    doc "What some requests have as their consequence.";
    example "{ when: is_blocked is true, text: The reader can borrow nothing. }";
    keys {
        when: required(FieldCondition), example "is_blocked is true",
            doc "Which requests: those whose body has one of these values, or none of them, in a member that is a boolean or an \
                 enum.";
        text: required(Text), example "The reader can borrow nothing.",
            doc "The consequence.",
            effect "The console shows it and asks, once the form has such a value.";
    }
    aliases {
        "if" "where" => "write the condition as `when`";
        "doc" => "write the consequence as `text`";
    }
}

/// `consequence` of an endpoint.
#[derive(Clone, Debug)]
pub struct Consequence {
    /// What a person has to know.
    pub text: Word,
    /// Which requests have it. `None`: all. The inner `None` is of an invalid condition.
    pub when: Option<Option<FieldIs>>,
    /// Position in the file.
    pub at: Span,
}

impl Value for Consequence {
    const FORM: Form = Form::Either {
        expected: "a text, or a map with `when` and `text`",
        of: &[Text::FORM, ConsequenceIf::FORM],
    };
    type Out = Self;

    fn read(node: &Node, form: &'static Form, reader: &mut Reader) -> Self {
        if let Tree::Map(_) = &node.form {
            let ConsequenceIf { when, text, at } = ConsequenceIf::read(node, form, reader);
            return Consequence {
                text,
                when: Some(when),
                at,
            };
        }
        Consequence {
            text: Text::read(node, form, reader),
            when: None,
            at: node.at,
        }
    }
}
