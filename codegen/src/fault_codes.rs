//! The codes of validation errors: what the placeholder `{fault_codes}` lists for programs.

/// A code.
#[derive(Clone, Copy, Debug)]
pub struct FaultCode {
    /// The code.
    pub name: &'static str,
    /// The values behind it, each after a `;`. `…`: any number of them.
    pub values: &'static str,
    /// What is wrong.
    pub meaning: &'static str,
}

/// An example.
pub const EXAMPLE: &str = "headline;length;1;200, skills[2];blank";

/// What the place of a fault is.
pub const PLACE: &str = "The place of the value in documented names: `skills[2]`. Empty for the whole body.";

/// How the codes are written.
pub const SYNTAX: &str = "The validation errors for programs, in the order of the text: `PLACE;CODE;VALUES`, separated by `, `, \
    such as `headline;length;1;200, skills[2];blank`. The place consists of documented names, and is empty for the whole body. A \
    bound that is not declared is empty, the minimum of `length` and `items` 0. Numbers have their shortest decimal notation. At \
    most 2,048 bytes; errors beyond are left out.";

/// All codes.
pub const ALL: &[FaultCode] = &[
    of("required", "", "The value is required."),
    of("null", "", "The value must not be null."),
    of("unknown", "", "A name in this object or query is not known."),
    of("repeated", "", "A name is given more than once."),
    of("empty", "", "The value must not be empty."),
    of(
        "type",
        "TYPE",
        "The value must be of this type: string, integer, number, boolean, date, list or object.",
    ),
    of("length", "MIN;MAX", "The text must have this many characters."),
    of("items", "MIN;MAX", "The list must have this many items."),
    of("bytes", "MAX", "The object may have this many bytes as JSON."),
    of("range", "MIN;MAX", "The number must be within these bounds, inclusive."),
    of(
        "above",
        "BOUND;MAX",
        "The number must be above the bound, and at most the maximum.",
    ),
    of("decimals", "MAX", "The number may have this many decimals."),
    of("double", "", "The number is beyond the range of an IEEE 754 double."),
    of("characters", "ALLOWED", "The text may only have these characters."),
    of(
        "control",
        "",
        "The text must not have control characters other than tab and new line.",
    ),
    of("blank", "", "The text must have a visible character."),
    of("bidi", "", "The text must not have bidirectional controls."),
    of("choice", "WORD;…", "The value must be one of these words."),
    of("date", "", "The value must be a day that exists, as YYYY-MM-DD."),
    of(
        "format",
        "NAME",
        "The text must have the format of this name, such as uuid.",
    ),
    of("duplicate", "", "The item is in the list already."),
    of("order", "NAME", "The value must not be above that of this name."),
    of("any", "NAME;…", "At least one of these names is required."),
    of("encoding", "", "The value must be valid percent-encoded UTF-8."),
    of("json", "", "The body is not valid JSON."),
    of("broken", "", "The body broke off."),
    of("cursor", "", "The feed has not returned this cursor."),
    of(
        "key",
        "",
        "The idempotency key must be 1 to 255 visible ASCII characters.",
    ),
    of("content", "", "The file does not have the type that it is declared as."),
    of("host", "", "The header `Host` must be given once, as a host."),
];

const fn of(name: &'static str, values: &'static str, meaning: &'static str) -> FaultCode {
    FaultCode { name, values, meaning }
}
