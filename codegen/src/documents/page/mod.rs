//! From the model to a page for people: `/docs`, and the files that it loads.
//!
//! ```text
//! Model ─ a section each: start, errors, limits, states, decisions ─▶ HTML
//!                                                 openapi.json ─▶ viewer ─▶ operations, and calls that are tried
//! ```
//!
//! The page is generated as a whole when the service is built, and works without scripts. A script adds only the viewer
//! of the operations, which reads the OpenAPI document. The page loads files of its own server only and has no inline
//! script or style, so that its policy can forbid everything else.

mod answers;
mod decisions;
mod errors;
mod limits;
mod operations;
mod start;
mod states;
mod table;
mod text;
mod viewer;

use crate::documents::file::{DOCS, File, FileKind, LLMS, OPENAPI};
use crate::model::Model;
use maud::{DOCTYPE, Markup, html};
use std::borrow::Cow;

/// Paths of the page's own files.
const OWN_STYLE: &str = "/docs/page.css";
const OWN_SCRIPT: &str = "/docs/page.js";
/// What all pages look like.
const KIT_STYLE: &str = "/docs/ui.css";
/// The style of the viewer, below that of the page.
const VIEWER_STYLE: &str = "/docs/viewer.css";
const MARK: &str = "/docs/mark.svg";

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

/// The page may load its own files and inline pictures. It may not be framed, and may not send forms.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
     font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The page and the files that it loads.
pub(crate) fn files(model: &Model) -> Vec<File> {
    let kind = FileKind::Page {
        policy: POLICY.to_owned(),
    };
    let page = File::new(DOCS, HTML, kind, page(model).into_string().into_bytes()).related("service-doc");
    // Their paths contain no version, so a browser revalidates them each time.
    let own = |path, media_type, text: Cow<'static, str>| {
        File::new(path, media_type, FileKind::Document, text.into_owned().into_bytes())
    };
    let files = [
        page,
        own(OWN_STYLE, STYLE, include_str!("page.css").into()),
        own(OWN_SCRIPT, SCRIPT, include_str!("page.js").into()),
        own(KIT_STYLE, STYLE, include_str!("../site/kit/ui.css").into()),
        own(VIEWER_STYLE, STYLE, viewer::layer().into()),
        own(MARK, PICTURE, include_str!("../site/console/icon.svg").into()),
    ];
    files.into_iter().chain(viewer::files()).collect()
}

/// A part of the page with an entry in its menu.
struct PageSection {
    /// The fragment of its address.
    anchor: &'static str,
    title: &'static str,
    /// `None` if the contract states nothing for it.
    body: Option<Markup>,
}

fn sections(model: &Model) -> Vec<PageSection> {
    let section = |anchor, title, body| PageSection { anchor, title, body };
    let all = vec![
        section("start", "Quick start", Some(start::body(model))),
        section("all-operations", "Operations", Some(operations::body(model))),
        section("answers", "Responses", Some(answers::body(model))),
        section("errors", "Errors", Some(errors::body(model))),
        section("limits", "Limits and quotas", Some(limits::body(model))),
        section("states", "States", states::body(model)),
        section("decisions", "Decisions", decisions::body(model)),
    ];
    all.into_iter().filter(|section| section.body.is_some()).collect()
}

/// A path relative to the page, so that the page also works below another base path.
fn relative(path: &str) -> &str {
    path.trim_start_matches('/')
}

fn page(model: &Model) -> Markup {
    let sections = sections(model);
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (model.title) ": reference" }
                link rel="icon" href=(relative(MARK)) type=(PICTURE);
                link rel="preload" as="style" href=(relative(KIT_STYLE));
                link rel="stylesheet" href=(relative(OWN_STYLE));
                // Readers need not wait for these styles: page.js applies the second before the viewer appears.
                link rel="preload" as="style" href=(relative(&viewer::style()));
                link #looks rel="preload" as="style" href=(relative(VIEWER_STYLE));
                script src=(relative(OWN_SCRIPT)) defer {}
                script src=(relative(&viewer::script())) defer {}
            }
            body {
                a.skip href="#content" { "Skip to the content" }
                (menu(model, &sections))
                main #content tabindex="-1" {
                    (heading(model))
                    @for section in &sections {
                        section id=(section.anchor) aria-labelledby={ (section.anchor) "-title" } {
                            h2 id={ (section.anchor) "-title" } { (section.title) }
                            (section.body.as_ref().unwrap_or(&Markup::default()))
                        }
                    }
                    (end())
                }
            }
        }
    }
}

fn menu(model: &Model, sections: &[PageSection]) -> Markup {
    html! {
        header.menu {
            a.name href="#content" { img src=(relative(MARK)) width="28" height="28" alt=""; span { (model.title) } }
            nav.sections aria-label="On this page" {
                ul {
                    @for section in sections {
                        li { a href={ "#" (section.anchor) } { (section.title) } }
                    }
                }
            }
            (operations::menu(model))
        }
    }
}

fn heading(model: &Model) -> Markup {
    html! {
        h1 { (model.title) " " span.version { (model.version) } }
        @if let Some(doc) = &model.doc { p.doc { (text::prose(doc)) } }
        p { "For programs: " a href=(relative(OPENAPI)) { "the OpenAPI document" } ", " a href=(relative(LLMS)) { "a text for agents" } "." }
        @if let Some(contact) = &model.contact {
            p { "Questions: " (linked(&contact.name, contact.url.as_deref().map(String::as_str))) @if let Some(email) = &contact.email { ", " a href={ "mailto:" (email) } { (email) } } "." }
        }
        @if let Some(license) = &model.license { p { "Licence: " (linked(&license.name, license.url.as_deref().map(String::as_str))) "." } }
    }
}

fn linked(name: &str, url: Option<&str>) -> Markup {
    html! { @if let Some(url) = url { a href=(url) { (name) } } @else { (name) } }
}

fn end() -> Markup {
    html! {
        footer {
            p {
                "Generated from the contract when the server was built. The viewer of the operations is " (viewer::NAME) " "
                (viewer::VERSION) " (" a href=(relative(&viewer::licence())) { "licence" } ")."
            }
        }
    }
}
