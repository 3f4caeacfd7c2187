//! Types of other languages.

/// Types of another language, and what to write instead.
const TYPES: &[(&[&str], &str)] = &[
    (
        &[
            "integer", "int", "int32", "int64", "i32", "i64", "u32", "u64", "long", "bigint", "serial",
        ],
        "whole numbers need bounds: declare `count: { integer: { min: 0 } }` in `types` and write `count`; write an \
         id as `Book.id`",
    ),
    (
        &[
            "number", "float", "double", "decimal", "numeric", "f64", "real", "money",
        ],
        "numbers need bounds: declare `price: { number: { min: 0, decimals: 2 } }` in `types` and write `price`",
    ),
    (
        &[
            "text", "str", "String", "varchar", "char", "email", "url", "uri", "password", "phone",
        ],
        "texts need bounds: declare `title: { string: { min: 1, max: 200 } }` in `types` and write `title`",
    ),
    (&["bool", "Boolean"], "write `boolean`, or `flag` in a query"),
    (
        &["datetime", "date_time", "DateTime", "time", "instant"],
        "use `date` for a day, and `timestamp` for a time that the service sets",
    ),
    (
        &["uuid", "Uuid", "guid", "id", "ID"],
        "write an id with its resource, such as `Book.id`",
    ),
    (
        &["array", "list", "List", "Vec", "set"],
        "write a list as `\"[title]\"`, or declare it in `types`: `titles: { list: { of: title, max: 10 } }`",
    ),
    (
        &["object", "json", "map", "any", "Any", "dict", "struct", "record"],
        "declare an object with known members in `objects`, and one with any members in `types`: `extra: { free_form: \
         { max_bytes: 2048 } }`",
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
        "write `title?` for a value that may be absent",
    ),
];

/// What to write instead of an unknown type.
pub(crate) fn type_name(name: &str) -> Option<&'static str> {
    TYPES
        .iter()
        .find(|(words, _)| words.contains(&name))
        .map(|(_, help)| *help)
}
