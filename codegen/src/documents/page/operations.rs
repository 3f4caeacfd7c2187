//! The list of all operations, shown until the viewer replaces it, or if there is no script.

use super::relative;
use super::text::{anchor, path};
use crate::documents::file::OPENAPI;
use crate::documents::shared::words;
use crate::model::Model;
use maud::{Markup, html};

pub(super) fn body(model: &Model) -> Markup {
    html! {
        p {
            "Open an operation to see what it takes and answers. To try calls, put in a credential under "
            strong { "Authorize" } ": it is kept in this tab's memory, and sent to this server only, in its header. "
            "A call that is tried is a real one."
        }
        noscript { p { "Without a script there is no viewer here: this list, and " a href=(relative(OPENAPI)) { "the OpenAPI document" } "." } }
        div #viewer hidden data-document=(relative(OPENAPI)) {}
        div #listed {
            @for surface in &model.surfaces {
                h3 { (surface.name) }
                ul.operations {
                    @for operation in &surface.operations {
                        li id=(anchor(surface, operation)) {
                            span.method data-method=(operation.method) { (operation.method) } " "
                            code { (path(surface, operation)) } " "
                            span { (words::summary(operation)) }
                        }
                    }
                }
            }
        }
    }
}
