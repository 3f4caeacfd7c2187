//! Small fragments of the page: sentences, names of the contract, links to operations.

use crate::documents::shared::words;
use crate::model::{Operation, Surface};
use maud::{Markup, html};

/// A sentence; text between backticks becomes code.
pub(super) fn prose(text: &str) -> Markup {
    let parts: Vec<&str> = text.split('`').collect();
    // An odd number of backticks has no clear pairs.
    let is_marked = parts.len() % 2 == 1;
    html! {
        @if is_marked {
            @for (place, part) in parts.into_iter().enumerate() {
                @if place % 2 == 1 { code { (part) } } @else { (part) }
            }
        } @else { (text) }
    }
}

/// Names as code, separated.
pub(super) fn codes<'t>(words: impl IntoIterator<Item = &'t str>) -> Markup {
    html! {
        @for (place, word) in words.into_iter().enumerate() {
            @if place > 0 { ", " }
            code { (word) }
        }
    }
}

/// The anchor of an operation on the page.
pub(super) fn anchor(surface: &Surface, operation: &Operation) -> String {
    format!("operation-{}", words::operation_id(surface, operation))
}

/// The method and path of an operation, linked to it.
pub(super) fn link(surface: &Surface, operation: &Operation) -> Markup {
    html! {
        a href={ "#" (anchor(surface, operation)) } { code { (operation.method) " " (path(surface, operation)) } }
    }
}

/// The whole path, as the contract writes it.
pub(super) fn path(surface: &Surface, operation: &Operation) -> String {
    format!("{}{}", surface.base, operation.route)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_between_backticks_is_code() {
        assert_eq!(prose("a `b<c` d").into_string(), "a <code>b&lt;c</code> d");
        assert_eq!(prose("5` tall & wide").into_string(), "5` tall &amp; wide");
    }
}
