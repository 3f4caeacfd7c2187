//! The sections for types: `types`, `enums`, `states`, `objects`.

use super::choices::{ANY, BIDI_CONTROLS};
use super::form::{Form, Key, Section};
use super::scalar::Uses;
use super::{Name, Scalar};

/// An entry of `types`.
pub static TYPE: Section = Section {
    what: "a type",
    stands: "types.NAME",
    doc: "A named type: one kind, with its bounds.",
    example: "{ string: { min: 1, max: 200 } }",
    keys: &[
        Key::choice("string", Form::Section(&STRING))
            .doc(
                "A text. Control characters except tabs and line ends are rejected, and so are texts that have only \
                 white space and invisible characters.",
            )
            .makes("A decoder into `String` that reports each validation error, and tests at its bounds."),
        Key::choice("number", Form::Section(&NUMBER))
            .doc(
                "A JSON number (an IEEE 754 double). In a query: digits, at most one decimal point, and a minus sign \
                in front.",
            )
            .makes("A decoder that keeps the value as it was sent, and tests at its bounds."),
        Key::choice("integer", Form::Section(&INTEGER))
            .doc(
                "A whole number, from -2^63 to 2^63 - 1 unless bounds restrict it. JSON parsers represent only those \
                 up to 2^53 exactly.",
            )
            .makes("A decoder into `i64`, and tests at its bounds."),
        Key::choice("list", Form::Section(&LIST))
            .doc("A JSON array.")
            .makes("A decoder into `Vec`, and tests at its bounds."),
        Key::choice("free_form", Form::Section(&FREE_FORM))
            .doc("A JSON object with any members, stored and returned as it is.")
            .makes("A decoder into an open object."),
        Key::optional("doc", Form::Scalar(Scalar::Text), "none")
            .doc("What such a value means, and its unit.")
            .makes("The documents show it.")
            .such_as("US dollars."),
    ],
};

/// `string` of a type
pub static STRING: Section = Section {
    what: "`string`",
    stands: "types.NAME.string",
    doc: "A text. Characters are Unicode scalar values, as sent.",
    example: "{ min: 1, max: 200 }",
    keys: &[
        Key::optional(
            "min",
            Form::Scalar(Scalar::Count(0)),
            "0, so the text may be empty (in JSON)",
        )
        .doc("Minimum number of characters (`minLength`).")
        .makes("The validation error below it.")
        .such_as("1"),
        Key::optional(
            "max",
            Form::Scalar(Scalar::Count(1)),
            "any number that fits into the body",
        )
        .doc("Maximum number of characters (`maxLength`).")
        .makes("The validation error above it.")
        .such_as("200"),
        Key::optional("chars", Form::Scalar(Scalar::Characters), "all but control characters")
            .doc("The only characters allowed.")
            .makes("The validation error for any other.")
            .such_as("a-z0-9_-"),
        Key::optional(
            "bidi_controls",
            Form::Scalar(Scalar::OneOf(BIDI_CONTROLS)),
            "they are allowed",
        )
        .doc(
            "Rejects characters that change the display order of the characters around them, because a name \
             that has them can imitate another name. Zero-width joiners are not among them.",
        )
        .makes("The validation error if there is one.")
        .such_as("refused"),
    ],
};

/// `number` of a type
pub static NUMBER: Section = Section {
    what: "`number`",
    stands: "types.NAME.number",
    doc: "A number. It has at most one lower bound.",
    example: "{ exclusive_min: 0, max: 100, decimals: 2 }",
    keys: &[
        Key::optional("min", Form::Scalar(Scalar::Number), "no lower bound")
            .doc("Minimum value (`minimum`).")
            .makes("The validation error below it.")
            .such_as("0"),
        Key::optional("exclusive_min", Form::Scalar(Scalar::Number), "no lower bound")
            .doc("Exclusive minimum (`exclusiveMinimum`).")
            .makes("The validation error at it and below.")
            .such_as("0"),
        Key::optional("max", Form::Scalar(Scalar::Number), "no upper bound")
            .doc("Maximum value (`maximum`).")
            .makes("The validation error above it.")
            .such_as("99.5"),
        Key::optional("decimals", Form::Scalar(Scalar::Count(0)), "any number of them")
            .doc(
                "Maximum number of decimal places, at most 15. Numbers stay doubles: `2` allows 49.99 and rejects \
                49.999.",
            )
            .makes("The validation error for more.")
            .such_as("2"),
    ],
};

/// `integer` of a type
pub static INTEGER: Section = Section {
    what: "`integer`",
    stands: "types.NAME.integer",
    doc: "A whole number.",
    example: "{ min: 1, max: 200 }",
    keys: &[
        Key::optional("min", Form::Scalar(Scalar::Integer), "-2^63")
            .doc("Minimum value (`minimum`).")
            .makes("The validation error below it.")
            .such_as("1"),
        Key::optional("max", Form::Scalar(Scalar::Integer), "2^63 - 1")
            .doc("Maximum value (`maximum`).")
            .makes("The validation error above it.")
            .such_as("100"),
    ],
};

/// `list` of a type
pub static LIST: Section = Section {
    what: "`list`",
    stands: "types.NAME.list",
    doc: "A list with bounds. (`\"[title]\"` is a list without bounds.)",
    example: "{ of: title, max: 30 }",
    keys: &[
        Key::required("of", Form::Scalar(Scalar::TypeName))
            .doc("The type of the items: a type, an enum, an object, an input or an id.")
            .makes("How each item is decoded; validation errors name its index.")
            .such_as("title"),
        Key::optional("min", Form::Scalar(Scalar::Count(0)), "0, so the list may be empty")
            .doc("Minimum number of items (`minItems`).")
            .makes("The validation error for fewer.")
            .such_as("1"),
        Key::optional("max", Form::Scalar(Scalar::Count(1)), "as many as fit into the body")
            .doc("Maximum number of items (`maxItems`).")
            .makes("The validation error for more.")
            .such_as("30"),
        Key::optional("unique", Form::Scalar(Scalar::Name(Name::Member)), "items may be equal")
            .doc(
                "The member that must differ between all items, after Unicode NFKC normalization and case folding. \
                 Its type is a `string`.",
            )
            .makes("The validation error for the second item with the same value.")
            .such_as("name"),
    ],
};

/// `free_form` of a type
pub static FREE_FORM: Section = Section {
    what: "`free_form`",
    stands: "types.NAME.free_form",
    doc: "An object with any members.",
    example: "{ max_bytes: 2048 }",
    keys: &[Key::required("max_bytes", Form::Scalar(Scalar::Count(1)))
        .doc("Maximum number of bytes as compact JSON, in UTF-8.")
        .makes("The validation error for more.")
        .such_as("2048")],
};

/// An entry of `enums`: a list of values, or a subset of another enum.
pub(super) static ENUM: Form = Form::Either {
    expected: "a list of values, or a subset of another enum",
    of: &[
        Form::list(&Form::Scalar(Scalar::EnumValue), "[red, green]"),
        Form::Section(&ENUM_PART),
    ],
};

/// A subset of an enum.
pub static ENUM_PART: Section = Section {
    what: "an enum",
    stands: "enums.NAME",
    doc: "A list of its values, or a subset of another enum: the values that are allowed in one place.",
    example: "{ of: Color, only: [red] }",
    keys: &[
        Key::required("of", Form::Scalar(Scalar::Name(Name::Enum)))
            .doc("The whole enum: one that is declared with its values.")
            .makes("A conversion into the whole enum.")
            .such_as("Color"),
        Key::required(
            "only",
            Form::list(&Form::Scalar(Scalar::Name(Name::EnumValue)), "[red]"),
        )
        .doc("The values of the subset.")
        .makes("The variants of its own Rust enum."),
    ],
};

/// An entry of `states`.
pub static STATE: Section = Section {
    what: "a state",
    stands: "states.Resource.field",
    doc: "How the value of a field may change.",
    example: "{ initial: out, transitions: any }",
    keys: &[
        Key::required("initial", Form::Scalar(Scalar::Name(Name::EnumValue)))
            .doc("The state of a new record. The field has no default of its own.")
            .makes("The value of the field in a new record.")
            .such_as("out"),
        Key::required("transitions", TRANSITIONS)
            .doc("For each state, the states that may follow it; or `any`. A state that is not listed is final.")
            .makes("The function `may_become`, and tests of the transitions from each reachable state.")
            .such_as("{ out: [late, back], late: [back] }"),
    ],
};

const TRANSITIONS: Form = Form::Either {
    expected: "`any`, or a map from each state to those that may follow it",
    of: &[
        Form::map(
            Name::EnumValue,
            &Form::list(&Form::Scalar(Scalar::Name(Name::EnumValue)), "[back, lost]"),
            "{ out: [back, lost] }",
        ),
        Form::Scalar(Scalar::OneOf(ANY)),
    ],
};

/// Names of stored members, with their types.
pub(super) static TYPED_STORED: Form = typed(Name::Member, &Form::Scalar(Scalar::TypeUse(Uses::Stored)));

/// A map from names to types.
pub(super) const fn typed(names: Name, of: &'static Form) -> Form {
    Form::map(names, of, "{ name: name, pages: count? }")
}
