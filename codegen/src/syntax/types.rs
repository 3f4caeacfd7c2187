//! `types`

use super::section::section;
use super::values::{
    Alike, BidiControls, Boolean, Characters, Count, Example, Integer, Number, Text, TypeName, Unit, name,
};

section! {
    /// An entry of `types`.
    NamedType = "a type" at "types.NAME";
    doc "A named type: one kind, with its bounds.";
    example "{ string: { min: 1, max: 200 } }";
    keys {}
    choice(def: TypeDef) {
        "string"(StringDef) => TypeDef::String,
            doc "A text. Control characters except tabs and line ends are rejected, and so are texts that have only \
                 white space and invisible characters.",
            effect "A decoder into `String` that reports each validation error, and tests at its bounds.";
        "number"(NumberDef) => TypeDef::Number,
            doc "A JSON number (an IEEE 754 double). In a query: digits, at most one decimal point, and a minus sign \
                 in front.",
            effect "A decoder that keeps the value as it was sent, and tests at its bounds.";
        "integer"(IntegerDef) => TypeDef::Integer,
            doc "A whole number, from -2^63 to 2^63 - 1 unless bounds restrict it. JSON parsers represent only those \
                 up to 2^53 exactly.",
            effect "A decoder into `i64`, and tests at its bounds.";
        "list"(ListDef) => TypeDef::List,
            doc "A JSON array.",
            effect "A decoder into `Vec`, and tests at its bounds.";
        "free_form"(FreeFormDef) => TypeDef::FreeForm,
            doc "A JSON object with any members, stored and returned as it is.",
            effect "A decoder into an open object.";
    }
    keys {
        doc: optional(Text), absent "none", example "US dollars.",
            doc "What such a value means, and its unit.",
            effect "The documents show it.";
        unit: optional(Unit), absent "its values are plain numbers", example "USD",
            doc "The unit of a `number` or an `integer`.",
            effect "The documents and the console show values with it, and OpenAPI has it as `x-unit`.";
        example: optional(Example), absent "documents make one up",
            doc "A valid value that a person would write, for values whose description gives none (``such as `Ulysses` \
                 ``) and that have no default. Of a list: one of its items.",
            effect "Requests and responses in all documents, and calls that `codegen mock` prints, use it.";
    }
    aliases {
        "units" "currency" => "write the unit as `unit: USD`";
        "examples" "sample" => "write one value as `example`";
        "type" "format" => "write the kind of a type as its key: `title: { string: { min: 1, max: 200 } }`";
        "enum" => "declare an enum in `enums`: `Color: [red, green]`";
        "object" "properties" "record" => "declare an object in `objects`: `Author: { name: name }`";
        "array" => "declare a list as `tags: { list: { of: tag, max: 10 } }`";
    }
}

/// What a [`NamedType`] allows.
#[derive(Clone, Debug)]
pub enum TypeDef {
    /// `string`: characters are Unicode scalar values.
    String(StringDef),
    /// `number`
    Number(NumberDef),
    /// `integer`
    Integer(IntegerDef),
    /// `list`
    List(ListDef),
    /// `free_form`: an object with arbitrary members.
    FreeForm(FreeFormDef),
}

section! {
    /// `string` of a type
    StringDef = "`string`" at "types.NAME.string";
    doc "A text. Characters are Unicode scalar values, as sent.";
    example "{ min: 1, max: 200 }";
    keys {
        min: optional(Count<0>), absent "0, so the text may be empty (in JSON)", example "1",
            doc "Minimum number of characters (`minLength`).",
            effect "The validation error below it.";
        max: optional(Count<1>), absent "any number that fits into the body", example "200",
            doc "Maximum number of characters (`maxLength`).",
            effect "The validation error above it.";
        chars: optional(Characters), absent "all but control characters", example "a-z0-9_-",
            doc "The only characters allowed.",
            effect "The validation error for any other.";
        bidi_controls: optional(BidiControls), absent "they are allowed", example "refused",
            doc "Rejects characters that change the display order of the characters around them, because a name that \
                 has them can imitate another name. Zero-width joiners are not among them.",
            effect "The validation error if there is one.";
        alike: optional(Alike), absent "`exact`", example "nfkc_casefold",
            doc "Which texts of this type are alike for filters (`=` and `within`), and for `number of`.",
            effect "None on the server: handlers do the filtering. `codegen mock` compares texts in this way.";
        multiline: default(Boolean), absent "`false`: a text in one line", example "true",
            doc "Whether people write such texts in several lines. Line ends are allowed in any text.",
            effect "The console has a field of several lines for it, and leaves it out of tables. OpenAPI has it as `x-multiline`.";
        secret: default(Boolean), absent "`false`: people can read it again", example "true",
            doc "Whether responses show such a text once and never again, such as a one-time code. (A credential has the type `secret`.)",
            effect "The console keeps it on the screen until it is saved. OpenAPI has it as `x-secret`.";
    }
    aliases {
        "lines" "textarea" => "write `multiline: true` for a text of several lines";
        "pattern" "regex" "format" => "restrict characters with `chars: \"a-z0-9-\"`; there are no regular expressions";
    }
}

section! {
    /// `number` of a type
    NumberDef = "`number`" at "types.NAME.number";
    doc "A number. It has at most one lower bound.";
    example "{ exclusive_min: 0, max: 100, decimals: 2 }";
    keys {
        min: optional(Number), absent "no lower bound", example "0",
            doc "Minimum value (`minimum`).",
            effect "The validation error below it.";
        exclusive_min: optional(Number), absent "no lower bound", example "0",
            doc "Exclusive minimum (`exclusiveMinimum`).",
            effect "The validation error at it and below.";
        max: optional(Number), absent "no upper bound", example "99.5",
            doc "Maximum value (`maximum`).",
            effect "The validation error above it.";
        decimals: optional(Count<0>), absent "any number of them", example "2",
            doc "Maximum number of decimal places, at most 15. Numbers stay doubles: `2` allows 49.99 and rejects \
                 49.999.",
            effect "The validation error for more.";
    }
}

section! {
    /// `integer` of a type
    IntegerDef = "`integer`" at "types.NAME.integer";
    doc "A whole number.";
    example "{ min: 1, max: 200 }";
    keys {
        min: optional(Integer), absent "-2^63", example "1",
            doc "Minimum value (`minimum`).",
            effect "The validation error below it.";
        max: optional(Integer), absent "2^63 - 1", example "100",
            doc "Maximum value (`maximum`).",
            effect "The validation error above it.";
    }
}

section! {
    /// `list` of a type
    ListDef = "`list`" at "types.NAME.list";
    doc "A list with bounds. (`\"[title]\"` is a list without bounds.)";
    example "{ of: title, max: 30 }";
    keys {
        of: required(TypeName), example "title",
            doc "The type of the items: a type, an enum, an object, an input or an id.",
            effect "How each item is decoded; validation errors name its index.";
        min: optional(Count<0>), absent "0, so the list may be empty", example "1",
            doc "Minimum number of items (`minItems`).",
            effect "The validation error for fewer.";
        max: optional(Count<1>), absent "as many as fit into the body", example "30",
            doc "Maximum number of items (`maxItems`).",
            effect "The validation error for more.";
        unique: optional(name::Member), absent "items may be equal", example "name",
            doc "The member that must differ between all items, after Unicode NFKC normalization and case folding. Its \
                 type is a `string`.",
            effect "The validation error for the second item with the same value.";
    }
    aliases {
        "items" "type" => "write the type of the items as `of`";
        "uniqueItems" "distinct" => "`unique: member` names the member that must differ between items";
    }
}

section! {
    /// `free_form` of a type
    FreeFormDef = "`free_form`" at "types.NAME.free_form";
    doc "An object with any members.";
    example "{ max_bytes: 2048 }";
    keys {
        max_bytes: required(Count<1>), example "2048",
            doc "Maximum number of bytes as compact JSON, in UTF-8.",
            effect "The validation error for more.";
    }
}
