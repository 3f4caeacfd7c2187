//! The list of all operations, shown until the viewer replaces it, or if there is no script; and that of the menu.

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

/// The operations in the menu, with a field to find one: a column, or on narrow screens a panel that a button opens.
pub(super) fn menu(model: &Model) -> Markup {
    html! {
        button.button.small type="button" popovertarget="index" { "Find" }
        nav #index popover aria-label="Operations" {
            label.hidden for="find" { "Find an operation" }
            input #find.input hidden type="search" placeholder="Find an operation" autocomplete="off" spellcheck="false";
            p #found.quiet.small role="status" {}
            @for surface in &model.surfaces {
                div {
                    p id={ "menu-" (surface.name) } { (surface.name) }
                    ul aria-labelledby={ "menu-" (surface.name) } {
                        @for operation in &surface.operations {
                            li {
                                a href={ "#" (anchor(surface, operation)) } {
                                    span.method data-method=(operation.method) { (operation.method) } " "
                                    code { (operation.route) }
                                    span.hidden { " " (prose(&words::summary(operation))) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
