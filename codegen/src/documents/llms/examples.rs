//! An example of each operation: a request that is right, and what is answered to it.

use super::notation;
use crate::documents::shared::examples;
use crate::documents::shared::json::{Json, Object};
use crate::documents::shared::part::Part;
use crate::model::{Data, Field, Kind, Operation, Segment, Surface, Type};
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
    let free = operation.query.iter().filter(is_free).take(FREE_PARAMETERS);
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

/// The data of an answer.
pub(super) fn data(part: &Part<'_>, operation: &Operation) -> Option<Json> {
    let view = |resource: &String, view: &String, list: bool| {
        let of = Type {
            kind: Kind::View(resource.clone(), view.clone()),
            list,
            optional: false,
            default: None,
            has_states: false,
        };
        examples::value(part.model, &of, "")
    };
    let data = match operation.data.as_ref()? {
        Data::One { resource, view: name } => view(resource, name, false),
        Data::Many { resource, view: name } => view(resource, name, true),
        Data::Members(fields) => {
            let members = fields.iter().map(|field| {
                let value = match field.of.kind {
                    Kind::Secret => examples::secret(part.secrets(Some(operation)).first().copied()).into(),
                    _ => examples::value(part.model, &field.of, &field.name),
                };
                (field.name.clone(), value)
            });
            members.collect::<Object>().into()
        }
    };
    Some(data)
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
