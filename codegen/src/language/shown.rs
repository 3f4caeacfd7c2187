//! The section for what is stored and how it is shown: `resources`.

use super::form::{Form, Key, Section};
use super::scalar::Uses;
use super::types::typed;
use super::{Name, Scalar};

/// An entry of `resources`.
pub static RESOURCE: Section = Section {
    what: "a resource",
    stands: "resources.NAME",
    doc: "Records that are stored, have an id, and are returned in one or more views.",
    example: "{ noun: book, fields: { id: Book.id }, views: { item: [id] } }",
    keys: &[
        Key::required("noun", Form::Scalar(Scalar::Text))
            .doc("The singular noun for such a record in texts.")
            .makes("`{noun}` of error responses; the documentation of the generated types.")
            .such_as("book"),
        Key::optional("doc", Form::Scalar(Scalar::Text), "none")
            .doc("What it is, in a sentence or two.")
            .makes("The documentation of the generated type.")
            .such_as("\"A book that the library has, in one or more copies.\""),
        Key::optional(
            "owner",
            Form::map(
                Name::Resource,
                &Form::Scalar(Scalar::Name(Name::Field)),
                "{ Reader: reader_id }",
            ),
            "it has no owner",
        )
        .doc("Who owns it: for each kind of caller the field with the owner's id, of the type `Caller.id`.")
        .makes("What guards `owner …` compare, and the value `Owned`, which proves ownership to handlers."),
        Key::optional(
            "private",
            Form::Scalar(Scalar::Boolean),
            "`false`, so other callers learn that it exists",
        )
        .doc("Whether it exists only for its owner.")
        .makes("Other callers get the error response of the step `exists` in place of that of `owner`.")
        .such_as("true"),
        Key::required(
            "fields",
            typed(Name::Field, &Form::Scalar(Scalar::TypeUse(Uses::Stored))),
        )
        .doc(
            "What is stored. One of the fields is `id: Name.id`, with the resource's own name. A field with `?` or a \
             default can be added later: older records then have null, or the default.",
        )
        .makes(
            "A Rust struct with the resource's name, functions to read and write it, and a struct of the values \
            that a new record needs.",
        )
        .such_as("{ id: Book.id, title: title, price: price?, is_lent: boolean = false }"),
        Key::optional(
            "joined",
            typed(Name::Field, &Form::Scalar(Scalar::TypeUse(Uses::Joined))),
            "nothing is joined",
        )
        .doc(
            "What is not stored with it but looked up when it is returned: fields of other records, counts, lists of \
             views.",
        )
        .makes("Arguments of the methods of the views that show them.")
        .such_as("{ author_name: name, volumes: count }"),
        Key::optional(
            "views",
            Form::map(Name::View, &VIEW, "{ item: [id, title] }"),
            "it is never returned",
        )
        .doc(
            "The views in which it is returned: lists of fields, in order. `{ shown: source }` gives a field another \
             name; `authors[].name` takes one member of each object in a list.",
        )
        .makes(
            "For each a method of the record, such as `book.item()`, which encodes the record; responses accept \
             nothing else. Tests of all members and their order.",
        )
        .such_as("{ item: [id, title], whole: [id, title, price, { by: \"authors[].name\" }] }"),
    ],
};

static VIEW: Form = Form::list(
    &Form::Either {
        expected: "a field, or one renamed",
        of: &[
            Form::Pair {
                names: Name::Member,
                of: &Form::Scalar(Scalar::Source),
                example: "{ shown: field }",
            },
            Form::Scalar(Scalar::Name(Name::Field)),
        ],
    },
    "[id, title, { author: \"author.name\" }]",
);
