//! Keys of other languages.

use crate::language::{
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
        "what something is for stands in its `doc`, or behind two dashes: `title -- What is on the cover.`",
    ),
    (
        Some(&FILE),
        &["openapi", "swagger"],
        "this is no OpenAPI document: begin with `api`, `envelope`, `errors` and `surfaces`",
    ),
    (
        Some(&FILE),
        &["info", "servers"],
        "the service's name and version stand in `api: { name: …, title: …, version: … }`, the path before its routes in a \
         surface's `base`",
    ),
    (
        Some(&FILE),
        &["paths", "endpoints", "routes"],
        "endpoints stand in `surfaces: { public: { base: /v1, endpoints: { … } } }`",
    ),
    (
        Some(&FILE),
        &["components", "schemas", "definitions", "models"],
        "what is stored stands in `resources`, its parts in `objects`, request bodies in `inputs`, bounds in `types`",
    ),
    (
        Some(&FILE),
        &["security", "securitySchemes", "auth"],
        "declare it in `credentials`, and name it in a surface: `credential: name`",
    ),
    (
        Some(&API),
        &["termsOfService"],
        "the terms under which the service can be used are its `license`",
    ),
    (
        Some(&ENDPOINT),
        &["operationId"],
        "an operation is named by its key: `list_books: { GET: /books, … }`",
    ),
    (
        Some(&ENDPOINT),
        &["method", "route", "url", "HEAD", "OPTIONS"],
        "method and path are one entry, such as `GET: /books/:id`",
    ),
    (
        Some(&ENDPOINT),
        &["parameters", "params"],
        "types of path parameters stand in `path: { id: Book.id }`, those of the query in `query: { most: count = 20 }`",
    ),
    (
        Some(&ENDPOINT),
        &["responses", "response", "returns"],
        "what it answers stands in `success: { data: Book.item }`; refusals are rows of `errors`",
    ),
    (
        Some(&ENDPOINT),
        &["requestBody", "request", "input"],
        "what it takes stands in `body`",
    ),
    (
        Some(&ENDPOINT),
        &["data", "message", "status", "siblings"],
        "it belongs into `success`",
    ),
    (
        Some(&ENDPOINT),
        &["required", "optional", "members", "resource", "at_least_one_of"],
        "it belongs into `body`",
    ),
    (
        Some(&ENDPOINT),
        &["security", "auth", "credential", "limits"],
        "a credential and limits hold for a whole surface: put this endpoint into another surface",
    ),
    (Some(&ENDPOINT), &["tags"], "endpoints are grouped by their surface"),
    (
        Some(&ENDPOINT),
        &["where", "search", "matches"],
        "which rows a list shows stands in `filters: [tag = tags, $caller = reader_id, status is open]`",
    ),
    (
        Some(&ENDPOINT),
        &["pagination", "paging", "cursor"],
        "how a list is cut into pages stands in `pages: { size: size, offset: offset, total: total }`",
    ),
    (
        Some(&PAGES),
        &["limit", "per_page", "most"],
        "the parameter that says how many rows a page has is named by `size`",
    ),
    (
        Some(&PAGES),
        &["skip", "start", "after"],
        "the parameter that says how many rows stand before the page is named by `offset`",
    ),
    (
        Some(&PAGES),
        &["page", "count"],
        "which page it is, is named by `number`; what counts all rows, by `total`",
    ),
    (
        Some(&SURFACE),
        &["security", "auth"],
        "name one of `credentials`: `credential: name`",
    ),
    (
        Some(&SURFACE),
        &["path", "prefix", "url"],
        "the path before every route is `base`",
    ),
    (Some(&SURFACE), &["paths", "routes"], "endpoints stand in `endpoints`"),
    (
        Some(&TYPE),
        &["type", "format"],
        "the kind of a type is a key: `title: { string: { min: 1, max: 200 } }`",
    ),
    (
        Some(&TYPE),
        &["enum"],
        "an enumeration stands in `enums`: `Color: [red, green]`",
    ),
    (
        Some(&TYPE),
        &["object", "properties", "record"],
        "what has members stands in `objects`: `Author: { name: name }`",
    ),
    (
        Some(&TYPE),
        &["array"],
        "a list is written `tags: { list: { of: tag, max: 10 } }`",
    ),
    (
        ANYWHERE,
        &["minimum", "minLength", "minItems", "min_length"],
        "the least value, length or number of items is `min`",
    ),
    (
        ANYWHERE,
        &["maximum", "maxLength", "maxItems", "max_length"],
        "the greatest value, length or number of items is `max`",
    ),
    (
        ANYWHERE,
        &["exclusiveMinimum"],
        "a number's exclusive lower bound is `exclusive_min`",
    ),
    (
        ANYWHERE,
        &["multipleOf", "precision", "scale"],
        "a number's decimal places are bounded by `decimals`",
    ),
    (
        Some(&STRING),
        &["pattern", "regex", "format"],
        "the characters of a text are bounded by `chars: \"a-z0-9-\"`; there are no patterns",
    ),
    (Some(&LIST), &["items", "type"], "the type of the items is `of`"),
    (
        Some(&LIST),
        &["uniqueItems", "distinct"],
        "`unique: member` names the member in which the items differ",
    ),
    (
        Some(&ENUM_PART),
        &["enum", "values", "type"],
        "an enum is a list of its values: `Color: [red, green]`",
    ),
    (
        Some(&BODY),
        &["any", "any_of", "anyOf"],
        "a partial body names its fields in `at_least_one_of`",
    ),
    (
        Some(&BODY),
        &["type", "properties", "fields"],
        "members with types of their own stand in `members: { until: date }`, fields of a resource in `required` and `optional`",
    ),
    (
        Some(&BODY),
        &["record"],
        "the resource whose fields are taken is `resource`",
    ),
    (
        Some(&RESOURCE),
        &["properties", "columns", "members", "schema"],
        "what is stored stands in `fields`",
    ),
    (
        Some(&RESOURCE),
        &["name", "title", "singular"],
        "what it is called in texts is `noun`",
    ),
    (
        Some(&SUCCESS),
        &["body", "content", "schema", "view", "returns"],
        "what is answered is `data`",
    ),
    (Some(&SUCCESS), &["code"], "the HTTP status is `status`"),
    (
        Some(&ERROR_ROW),
        &["message", "description", "title"],
        "what the caller reads is `text`",
    ),
    (
        Some(&ERROR_ROW),
        &["code", "name"],
        "the row's name is its code: the envelope shows it as `$code`",
    ),
    (Some(&ERROR_ROW), &["step", "when"], "the step that rejects is `at`"),
    (
        Some(&ERROR_ROW),
        &["doc", "hint", "remedy"],
        "what a caller does next is `help`",
    ),
    (
        Some(&CREDENTIAL),
        &["in", "name", "type", "scheme"],
        "a credential is carried by a header: `header: X-Card`",
    ),
    (
        Some(&CREDENTIAL),
        &["random", "length"],
        "the number of random characters is `random_chars`",
    ),
    (
        Some(&LIMIT),
        &["max", "limit", "window", "period"],
        "both stand in `rate: 100/min`",
    ),
    (
        Some(&LIMIT),
        &["key", "by", "scope"],
        "who is counted is `per: caller` or `per: address`",
    ),
    (
        Some(&STATE),
        &["moves", "states", "from"],
        "what may follow a state stands in `transitions: { open: [closed] }`",
    ),
    (Some(&STATE), &["start", "default"], "the first state is `initial`"),
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
    use crate::language::sections;

    #[test]
    fn no_key_of_the_language_is_foreign_where_it_is_at_home() {
        for section in sections() {
            for name in section.keys.iter().map(|own| own.name) {
                assert_eq!(key(section, name), None, "`{name}` of {}", section.what);
            }
        }
    }
}
