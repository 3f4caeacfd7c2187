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
                "A text. Control characters except tabs and line ends are rejected, and so are texts of white space and invisible characters alone.",
            )
            .makes("A decoder into `String` that reports each error, and the tests at its bounds."),
        Key::choice("number", Form::Section(&NUMBER))
            .doc("A JSON number (an IEEE 754 double); in a query digits, at most one point, a leading minus.")
            .makes("A decoder that keeps the value as it was sent, and the tests at its bounds."),
        Key::choice("integer", Form::Section(&INTEGER))
            .doc(
                "A whole number, from -2^63 to 2^63 - 1 where no bounds say otherwise; JSON readers keep those up \
                 to 2^53.",
            )
            .makes("A decoder into `i64`, and the tests at its bounds."),
        Key::choice("list", Form::Section(&LIST))
            .doc("A JSON array.")
            .makes("A decoder into `Vec`, and the tests at its bounds."),
        Key::choice("free_form", Form::Section(&FREE_FORM))
            .doc("A JSON object with members of its author's own, stored and returned as it is.")
            .makes("A decoder into an open object."),
        Key::optional("doc", Form::Scalar(Scalar::Text), "none")
            .doc("What such a value stands for, and its unit.")
            .makes("Nothing in the server; the documents show it.")
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
            "0: the text may be empty, in JSON",
        )
        .doc("Fewest characters (`minLength`).")
        .makes("The validation error below it.")
        .such_as("1"),
        Key::optional(
            "max",
            Form::Scalar(Scalar::Count(1)),
            "any number that fits into the body",
        )
        .doc("Most characters (`maxLength`).")
        .makes("The validation error above it.")
        .such_as("200"),
        Key::optional("chars", Form::Scalar(Scalar::Characters), "all but control characters")
            .doc("The only characters allowed.")
            .makes("The validation error of any other.")
            .such_as("a-z0-9_-"),
        Key::optional(
            "bidi_controls",
            Form::Scalar(Scalar::OneOf(BIDI_CONTROLS)),
            "they are allowed",
        )
        .doc(
            "Whether there may be characters that change the order in which those around them are shown. In a name \
                 they make another name of it to the eye. Joiners of width zero are none of them.",
        )
        .makes("The validation error of one.")
        .such_as("refused"),
    ],
};

/// `number` of a type
pub static NUMBER: Section = Section {
    what: "`number`",
    stands: "types.NAME.number",
    doc: "A number. It has one lower bound at most.",
    example: "{ exclusive_min: 0, max: 100, decimals: 2 }",
    keys: &[
        Key::optional("min", Form::Scalar(Scalar::Number), "no lower bound")
            .doc("Least value (`minimum`).")
            .makes("The validation error below it.")
            .such_as("0"),
        Key::optional("exclusive_min", Form::Scalar(Scalar::Number), "no lower bound")
            .doc("The value that all are above (`exclusiveMinimum`).")
            .makes("The validation error at it and below.")
            .such_as("0"),
        Key::optional("max", Form::Scalar(Scalar::Number), "no upper bound")
            .doc("Greatest value (`maximum`).")
            .makes("The validation error above it.")
            .such_as("99.5"),
        Key::optional("decimals", Form::Scalar(Scalar::Count(0)), "any number of them")
            .doc("Most decimal places, at most 15. Numbers stay doubles: `2` allows 49.99 and rejects 49.999.")
            .makes("The validation error of more.")
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
            .doc("Least value (`minimum`).")
            .makes("The validation error below it.")
            .such_as("1"),
        Key::optional("max", Form::Scalar(Scalar::Integer), "2^63 - 1")
            .doc("Greatest value (`maximum`).")
            .makes("The validation error above it.")
            .such_as("100"),
    ],
};

/// `list` of a type
pub static LIST: Section = Section {
    what: "`list`",
    stands: "types.NAME.list",
    doc: "A list with bounds. (`\"[title]\"` is one without.)",
    example: "{ of: title, max: 30 }",
    keys: &[
        Key::required("of", Form::Scalar(Scalar::TypeName))
            .doc("The type of the items: a type, an enum, an object, an input or an id.")
            .makes("How each item is decoded; validation errors name its index.")
            .such_as("title"),
        Key::optional("min", Form::Scalar(Scalar::Count(0)), "0: the list may be empty")
            .doc("Fewest items (`minItems`).")
            .makes("The validation error of fewer.")
            .such_as("1"),
        Key::optional("max", Form::Scalar(Scalar::Count(1)), "as many as fit into the body")
            .doc("Most items (`maxItems`).")
            .makes("The validation error of more.")
            .such_as("30"),
        Key::optional("unique", Form::Scalar(Scalar::Name(Name::Member)), "items may be alike")
            .doc(
                "The member that no two items may have alike, after Unicode NFKC and case folding. Its type \
                 is a `string`.",
            )
            .makes("The validation error of the second.")
            .such_as("name"),
    ],
};

/// `free_form` of a type
pub static FREE_FORM: Section = Section {
    what: "`free_form`",
    stands: "types.NAME.free_form",
    doc: "An object with members of its author's own.",
    example: "{ max_bytes: 2048 }",
    keys: &[Key::required("max_bytes", Form::Scalar(Scalar::Count(1)))
        .doc("Most bytes as JSON without needless white space, in UTF-8.")
        .makes("The validation error of more.")
        .such_as("2048")],
};

/// An entry of `enums`: a list of values, or a part of another enum.
pub(super) static ENUM: Form = Form::Either {
    expected: "a list of values, or a part of another enum",
    of: &[
        Form::list(&Form::Scalar(Scalar::EnumValue), "[red, green]"),
        Form::Section(&ENUM_PART),
    ],
};

/// A part of an enum.
pub static ENUM_PART: Section = Section {
    what: "an enum",
    stands: "enums.NAME",
    doc: "A list of its values, or a part of another enum: those values that may be sent at one place.",
    example: "{ of: Color, only: [red] }",
    keys: &[
        Key::required("of", Form::Scalar(Scalar::Name(Name::Enum)))
            .doc("The enum that this is a part of: one that is given by its values.")
            .makes("A conversion into the whole enum.")
            .such_as("Color"),
        Key::required(
            "only",
            Form::list(&Form::Scalar(Scalar::Name(Name::EnumValue)), "[red]"),
        )
        .doc("The values that belong to the part.")
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
            .doc("The state that a new record has. The field has no default beside it.")
            .makes("What a new record is made with.")
            .such_as("out"),
        Key::required("transitions", TRANSITIONS)
            .doc("For each state those that may follow it; one that is not named is final. Or `any`.")
            .makes("The function `may_become`, and tests of the moves from each state that can be reached.")
            .such_as("{ out: [late, back], late: [back] }"),
    ],
};

const TRANSITIONS: Form = Form::Either {
    expected: "`any`, or a map from a state to those that may follow",
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
