//! Words of OpenAPI, JSON Schema, SQL and other languages, and what to write instead.
//!
//! [`crate::syntax`] and [`crate::check`] look unknown words up here. Knows no contract.

mod keys;
mod types;

pub(crate) use keys::{key, replaces};
pub(crate) use types::type_name;

/// What to write instead of the syntax for types of another language.
pub(crate) fn type_form(written: &str) -> Option<&'static str> {
    let is_list = written.ends_with("[]") || written.contains(" of ") || written.contains('<');
    let is_nullable = ["null", "nil", "optional", "!"]
        .iter()
        .any(|word| written.ends_with(word));
    let is_described = [" - ", " \u{2013} ", " \u{2014} ", " // "];
    if is_described.iter().any(|mark| written.contains(mark)) {
        Some("write a description after two dashes: `title -- What is on the cover.`")
    } else if written.starts_with("#/") {
        Some("name a type without a path: `Book.item` is the view `item` of the resource `Book`")
    } else if is_list {
        Some("write a list as `\"[title]\"`")
    } else if is_nullable {
        Some("write `title?` if it may be absent, and `title` if it is required")
    } else if written.contains(':') {
        Some("write a default as `title = x`")
    } else {
        None
    }
}

/// What to write instead of a route with the parameter syntax of another language.
pub(crate) fn route(written: &str) -> Option<&'static str> {
    let is_parameter = |part: &str| part.starts_with(['{', '<', '[', '$']);
    if written.split('/').any(is_parameter) {
        Some("write a parameter with a colon: `/books/:id`")
    } else if written.contains('?') {
        Some("declare query parameters in `query`, not in the route")
    } else if written.contains('*') {
        Some("write out every route: there are no wildcards")
    } else if written.contains('#') || written.contains("//") {
        Some("write a comment after a space: ` # …`")
    } else {
        None
    }
}

/// Why a text that looks like a number is not one.
pub(crate) fn number(written: &str) -> Option<&'static str> {
    let digits = written.trim_start_matches(['-', '+']);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        None
    } else if digits.chars().all(|c| c.is_ascii_digit()) {
        Some("write a number without quotes and without leading zeros")
    } else {
        Some("write a number with digits only, without a unit and without separators: `10000`")
    }
}
