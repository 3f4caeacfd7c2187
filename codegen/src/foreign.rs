//! Words of OpenAPI, JSON Schema, SQL and other languages that a newcomer writes, and what is written here instead.
//!
//! Knows no contract; [`crate::read`] and [`crate::check`] ask it when they meet a word that they do not know.

/// A key that another language has, where it is written, and what to do here. `*` is any place.
const KEYS: &[(&str, &[&str], &str)] = &[
    (
        "*",
        &["description", "summary"],
        "what an endpoint is for stands in its `doc`; elsewhere write a comment: `# …`",
    ),
    (
        "api.yaml",
        &["openapi", "swagger"],
        "this is no OpenAPI document: begin with `api`, `envelope`, `errors` and `surfaces`",
    ),
    (
        "api.yaml",
        &["info", "servers"],
        "the service's name stands in `api: { name: …, title: … }`, the path before its routes in a surface's `base`",
    ),
    (
        "api.yaml",
        &["paths", "endpoints", "routes"],
        "endpoints stand in `surfaces: { public: { base: /v1, endpoints: { … } } }`",
    ),
    (
        "api.yaml",
        &["components", "schemas", "definitions", "models"],
        "what is stored stands in `resources`, its parts in `objects`, request bodies in `inputs`, bounds in `types`",
    ),
    (
        "api.yaml",
        &["security", "securitySchemes", "auth"],
        "declare it in `credentials`, and name it in a surface: `credential: name`",
    ),
    (
        "`api`",
        &["version"],
        "write a version into the surface's `base`: `/v1`",
    ),
    (
        "an endpoint",
        &["operationId"],
        "an operation is named by its key: `list_books: { GET: /books, … }`",
    ),
    (
        "an endpoint",
        &["method", "route", "url", "HEAD", "OPTIONS"],
        "method and path are one entry, such as `GET: /books/:id`",
    ),
    (
        "an endpoint",
        &["parameters", "params"],
        "types of path parameters stand in `path: { id: Book.id }`, those of the query in `query: { most: count = 20 }`",
    ),
    (
        "an endpoint",
        &["responses", "response", "returns"],
        "what it answers stands in `success: { data: Book.item }`; refusals are rows of `errors`",
    ),
    (
        "an endpoint",
        &["requestBody", "request", "input"],
        "what it takes stands in `body`",
    ),
    (
        "an endpoint",
        &["data", "message", "status", "siblings"],
        "it belongs into `success`",
    ),
    (
        "an endpoint",
        &["required", "optional", "members", "resource", "at_least_one_of"],
        "it belongs into `body`",
    ),
    (
        "an endpoint",
        &["security", "auth", "credential", "limits"],
        "a credential and limits hold for a whole surface: put this endpoint into another surface",
    ),
    ("an endpoint", &["tags"], "endpoints are grouped by their surface"),
    (
        "a surface",
        &["security", "auth"],
        "name one of `credentials`: `credential: name`",
    ),
    (
        "a surface",
        &["path", "prefix", "url"],
        "the path before every route is `base`",
    ),
    ("a surface", &["paths", "routes"], "endpoints stand in `endpoints`"),
    (
        "a type",
        &["type", "format"],
        "the kind of a type is a key: `title: { string: { min: 1, max: 200 } }`",
    ),
    (
        "a type",
        &["enum"],
        "an enumeration stands in `enums`: `Color: [red, green]`",
    ),
    (
        "a type",
        &["object", "properties", "record"],
        "what has members stands in `objects`: `Author: { name: name }`",
    ),
    (
        "a type",
        &["array"],
        "a list is written `tags: { list: { of: tag, max: 10 } }`",
    ),
    (
        "*",
        &["minimum", "minLength", "minItems", "min_length"],
        "the least value, length or number of items is `min`",
    ),
    (
        "*",
        &["maximum", "maxLength", "maxItems", "max_length"],
        "the greatest value, length or number of items is `max`",
    ),
    (
        "*",
        &["exclusiveMinimum"],
        "a number's exclusive lower bound is `exclusive_min`",
    ),
    (
        "*",
        &["multipleOf", "precision", "scale"],
        "a number's decimal places are bounded by `decimals`",
    ),
    (
        "`string`",
        &["pattern", "regex", "format"],
        "the characters of a text are bounded by `chars: \"a-z0-9-\"`; there are no patterns",
    ),
    ("`list`", &["items", "type"], "the type of the items is `of`"),
    (
        "`list`",
        &["uniqueItems", "distinct"],
        "`unique: member` names the member in which the items differ",
    ),
    (
        "an enum",
        &["enum", "values", "type"],
        "an enum is a list of its values: `Color: [red, green]`",
    ),
    (
        "a body",
        &["any", "any_of", "anyOf"],
        "a partial body names its fields in `at_least_one_of`",
    ),
    (
        "a body",
        &["type", "properties", "fields"],
        "members with types of their own stand in `members: { until: date }`, fields of a resource in `required` and `optional`",
    ),
    (
        "a body",
        &["record"],
        "the resource whose fields are taken is `resource`",
    ),
    (
        "a resource",
        &["properties", "columns", "members", "schema"],
        "what is stored stands in `fields`",
    ),
    (
        "a resource",
        &["name", "title", "singular"],
        "what it is called in texts is `noun`",
    ),
    (
        "`success`",
        &["body", "content", "schema", "view", "returns"],
        "what is answered is `data`",
    ),
    ("`success`", &["code"], "the HTTP status is `status`"),
    (
        "an error row",
        &["message", "description", "title"],
        "what the caller reads is `text`",
    ),
    (
        "an error row",
        &["code", "name"],
        "the row's name is its code: the envelope shows it as `$code`",
    ),
    ("an error row", &["step", "when"], "the step that refuses is `at`"),
    (
        "a credential",
        &["in", "name", "type", "scheme"],
        "a credential is carried by a header: `header: X-Card`",
    ),
    (
        "a credential",
        &["random", "length"],
        "the number of random characters is `random_chars`",
    ),
    (
        "a limit",
        &["max", "limit", "window", "period"],
        "both stand in `rate: 100/min`",
    ),
    (
        "a limit",
        &["key", "by", "scope"],
        "who is counted is `per: caller` or `per: address`",
    ),
    (
        "a state",
        &["moves", "states", "from"],
        "what may follow a state stands in `transitions: { open: [closed] }`",
    ),
    ("a state", &["start", "default"], "the first state is `initial`"),
];

/// A type that other languages have, and what to do here.
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

/// What is written here instead of a key that `what` does not have.
pub(crate) fn key(what: &str, key: &str) -> Option<&'static str> {
    let is_there = |place: &str| place == what || place == "*";
    KEYS.iter()
        .find(|(place, words, _)| is_there(place) && words.contains(&key))
        .map(|(.., help)| *help)
}

/// Whether a key stands for one that `what` has: `responses` for `success`. A key that is foreign everywhere says more.
pub(crate) fn replaces(what: &str, key: &str) -> bool {
    KEYS.iter()
        .any(|(place, words, _)| *place == what && words.contains(&key))
}

/// What is written here instead of a type that there is not.
pub(crate) fn type_name(name: &str) -> Option<&'static str> {
    TYPES
        .iter()
        .find(|(words, _)| words.contains(&name))
        .map(|(_, help)| *help)
}

/// What is written here instead of something that looks like a type elsewhere.
pub(crate) fn type_form(written: &str) -> Option<&'static str> {
    let is_list = written.ends_with("[]") || written.contains(" of ") || written.contains('<');
    let is_nullable = ["null", "nil", "optional", "!"]
        .iter()
        .any(|word| written.ends_with(word));
    if written.starts_with("#/") {
        Some("a type is named without a path: `Book.item` is the view `item` of the resource `Book`")
    } else if is_list {
        Some("a list is written `\"[title]\"`")
    } else if is_nullable {
        Some("what may be missing is written `title?`, what may not is written `title`")
    } else if written.contains(':') {
        Some("a default is written `title = x`")
    } else {
        None
    }
}

/// How a route with a parameter of another language's is written here.
pub(crate) fn route(written: &str) -> Option<&'static str> {
    let is_parameter = |part: &str| part.starts_with(['{', '<', '[', '$']);
    if written.split('/').any(is_parameter) {
        Some("a parameter is written with a colon: `/books/:id`")
    } else if written.contains('?') {
        Some("the parameters of the query are declared in `query`, not in the route")
    } else if written.contains('*') {
        Some("every route is written out: there are no wildcards")
    } else if written.contains('#') || written.contains("//") {
        Some("a comment is written behind a blank: ` # …`")
    } else {
        None
    }
}

/// Why a text that looks like a number is none.
pub(crate) fn number(written: &str) -> Option<&'static str> {
    let digits = written.trim_start_matches(['-', '+']);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        None
    } else if digits.chars().all(|c| c.is_ascii_digit()) {
        Some("a number stands without quotes and without leading zeros")
    } else {
        Some("a number is written in digits alone, without a unit and without marks between them: `10000`")
    }
}
