//! The stored resources and the meaning of their members, for all operations that send or show them.

use super::used::Used;
use super::{notation, sentence, together};
use crate::documents::shared::selection::Selection;
use crate::documents::shared::{realms, words};
use crate::model::{Field, Kind, Resource, Type};

pub(super) fn section(part: &Selection<'_>, used: &Used<'_>) -> String {
    let things = part.model.resources.iter().map(|resource| thing(part, used, resource));
    let things: Vec<String> = things.filter(|thing| !thing.is_empty()).collect();
    if things.is_empty() {
        return String::new();
    }
    format!("## Resources\n\n{}", things.join("\n\n"))
}

fn thing(part: &Selection<'_>, used: &Used<'_>, resource: &Resource) -> String {
    let name = resource.name.as_str();
    let fields = resource.fields.iter().chain(&resource.joined);
    let fields = fields.filter(|field| used.has_field(name, &field.name));
    // A resource's own id needs no line.
    let is_own_id = |field: &&Field| field.of.kind == Kind::Id(resource.name.clone()) && field.doc.is_none();
    let fields = fields.filter(|field| !is_own_id(field));
    let fields = fields.map(|field| member(&field.name, &field.of, field.doc.as_deref()));
    let renamed = used.renamed(resource).into_iter();
    let renamed = renamed.map(|one| member(&one.shown, &one.of, one.doc.as_deref()));
    let lines: Vec<String> = fields.chain(renamed).collect();
    if lines.is_empty() {
        return String::new();
    }
    let about = together(&[
        &sentence(resource.doc.as_deref().unwrap_or_default()),
        &owned(part, resource),
        &realms::of_resource(part.model, part.surfaces.iter().copied(), resource).unwrap_or_default(),
        &realms::hidden(part.model, part.surfaces.iter().copied(), resource).unwrap_or_default(),
    ]);
    let parts = [format!("### {name}"), about, lines.join("\n")];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n\n")
}

fn member(name: &str, of: &Type, doc: Option<&str>) -> String {
    let line = format!("- `{name}: {}`", notation::in_response(of));
    together(&[&line, &sentence(doc.unwrap_or_default())])
}

fn owned(part: &Selection<'_>, resource: &Resource) -> String {
    match (words::owners(part.model, resource), resource.private) {
        (None, _) => String::new(),
        (Some(owners), false) => format!("It belongs to {owners}."),
        (Some(owners), true) => format!("It belongs to {owners}. To other callers it does not exist."),
    }
}
