//! The quick start: the address of each surface, its credential, and first calls to paste.

use super::text::{anchor, prose};
use crate::documents::shared::{address, examples};
use crate::model::{BodyMember, Credential, Model, Operation, Surface};
use maud::{Markup, html};

pub(super) fn body(model: &Model) -> Markup {
    html! {
        p {
            "The service has an API for each kind of caller. All paths of an API have the same prefix, and all its requests "
            "take the same kind of credential."
        }
        @for surface in &model.surfaces { (entrance(model, surface)) }
    }
}

fn entrance(model: &Model, surface: &Surface) -> Markup {
    let credential = model.credential_of(surface);
    let first = surface.operations.first().map(|operation| anchor(surface, operation));
    html! {
        article.surface {
            h3 id={ "surface-" (surface.name) } { (surface.name) }
            @if let Some(doc) = &surface.doc { p { (prose(doc)) } }
            dl {
                dt { "Paths" }
                dd { code { (surface.base) "/…" } ", " a href={ "#" (first.unwrap_or_default()) } { (counted(surface.operations.len())) } }
                dt { "Credential" }
                dd { @if let Some(one) = credential { (presented(one)) } @else { "None required." } }
                @if let Some(mcp) = &surface.mcp {
                    dt { "Tools" }
                    dd { code { "POST " (mcp.path) } ": " (counted(surface.tools().count())) " as tools for AI agents (Model Context Protocol)" }
                }
            }
            pre tabindex="0" aria-label={ "First calls: " (surface.name) } { code {
                "SERVER=" span data-server { "https://…" } "\n"
                @if let Some(one) = credential { "KEY=" (one.prefix) "…\n" }
                @for call in first_calls(model, surface) { (call) "\n" }
            } }
        }
    }
}

fn counted(operations: usize) -> String {
    format!("{operations} operation{}", if operations == 1 { "" } else { "s" })
}

fn presented(credential: &Credential) -> Markup {
    html! {
        code { (credential.prefix) "…" } " in the header " code { (credential.header) } ". "
        @if let Some(doc) = &credential.doc { (prose(doc)) }
    }
}

/// The read with the fewest requirements, and the write, as curl commands.
fn first_calls(model: &Model, surface: &Surface) -> Vec<String> {
    let asked = |one: &&Operation| (one.plan().is_some(), one.path.len(), one.exists().count());
    let reading = surface
        .operations
        .iter()
        .filter(|one| one.method == "GET")
        .min_by_key(asked);
    let writing = surface
        .operations
        .iter()
        .filter(|one| one.body.is_some())
        .min_by_key(asked);
    let calls = [reading, writing].into_iter().flatten();
    calls.map(|operation| curl(model, surface, operation)).collect()
}

fn curl(model: &Model, surface: &Surface, operation: &Operation) -> String {
    let mut call = String::from("curl");
    if let Some(name) = &surface.credential {
        call += &format!(" -H \"{}: $KEY\"", model.credential(name).header);
    }
    let body = model.body(operation);
    if !matches!((operation.method.as_str(), body), ("GET", None) | ("POST", Some(_))) {
        call += &format!(" -X {}", operation.method);
    }
    if body.is_some() {
        call += " -H 'Content-Type: application/json'";
    }
    call += &format!(" \"$SERVER{}\"", address::example(model, surface, operation, 0));
    if let Some(body) = body {
        call += &format!(" \\\n     -d {}", quoted(&least(model, operation, &body.members)));
    }
    call
}

/// The smallest body: its required members, or else its first member.
fn least(model: &Model, operation: &Operation, members: &[BodyMember]) -> String {
    let has_required = members.iter().any(|member| member.required);
    let first = if has_required { members.len() } else { 1 };
    let mut chosen = members
        .iter()
        .take(first)
        .filter(|member| member.required == has_required);
    examples::request_of(model, operation, &mut chosen).compact()
}

/// The text, quoted for a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_with_a_quote_is_one_word_of_a_shell() {
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
