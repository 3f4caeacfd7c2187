//! An example of each operation: a request that is right, and what is answered to it.

use super::notation;
use crate::documents::shared::examples;
use crate::documents::shared::json::Json;
use crate::documents::shared::lists;
use crate::documents::shared::part::Part;
use crate::model::{Field, Operation, Segment, Surface};
use std::fmt::Write;

/// Most parameters of a query that need not be given and are shown.
const FREE_PARAMETERS: usize = 2;

/// `GET /api/books/7?author=Ann`
pub(super) fn request(part: &Part<'_>, surface: &Surface, operation: &Operation) -> String {
    let value = |field: &Field| encoded(&plain(&examples::value(part.model, &field.of, &field.name)));
    let segments = operation.segments.iter().map(|segment| match segment {
        Segment::Literal(text) => format!("/{text}"),
        Segment::Parameter(name) => {
            let field = operation.path.iter().find(|field| field.name == *name);
            format!("/{}", field.map(&value).unwrap_or_default())
        }
    });
    let path: String = segments.collect();
    let is_free = |field: &&Field| field.of.optional || field.of.default.is_some();
    let needed = operation.query.iter().filter(|field| !is_free(field));
    // The page that they would ask for is not the one that is shown.
    let is_of_pages = |field: &&Field| lists::is_of_pages(operation, &field.name);
    let free = operation
        .query
        .iter()
        .filter(is_free)
        .filter(|field| !is_of_pages(field));
    let free = free.take(FREE_PARAMETERS);
    let query: Vec<String> = needed
        .chain(free)
        .map(|field| format!("{}={}", field.name, value(field)))
        .collect();
    let mark = if query.is_empty() { "" } else { "?" };
    format!("{} {}{path}{mark}{}", operation.method, surface.base, query.join("&"))
}

/// `GET /api/books/{book: Book.id}`
pub(super) fn path(surface: &Surface, operation: &Operation) -> String {
    let segments = operation.segments.iter().map(|segment| match segment {
        Segment::Literal(text) => format!("/{text}"),
        Segment::Parameter(name) => {
            let field = operation.path.iter().find(|field| field.name == *name);
            let of = field.map(|field| notation::written(&field.of));
            format!("/{{{name}: {}}}", of.unwrap_or_default())
        }
    });
    format!("{} {}{}", operation.method, surface.base, segments.collect::<String>())
}

/// As it stands in a path or a query.
fn plain(value: &Json) -> String {
    match value {
        Json::Text(text) => text.clone(),
        other => other.compact(),
    }
}

/// As RFC 3986 writes what may not stand in a path or a query.
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
    fn what_may_not_stand_in_a_query_is_encoded() {
        assert_eq!(encoded("a b&c=é-1.5~_"), "a%20b%26c%3D%C3%A9-1.5~_");
    }
}
