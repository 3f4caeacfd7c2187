//! `inputs`, and the bodies of endpoints

use super::grammar::Form;
use super::reader::Reader;
use super::section::section;
use super::value::Value;
use super::values::{BodyType, List, Map, name};
use crate::span::Word;
use crate::yaml::{Node, Value as Tree};

section! {
    /// `body` of an endpoint, or an entry of `inputs`
    Body = "a body" at "inputs.NAME" with at;
    doc "The members of a request body, declared under `inputs` or at an endpoint. Unknown members are rejected. \
         Members that name a field of the resource have the type of the field. A request whose body has no required \
         members, and is not partial, may have no body: that counts as `{}`.";
    example "{ resource: Book, required: [title] }";
    keys {
        resource: optional(name::Resource), absent "it has no fields of a resource", example "Book",
            doc "The resource whose fields `required`, `optional` and `at_least_one_of` name.",
            effect "The types and decoders of these members.";
        required: default(List<name::Field>), absent "none", example "[title, price]",
            doc "Fields that must be present and not null.",
            effect "A validation error if one is missing.";
        optional: default(List<name::Field>), absent "none", example "[tags, cover]",
            doc "Fields that may be absent, and then have their default or null. For new records: a PATCH names its \
                 fields in `at_least_one_of`.",
            effect "Members with a default.";
        any = "at_least_one_of": default(List<name::Field>), absent "it is not a partial body",
            example "[title, price]",
            doc "Fields of a partial body: an absent field keeps its value, and at least one must be present.",
            effect "Members that distinguish absent, null and a value; a validation error if all are absent.";
        members: default(Map<name::Member, BodyType>), absent "none", example "{ authors: authors, until: date }",
            doc "Members that are not fields of the resource, with their types. In a body with `at_least_one_of`, they \
                 may also be absent.",
            effect "Members of the struct.";
    }
    aliases {
        "any" "any_of" "anyOf" => "name the fields of a partial body in `at_least_one_of`";
        "type" "properties" "fields" =>
            "declare members with their own types in `members: { until: date }`, and name fields of a resource in \
             `required` and `optional`";
        "record" => "name the resource whose fields are used as `resource`";
    }
}

/// The body of an endpoint.
#[derive(Clone, Debug)]
pub enum BodyUse {
    /// A named input.
    Named(Word),
    /// An inline body.
    Inline(Body),
}

impl Value for BodyUse {
    const FORM: Form = Form::Either {
        expected: "the name of an input, or a body",
        of: &[Body::FORM, name::Input::FORM],
    };
    type Out = Self;

    fn read(node: &Node, form: &'static Form, reader: &mut Reader) -> Self {
        match &node.form {
            Tree::Text(_) => BodyUse::Named(name::Input::read(node, form, reader)),
            _ => BodyUse::Inline(Body::read(node, form, reader)),
        }
    }
}
