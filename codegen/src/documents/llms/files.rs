//! The texts that a server serves, and the links between them.

use super::{section, text};
use crate::documents::file::{File, FileKind, LLMS, OPENAPI, Parameter};
use crate::documents::shared::selection::Selection;
use crate::model::Model;

/// Plain text, because browsers show it, and download a file declared as Markdown.
const MEDIA_TYPE: &str = "text/plain; charset=utf-8";

/// `/llms.txt`, and `/llms.txt?surface=NAME` for a single surface.
pub(crate) fn files(model: &Model) -> Vec<File> {
    let names = model.surfaces.iter().map(|surface| Some(surface.name.as_str()));
    std::iter::once(None)
        .chain(names)
        .map(|surface| file(model, surface))
        .collect()
}

fn file(model: &Model, surface: Option<&str>) -> File {
    let text = text(model, surface).expect("the surface is one of the model's");
    let file = File::new(LLMS, MEDIA_TYPE, FileKind::Text, text.into_bytes());
    match surface {
        None => file
            .selected_by(vec![Parameter::absent("surface")])
            .related("describedby"),
        Some(name) => file.selected_by(vec![Parameter::with_value("surface", name)]),
    }
}

/// Links to more documents. By llmstxt.org, a reader with little room may skip the section with this heading.
pub(super) fn links(part: &Selection<'_>) -> String {
    let of_all = part.surfaces.len() == part.model.surfaces.len();
    let query = match part.surfaces.as_slice() {
        [surface] if !of_all => format!("?surface={}", surface.name),
        _ => String::new(),
    };
    let mut lines = vec![format!(
        "- [OpenAPI]({OPENAPI}{query}): the same contract for tools, with schemas"
    )];
    if !of_all {
        lines.push(format!("- [All]({LLMS}): this text for all APIs"));
    }
    let surfaces = part.model.surfaces.iter();
    let others = surfaces.filter(|surface| !of_all && part.surfaces.iter().all(|one| one.name != surface.name));
    lines.extend(
        others.map(|surface| format!("- [{0}]({LLMS}?surface={0}): this text for the API `{0}`", surface.name)),
    );
    section("Optional", &lines)
}
