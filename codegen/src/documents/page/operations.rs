//! The list of all operations, shown until the viewer replaces it, or if there is no script.

use super::relative;
use super::text::{anchor, path, prose};
use crate::documents::file::OPENAPI;
use crate::documents::shared::words;
use crate::model::Model;
use maud::{Markup, html};

pub(super) fn body(model: &Model) -> Markup {
    html! {
        p {
            "Open an operation to see its parameters and responses. To try calls, enter a credential under "
            strong { "Authorize" } ". It stays in the memory of this tab, and is sent to this server only. "
            "The calls are real: they change data on this server."
        }
        noscript { p { "The viewer needs JavaScript. Without it, use this list or " a href=(relative(OPENAPI)) { "the OpenAPI document" } "." } }
        div #viewer hidden data-document=(relative(OPENAPI)) {}
        div #listed {
            @for surface in &model.surfaces {
                h3 { (surface.name) }
                ul.operations {
                    @for operation in &surface.operations {
                        li id=(anchor(surface, operation)) {
                            span.method data-method=(operation.method) { (operation.method) } " "
                            code { (path(surface, operation)) } " "
                            span { (prose(&words::summary(operation))) }
                        }
                    }
                }
            }
        }
    }
}
