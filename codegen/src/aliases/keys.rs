//! Keys of other languages.

use crate::syntax::{
    API, BODY, CREDENTIAL, ENDPOINT, ENUM_PART, ERROR_ROW, FILE, LIMIT, LIST, PAGES, RESOURCE, STATE, STRING, SUCCESS,
    SURFACE, Section, TYPE,
};

/// Marks keys that are looked up in every section.
const ANYWHERE: Option<&Section> = None;

/// Keys of another language, the section in which they are looked up, and what to write instead.
static KEYS: &[(Option<&Section>, &[&str], &str)] = &[
    (
        ANYWHERE,
        &["description", "summary"],
        "describe it in its `doc`, or after two dashes: `title -- What is on the cover.`",
    ),
    (
        Some(&FILE),
        &["openapi", "swagger"],
        "this is not an OpenAPI document: begin with `api`, `envelope`, `errors` and `surfaces`",
    ),
    (
        Some(&FILE),
        &["info", "servers"],
        "write name and version in `api: { name: …, title: …, version: … }`, and the path before the routes as `base` \
         of a surface",
    ),
    (
        Some(&FILE),
        &["paths", "endpoints", "routes"],
        "declare endpoints in `surfaces: { public: { base: /v1, endpoints: { … } } }`",
    ),
    (
        Some(&FILE),
        &["components", "schemas", "definitions", "models"],
        "declare records in `resources`, objects inside them in `objects`, request bodies in `inputs`, and bounds in \
         `types`",
    ),
    (
        Some(&FILE),
        &["security", "securitySchemes", "auth"],
        "declare it in `credentials`, and name it in a surface: `credential: name`",
    ),
    (Some(&API), &["termsOfService"], "write the terms of use as `license`"),
    (
        Some(&ENDPOINT),
        &["operationId"],
        "the key of an operation is its name: `list_books: { GET: /books, … }`",
    ),
    (
        Some(&ENDPOINT),
        &["method", "route", "url", "HEAD", "OPTIONS"],
        "write method and path as one entry, such as `GET: /books/:id`",
    ),
    (
        Some(&ENDPOINT),
        &["parameters", "params"],
        "declare the types of path parameters in `path: { id: Book.id }`, and of query parameters in `query: { most: \
         count = 20 }`",
    ),
    (
        Some(&ENDPOINT),
        &["responses", "response", "returns"],
        "declare the response in `success: { data: Book.item }`, and error responses in `errors`",
    ),
    (
        Some(&ENDPOINT),
        &["requestBody", "request", "input"],
        "declare the request body in `body`",
    ),
    (
        Some(&ENDPOINT),
        &["data", "message", "status", "siblings"],
        "write it inside `success`",
    ),
    (
        Some(&ENDPOINT),
        &["required", "optional", "members", "resource", "at_least_one_of"],
        "write it inside `body`",
    ),
    (
        Some(&ENDPOINT),
        &["security", "auth", "credential", "limits"],
        "a credential and limits apply to a whole surface: move this endpoint to another surface",
    ),
    (
        Some(&ENDPOINT),
        &["tags"],
        "surfaces group endpoints: move the endpoint to its surface",
    ),
    (
        Some(&ENDPOINT),
        &["where", "search", "matches"],
        "write `filters: [tag = tags, $caller = reader_id, status is open]`",
    ),
    (
        Some(&ENDPOINT),
        &["pagination", "paging", "cursor"],
        "write `pages: { size: size, offset: offset, total: total }`",
    ),
    (
        Some(&PAGES),
        &["limit", "per_page", "most"],
        "`size` names the parameter with the number of records on a page",
    ),
    (
        Some(&PAGES),
        &["skip", "start", "after"],
        "`offset` names the parameter with the number of records before the page",
    ),
    (
        Some(&PAGES),
        &["page", "count"],
        "`number` names the parameter with the number of the page; `total` counts all records",
    ),
    (
        Some(&SURFACE),
        &["security", "auth"],
        "name one of `credentials`: `credential: name`",
    ),
    (
        Some(&SURFACE),
        &["path", "prefix", "url"],
        "write the path before every route as `base`",
    ),
    (Some(&SURFACE), &["paths", "routes"], "declare endpoints in `endpoints`"),
    (
        Some(&TYPE),
        &["type", "format"],
        "write the kind of a type as its key: `title: { string: { min: 1, max: 200 } }`",
    ),
    (
        Some(&TYPE),
        &["enum"],
        "declare an enum in `enums`: `Color: [red, green]`",
    ),
    (
        Some(&TYPE),
        &["object", "properties", "record"],
        "declare an object in `objects`: `Author: { name: name }`",
    ),
    (
        Some(&TYPE),
        &["array"],
        "declare a list as `tags: { list: { of: tag, max: 10 } }`",
    ),
    (
        ANYWHERE,
        &["minimum", "minLength", "minItems", "min_length"],
        "write the minimum value, length or number of items as `min`",
    ),
    (
        ANYWHERE,
        &["maximum", "maxLength", "maxItems", "max_length"],
        "write the maximum value, length or number of items as `max`",
    ),
    (
        ANYWHERE,
        &["exclusiveMinimum"],
        "write the exclusive minimum of a number as `exclusive_min`",
    ),
    (
        ANYWHERE,
        &["multipleOf", "precision", "scale"],
        "write the maximum number of decimal places as `decimals`",
    ),
    (
        Some(&STRING),
        &["pattern", "regex", "format"],
        "restrict characters with `chars: \"a-z0-9-\"`; there are no regular expressions",
    ),
    (Some(&LIST), &["items", "type"], "write the type of the items as `of`"),
    (
        Some(&LIST),
        &["uniqueItems", "distinct"],
        "`unique: member` names the member that must differ between items",
    ),
    (
        Some(&ENUM_PART),
        &["enum", "values", "type"],
        "an enum is a list of its values: `Color: [red, green]`",
    ),
    (
        Some(&BODY),
        &["any", "any_of", "anyOf"],
        "name the fields of a partial body in `at_least_one_of`",
    ),
    (
        Some(&BODY),
        &["type", "properties", "fields"],
        "declare members with their own types in `members: { until: date }`, and name fields of a resource in \
         `required` and `optional`",
    ),
    (
        Some(&BODY),
        &["record"],
        "name the resource whose fields are used as `resource`",
    ),
    (
        Some(&RESOURCE),
        &["properties", "columns", "members", "schema"],
        "declare what is stored in `fields`",
    ),
    (
        Some(&RESOURCE),
        &["name", "title", "singular"],
        "write its name for texts as `noun`",
    ),
    (
        Some(&SUCCESS),
        &["body", "content", "schema", "view", "returns"],
        "write the data of the response as `data`",
    ),
    (Some(&SUCCESS), &["code"], "write the HTTP status as `status`"),
    (
        Some(&ERROR_ROW),
        &["message", "description", "title"],
        "write the text for the caller as `text`",
    ),
    (
        Some(&ERROR_ROW),
        &["code", "name"],
        "the name of the error is its code: the envelope returns it as `$code`",
    ),
    (
        Some(&ERROR_ROW),
        &["step", "when"],
        "write the step that rejects the request as `at`",
    ),
    (
        Some(&ERROR_ROW),
        &["doc", "hint", "remedy"],
        "write what the caller should do next as `help`",
    ),
    (
        Some(&CREDENTIAL),
        &["in", "name", "type", "scheme"],
        "name the header that carries the credential: `header: X-Card`",
    ),
    (
        Some(&CREDENTIAL),
        &["random", "length"],
        "write the number of random characters as `random_chars`",
    ),
    (
        Some(&LIMIT),
        &["max", "limit", "window", "period"],
        "write number and window together: `rate: 100/min`",
    ),
    (
        Some(&LIMIT),
        &["key", "by", "scope"],
        "write `per: caller` or `per: address`",
    ),
    (
        Some(&STATE),
        &["moves", "states", "from"],
        "declare which state may follow which in `transitions: { open: [closed] }`",
    ),
    (
        Some(&STATE),
        &["start", "default"],
        "write the initial state as `initial`",
    ),
];

/// What to write instead of a key that a section does not have.
pub(crate) fn key(section: &Section, key: &str) -> Option<&'static str> {
    let is_there = |place: Option<&Section>| place.is_none_or(|place| place == section);
    KEYS.iter()
        .find(|(place, words, _)| is_there(*place) && words.contains(&key))
        .map(|(.., help)| *help)
}

/// Whether a key replaces one that the section has: `responses` for `success`. Keys that are looked up in every section
/// do not: their own text explains more.
pub(crate) fn replaces(section: &Section, key: &str) -> bool {
    KEYS.iter()
        .any(|(place, words, _)| *place == Some(section) && words.contains(&key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::sections;

    #[test]
    fn no_key_of_the_language_is_foreign_where_it_is_at_home() {
        for section in sections() {
            for name in section.keys.iter().map(|own| own.name) {
                assert_eq!(key(section, name), None, "`{name}` of {}", section.what);
            }
        }
    }
}
