//! An example of a request's target: a path with example values, and parameters of the query.

use super::examples;
use super::lists;
use crate::json::Json;
use crate::model::{Field, Model, Operation, Segment, Surface};
use std::fmt::Write;

/// `/api/books/7?author=Ann`, with the required parameters and this number of `others`; all that the contract's example
/// of the operation names, unless `others` is 0.
pub(crate) fn example(model: &Model, surface: &Surface, operation: &Operation, others: usize) -> String {
    let value = |field: &Field| match examples::value(model, &operation.exemplified(field), &field.name) {
        Json::Text(text) => encoded(&text),
        other => encoded(&other.compact()),
    };
    let segments = operation.segments.iter().map(|segment| match segment {
        Segment::Literal(text) => format!("/{text}"),
        Segment::Parameter(name) => {
            let field = operation.path.iter().find(|field| field.name == *name);
            format!("/{}", field.map(value).unwrap_or_default())
        }
    });
    let path: String = segments.collect();
    let is_free = |field: &&Field| field.of.optional || field.of.default.is_some();
    let needed = operation.query.iter().filter(|field| !is_free(field));
    let is_own = |field: &Field| operation.exemplifies(field);
    let has_own = operation.query.iter().any(is_own);
    let others = if has_own && others > 0 { usize::MAX } else { others };
    // Parameters of pages would select another page than the example shows.
    let is_usual = |field: &Field| !has_own && !lists::is_of_pages(operation, &field.name);
    let free = operation.query.iter().filter(is_free);
    let free = free.filter(|field| is_own(field) || is_usual(field)).take(others);
    let query = needed.chain(free);
    let query: Vec<String> = query.map(|field| format!("{}={}", field.name, value(field))).collect();
    let mark = if query.is_empty() { "" } else { "?" };
    format!("{}{path}{mark}{}", surface.base, query.join("&"))
}

/// The text, percent-encoded for a path or a query (RFC 3986).
fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::encoded;

    #[test]
    fn what_may_not_stand_in_an_address_is_encoded() {
        assert_eq!(encoded("a b&c=é-1.5~_'\"$"), "a%20b%26c%3D%C3%A9-1.5~_%27%22%24");
    }
}
