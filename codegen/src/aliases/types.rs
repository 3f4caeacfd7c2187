//! Types of other languages.

/// Types of another language, and what to write instead.
const TYPES: &[(&[&str], &str)] = &[
    (
        &[
            "integer", "int", "int32", "int64", "i32", "i64", "u32", "u64", "long", "bigint", "serial",
        ],
        "whole numbers have bounds here: declare `count: { integer: { min: 0 } }` in `types` and write `count`; an id is written `Book.id`",
    ),
    (
        &[
            "number", "float", "double", "decimal", "numeric", "f64", "real", "money",
        ],
        "numbers have bounds here: declare `price: { number: { min: 0, decimals: 2 } }` in `types` and write `price`",
    ),
    (
        &[
            "text", "str", "String", "varchar", "char", "email", "url", "uri", "password", "phone",
        ],
        "texts have bounds here: declare `title: { string: { min: 1, max: 200 } }` in `types` and write `title`",
    ),
    (
        &["bool", "Boolean"],
        "a truth value is `boolean`, and `flag` in a query",
    ),
    (
        &["datetime", "date_time", "DateTime", "time", "instant"],
        "a day is `date`; a moment that the service notes is `timestamp`",
    ),
    (
        &["uuid", "Uuid", "guid", "id", "ID"],
        "an id is written with its resource, as `Book.id`",
    ),
    (
        &["array", "list", "List", "Vec", "set"],
        "a list is written `\"[title]\"`, or declared in `types`: `titles: { list: { of: title, max: 10 } }`",
    ),
    (
        &["object", "json", "map", "any", "Any", "dict", "struct", "record"],
        "what has known members is declared in `objects`; what has any, in `types`: `extra: { free_form: { max_bytes: 2048 } }`",
    ),
    (
        &["enum", "Enum"],
        "declare the values in `enums`, `Color: [red, green]`, and write `Color`",
    ),
    (
        &["bytes", "binary", "file", "blob", "base64"],
        "bodies are JSON: there are no binary values",
    ),
    (
        &["null", "nil", "none", "Option", "Optional"],
        "what may be missing is written with a question mark: `title?`",
    ),
];

/// What to write instead of an unknown type.
pub(crate) fn type_name(name: &str) -> Option<&'static str> {
    TYPES
        .iter()
        .find(|(words, _)| words.contains(&name))
        .map(|(_, help)| *help)
}
