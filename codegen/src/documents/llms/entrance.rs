//! The start of the text: what the service is, where the paths begin, and which credential a request carries.

use super::{section, sentence, together};
use crate::documents::shared::realms;
use crate::documents::shared::selection::Selection;
use crate::model::{Credential, Surface};
use crate::names::with_article;

pub(super) fn title(part: &Selection<'_>) -> String {
    let model = part.model;
    let about = model.doc.as_deref().map(sentence);
    let about = about.unwrap_or_else(|| format!("{}, over HTTP.", model.title));
    let has_credential = part
        .surfaces
        .iter()
        .any(|surface| model.credential_of(surface).is_some());
    let needed = match has_credential {
        true => "this text, an HTTP client and a credential",
        false => "this text and an HTTP client",
    };
    format!(
        "# {}\n\n> {about}\n\nTo call the service, a program needs only {needed}. Contract version: {}.",
        part.title(),
        model.version
    )
}

pub(super) fn callers(part: &Selection<'_>) -> String {
    let lines: Vec<String> = part.surfaces.iter().map(|surface| caller(part, surface)).collect();
    section("APIs and credentials", &lines)
}

fn caller(part: &Selection<'_>, surface: &Surface) -> String {
    let credential = part.model.credential_of(surface);
    let credential_line = credential.map_or("No credential is needed.".to_owned(), |credential| {
        presented(part, credential)
    });
    let tools = surface
        .mcp
        .as_ref()
        .map(|mcp| format!("Its operations are also MCP tools: `POST {}`.", mcp.path));
    let text = together(&[
        &sentence(surface.doc.as_deref().unwrap_or_default()),
        &credential_line,
        &tools.unwrap_or_default(),
    ]);
    format!("- `{}`: paths under `{}`. {text}", surface.name, surface.base_path())
}

fn presented(part: &Selection<'_>, credential: &Credential) -> String {
    let Credential { header, random, .. } = credential;
    let prefixes = realms::prefixes(credential);
    let whose = match &credential.caller {
        Some(caller) => format!(
            ". It identifies {}",
            with_article(&part.model.resource(&caller.resource).noun)
        ),
        None => String::new(),
    };
    let form = format!(
        "Each request needs a credential in the header `{header}`: {prefixes} followed by {random} letters and digits{whose}."
    );
    let headers = realms::headers(credential);
    let headers =
        headers.map(|(name, value, whose)| format!("Responses to {whose} have the header `{name}: {value}`."));
    let doc = sentence(credential.doc.as_deref().unwrap_or_default());
    together(&[&form, &doc, &headers.collect::<Vec<_>>().join(" ")])
}
