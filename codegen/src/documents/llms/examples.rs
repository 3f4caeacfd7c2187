//! An example of each operation: a valid request and its answer.

use super::notation;
use crate::documents::shared::address;
use crate::documents::shared::selection::Selection;
use crate::model::{Operation, Segment, Surface};

/// Maximum number of optional query parameters in an example.
const FREE_PARAMETERS: usize = 2;

/// `GET /api/books/7?author=Ann`
pub(super) fn request(part: &Selection<'_>, surface: &Surface, operation: &Operation) -> String {
    let address = address::example(part.model, surface, operation, FREE_PARAMETERS);
    format!("{} {address}", operation.method)
}

/// `GET /api/books/{book: Book.id}`
pub(super) fn path(surface: &Surface, operation: &Operation) -> String {
    let segments = operation.segments.iter().map(|segment| match segment {
        Segment::Literal(text) => format!("/{text}"),
        Segment::Parameter(name) => {
            let field = operation.path.iter().find(|field| field.name == *name);
            let of = field.map(|field| notation::in_request(&field.of));
            format!("/{{{name}: {}}}", of.unwrap_or_default())
        }
    });
    format!("{} {}{}", operation.method, surface.base, segments.collect::<String>())
}
